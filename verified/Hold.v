(** Why Black does not win: he is out of time (Lemma 3 of docs/game.md), or White has pairs (Lemmas 4 and 10). *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry Lines.
Import ListNotations.

Section Hold.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).

(** A position of the game: stones on vertices, no vertex with two. *)
Definition proper (P : position) : Prop := inside G P /\ disjoint (black P) (white P).

Lemma proper_put : forall p A x P, proper P -> may G A P x -> proper (put p x P).
Proof.
  intros p A x P [I D] (Hx & _ & Hb & Hw). split; [apply inside_put; auto|].
  intros c H1 H2. destruct p; simpl in *; [apply has_add_true in H1; destruct H1 as [->|H1] |
    apply has_add_true in H2; destruct H2 as [->|H2]]; try congruence; eapply D; eauto.
Qed.

(** A set that Black completes by a stone on [x] meets no stone of White's. *)
Lemma completed_free : forall A P x s c, proper P -> may G A P x ->
  subset s (add (black P) x) -> has s c = true -> has (white P) c = true -> False.
Proof.
  intros A P x s c [_ D] (_ & _ & _ & Hw) Sub Hc Hc2. apply Sub in Hc. apply has_add_true in Hc.
  destruct Hc as [->|Hc]; [congruence | eapply D; eauto].
Qed.

Definition late (P : position) (r : nat) (s : set) : Prop :=
  (exists c, has s c = true /\ has (white P) c = true) \/ (r < card (N.ldiff s (black P)))%nat.

Definition late_b (P : position) (r : nat) (s : set) : bool :=
  negb (disjointb s (white P)) || Nat.ltb r (card (N.ldiff s (black P))).

Lemma late_b_spec : forall P r s, late_b P r s = true -> late P r s.
Proof.
  intros P r s H. apply orb_true_iff in H. destruct H as [H|H].
  - left. apply negb_true_iff in H. apply disjointb_false; auto.
  - right. apply Nat.ltb_lt; auto.
Qed.

Lemma late_completed : forall A P x r s, proper P -> may G A P x -> late P (S r) s -> subset s (add (black P) x) -> False.
Proof.
  intros A P x r s Pr M [[c [H1 H2]]|H] Sub.
  - eapply completed_free; eauto.
  - assert (card (N.ldiff s (black P)) <= S (card 0%N))%nat; [|simpl in *; lia].
    apply (card_but_one _ _ x). intros c Hc H0. rewrite has_ldiff, andb_true_iff, negb_true_iff in H0.
    destruct H0 as [H1 H2]. apply Sub in H1. apply has_add_true in H1. destruct H1; congruence.
Qed.

Lemma late_black : forall P x r s, late P (S r) s -> late (put Black x P) r s.
Proof.
  intros P x r s [H|H]; [left; exact H | right]. simpl.
  assert (card (N.ldiff s (black P)) <= S (card (N.ldiff s (add (black P) x))))%nat; [|lia].
  apply (card_but_one _ _ x). intros c Hc H0. rewrite has_ldiff, andb_true_iff, negb_true_iff in *.
  destruct H0. split; auto. apply has_add_false. auto.
Qed.

Lemma late_white : forall P x r s, late P r s -> late (put White x P) r s.
Proof.
  intros P x r s [[c [H1 H2]]|H]; [left | right; exact H]. exists c. split; auto. simpl. apply has_add_true. auto.
Qed.

(** Lemma 3: each of Black's sets meets a white stone or misses more cells than he has moves. *)
Theorem out_of_time : forall l A P, proper P -> (forall s, winning G Black s -> late P (count_black l) s) ->
  ~ forces G Black l A P.
Proof.
  induction l as [|q l IH]; intros A P Pr H F; [exact F|]. simpl in F. destruct q; simpl in *.
  - destruct F as [x [M [[s [W Sub]]|F]]].
    + apply (late_completed A P x (count_black l) s); auto.
    + apply (IH all (put Black x P)); auto.
      * eapply proper_put; eauto.
      * intros s W. apply late_black. auto.
  - destruct F as [[x M] F]. destruct (F x M) as [_ F']. apply (IH all (put White x P)); auto.
    + eapply proper_put; eauto.
    + intros s W. apply late_white. auto.
Qed.

(** ** Pairs *)

Fixpoint pairs_in (pairs : list (N * N)) (free : set) : bool :=
  match pairs with
  | [] => true
  | (a, b) :: pairs =>
      negb (N.eqb a b) && has free a && has free b && pairs_in pairs (N.clearbit (N.clearbit free a) b)
  end.

Definition has_pair (pairs : list (N * N)) (s : set) : bool :=
  existsb (fun ab => has s (fst ab) && has s (snd ab)) pairs.

(** [x] is one of the pair, [y] the other. *)
Definition partner (ab : N * N) (x y : N) : Prop := ab = (x, y) \/ ab = (y, x).

Lemma pairs_in_spec : forall pairs free, pairs_in pairs free = true ->
  (forall ab x y, In ab pairs -> partner ab x y -> x <> y /\ has free x = true) /\
  (forall ab cd x y z, In ab pairs -> In cd pairs -> partner ab x y -> partner cd x z -> y = z).
Proof.
  assert (forall free a x, has (N.clearbit free a) x = true <-> has free x = true /\ a <> x) as C.
  { intros. unfold has. rewrite N.clearbit_eqb, andb_true_iff, negb_true_iff, N.eqb_neq. tauto. }
  induction pairs as [|[a b] pairs IH]; intros free H; simpl in H.
  - split; [intros ab x y [] | intros ab cd x y z []].
  - split_andb. apply negb_true_iff, N.eqb_neq in H. destruct (IH _ H0) as [I1 I2].
    assert (forall cd x y, In cd pairs -> partner cd x y -> x <> a /\ x <> b /\ has free x = true) as Out.
    { intros cd x y Hin Hp. destruct (I1 cd x y Hin Hp) as [_ K]. rewrite !C in K.
      destruct K as [[K1 K2] K3]. repeat split; auto. }
    split.
    + intros ab x y [<-|Hin] Hp.
      * destruct Hp as [E|E]; inversion E; subst; split; auto.
      * destruct (I1 ab x y Hin Hp). split; auto. apply (Out ab x y); auto.
    + intros ab cd x y z [<-|H3] [<-|H4] P1 P2.
      * destruct P1 as [E|E], P2 as [E'|E']; inversion E; inversion E'; subst; congruence.
      * destruct (Out cd x z H4 P2) as (K1 & K2 & _). destruct P1 as [E|E]; inversion E; congruence.
      * destruct (Out ab x y H3 P1) as (K1 & K2 & _). destruct P2 as [E|E]; inversion E; congruence.
      * eapply I2; [exact H3 | exact H4 | exact P1 | exact P2].
Qed.

(** Players take turns, Black first. *)
Definition plain (l : list player) : Prop := l = alternating (length l) Black.

Lemma plain_cases : forall l, plain l -> l = [] \/ l = [Black] \/ exists l', l = Black :: White :: l' /\ plain l'.
Proof.
  intros [|q [|r l]] H.
  - left; reflexivity.
  - right; left. exact H.
  - right; right. unfold plain in H. simpl in H. injection H as E1 E2 E3. exists l. subst q r. split; auto.
Qed.

Theorem pairs_hold : forall pairs free, pairs_in pairs free = true -> subset free all ->
  forall l A P, plain l -> proper P ->
  (forall ab x y, In ab pairs -> partner ab x y ->
     has (white P) x = true \/ has (white P) y = true \/ (has (black P) x = false /\ has (black P) y = false)) ->
  (forall s, winning G Black s -> late P (count_black l) s \/ has_pair pairs s = true) ->
  ~ forces G Black l A P.
Proof.
  intros pairs free Hp Hf. apply pairs_in_spec in Hp. destruct Hp as [Hin Huniq].
  intro l. remember (length l) as k eqn:Ek. assert (length l <= k)%nat as Hk by lia. clear Ek. revert l Hk.
  induction k as [|k IH]; intros l Hk A P Pl Pr Inv Sets F.
  { destruct l; [exact F | simpl in Hk; lia]. }
  (* Black's stone completes nothing *)
  assert (forall x l', l = Black :: l' -> may G A P x -> ~ completed G Black (put Black x P)) as NotYet.
  { intros x l' El M [s [W Sub]]. simpl in Sub. rewrite El in Sets. simpl in Sets.
    destruct (Sets s W) as [L|L].
    - apply (late_completed A P x (count_black l') s); auto.
    - apply existsb_exists in L. destruct L as [[a b] [Hab L]]. apply andb_true_iff in L. simpl in L. destruct L as [La Lb].
      destruct (Inv (a, b) a b Hab (or_introl eq_refl)) as [K|[K|[K1 K2]]].
      + eapply (completed_free A P x s a); eauto.
      + eapply (completed_free A P x s b); eauto.
      + apply Sub in La. apply Sub in Lb. apply has_add_true in La, Lb.
        destruct (Hin (a, b) a b Hab (or_introl eq_refl)) as [Hne _].
        destruct La, Lb; congruence. }
  destruct (plain_cases l Pl) as [->|[->|[l' [-> Pl']]]]; [exact F| |].
  { simpl in F. destruct F as [x [M [C|[]]]]. apply (NotYet x []); auto. }
  simpl in F. destruct F as [x [M [C|F]]]; [apply (NotYet x (White :: l')); auto|].
  destruct F as [[y0 M0] F].
  assert (proper (put Black x P)) as Pr1 by (eapply proper_put; eauto).
  (* White's answer: it mends the pair that Black has broken *)
  assert (exists y, may G all (put Black x P) y /\
    forall ab u v, In ab pairs -> partner ab u v -> u = x ->
      has (white P) u = true \/ has (white P) v = true \/ v = y) as [y [My Mend]].
  { assert ((exists ab v, In ab pairs /\ partner ab x v /\ has (white P) v = false) \/
            (forall ab v, In ab pairs -> partner ab x v -> has (white P) v = true)) as [Broken|Fine].
    { clear -Huniq. induction pairs as [|[a b] l IH].
      - right. intros ab v [].
      - assert (forall ab cd x y z, In ab l -> In cd l -> partner ab x y -> partner cd x z -> y = z) as U.
        { intros ab cd u v w H1 H2. apply Huniq; right; auto. }
        destruct (IH U) as [[ab [v [H1 H2]]]|H].
        + left. exists ab, v. split; auto. right; auto.
        + destruct (N.eq_dec a x) as [Ea|Ea].
          * destruct (has (white P) b) eqn:E; [|left; exists (a, b), b; repeat split; auto; [left; auto | left; subst; auto]].
            right. intros ab v [<-|H1] Hp; [|eapply H; eauto].
            assert (v = b); [|congruence].
            symmetry. apply (Huniq (a, b) (a, b) x b v); [left; auto | left; auto | left; subst; auto | exact Hp].
          * destruct (N.eq_dec b x) as [Eb|Eb].
            -- destruct (has (white P) a) eqn:E; [|left; exists (a, b), a; repeat split; auto; [left; auto | right; subst; auto]].
               right. intros ab v [<-|H1] Hp; [|eapply H; eauto].
               assert (v = a); [|congruence].
               symmetry. apply (Huniq (a, b) (a, b) x a v); [left; auto | left; auto | right; subst; auto | exact Hp].
            -- right. intros ab v [<-|H1] Hp; [|eapply H; eauto].
               exfalso. destruct Hp as [E|E]; inversion E; congruence. }
    - destruct Broken as (ab & v & H1 & H2 & H3). exists v.
      assert (partner ab v x) as H2' by (destruct H2; [right|left]; auto).
      destruct (Hin ab v x H1 H2') as [Hne Hfree].
      assert (has (white P) x = false) as Hwx by apply M.
      split.
      + destruct (Inv ab x v H1 H2) as [K|[K|[K1 K2]]]; try congruence.
        unfold may. simpl. split; [apply has_below, Hf, Hfree|]. split; [apply Hf, Hfree|]. split; auto.
        apply has_add_false. auto.
      + intros cd u w Hcd Hp Eu. subst u. right; right. symmetry. apply (Huniq ab cd x v w); auto.
    - exists y0. split; auto. intros ab u v H1 H2 Eu. subst u. right; left. eapply Fine; eauto. }
  destruct (F y My) as [_ F']. clear F.
  apply (IH l') with (A := all) (P := put White y (put Black x P)); auto.
  - simpl in Hk. lia.
  - eapply proper_put; eauto.
  - intros ab u v H1 H2. simpl.
    assert (partner ab v u) as H2' by (destruct H2; [right|left]; auto).
    destruct (Inv ab u v H1 H2) as [K|[K|[K1 K2]]].
    + left. apply has_add_true. auto.
    + right; left. apply has_add_true. auto.
    + destruct (N.eq_dec u x) as [Eu|Eu].
      * destruct (Mend ab u v H1 H2 Eu) as [K|[K|K]]; [left | right; left | right; left]; apply has_add_true; auto.
      * destruct (N.eq_dec v x) as [Ev|Ev].
        -- destruct (Mend ab v u H1 H2' Ev) as [K|[K|K]]; [right; left | left | left]; apply has_add_true; auto.
        -- right; right. split; apply has_add_false; auto.
  - intros s W. destruct (Sets s W) as [L|L]; auto. left. apply late_white. simpl in L. apply late_black. exact L.
Qed.

(** ** Where the first turn is restricted *)
Lemma forces_any_opening : forall l A P, forces G Black (Black :: l) A P -> forces G Black (Black :: l) all P.
Proof.
  intros l A P F. simpl in *. destruct F as [x [(H1 & H2 & H3) F]]. exists x. split; auto.
  split; auto. split; auto. apply has_below; auto.
Qed.

Lemma forces_plain_opening : forall l A P, plain l -> forces G Black l A P -> forces G Black l all P.
Proof.
  intros l A P H F. destruct (plain_cases l H) as [->|[->|[l' [-> _]]]]; auto; eapply forces_any_opening; eauto.
Qed.

End Hold.
