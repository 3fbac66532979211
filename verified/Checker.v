(** The checker, and the theorem: what it accepts is true. *)

From Coq Require Import ZArith NArith List Bool Lia Arith FMapPositive.
From Harary Require Import Bits Game Symmetry Placements Groups Follow Win Certificate Rules Lines.
Import ListNotations.

(** Why a certificate is refused. *)
Inductive reason :=
| BadHeader                       (* the game, the turns or the claim *)
| BadSymmetry                     (* a generator that is no symmetry, a group too large, a symmetry out of place *)
| BadCover
| BadMixture                      (* lines, nodes and root do not go together *)
| LineTwice (x : line)
| LineIllegal (x : line)
| NotSupported
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

Definition context_of (stored : list perm) : context :=
  Context (c_format c) all (fst fs) (snd fs) (start G) (first G) (turns G) (c_claim c) cover (canonical stored)
    (fun _ _ => false) (fun _ _ _ => false).

Definition verdict_of (o : outcome) : verdict :=
  match o with
  | Proved => Accepted
  | Stuck why st => Refused (Play why (fst st) (snd st))
  end.

Definition lines_then (stored : list perm) (k : table -> verdict) : verdict :=
  match make_table (c_lines c) (PositiveMap.empty _) with
  | Twice x => Refused (LineTwice x)
  | Tabled t =>
      match find (fun x => negb (legal (context_of stored) x)) (c_lines c) with
      | Some x => Refused (LineIllegal x)
      | None => k t
      end
  end.

Definition check_claim (group : list perm) : verdict :=
  let stored := stored_group group in
  match c_claim c, c_root c, c_nodes c, c_cards c, c_uses c with
  | Win K, NoRoot, [], [], [] => lines_then stored (fun t => verdict_of (by_positions Black K stored t))
  | Loss K, NoRoot, [], [], [] => lines_then stored (fun t => verdict_of (by_positions White K stored t))
  | _, _, _, _, _ => Refused NotSupported
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

Lemma lines_then_accepted : forall stored k, lines_then stored k = Accepted -> exists t, k t = Accepted.
Proof.
  intros stored k H. unfold lines_then in H. destruct (make_table _ _) as [t|]; [|discriminate].
  destruct (find _ _); [discriminate|]. exists t. auto.
Qed.

Lemma verdict_accepted : forall o, verdict_of o = Accepted -> o = Proved.
Proof. intros [] H; auto; discriminate. Qed.

Theorem check_claim_sound : forall group, (forall ms, In ms group -> symmetric G ms) ->
  check_claim group = Accepted -> true_of G (c_claim c).
Proof.
  intros group Hg H. unfold check_claim in H.
  destruct (c_claim c) as [K| |K|K]; destruct (c_root c); destruct (c_nodes c); destruct (c_cards c);
    destruct (c_uses c); try discriminate; simpl;
    apply lines_then_accepted in H; destruct H as [t H]; apply verdict_accepted in H;
    eapply by_positions_sound; eauto.
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

Print Assumptions check_sound.
