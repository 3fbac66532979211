(** The checker, and the theorem: what it accepts is true. *)

From Coq Require Import ZArith NArith List Bool Lia Arith FMapPositive.
From Harary Require Import Bits Game Symmetry Placements Groups Follow Win Certificate Rules Lines Hold Orbits Blocks HoldRun Nodes
  Attack Cards AttackNodes.
Import ListNotations.

(** Why a certificate is refused. *)
Inductive reason :=
| BadHeader                       (* the game, the turns or the claim *)
| BadSymmetry                     (* a generator that is no symmetry, a group too large, a symmetry out of place *)
| BadCover
| BadMixture                      (* lines, nodes and root do not go together *)
| LineTwice (x : line)
| LineIllegal (x : line)
| NodeRepeated (id : N)
| NodeWrong (id : N)
| RootWrong
| Play (c : complaint) (P : position) (u : nat).

Inductive verdict := Accepted | Refused (r : reason).

Section Checker.

Variable c : certificate.
Let G := game_in c.
Let fs := families (c_setting c) (c_rule c).
Let all := below (cells G).

(** The symmetries of orbits. *)
Definition orbit_group : option (list perm) :=
  match c_symmetry c, c_setting c with
  | Generators gens, _ =>
      if in_range 1 16 (N.of_nat (length gens)) && N.eqb (c_format c) 2 &&
         forallb (fun g => N.eqb (image (as_perm g) (black (start G))) (black (start G)) &&
                           N.eqb (image (as_perm g) (white (start G))) (white (start G))) gens
      then group_of G (family fs) gens else None
  | BoardSymmetry, OfSets _ _ _ _ _ => None
  | _, OnBoard b _ => board_group G (family fs) b
  | NoSymmetry, OfSets _ _ _ _ _ => Some []
  end.

Definition cover : set := match c_cover c with Some s => s | None => all end.

Definition cover_ok : bool :=
  match c_cover c with
  | None => true
  | Some s =>
      subsetb s all &&
      match c_claim c with Win _ => true | _ => false end &&
      match c_setting c with OnBoard _ _ => true | _ => false end &&
      match c_symmetry c with Generators _ => false | _ => true end &&
      match c_root c with NoRoot => true | _ => false end
  end.

(** The symmetries of canonical forms: they keep the cover. *)
Definition stored_group (group : list perm) : list perm :=
  match c_symmetry c with
  | NoSymmetry => []
  | _ => filter (fun ms => N.eqb (image ms cover) cover) group
  end.

Definition attacker_of_line (s : step) : option N :=
  match s with PlayP x | PlayL x => Some x | _ => None end.

Definition by_positions (p : player) (K : N) (stored : list perm) (t : table) : outcome :=
  let mine := family fs p in
  let theirs := map (fun s => (N.land s cover, card (N.ldiff s cover))) (family fs (other p)) in
  run G p mine cover theirs (canonical stored)
    (fun st => match line_at t (fst st) (N.of_nat (snd st)) with Some s => attacker_of_line s | None => None end)
    (up_to K (turns G)) (first G) [(start G, 0)].

Definition context_of (stored : list perm) (node_at : N -> option node) : context :=
  Context (c_format c) all (fst fs) (snd fs) (start G) (first G) (turns G) (c_claim c) cover (canonical stored)
    (node_applies node_at)
    (fun pairs P r => plain_b (turns G) && pairs_apply G (fst fs) pairs P r).

Definition verdict_of (o : outcome) : verdict :=
  match o with
  | Proved => Accepted
  | Stuck why st => Refused (Play why (fst st) (snd st))
  end.

Definition legal_lines (x : context) (k : table -> verdict) : verdict :=
  match make_table (c_lines c) (PositiveMap.empty _) with
  | Twice e => Refused (LineTwice e)
  | Tabled t =>
      match find (fun e => negb (legal x e)) (c_lines c) with
      | Some e => Refused (LineIllegal e)
      | None => k t
      end
  end.

Definition lines_then (stored : list perm) (node_at : N -> option node) (k : table -> verdict) : verdict :=
  legal_lines (context_of stored node_at) k.

