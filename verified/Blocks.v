(** Blocks ([n] nodes) and strong blocks ([s] nodes): Lemmas 4, 5 and 7 of docs/game.md. *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry Lines Hold Orbits Certificate.
Import ListNotations.

Definition strong_kind (k : kind) : bool := match k with StrongReply _ | Threat _ _ _ => true | _ => false end.

Section Blocks.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).
Variable blacks whites : list set.
Hypothesis blacks_spec : forall s, In s blacks <-> winning G Black s.
Hypothesis whites_spec : forall s, In s whites <-> winning G White s.
Variable orbits : list perm.
Hypothesis orbits_symmetric : forall ms, In ms orbits -> symmetric G ms.

(** The node with an id. *)
Variable node_at : N -> option node.

(** White's answer [o] to Black's [m]. *)
Definition answer_ok (strong : bool) (nd : node) (m o : N) (child : option N) : bool :=
  negb (N.eqb o m) && has (node_open nd) o &&
  match child with
  | None => strong && existsb (fun s => subsetb s (add (node_own nd) o)) whites
  | Some id =>
      N.ltb id (node_id nd) &&
      match node_at id with
      | None => false
      | Some ch =>
          (strong || negb (strong_kind (node_kind ch))) &&
          subsetb (node_own ch) (add (node_own nd) o) &&
          subsetb (node_open ch) (N.clearbit (N.clearbit (node_open nd) m) o)
      end
  end.

