(** Cards: attacks in a box of the plane, good wherever they fit on the board. Lemma 8 of docs/game.md. *)

From Coq Require Import ZArith NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry Placements Lines Hold Orbits Certificate Attack.
Import ListNotations.

Definition point_eqb (a b : point) : bool := Z.eqb (fst a) (fst b) && Z.eqb (snd a) (snd b).

Lemma point_eqb_spec : forall a b, point_eqb a b = true <-> a = b.
Proof.
  intros [x y] [u v]. unfold point_eqb. simpl. rewrite andb_true_iff, !Z.eqb_eq. split; [intros [-> ->]; auto|].
  intro H. inversion H. auto.
Qed.

Definition memp (a : point) (l : list point) : bool := existsb (point_eqb a) l.

Lemma memp_spec : forall a l, memp a l = true <-> In a l.
Proof.
  intros. unfold memp. rewrite existsb_exists. split.
  - intros [b [H E]]. apply point_eqb_spec in E. subst. auto.
  - intro H. exists a. split; auto. apply point_eqb_spec. auto.
Qed.

Definition within (a b : list point) : bool := forallb (fun x => memp x b) a.

Lemma within_spec : forall a b, within a b = true -> incl a b.
Proof. intros a b H x Hx. unfold within in H. rewrite forallb_forall in H. apply memp_spec, H, Hx. Qed.

(** A point turned and moved. *)
Definition place (o : N) (d : point) (xy : point) : point := moved d (turned o xy).

Lemma place_injective : forall o d a b, place o d a = place o d b -> a = b.
Proof.
  intros o [dx dy] [x y] [u v] H. unfold place, moved, turned in H. simpl in H.
  destruct (has o 2), (has o 0), (has o 1); simpl in H; injection H as H1 H2; f_equal; lia.
Qed.