(** Every block by itself; strong ones need the strong rule and format 2, all of them the plain turn order. *)
Definition block_fine (blacks whites : list set) (orbits : list perm) (node_at : N -> option node) (nd : node) : bool :=
  (negb (strong_kind (node_kind nd)) ||
     N.eqb (c_format c) 2 && match c_rule c with Strong => true | Weak => false end) &&
  block_ok G blacks whites orbits node_at nd.

Definition blocks_then (orbits : list perm) (k : (N -> option node) -> verdict) : verdict :=
  match c_nodes c with
  | [] => k (fun _ => None)
  | _ =>
      if negb (plain_b (turns G)) then Refused BadMixture
      else match make_nodes (c_nodes c) (PositiveMap.empty _) with
           | NodeTwice id => Refused (NodeRepeated id)
           | NodesTabled t =>
               match find (fun nd => negb (block_fine (fst fs) (snd fs) orbits (node_in t) nd)) (c_nodes c) with
               | Some nd => Refused (NodeWrong (node_id nd))
               | None => k (node_in t)
               end
           end
  end.

(** The node that holds the whole game. *)
Definition root_holds (node_at : N -> option node) (id : N) : bool :=
  match node_at id with
  | None => false
  | Some nd => plain_b (turns G) && N.eqb (node_own nd) 0 && disjointb (node_open nd) (black (start G))
  end.

Definition hold_by_positions (l : list player) (stored : list perm) (node_at : N -> option node) (t : table) : outcome :=
  hold_run G (fst fs) (snd fs) node_at (canonical stored) (fun P => line_at t P 0) l (first G) [(start G, 0)].

Definition explicit (l : list player) (group : list perm) : verdict :=
  blocks_then group (fun node_at =>
    lines_then (stored_group group) node_at (fun t =>
      verdict_of (hold_by_positions l (stored_group group) node_at t))).

(** Attacks: nodes, cards and uses by themselves, and the node that wins the whole game. *)
Definition place_of : option (board * list point) :=
  match c_setting c with OnBoard b shape => Some (b, shape) | OfSets _ _ _ _ _ => None end.

Definition entries : list entry := map ANode (c_nodes c) ++ map ACard (c_cards c) ++ map AUse (c_uses c).

Definition root_wins (t : facts) (id K : N) : bool :=
  match fact_at t id with
  | None => false
  | Some f =>
      let x := f_first f in
      N.eqb (f_own f) 0 && disjointb (f_open f) (white (start G)) &&
      has (N.land (first G) (free_cells G (start G))) x &&
      N.leb (N.of_nat (2 * f_height f)) (N.succ K)
  end.

Definition weak_rule (r : rule) : bool := match r with Weak => true | Strong => false end.

Definition by_attack (group : list perm) (id K : N) : verdict :=
  match c_lines c with
  | [] =>
      if weak_rule (c_rule c) && plain_b (turns G) &&
         (N.eqb (c_format c) 2 || match c_cards c, c_uses c with [], [] => true | _, _ => false end)
      then match check_all_entries G (fst fs) group (c_format c) place_of entries with
           | inr wrong => Refused (NodeWrong wrong)
           | inl t => if root_wins t id K then Accepted else Refused RootWrong
           end
      else Refused BadMixture
  | _ => Refused BadMixture
  end.

Definition check_claim (group : list perm) : verdict :=
  let stored := stored_group group in
  match c_claim c, c_root c with
  | Win K, NoRoot =>
      match c_nodes c, c_cards c, c_uses c with
      | [], [], [] => lines_then stored (fun _ => None) (fun t => verdict_of (by_positions Black K stored t))
      | _, _, _ => Refused BadMixture
      end
  | Loss K, NoRoot =>
      match c_nodes c, c_cards c, c_uses c with
      | [], [], [] => lines_then stored (fun _ => None) (fun t => verdict_of (by_positions White K stored t))
      | _, _, _ => Refused BadMixture
      end
  | Hold, RootNode id =>
      match c_lines c, c_cards c, c_uses c with
      | [], [], [] =>
          blocks_then group (fun node_at => if root_holds node_at id then Accepted else Refused RootWrong)
      | _, _, _ => Refused BadMixture
      end
  | Hold, RootExplicit =>
      match c_cards c, c_uses c with [], [] => explicit (turns G) group | _, _ => Refused BadMixture end
  | HoldUpTo K, RootExplicit =>
      match c_cards c, c_uses c with [], [] => explicit (up_to K (turns G)) group | _, _ => Refused BadMixture end
  | Win K, RootNode id => by_attack group id K
  | _, _ => Refused BadMixture
  end.