(** Every winning set of Black's free of [W] has at least two cells in [Z]. *)
Definition two_open (nd : node) : bool :=
  forallb (fun s => negb (disjointb s (node_own nd)) ||
                    let m := N.land s (node_open nd) in negb (N.eqb m 0) && negb (single m)) blacks.

Definition block_ok (nd : node) : bool :=
  let W := node_own nd in
  let Z := node_open nd in
  subsetb W all && subsetb Z all && disjointb W Z &&
  match node_kind nd with
  | Pave pairs =>
      pairs_in pairs Z && forallb (fun s => negb (disjointb s W) || has_pair pairs s) blacks
  | Reply answers =>
      two_open nd && all_answered orbits W Z (map fst answers) &&
      forallb (fun a => answer_ok false nd (fst a) (fst (snd a)) (Some (snd (snd a)))) answers
  | StrongReply answers =>
      two_open nd && all_answered orbits W Z (map fst answers) &&
      forallb (fun a => answer_ok true nd (fst a) (fst (snd a)) (snd (snd a))) answers
  | Threat c o child =>
      two_open nd && has Z c && existsb (fun s => subsetb s (add W c)) whites && answer_ok true nd c o child
  | Done _ | Move _ _ => false
  end.

(** The node speaks of the position. *)
Definition covers (nd : node) (P : position) : Prop :=
  subset (node_own nd) (white P) /\ disjoint (node_open nd) (black P).

Definition covers_b (nd : node) (P : position) : bool :=
  subsetb (node_own nd) (white P) && disjointb (node_open nd) (black P).

Lemma covers_b_spec : forall nd P, covers_b nd P = true -> covers nd P.
Proof. intros nd P H. apply andb_true_iff in H. destruct H. split; [apply subsetb_spec | apply disjointb_spec]; auto. Qed.

Hypothesis nodes_ok : forall id nd, node_at id = Some nd -> block_ok nd = true.

Definition good (nd : node) (P : position) : Prop :=
  strong_kind (node_kind nd) = true -> ~ completed G White P.

Lemma two_open_spec : forall A nd P x, two_open nd = true -> proper G P -> may G A P x -> covers nd P ->
  ~ completed G Black (put Black x P).
Proof.
  intros A nd P x T Pr M [C1 C2] [s [W Sub]]. simpl in Sub. unfold two_open in T. rewrite forallb_forall in T.
  specialize (T s (proj2 (blacks_spec s) W)). apply orb_true_iff in T. destruct T as [T|T].
  - apply negb_true_iff in T. apply disjointb_false in T. destruct T as [c [H1 H2]].
    eapply (completed_free G A P x s c); eauto.
  - simpl in T. split_andb. apply negb_true_iff in H, H0. apply N.eqb_neq in H.
    assert (forall c, has (N.land s (node_open nd)) c = true -> c = x) as K.
    { intros c Hc. rewrite has_land, andb_true_iff in Hc. destruct Hc as [H1 H2]. apply Sub in H1.
      apply has_add_true in H1. destruct H1 as [<-|H1]; auto. exfalso. eapply C2; eauto. }
    destruct (nonzero_has_some _ H) as [c Hc]. pose proof (K c Hc). subst c.
    rewrite (single_complete _ x) in H0; [discriminate|]. intro c. split; [apply K | intros ->; auto].
Qed.

(** The position after Black's [x] and White's [y]. *)
Local Notation after x y P := (put White y (put Black x P)).

Section Step.

(** What the answers are used for: positions with fewer turns to come. *)
Variable l : list player.
Hypothesis later : forall nd P, block_ok nd = true -> proper G P -> covers nd P -> good nd P -> ~ forces G Black l all P.

Lemma answer_holds : forall strong nd P x y0 m o child,
  block_ok nd = true -> strong_kind (node_kind nd) = strong ->
  answer_ok strong nd m o child = true -> has (node_open nd) m = true ->
  carries G (node_own nd) (node_open nd) m x ->
  proper G P -> covers nd P -> good nd P -> may G all P x ->
  may G all (put Black x P) y0 ->
  (forall y, may G all (put Black x P) y ->
     ~ completed G White (after x y P) /\ forces G Black l all (after x y P)) -> False.
Proof.
  intros strong nd P x y0 m o child Ok St An Hm (g & h & Au & Egm & EgW & EgZ) Pr [C1 C2] Good M M0 F.
  unfold block_ok in Ok. apply andb_true_iff in Ok. destruct Ok as [Ok _]. split_andb.
  apply subsetb_spec in H, H1. rename H into Wall. rename H1 into Zall. rename H0 into WZ. apply disjointb_spec in WZ.
  unfold answer_ok in An. apply andb_true_iff in An. destruct An as [An Ch]. split_andb.
  rename H into Hom. apply negb_true_iff, N.eqb_neq in Hom. rename H0 into Ho.
  assert (forall c, has (node_open nd) c = true -> has (node_open nd) (g c) = true) as gZ.
  { intros c Hc. rewrite <- EgZ. apply has_gset. exists c; auto. }
  assert (forall c, has (node_own nd) c = true -> has (node_own nd) (g c) = true) as gW.
  { intros c Hc. rewrite <- EgW. apply has_gset. exists c; auto. }
  set (y := g o). assert (has (node_open nd) y = true) as Hy by (apply gZ; auto).
  assert (m < n)%N as mn by (apply has_below, Zall; auto).
  assert (o < n)%N as on by (apply has_below, Zall; auto).
  assert (y <> x) as Hyx.
  { intro E. apply Hom. apply (f_equal h) in E. unfold y in E. rewrite <- Egm in E.
    destruct (aut_g G g h Au o on) as [_ E1]. destruct (aut_g G g h Au m mn) as [_ E2]. congruence. }
  assert (has (white P) y = false -> may G all (put Black x P) y) as My.
  { intro Hw. unfold may. simpl. split; [apply has_below, Zall; auto|]. split; [apply Zall; auto|]. split; auto.
    apply has_add_false. split; [congruence|]. destruct (has (black P) y) eqn:E; auto. exfalso. eapply C2; eauto. }
  destruct child as [id|].
  - (* with a child *)
    apply andb_true_iff in Ch. destruct Ch as [_ Ch]. destruct (node_at id) as [ch|] eqn:En; [|discriminate].
    split_andb. rename H into Kind. apply subsetb_spec in H0, H1.
    assert (exists z, may G all (put Black x P) z /\ has (white (after x z P)) y = true) as (z & Mz & Hz).
    { destruct (has (white P) y) eqn:E; [exists y0 | exists y]; split; auto; simpl; apply has_add_true; auto. }
    destruct (F z Mz) as [NC F']. set (P2 := after x z P) in *.
    assert (proper G P2) as Pr2 by (eapply proper_put; [|exact Mz]; eapply proper_put; eauto).
    destruct Pr2 as [I2 D2].
    assert (proper G (gpos h P2)) as PrQ.
    { split; [eapply gpos_inside; [apply aut_inverse; exact Au | exact I2]|].
      intros c Hb Hw. simpl in Hb, Hw. apply has_gset in Hb, Hw. destruct Hb as [d [Hd1 Hd2]]. destruct Hw as [e [He1 He2]].
      assert (d = e); [|subst e; eapply D2; eauto].
      destruct I2 as [Ib Iw]. destruct (aut_h G g h Au d) as [_ E1]; [apply has_below, Ib; auto|].
      destruct (aut_h G g h Au e) as [_ E2]; [apply has_below, Iw; auto|]. congruence. }
    apply (later ch (gpos h P2)); auto.
    + eapply nodes_ok; eauto.
    + split.
      * intros c Hc. simpl. apply has_gset. exists (g c).
        assert (c < n)%N as cn.
        { apply H1 in Hc. apply has_add_true in Hc. destruct Hc as [<-|Hc]; auto. apply has_below, Wall; auto. }
        split; [|apply (aut_g G g h Au c cn)].
        apply H1 in Hc. apply has_add_true in Hc. destruct Hc as [<-|Hc]; auto.
        simpl. apply has_add_true. right. apply C1. apply gW; auto.
      * intros c Hc Hb. simpl in Hb. apply has_gset in Hb. destruct Hb as [d [Hd Ed]].
        apply H0 in Hc. unfold has in Hc. rewrite !N.clearbit_eqb, !andb_true_iff, !negb_true_iff, !N.eqb_neq in Hc.
        fold (has (node_open nd) c) in Hc. destruct Hc as [[Hc1 Hc2] Hc3].
        assert (d = g c) as ->.
        { rewrite <- Ed. symmetry. apply (aut_h G g h Au). apply has_below. destruct I2 as [Ib _]. apply Ib; auto. }
        simpl in Hd. apply has_add_true in Hd. destruct Hd as [Hd|Hd].
        -- apply Hc2. rewrite <- Egm in Hd. apply (f_equal h) in Hd.
           assert (c < n)%N as cn by (apply has_below, Zall; auto).
           destruct (aut_g G g h Au m mn) as [_ E1]. destruct (aut_g G g h Au c cn) as [_ E2]. congruence.
        -- eapply C2; [|exact Hd]. apply gZ; auto.
    + intros _ C. apply NC. apply (completed_gpos G g h) in C; auto.
      rewrite (gpos_undo G h g) in C; auto. apply aut_inverse; auto.
    + eapply forces_gpos; [apply aut_inverse; exact Au | exact I2 | exact F'].
  - (* she completes a set *)
    apply andb_true_iff in Ch. destruct Ch as [Strong Ch]. subst strong.
    apply existsb_exists in Ch. destruct Ch as [s [Hs Sub]]. apply subsetb_spec in Sub.
    apply whites_spec in Hs. apply (aut_g_sets G g h Au) in Hs.
    assert (subset (gset g s) (add (white P) y)) as Sub'.
    { intros c Hc. apply has_gset in Hc. destruct Hc as [d [Hd <-]]. apply Sub in Hd. apply has_add_true in Hd.
      apply has_add_true. destruct Hd as [<-|Hd]; [left; reflexivity | right; apply C1, gW; auto]. }
    destruct (has (white P) y) eqn:E.
    + apply Good; [congruence|]. exists (gset g s). split; auto. intros c Hc. apply Sub' in Hc.
      apply has_add_true in Hc. destruct Hc as [<-|Hc]; auto.
    + destruct (F y (My eq_refl)) as [NC _]. apply NC. exists (gset g s). split; auto.
Qed.

End Step.

Theorem blocks_hold : forall k l nd P, (length l <= k)%nat -> plain l -> block_ok nd = true -> proper G P ->
  covers nd P -> good nd P -> ~ forces G Black l all P.
Proof.
  induction k as [|k IH]; intros l nd P Hk Pl Ok Pr Cov Good F.
  { destruct l; [exact F | simpl in Hk; lia]. }
  pose proof Ok as Ok'. unfold block_ok in Ok'. apply andb_true_iff in Ok'. destruct Ok' as [Ok0 Kind]. split_andb.
  rename H into Wall, H1 into Zall, H0 into WZ. apply subsetb_spec in Wall, Zall. apply disjointb_spec in WZ.
  assert (forall x, two_open nd = true -> may G all P x -> ~ completed G Black (put Black x P)) as NotYet.
  { intros x T M. eapply two_open_spec; eauto. }
  destruct (node_kind nd) as [pairs|answers|answers|c o child| |] eqn:Ek; try discriminate.
  - (* pave *)
    apply andb_true_iff in Kind. destruct Kind as [Pi Sets]. rewrite forallb_forall in Sets.
    destruct Cov as [C1 C2].
    refine (pairs_hold G pairs (node_open nd) Pi Zall l all P Pl Pr _ _ F).
    + intros ab x y Hin Hp. right; right.
      assert (partner ab y x) as Hp' by (destruct Hp; [right|left]; auto).
      apply pairs_in_spec in Pi. destruct Pi as [Pi _].
      destruct (Pi ab x y Hin Hp) as [_ Hx]. destruct (Pi ab y x Hin Hp') as [_ Hy].
      split; [destruct (has (black P) x) eqn:E | destruct (has (black P) y) eqn:E]; auto; exfalso; eapply C2; eauto.
    + intros s W. apply blacks_spec in W. apply Sets in W. apply orb_true_iff in W. destruct W as [W|W]; auto.
      left. left. apply negb_true_iff in W. apply disjointb_false in W. destruct W as [c [H1 H2]]. exists c; auto.
  - (* reply *)
    split_andb. rename H into Two, H1 into All, H0 into Ans. rewrite forallb_forall in Ans.
    destruct (plain_cases l Pl) as [->|[->|[l' [-> Pl']]]]; [exact F| |].
    { simpl in F. destruct F as [x [M [C|[]]]]. apply (NotYet x); auto. }
    simpl in F. destruct F as [x [M [C|[[y0 M0] F]]]]; [apply (NotYet x); auto|].
    destruct (has (node_open nd) x) eqn:Hx.
    + destruct (all_answered_spec G orbits orbits_symmetric _ _ _ Wall Zall All x Hx) as (m & Hm & Hmo & Car).
      apply in_map_iff in Hm. destruct Hm as [[m' [o ch]] [Em Hin]]. simpl in Em. subst m'.
      apply Ans in Hin. simpl in Hin.
      refine (answer_holds l' _ false nd P x y0 m o (Some ch) Ok _ Hin Hmo Car Pr Cov Good M M0 F); [|rewrite Ek; auto].
      intros nd' P' Ok' Pr' Cov' Good'. apply (IH l' nd'); auto. simpl in Hk. lia.
    + destruct (F y0 M0) as [NC F']. refine (IH l' nd _ _ Pl' Ok _ _ _ F'); [simpl in Hk; lia | | |].
      * apply (proper_put G White all y0 (put Black x P)); [apply (proper_put G Black all x P); auto | exact M0].
      * destruct Cov as [C1 C2]. split.
        -- intros c Hc. simpl. apply has_add_true. right; auto.
        -- intros c Hc Hb. simpl in Hb. apply has_add_true in Hb. destruct Hb as [->|Hb]; [congruence | eapply C2; eauto].
      * intros E. rewrite Ek in E. discriminate.
  - (* strong reply *)
    split_andb. rename H into Two, H1 into All, H0 into Ans. rewrite forallb_forall in Ans.
    destruct (plain_cases l Pl) as [->|[->|[l' [-> Pl']]]]; [exact F| |].
    { simpl in F. destruct F as [x [M [C|[]]]]. apply (NotYet x); auto. }
    simpl in F. destruct F as [x [M [C|[[y0 M0] F]]]]; [apply (NotYet x); auto|].
    destruct (has (node_open nd) x) eqn:Hx.
    + destruct (all_answered_spec G orbits orbits_symmetric _ _ _ Wall Zall All x Hx) as (m & Hm & Hmo & Car).
      apply in_map_iff in Hm. destruct Hm as [[m' [o ch]] [Em Hin]]. simpl in Em. subst m'.
      apply Ans in Hin. simpl in Hin.
      refine (answer_holds l' _ true nd P x y0 m o ch Ok _ Hin Hmo Car Pr Cov Good M M0 F); [|rewrite Ek; auto].
      intros nd' P' Ok' Pr' Cov' Good'. apply (IH l' nd'); auto. simpl in Hk. lia.
    + destruct (F y0 M0) as [NC F']. refine (IH l' nd _ _ Pl' Ok _ _ _ F'); [simpl in Hk; lia | | |].
      * apply (proper_put G White all y0 (put Black x P)); [apply (proper_put G Black all x P); auto | exact M0].
      * destruct Cov as [C1 C2]. split.
        -- intros c Hc. simpl. apply has_add_true. right; auto.
        -- intros c Hc Hb. simpl in Hb. apply has_add_true in Hb. destruct Hb as [->|Hb]; [congruence | eapply C2; eauto].
      * intros _. exact NC.
  - (* threat *)
    split_andb. rename H into Two, H2 into Hc, H1 into Thr, H0 into Ans.
    destruct (plain_cases l Pl) as [->|[->|[l' [-> Pl']]]]; [exact F| |].
    { simpl in F. destruct F as [x [M [C|[]]]]. apply (NotYet x); auto. }
    simpl in F. destruct F as [x [M [C|[[y0 M0] F]]]]; [apply (NotYet x); auto|].
    destruct (N.eq_dec x c) as [->|Hxc].
    + refine (answer_holds l' _ true nd P c y0 c o child Ok _ Ans Hc _ Pr Cov Good M M0 F);
        [|rewrite Ek; auto | apply carries_itself].
      intros nd' P' Ok' Pr' Cov' Good'. apply (IH l' nd'); auto. simpl in Hk. lia.
    + apply existsb_exists in Thr. destruct Thr as [s [Hs Sub]]. apply subsetb_spec in Sub. apply whites_spec in Hs.
      destruct Cov as [C1 C2].
      assert (subset s (add (white P) c)) as Sub'.
      { intros d Hd. apply Sub in Hd. apply has_add_true in Hd. apply has_add_true. destruct Hd; auto. }
      destruct (has (white P) c) eqn:E.
      * apply Good; [rewrite Ek; reflexivity|]. exists s. split; auto. intros d Hd. apply Sub' in Hd.
        apply has_add_true in Hd. destruct Hd as [<-|Hd]; auto.
      * assert (may G all (put Black x P) c) as Mc.
        { unfold may. simpl. split; [apply has_below, Zall; auto|]. split; [apply Zall; auto|]. split; auto.
          apply has_add_false. split; auto. destruct (has (black P) c) eqn:E2; auto. exfalso. eapply C2; eauto. }
        destruct (F c Mc) as [NC _]. apply NC. exists s. split; auto.
Qed.

End Blocks.
