(** Attacks: wins of Black's in the weak game that depend on some of his stones and some free cells only. Lemma 6 of
    docs/game.md, in a form that serves nodes and cards. *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry Lines Hold.
Import ListNotations.

Section Attack.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).
Variable blacks : list set.
Hypothesis blacks_spec : forall s, In s blacks <-> winning G Black s.
Hypothesis weak : forall s, ~ winning G White s.

Definition occupied (P : position) : set := N.lor (black P) (white P).

(** The turns to come fill the board. *)
Definition fills (l : list player) (P : position) : Prop := (N.to_nat n <= card (occupied P) + length l)%nat.

Definition enough (h : nat) (l : list player) (P : position) : Prop := (2 * h <= S (length l))%nat \/ fills l P.

(** The position has the stones and the free cells that the attack needs. *)
Definition applies (B Z : N -> Prop) (P : position) : Prop :=
  (forall c, B c -> has (black P) c = true) /\ (forall c, Z c -> has (white P) c = false).

(** An attack with the stones [B], the free cells [Z] and the height [h]: wherever it applies, Black wins within [h]
    moves of his or has won already. *)
Definition wins (B Z : N -> Prop) (h : nat) : Prop :=
  forall l P, proper G P -> applies B Z P -> plain l -> enough h l P ->
    completed G Black P \/ forces G Black l all P.

(** The same where [x] is empty and must be the first move, because no other may be allowed. *)
Definition opens (B Z : N -> Prop) (x : N) (h : nat) : Prop :=
  forall l P A, proper G P -> applies B Z P -> plain l -> enough h l P -> may G A P x ->
    completed G Black P \/ forces G Black l A P.

Definition attack (B Z : N -> Prop) (x : N) (h : nat) : Prop := wins B Z h /\ opens B Z x h.

Lemma occupied_put : forall A p x P, may G A P x -> card (occupied (put p x P)) = S (card (occupied P)).
Proof.
  intros A p x P (_ & _ & Hb & Hw). rewrite <- (card_add _ x).
  - f_equal. apply set_ext_iff. intro c. unfold occupied. destruct p; simpl;
      rewrite ?has_lor, ?has_add_true, ?orb_true_iff, ?has_lor, ?has_add_true, ?orb_true_iff; tauto.
  - unfold occupied. rewrite has_lor, Hb, Hw. reflexivity.
Qed.

Lemma occupied_less : forall A x P, proper G P -> may G A P x -> (card (occupied P) < N.to_nat n)%nat.
Proof.
  intros A x P [[I1 I2] _] (Hx & _ & Hb & Hw). rewrite <- (card_below n). apply (card_more _ _ x).
  - intros c Hc. unfold occupied in Hc. rewrite has_lor, orb_true_iff in Hc. destruct Hc; auto.
  - unfold occupied. rewrite has_lor, Hb, Hw. reflexivity.
  - apply has_below; auto.
Qed.

Lemma completed_dec : forall P, completed G Black P \/ ~ completed G Black P.
Proof.
  intro P. destruct (existsb (fun s => subsetb s (black P)) blacks) eqn:E.
  - left. apply existsb_exists in E. destruct E as [s [Hs Sub]]. exists s. split; [apply blacks_spec; auto|].
    apply subsetb_spec; auto.
  - right. intros [s [W Sub]]. rewrite existsb_not in E. apply blacks_spec in W. apply E in W.
    apply subsetb_complete in Sub. simpl in Sub. congruence.
Qed.

Lemma not_white : forall P, ~ completed G White P.
Proof. intros P [s [W _]]. eapply weak; eauto. Qed.