Definition check : verdict :=
  if negb (header_ok c fs) then Refused BadHeader
  else if negb cover_ok then Refused BadCover
  else match orbit_group with
       | None => Refused BadSymmetry
       | Some group => check_claim group
       end.

(** ** Soundness *)

Hypothesis header : header_ok c fs = true.
Hypothesis covered : cover_ok = true.

Lemma fam : forall p s, In s (family fs p) <-> winning G p s.
Proof. exact (family_spec c header). Qed.

Lemma ins : sets_inside G.
Proof. exact (insides c header). Qed.

Lemma orbit_group_symmetric : forall group, orbit_group = Some group -> forall ms, In ms group -> symmetric G ms.
Proof.
  intros group H. unfold orbit_group in H.
  assert (forall b, board_group G (family fs) b = Some group -> forall ms, In ms group -> symmetric G ms) as Kb.
  { intros b Hb. eapply board_group_symmetric; [exact fam | exact ins | exact Hb]. }
  assert (forall gens, group_of G (family fs) gens = Some group -> forall ms, In ms group -> symmetric G ms) as Kg.
  { intros gens Hg. eapply group_of_symmetric; [exact fam | exact ins | exact Hg]. }
  destruct (c_symmetry c) as [| |gens].
  - destruct (c_setting c); [eapply Kb; eauto | inversion H; intros ms []].
  - destruct (c_setting c); [eapply Kb; eauto | discriminate].
  - destruct (_ && _ && _); [eapply Kg; eauto | discriminate].
Qed.

Lemma cover_inside : subset cover all.
Proof.
  unfold cover, cover_ok in *. destruct (c_cover c); [|intros x H; exact H].
  split_andb. apply subsetb_spec. assumption.
Qed.

Lemma canonical_keeps : forall group P, (forall ms, In ms group -> symmetric G ms) -> inside G P ->
  exists g h, aut G g h /\ gset g cover = cover /\ canonical (stored_group group) P = gpos g P.
Proof.
  intros group P H I.
  set (good := fun ms => symmetric G ms /\ image ms cover = cover).
  assert (forall ms, In ms (stored_group group) -> good ms) as K.
  { unfold stored_group. intros ms Hm. destruct (c_symmetry c); [destruct Hm | |];
      apply filter_In in Hm; destruct Hm as [Hm E]; apply N.eqb_eq in E; split; auto. }
  unfold canonical.
  assert (forall l best, (forall ms, In ms l -> good ms) ->
    (exists g h, aut G g h /\ gset g cover = cover /\ best = gpos g P) ->
    exists g h, aut G g h /\ gset g cover = cover /\ fold_left (fun best ms => better ms P best) l best = gpos g P) as F.
  { induction l as [|ms l IH]; intros best Hl Hb; simpl; auto.
    apply IH; [intros; apply Hl; right; auto|].
    destruct (Hl ms (or_introl eq_refl)) as [(g & h & A & S) E].
    assert (exists g h, aut G g h /\ gset g cover = cover /\ At (image ms (black P)) (image ms (white P)) = gpos g P) as Hi.
    { exists g, h. split; auto. split.
      - rewrite <- (image_spells G ms g); auto. apply cover_inside.
      - destruct I. unfold gpos. rewrite !(image_spells G ms g); auto. }
    unfold better. destruct (N.compare _ _); auto. destruct (N.ltb _ _); auto. }
  apply F; auto. exists (fun x => x), (fun x => x).
  assert (forall s, gset (fun x => x) s = s) as Id.
  { intro s. apply set_ext_iff. intro y. rewrite has_gset. split; [intros [x [Hx <-]]; auto | intro; exists y; auto]. }
  split; [apply aut_identity|]. unfold gpos. rewrite !Id. destruct P. auto.
Qed.

(** With a cover, the game is one of a board: no start stones, and every cell allowed at turn 1. *)
Lemma cover_everything : (cover = all) \/ (start G = At 0%N 0%N /\ first G = all).
Proof.
  unfold cover, cover_ok in *. destruct (c_cover c); [right | left; reflexivity].
  split_andb. unfold G, all. simpl. destruct (c_setting c); [auto | discriminate].
Qed.