(** Turning twice is turning once. *)
Definition turn_twice (o o' : N) : N :=
  match find (fun t => point_eqb (turned t (1, 0)%Z) (turned o (turned o' (1, 0)%Z)) &&
                       point_eqb (turned t (0, 1)%Z) (turned o (turned o' (0, 1)%Z))) orientations with
  | Some t => t
  | None => 0%N
  end.

Lemma turn_twice_spec : forall o o', (o < 8)%N -> (o' < 8)%N ->
  (turn_twice o o' < 8)%N /\ forall xy, turned o (turned o' xy) = turned (turn_twice o o') xy.
Proof.
  intros o o' H H'. apply in_orientations in H, H'. unfold orientations in H, H'.
  repeat (destruct H as [<-|H]; [repeat (destruct H' as [<-|H'];
    [split; [vm_compute; reflexivity | intros [x y]; vm_compute (turn_twice _ _); unfold turned;
       vm_compute (has _ _); simpl; rewrite ?Z.opp_involutive; reflexivity]|]); destruct H'|]).
  destruct H.
Qed.

Lemma turned_sum : forall o a d, turned o (moved d a) = moved (turned o d) (turned o a).
Proof.
  intros o [x y] [u v]. unfold turned, moved. simpl.
  destruct (has o 2), (has o 0), (has o 1); simpl; f_equal; lia.
Qed.

Lemma place_twice : forall o d o' d', (o < 8)%N -> (o' < 8)%N -> exists o2 d2, (o2 < 8)%N /\
  forall xy, place o d (place o' d' xy) = place o2 d2 xy.
Proof.
  intros o d o' d' H H'. destruct (turn_twice_spec o o' H H') as [H2 E].
  exists (turn_twice o o'), (moved d (turned o d')). split; auto.
  intro xy. unfold place. rewrite turned_sum, E. unfold moved. simpl. f_equal; lia.
Qed.

(** What is known of a card that has been checked. *)
Record card_fact := CardFact {
  k_own : list point; k_open : list point; k_first : point; k_height : nat
}.

Definition points (w : N) (s : set) : list point :=
  map (fun c => (Z.of_N (N.modulo c w), Z.of_N (N.div c w))) (members s).

(** A child as placed. *)
Definition placed (pl : placing) (l : list point) : list point := map (place (placed_turn pl) (placed_shift pl)) l.

(** Some image of the shape in the plane lies within these points. *)
Definition holds_image (shape l : list point) : bool :=
  match shape with
  | [] => false
  | s0 :: _ =>
      existsb (fun o =>
        let (x0, y0) := turned o s0 in
        existsb (fun a => let d := (fst a - x0, snd a - y0)%Z in forallb (fun xy => memp (place o d xy) l) shape) l)
        orientations
  end.

Lemma holds_image_spec : forall shape l, holds_image shape l = true ->
  exists o d, (o < 8)%N /\ forall xy, In xy shape -> In (place o d xy) l.
Proof.
  intros [|s0 shape] l H; [discriminate|]. unfold holds_image in H. apply existsb_exists in H.
  destruct H as [o [Ho H]]. destruct (turned o s0) as [x0 y0]. apply existsb_exists in H. destruct H as [a [Ha H]].
  exists o, (fst a - x0, snd a - y0)%Z. split; [apply in_orientations; auto|].
  intros xy Hxy. rewrite forallb_forall in H. apply memp_spec. apply H. auto.
Qed.

Fixpoint find_children (known : N -> option card_fact) (id : N) (children : list placing) : option (list (placing * card_fact)) :=
  match children with
  | [] => Some []
  | pl :: rest =>
      if N.ltb (placed_card pl) id && N.ltb (placed_turn pl) 8 then
        match known (placed_card pl), find_children known id rest with
        | Some k, Some l => Some ((pl, k) :: l)
        | _, _ => None
        end
      else None
  end.

Lemma find_children_spec : forall known id children l, find_children known id children = Some l ->
  forall e, In e l -> (placed_turn (fst e) < 8)%N /\ known (placed_card (fst e)) = Some (snd e).
Proof.
  induction children as [|pl rest IH]; intros l H e He; simpl in H.
  - inversion H; subst. destruct He.
  - destruct (N.ltb _ _ && N.ltb _ _) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [_ E].
    apply N.ltb_lt in E. destruct (known (placed_card pl)) eqn:Ek; [|discriminate].
    destruct (find_children known id rest) eqn:Ef; [|discriminate]. inversion H; subst.
    destruct He as [<-|He]; auto. eapply IH; eauto.
Qed.

Definition highest (l : list nat) : nat := fold_left Nat.max l 0.

Lemma highest_spec : forall l x, In x l -> (x <= highest l)%nat.
Proof.
  intros l x H. unfold highest.
  assert (forall l acc, (acc <= fold_left Nat.max l acc)%nat) as K.
  { induction l0 as [|a l0 IH]; intro acc; simpl; auto. eapply Nat.le_trans; [|apply IH]. lia. }
  revert H. generalize 0. induction l as [|a l IH]; intros acc H; [destruct H|]. simpl.
  destruct H as [->|H]; auto. eapply Nat.le_trans; [|apply K]. lia.
Qed.

Definition check_card (shape : list point) (known : N -> option card_fact) (k : card_line) : option card_fact :=
  let w := card_width k in
  let own := points w (card_own k) in
  let open := points w (card_open k) in
  let at_cell x := (Z.of_N (N.modulo x w), Z.of_N (N.div x w)) in
  if negb (disjointb (card_own k) (card_open k)) then None
  else match card_kind_of k with
       | CardDone x =>
           if has (card_open k) x && holds_image shape (at_cell x :: own)
           then Some (CardFact own open (at_cell x) 1) else None
       | CardMove m children =>
           match find_children known (card_id k) children with
           | Some (((pl0, k0) :: others) as all) =>
               let after := at_cell m :: own in
               let either := open ++ own in
               if has (card_open k) m &&
                  forallb (fun e => within (placed (fst e) (k_own (snd e))) after &&
                                    within (placed (fst e) (k_open (snd e))) either) all &&
                  forallb (fun z => memp z after ||
                                    existsb (fun e => negb (memp z (placed (fst e) (k_open (snd e))))) others)
                    (placed pl0 (k_open k0))
               then Some (CardFact own open (at_cell m) (S (highest (map (fun e => k_height (snd e)) all))))
               else None
           | _ => None
           end
       end.

Section Cards.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).
Variable blacks : list set.
Hypothesis blacks_spec : forall s, In s blacks <-> winning G Black s.
Hypothesis weak : forall s, ~ winning G White s.
Variable b : board.
Variable shape : list point.
Hypothesis shape_distinct : NoDup shape.
Hypothesis on_board : forall s, image_on b shape s -> winning G Black s.
Hypothesis board_cells : forall xy c, cell_at b xy = Some c -> (c < n)%N.

(** A way to put points on the board. *)
Definition lander (f : point -> option N) : Prop :=
  exists o d, (o < 8)%N /\ forall xy, f xy = cell_at b (place o d xy).

Definition landed (f : point -> option N) (l : list point) (c : N) : Prop := exists xy, In xy l /\ f xy = Some c.

(** No point falls off the board, and no two on the same cell. *)
Definition spreads (f : point -> option N) (l : list point) : Prop :=
  (forall xy, In xy l -> exists c, f xy = Some c) /\
  (forall xy uv, In xy l -> In uv l -> f xy = f uv -> xy = uv).

Definition card_true (k : card_fact) : Prop :=
  In (k_first k) (k_open k) /\
  forall f x, lander f -> spreads f (k_own k ++ k_open k) -> f (k_first k) = Some x ->
    attack G (landed f (k_own k)) (landed f (k_open k)) x (k_height k).

Lemma spreads_incl : forall f l l', incl l' l -> spreads f l -> spreads f l'.
Proof. intros f l l' H [H1 H2]. split; intros; [apply H1 | apply H2]; auto. Qed.

Lemma shape_lands : forall f g l, (forall xy, In xy shape -> In (g xy) l) -> spreads f l ->
  (forall a a', g a = g a' -> a = a') ->
  exists cs, Forall2 (fun xy c => f (g xy) = Some c) shape cs /\ NoDup cs /\
    forall c, In c cs -> exists xy, In xy shape /\ f (g xy) = Some c.
Proof.
  intros f g l Hin [S1 S2] Inj. clear on_board. revert Hin shape_distinct.
  induction shape as [|xy sh IH]; intros Hin ND.
  - exists []. split; [constructor|]. split; [constructor|]. intros c [].
  - inversion ND; subst. destruct (IH) as (cs & F & NDc & Hc); auto.
    { intros; apply Hin; right; auto. }
    destruct (S1 (g xy)) as [c Ec]; [apply Hin; left; auto|].
    exists (c :: cs). split; [constructor; auto|]. split.
    + constructor; auto. intro K. destruct (Hc c K) as [uv [Huv E]].
      assert (g uv = g xy) as E2 by (apply S2; [apply Hin; right; auto | apply Hin; left; auto | congruence]).
      apply Inj in E2. subst uv. auto.
    + intros c' [<-|K]; [exists xy; simpl; auto|]. destruct (Hc c' K) as [uv [Huv E]]. exists uv. simpl. auto.
Qed.

Lemma lander_compose : forall f o d, lander f -> (o < 8)%N -> lander (fun xy => f (place o d xy)).
Proof.
  intros f o d (o1 & d1 & H1 & E1) H. destruct (place_twice o1 d1 o d H1 H) as (o2 & d2 & H2 & E2).
  exists o2, d2. split; auto. intro xy. rewrite E1, E2. reflexivity.
Qed.

Lemma landed_below : forall f l c, lander f -> landed f l c -> (c < n)%N.
Proof. intros f l c (o & d & _ & E) [xy [_ H]]. rewrite E in H. eapply board_cells; eauto. Qed.

Lemma landed_dec : forall f l c, landed f l c \/ ~ landed f l c.
Proof.
  intros f l c. induction l as [|xy l IH].
  - right. intros [xy [[] _]].
  - destruct IH as [[uv [H E]]|IH]; [left; exists uv; simpl; auto|].
    destruct (f xy) as [d|] eqn:E.
    + destruct (N.eq_dec d c) as [->|Hd]; [left; exists xy; simpl; auto|].
      right. intros [uv [[<-|H] E']]; [congruence|]. apply IH. exists uv; auto.
    + right. intros [uv [[<-|H] E']]; [congruence|]. apply IH. exists uv; auto.
Qed.

Lemma in_placed : forall pl l xy, In xy (placed pl l) <-> exists uv, In uv l /\ place (placed_turn pl) (placed_shift pl) uv = xy.
Proof. intros. unfold placed. rewrite in_map_iff. split; intros [uv [H1 H2]]; exists uv; auto. Qed.

Lemma in_points : forall w s x, has s x = true -> In (Z.of_N (N.modulo x w), Z.of_N (N.div x w)) (points w s).
Proof. intros. unfold points. apply in_map_iff. exists x. split; auto. apply in_members; auto. Qed.

Theorem check_card_sound : forall known k r, (forall id f, known id = Some f -> card_true f) ->
  check_card shape known k = Some r -> card_true r.
Proof.
  intros known k r Hk H. unfold check_card in H.
  set (w := card_width k) in *. set (own := points w (card_own k)) in *. set (open := points w (card_open k)) in *.
  destruct (negb _); [discriminate|].
  destruct (card_kind_of k) as [x|m children].
  - destruct (has (card_open k) x && _) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [Hx Him].
    inversion H; subst r. clear H. simpl. set (p := (Z.of_N (x mod w), Z.of_N (x / w))) in *.
    assert (In p open) as Hp by (apply in_points; auto). split; auto.
    intros f c L Sp Ec. simpl in Sp, Ec.
    apply holds_image_spec in Him. destruct Him as (o & d & Ho & Him).
    assert (incl (p :: own) (own ++ open)) as Inc.
    { intros y [<-|Hy]; apply in_or_app; auto. }
    destruct (shape_lands f (place o d) (p :: own) Him (spreads_incl _ _ _ Inc Sp) (place_injective o d))
      as (cs & F & ND & Hc).
    destruct (lander_compose f o d L Ho) as (o2 & d2 & H2 & E2).
    apply (attack_done G _ _ c (mask cs)).
    + destruct L as (o1 & d1 & _ & E1). rewrite E1 in Ec. eapply board_cells; eauto.
    + exists p. auto.
    + apply on_board. exists o2, d2, cs. split; auto. split.
      * clear -F E2. induction F; constructor; auto. etransitivity; [symmetry; apply E2 | eassumption].
      * split; auto. intro y. apply has_mask.
    + intros y Hy. apply has_mask in Hy. destruct (Hc y Hy) as [xy [Hxy Exy]].
      destruct (Him xy Hxy) as [Ep|Ho']; [left; rewrite <- Ep in Exy; congruence | right; exists (place o d xy); auto].
  - destruct (find_children known (card_id k) children) as [[|[pl0 k0] others]|] eqn:Ef; try discriminate.
    pose proof (find_children_spec _ _ _ _ Ef) as Hch. clear Ef.
    set (ch := (pl0, k0) :: others) in *.
    match type of H with (if ?t then _ else _) = _ => destruct t eqn:E; [|discriminate] end.
    apply andb_true_iff in E. destruct E as [E Hinter]. apply andb_true_iff in E. destruct E as [Hm Hfit].
    inversion H; subst r. clear H. simpl. set (p := (Z.of_N (m mod w), Z.of_N (m / w))) in *.
    assert (In p open) as Hp by (apply in_points; auto). split; auto.
    intros f c L Sp Ec. simpl in Sp, Ec. rewrite forallb_forall in Hfit, Hinter.
    assert (c < n)%N as Hcn by (destruct L as (o1 & d1 & _ & E1); rewrite E1 in Ec; eapply board_cells; eauto).
    set (h := highest (map (fun e => k_height (snd e)) ch)).
    assert (incl (p :: own) (own ++ open)) as IncB.
    { intros y [<-|Hy]; apply in_or_app; auto. }
    assert (incl (open ++ own) (own ++ open)) as IncZ.
    { intros y Hy. apply in_or_app. apply in_app_or in Hy. tauto. }
    assert (forall e, In e ch -> incl (placed (fst e) (k_own (snd e))) (p :: own) /\
                                 incl (placed (fst e) (k_open (snd e))) (open ++ own)) as Fit.
    { intros e He. specialize (Hfit e He). apply andb_true_iff in Hfit. destruct Hfit. split; apply within_spec; auto. }
    assert (forall e, In e ch -> child_of G (landed f own) (landed f open) c h
      (landed f (placed (fst e) (k_own (snd e)))) (landed f (placed (fst e) (k_open (snd e))))) as Child.
    { intros e He. destruct (Fit e He) as [F1 F2]. destruct (Hch e He) as [Ho Hkn]. apply Hk in Hkn.
      destruct Hkn as [Hfirst Hatt]. split; [|split].
      - exists (k_height (snd e)). split; [|apply highest_spec, in_map_iff; exists e; auto].
        set (q := place (placed_turn (fst e)) (placed_shift (fst e))).
        assert (forall l y, landed f (placed (fst e) l) y <-> landed (fun xy => f (q xy)) l y) as Same.
        { intros l y. split.
          - intros [xy [Hxy E]]. apply in_placed in Hxy. destruct Hxy as [uv [Huv <-]]. exists uv. auto.
          - intros [uv [Huv E]]. exists (q uv). split; auto. apply in_placed. exists uv. auto. }
        assert (forall xy, In xy (k_own (snd e) ++ k_open (snd e)) -> In (q xy) (own ++ open)) as InQ.
        { intros xy Hxy. apply in_app_or in Hxy. destruct Hxy as [Hxy|Hxy].
          - apply IncB, F1, in_placed. exists xy; auto.
          - apply IncZ, F2, in_placed. exists xy; auto. }
        assert (spreads (fun xy => f (q xy)) (k_own (snd e) ++ k_open (snd e))) as SpQ.
        { destruct Sp as [S1 S2]. split; [intros xy Hxy; apply S1, InQ, Hxy|].
          intros xy uv Hxy Huv Eq. apply (place_injective (placed_turn (fst e)) (placed_shift (fst e))).
          apply S2; auto. }
        destruct (proj1 SpQ (k_first (snd e))) as [c' Ec']; [apply in_or_app; right; auto|].
        destruct (Hatt _ c' (lander_compose f _ (placed_shift (fst e)) L Ho) SpQ Ec') as [Wi _].
        intros l P Pr [Ab Az] Pl En. apply Wi; auto. split; intros y Hy; [apply Ab | apply Az]; apply Same; auto.
      - intros y [xy [Hxy Ey]]. destruct (F1 xy Hxy) as [<-|Hb]; [right; congruence | left; exists xy; auto].
      - intros y [xy [Hxy Ey]]. apply F2 in Hxy. apply in_app_or in Hxy.
        destruct Hxy; [left | right]; exists xy; auto. }
    refine (attack_move G blacks blacks_spec weak _ _ c h Hcn _ _ _).
    + exists p. auto.
    + eexists. eexists. apply (Child (pl0, k0)). left; auto.
    + intros y Hyn HBy Hym.
      assert ((exists e, In e ch /\ ~ landed f (placed (fst e) (k_open (snd e))) y) \/
              (forall e, In e ch -> landed f (placed (fst e) (k_open (snd e))) y)) as [(e & He & Hn)|Each].
      { clear. induction ch as [|e l IH]; [right; intros e []|].
        destruct IH as [(e' & He & Hn)|IH]; [left; exists e'; simpl; auto|].
        destruct (landed_dec f (placed (fst e) (k_open (snd e))) y) as [K|K]; [|left; exists e; simpl; auto].
        right. intros e' [<-|He]; auto. }
      * eexists. eexists. split; [apply (Child e He) | exact Hn].
      * exfalso. destruct (Each (pl0, k0) (or_introl eq_refl)) as [z [Hz Ez]]. simpl in Hz.
        pose proof (Hinter z Hz) as Iz. apply orb_true_iff in Iz.
        assert (In z (own ++ open)) as Inz by (apply IncZ, (proj2 (Fit (pl0, k0) (or_introl eq_refl))); auto).
        destruct Iz as [Iz|Iz].
        -- apply memp_spec in Iz. destruct Iz as [<-|Iz]; [congruence|]. apply HBy. exists z. auto.
        -- apply existsb_exists in Iz. destruct Iz as [e [He Iz]].
           destruct (Each e (or_intror He)) as [z' [Hz' Ez']].
           assert (z = z').
           { destruct Sp as [_ S2]. apply S2; auto; [|congruence].
             apply IncZ, (proj2 (Fit e (or_intror He))); auto. }
           subst z'. apply negb_true_iff in Iz. apply memp_spec in Hz'. congruence.
Qed.

End Cards.