(** At least one turn, and it is Black's. *)
Lemma black_next : forall A x h l P, proper G P -> may G A P x -> plain l -> (1 <= h)%nat -> enough h l P ->
  l = [Black] \/ exists l', l = Black :: White :: l' /\ plain l'.
Proof.
  intros A x h l P Pr M Pl Hh En. destruct (plain_cases l Pl) as [->|K]; auto.
  exfalso. apply occupied_less in M; auto. destruct En as [En|En]; unfold fills in *; simpl in *; lia.
Qed.

Theorem attack_done : forall (B Z : N -> Prop) x s, (x < n)%N -> Z x -> winning G Black s ->
  (forall c, has s c = true -> c = x \/ B c) -> attack B Z x 1.
Proof.
  intros B Z x s Hx HZ W Sub.
  assert (opens B Z x 1) as Main.
  { intros l P A Pr [Ab Az] Pl En M. right.
    assert (completed G Black (put Black x P)) as C.
    { exists s. split; auto. intros c Hc. simpl. apply has_add_true. destruct (Sub c Hc); auto. }
    destruct (black_next A x 1 l P Pr M Pl (le_n _) En) as [->|[l' [-> _]]]; simpl; exists x; split; auto. }
  split; auto. intros l P Pr Ap Pl En. destruct Ap as [Ab Az]. destruct (has (black P) x) eqn:Hb.
  - left. exists s. split; auto. intros c Hc. simpl. destruct (Sub c Hc) as [->|K]; auto.
  - apply Main; auto; [split; auto|]. unfold may. repeat split; auto. apply has_below; auto.
Qed.

(** A child of an attack: its stones are there after the move [m], and its free cells were free or Black's before. *)
Definition child_of (B Z : N -> Prop) (m : N) (h : nat) (B' Z' : N -> Prop) : Prop :=
  (exists h', wins B' Z' h' /\ (h' <= h)%nat) /\
  (forall c, B' c -> B c \/ c = m) /\ (forall c, Z' c -> Z c \/ B c).

Theorem attack_move : forall (B Z : N -> Prop) m h, (m < n)%N -> Z m ->
  (exists B' Z', child_of B Z m h B' Z') ->
  (forall y, (y < n)%N -> ~ B y -> y <> m -> exists B' Z', child_of B Z m h B' Z' /\ ~ Z' y) ->
  attack B Z m (S h).
Proof.
  intros B Z m h Hm HZm (B0 & Z0 & Ch0) Answers.
  assert (forall P, proper G P -> applies B Z P -> forall B' Z' P', child_of B Z m h B' Z' -> (forall c, has (black P) c = true -> has (black P') c = true) ->
    has (black P') m = true -> (forall c, has (white P') c = true -> has (white P) c = true) ->
    applies B' Z' P') as Fits.
  { intros P Pr Ap B' Z' P' (_ & HB & HZ) Hb Hbm Hw. destruct Ap as [Ab Az]. split.
    - intros c Hc. destruct (HB c Hc) as [K| ->]; auto.
    - intros c Hc. destruct (has (white P') c) eqn:E; auto. apply Hw in E.
      destruct (HZ c Hc) as [K|K]; [rewrite Az in E by auto; discriminate|].
      exfalso. destruct Pr as [_ D]. apply (D c); auto. }
  assert (opens B Z m (S h)) as Main.
  { intros l P A Pr Ap Pl En M. right.
    assert (proper G (put Black m P)) as Pr1 by (eapply proper_put; eauto).
    set (P1 := put Black m P) in *.
    assert (applies B0 Z0 P1) as Ap1.
    { apply (Fits P); auto; unfold P1; simpl; intros; [apply has_add_true; auto | apply has_add_same]. }
    assert (card (occupied P1) = S (card (occupied P))) as Card1 by (eapply occupied_put; eauto).
    destruct Ch0 as [(h0 & At0 & Hh0) _].
    destruct (black_next A m (S h) l P Pr M Pl) as [->|[l' [-> Pl']]]; auto; [lia| |].
    - (* the last turn: the board is full after it *)
      simpl. exists m. split; auto. left.
      destruct (At0 [] P1) as [C|[]]; auto; [reflexivity|].
      destruct En as [En|En]; [left | right]; unfold fills in *; simpl in *; lia.
    - simpl. exists m. split; auto. destruct (completed_dec P1) as [C|NC]; [left; exact C | right].
      assert (exists y, may G all P1 y) as Some_y.
      { destruct (card_less_some (occupied P1) all) as [y [Hy1 Hy2]].
        - destruct (Nat.lt_ge_cases (card (occupied P1)) (card all)) as [K|K]; auto.
          exfalso. apply NC. destruct (At0 l' P1) as [C|F]; auto.
          + right. unfold fills. rewrite card_below in K. lia.
          + destruct (plain_cases l' Pl') as [->|[->|[l2 [-> _]]]]; simpl in F; try tauto;
              destruct F as [y [My _]]; apply occupied_less in My; auto; rewrite card_below in K; lia.
        - exists y. unfold occupied in Hy2. rewrite has_lor, orb_false_iff in Hy2. unfold may.
          split; [apply has_below; auto|]. tauto. }
      split; [exact Some_y|]. intros y My. split; [apply not_white|].
      assert (y <> m) as Hym.
      { intro E. subst y. destruct My as (_ & _ & K & _). unfold P1 in K. simpl in K. rewrite has_add_same in K. discriminate. }
      assert (~ B y) as HBy.
      { intro K. apply (proj1 Ap) in K. destruct My as (_ & _ & K2 & _). unfold P1 in K2. simpl in K2.
        apply has_add_false in K2. destruct K2. congruence. }
      destruct (Answers y (proj1 My) HBy Hym) as (B' & Z' & Ch & HZy).
      destruct Ch as [(h' & At' & Hh') Ch2].
      assert (proper G (put White y P1)) as Pr2 by (eapply proper_put; eauto).
      cut (completed G Black (put White y P1) \/ forces G Black l' all (put White y P1)).
      { intros [[s [W Sub]]|F]; auto. exfalso. apply NC. exists s. auto. }
      refine (At' l' (put White y P1) Pr2 _ Pl' _).
      + destruct Ch2 as [HB HZ]. destruct Ap as [Ab Az]. split.
        * intros c Hc. simpl. apply has_add_true. destruct (HB c Hc) as [K| ->]; auto.
        * intros c Hc. simpl. apply has_add_false. split; [intros ->; auto|].
          destruct (has (white P) c) eqn:E; auto. destruct (HZ c Hc) as [K|K]; [rewrite Az in E by auto; discriminate|].
          exfalso. destruct Pr as [_ D]. apply (D c); auto.
      + destruct En as [En|En]; [left; simpl in En; lia | right].
        unfold fills in *. rewrite (occupied_put all White y P1 My), Card1. simpl in En. lia. }
  split; auto. intros l P Pr Ap Pl En.
  destruct (has (black P) m) eqn:Hb.
  - pose proof Ch0 as [(h0 & At0 & Hh0) _]. refine (At0 l P Pr _ Pl _); [apply (Fits P); auto|].
    destruct En as [En|En]; [left; lia | right; auto].
  - apply Main; auto. unfold may. destruct Ap as [_ Az]. repeat split; auto. apply has_below; auto.
Qed.

(** The image of an attack under a symmetry is an attack. *)
Theorem wins_image : forall g k (B Z : N -> Prop) h, aut G g k -> (forall c, B c -> (c < n)%N) -> (forall c, Z c -> (c < n)%N) ->
  wins B Z h -> wins (fun c => exists d, B d /\ g d = c) (fun c => exists d, Z d /\ g d = c) h.
Proof.
  intros g k B Z h A HB HZ Wi l P Pr [Ab Az] Pl En.
  pose proof (aut_inverse G g k A) as A'. destruct Pr as [[I1 I2] D].
  assert (forall s c, subset s all -> (c < n)%N -> has (gset k s) c = has s (g c)) as At_k.
  { intros s c Hs Hc. destruct (aut_g G g k A c Hc) as [Hgc E]. rewrite <- E at 1. apply (has_gset_at G k g); auto. }
  destruct (Wi l (gpos k P)) as [C|F]; auto.
  - split; [eapply gpos_inside; eauto; split; auto|].
    intros c Hb Hw. simpl in *. apply has_gset in Hb, Hw. destruct Hb as [d [Hd E1]], Hw as [e [He E2]].
    destruct (aut_h G g k A d) as [_ F1]; [apply has_below, I1; auto|].
    destruct (aut_h G g k A e) as [_ F2]; [apply has_below, I2; auto|].
    apply (D d); auto. congruence.
  - split; intros c Hc; simpl.
    + rewrite At_k; auto. apply Ab. exists c. auto.
    + rewrite At_k; auto. apply Az. exists c. auto.
  - destruct En as [En|En]; [left; auto | right]. unfold fills in *.
    assert (occupied (gpos k P) = gset k (occupied P)) as ->.
    { unfold occupied. simpl. apply set_ext_iff. intro c. rewrite has_lor, orb_true_iff, !has_gset. split.
      - intros [[d [Hd E]]|[d [Hd E]]]; exists d; split; auto; rewrite has_lor, Hd; auto using orb_true_r.
      - intros [d [Hd E]]. rewrite has_lor, orb_true_iff in Hd. destruct Hd; [left | right]; exists d; auto. }
    rewrite (card_gset G k g); auto. intros c Hc. unfold occupied in Hc. rewrite has_lor, orb_true_iff in Hc.
    destruct Hc; auto.
  - left. apply (completed_gpos G g k) in C; auto. rewrite (gpos_undo G k g) in C; auto. split; auto.
  - right. rewrite <- (gpos_undo G k g P); auto; [|split; auto]. eapply forces_gpos; eauto.
    eapply gpos_inside; eauto. split; auto.
Qed.

End Attack.