Lemma start_matches : forall p, matches G p cover (start G, 0) (start G).
Proof.
  intro p. pose proof (start_inside c header) as I. fold G in I.
  unfold matches. cbn [fst snd]. split; [exact I|].
  destruct cover_everything as [E|[E _]].
  - rewrite E. repeat split; auto; try (apply (inside_own G _ _ I)).
    assert (N.ldiff (own (other p) (start G)) all = 0%N) as ->; [|reflexivity].
    apply set_ext_iff. intro x. rewrite has_ldiff, andb_true_iff, negb_true_iff, has_zero.
    split; [|discriminate]. intros [H1 H2]. apply (inside_own G _ _ I) in H1. unfold all in H2. congruence.
  - rewrite E. assert (forall q, own q (At 0%N 0%N) = 0%N) as Z by (intros []; reflexivity).
    rewrite !Z. split; auto. split; [intros x Hx; bits; discriminate|].
    split; [intros x Hx; bits; discriminate|]. split; auto.
Qed.

Theorem by_positions_sound : forall p K group t, (forall ms, In ms group -> symmetric G ms) ->
  by_positions p K (stored_group group) t = Proved -> can_force_by G p K.
Proof.
  intros p K group t Hg H. unfold can_force_by.
  refine (run_sound G p (family fs p) _ cover cover_inside _ _ _ _ _ _ _ _ _ H (start G, 0) (start G) _ _).
  - intros s. apply fam.
  - intros s W. apply in_map_iff. exists s. split; auto. apply fam; auto.
  - intros P I. apply canonical_keeps; auto.
  - intros x Hx. rewrite has_ldiff, andb_true_iff, negb_true_iff in Hx. destruct Hx as [Hx Hc].
    destruct cover_everything as [E|[_ E]]; [rewrite E in Hc; unfold all in Hc; congruence | rewrite E; exact Hx].
  - left; reflexivity.
  - apply start_matches.
Qed.

Lemma lines_then_accepted : forall stored node_at k,
  lines_then stored node_at k = Accepted -> exists t, k t = Accepted.
Proof.
  intros stored node_at k H. unfold lines_then, legal_lines in H. destruct (make_table _ _) as [t|]; [|discriminate].
  destruct (find _ _); [discriminate|]. exists t. auto.
Qed.

Lemma verdict_accepted : forall o, verdict_of o = Accepted -> o = Proved.
Proof. intros [] H; auto; discriminate. Qed.

Lemma blocks_then_accepted : forall orbits k, blocks_then orbits k = Accepted ->
  exists node_at, k node_at = Accepted /\
    forall id nd, node_at id = Some nd -> block_ok G (fst fs) (snd fs) orbits node_at nd = true.
Proof.
  intros orbits k H. unfold blocks_then in H. destruct (c_nodes c) as [|nd0 nds] eqn:En.
  - exists (fun _ => None). split; auto. discriminate.
  - destruct (negb _); [discriminate|].
    destruct (make_nodes _ _) as [t|] eqn:Et; [|discriminate].
    destruct (find _ (nd0 :: nds)) eqn:F; [discriminate|]. exists (node_in t). split; auto.
    intros id nd Hn. destruct (make_nodes_spec _ _ _ Et id nd Hn) as [K|K]; [|rewrite node_in_empty in K; discriminate].
    apply find_none with (x := nd) in F; auto. apply negb_false_iff in F. unfold block_fine in F.
    apply andb_true_iff in F. apply F.
Qed.

Lemma start_proper : proper G (start G).
Proof. split; [apply (start_inside c header) | apply (start_disjoint c header)]. Qed.

Lemma canonical_is_alike : forall group P, (forall ms, In ms group -> symmetric G ms) -> inside G P ->
  alike G P (canonical (stored_group group) P).
Proof.
  intros group P Hg I. destruct (canonical_keeps group P Hg I) as (g & h & A & _ & E). exists g, h. auto.
Qed.

Theorem explicit_sound : forall l group, (forall ms, In ms group -> symmetric G ms) ->
  explicit l group = Accepted -> ~ forces G Black l (first G) (start G).
Proof.
  intros l group Hg H. unfold explicit in H.
  apply blocks_then_accepted in H. destruct H as (node_at & H & Ok).
  apply lines_then_accepted in H. destruct H as [t H]. apply verdict_accepted in H.
  refine (hold_run_sound G (fst fs) (snd fs) (fam Black) (fam White) group Hg node_at Ok
            (canonical (stored_group group)) _ (fun P => line_at t P 0) l (first G) [(start G, 0)] H (start G, 0) _ _ _).
  - intros P I. apply canonical_is_alike; auto.
  - left; reflexivity.
  - apply start_proper.
  - apply (start_not_completed c header White).
Qed.

Theorem root_sound : forall group node_at id, (forall ms, In ms group -> symmetric G ms) ->
  (forall id nd, node_at id = Some nd -> block_ok G (fst fs) (snd fs) group node_at nd = true) ->
  root_holds node_at id = true -> ~ can_force G Black.
Proof.
  intros group node_at id Hg Ok H F. unfold can_force in F. unfold root_holds in H.
  destruct (node_at id) as [nd|] eqn:En; [|discriminate]. split_andb.
  apply plain_b_spec in H. apply N.eqb_eq in H1. apply disjointb_spec in H0.
  refine (blocks_hold G (fst fs) (snd fs) (fam Black) (fam White) group Hg node_at Ok _ (turns G) nd (start G)
            (le_n _) H _ _ _ _ _).
  - eapply Ok; eauto.
  - apply start_proper.
  - split; auto. rewrite H1. intros x Hx. bits. discriminate.
  - intros _. apply (start_not_completed c header White).
  - eapply forces_plain_opening; eauto.
Qed.

Lemma length_up_to : forall l K, length (up_to K l) = Nat.min (N.to_nat K) (length l).
Proof.
  induction l as [|q l IH]; intro K; simpl; [lia|].
  destruct (N.eqb K 0) eqn:E; [apply N.eqb_eq in E; subst; reflexivity|]. apply N.eqb_neq in E.
  simpl. rewrite IH. lia.
Qed.

Lemma plain_up_to : forall K, plain_b (turns G) = true -> plain (up_to K (turns G)).
Proof.
  intros K H. apply plain_b_spec. unfold plain_b in *. revert K H. generalize (turns G) Black.
  induction l as [|q l IH]; intros p K H; simpl in *; auto. destruct (N.eqb K 0); auto.
  simpl. apply andb_true_iff in H. destruct H as [H1 H2]. rewrite H1. simpl. apply IH; auto.
Qed.

Lemma distinct_points_spec : forall shape, distinct_points shape = true -> NoDup shape.
Proof.
  induction shape as [|xy shape IH]; intro H; [constructor|]. simpl in H. apply andb_true_iff in H.
  destruct H as [H1 H2]. constructor; auto. intro K. apply negb_true_iff in H1. rewrite existsb_not in H1.
  specialize (H1 xy K). rewrite !Z.eqb_refl in H1. discriminate.
Qed.

Lemma place_of_spec : forall b shape, place_of = Some (b, shape) ->
  NoDup shape /\ (forall s, image_on b shape s -> winning G Black s) /\
  (forall xy d, cell_at b xy = Some d -> (d < cells G)%N).
Proof.
  intros b shape H. unfold place_of in H. pose proof (setting_is_ok c header) as Ok.
  unfold G. simpl. destruct (c_setting c) as [b' shape'|]; [|discriminate]. inversion H; subst b' shape'.
  cbn [setting_ok] in Ok. split_andb. unfold in_range in *. split_andb. rewrite ?N.leb_le in *.
  split; [apply distinct_points_spec; auto|]. split.
  - intros s Hs. unfold winning_of. destruct (c_rule c); exact Hs.
  - intros xy d Hd. simpl. apply (cell_at_below b xy); auto; lia.
Qed.

Theorem by_attack_sound : forall group id K, (forall ms, In ms group -> symmetric G ms) ->
  c_claim c = Win K -> by_attack group id K = Accepted -> can_force_by G Black K.
Proof.
  intros group id K Hg Ec H. unfold by_attack in H.
  destruct (c_lines c); [|discriminate].
  destruct (weak_rule (c_rule c) && plain_b (turns G) && _) eqn:Ep; [|discriminate].
  apply andb_true_iff in Ep. destruct Ep as [Ep _]. apply andb_true_iff in Ep. destruct Ep as [Ew Pl].
  assert (c_rule c = Weak) as Er by (clear -Ew; destruct (c_rule c); [discriminate | reflexivity]).
  destruct (check_all_entries _ _ _ _ _ _) as [t|] eqn:Et; [|discriminate].
  destruct (root_wins t id K) eqn:R; [|discriminate]. clear H.
  assert (forall s, ~ winning G White s) as Wk by (intros s W; unfold G in W; simpl in W; rewrite Er in W; exact W).
  pose proof (check_all_entries_sound G (fst fs) group (c_format c) place_of (fam Black) Wk Hg place_of_spec _ _ Et) as Ft.
  unfold root_wins in R. destruct (fact_at t id) as [f|] eqn:Ef; [|discriminate].
  apply andb_true_iff in R. destruct R as [R R4]. apply andb_true_iff in R. destruct R as [R R3].
  apply andb_true_iff in R. destruct R as [R1 R2].
  apply N.eqb_eq in R1. apply disjointb_spec in R2. apply N.leb_le in R4. apply (choices_may G (fun _ => None)) in R3.
  destruct (Ft id f Ef) as (_ & _ & _ & Op).
  destruct (Op (up_to K (turns G)) (start G) (first G)) as [C|F]; auto.
  - apply start_proper.
  - split; intros x Hx; unfold inset in Hx.
    + rewrite R1 in Hx. bits. discriminate.
    + destruct (has (white (start G)) x) eqn:E; auto. exfalso. eapply R2; eauto.
  - apply plain_up_to; auto.
  - unfold enough, fills. rewrite length_up_to.
    pose proof header as OK. unfold header_ok in OK. rewrite Ec in OK. split_andb.
    match goal with Hn : Nat.leb (turns_needed _ _) _ = true |- _ => apply Nat.leb_le in Hn; simpl in Hn; rename Hn into Need end.
    fold G in Need.
    destruct (Nat.le_gt_cases (N.to_nat K) (length (turns G))) as [L|L]; [left; lia | right].
    assert (card (empty_at_start G) <= length (turns G))%nat as Hfull by (unfold G in *; simpl in *; lia).
    assert (card (below (cells G)) <= card (occupied (start G)) + card (empty_at_start G))%nat as Sum.
    { unfold empty_at_start, occupied. apply card_split. }
    rewrite card_below in Sum. lia.
  - exfalso. eapply (start_not_completed c header Black); eauto.
Qed.

Theorem check_claim_sound : forall group, (forall ms, In ms group -> symmetric G ms) ->
  check_claim group = Accepted -> true_of G (c_claim c).
Proof.
  intros group Hg H. unfold check_claim in H.
  destruct (c_claim c) as [K| |K|K] eqn:Ec; destruct (c_root c) as [|id|]; try discriminate.
  - destruct (c_nodes c), (c_cards c), (c_uses c); try discriminate.
    apply lines_then_accepted in H. destruct H as [t H]. apply verdict_accepted in H.
    exact (by_positions_sound Black K group t Hg H).
  - eapply by_attack_sound; eauto.
  - destruct (c_lines c), (c_cards c), (c_uses c); try discriminate.
    apply blocks_then_accepted in H. destruct H as (node_at & H & Ok).
    destruct (root_holds node_at id) eqn:R; [|discriminate]. eapply root_sound; eauto.
  - destruct (c_cards c), (c_uses c); try discriminate. eapply explicit_sound; eauto.
  - destruct (c_cards c), (c_uses c); try discriminate. eapply explicit_sound; eauto.
  - destruct (c_nodes c), (c_cards c), (c_uses c); try discriminate.
    apply lines_then_accepted in H. destruct H as [t H]. apply verdict_accepted in H.
    exact (by_positions_sound White K group t Hg H).
Qed.

End Checker.

Theorem check_sound : forall c, check c = Accepted -> well_formed (game_in c) /\ true_of (game_in c) (c_claim c).
Proof.
  intros c H. unfold check in H.
  destruct (negb (header_ok _ _)) eqn:E1; [discriminate|]. apply negb_false_iff in E1.
  destruct (negb (cover_ok _)) eqn:E2; [discriminate|]. apply negb_false_iff in E2.
  destruct (orbit_group c) as [group|] eqn:E3; [|discriminate].
  split; [apply game_well_formed; auto|].
  eapply check_claim_sound; eauto. apply orbit_group_symmetric; auto.
Qed.

