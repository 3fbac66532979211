(** Sets of cells as binary numbers: bit [c] stands for cell [c].
    Everything here is about the fast functions on such sets that the checker uses. *)

From Coq Require Import NArith List Bool Lia Arith.
Import ListNotations.

Definition set := N.

(** Cell [c] is in [s]. *)
Definition has (s : set) (c : N) : bool := N.testbit s c.
Arguments has (s c)%N_scope : simpl never.

Definition add (s : set) (c : N) : set := N.setbit s c.
Arguments add (s c)%N_scope : simpl never.

Lemma has_add : forall s c d, has (add s c) d = (N.eqb c d || has s d)%bool.
Proof. intros. unfold has, add. apply N.setbit_eqb. Qed.

Lemma has_add_same : forall s c, has (add s c) c = true.
Proof. intros. rewrite has_add, N.eqb_refl. reflexivity. Qed.

Lemma has_add_other : forall s c d, c <> d -> has (add s c) d = has s d.
Proof. intros. rewrite has_add. apply N.eqb_neq in H. rewrite H. reflexivity. Qed.

Lemma has_add_true : forall s c d, has (add s c) d = true <-> c = d \/ has s d = true.
Proof.
  intros. rewrite has_add, orb_true_iff, N.eqb_eq. tauto.
Qed.

Lemma has_add_false : forall s c d, has (add s c) d = false <-> c <> d /\ has s d = false.
Proof.
  intros. rewrite has_add, orb_false_iff, N.eqb_neq. tauto.
Qed.

Lemma set_ext : forall s t, (forall c, has s c = has t c) -> s = t.
Proof. intros. apply N.bits_inj. exact H. Qed.

Lemma has_eq : forall a b : bool, (a = true <-> b = true) -> a = b.
Proof. intros [] []; intuition congruence. Qed.

Lemma set_ext_iff : forall s t, (forall c, has s c = true <-> has t c = true) -> s = t.
Proof. intros. apply set_ext. intro c. apply has_eq, H. Qed.

Lemma has_zero : forall c, has 0 c = false.
Proof. intros. apply N.bits_0. Qed.

Lemma has_lor : forall s t c, has (N.lor s t) c = (has s c || has t c)%bool.
Proof. intros. apply N.lor_spec. Qed.

Lemma has_land : forall s t c, has (N.land s t) c = (has s c && has t c)%bool.
Proof. intros. apply N.land_spec. Qed.

Lemma has_ldiff : forall s t c, has (N.ldiff s t) c = (has s c && negb (has t c))%bool.
Proof. intros. apply N.ldiff_spec. Qed.

(** The cells below [n]. *)
Definition below (n : N) : set := N.ones n.

Lemma has_below : forall n c, has (below n) c = true <-> (c < n)%N.
Proof.
  intros. unfold has, below. split; intro H.
  - apply N.ones_spec_iff in H; assumption.
  - apply N.ones_spec_low; assumption.
Qed.

Definition subset (s t : set) : Prop := forall c, has s c = true -> has t c = true.
Definition disjoint (s t : set) : Prop := forall c, has s c = true -> has t c = true -> False.

(** A number by its lowest bit and the rest. *)
Lemma zero_or_succ : forall i : N, i = 0%N \/ exists j, i = N.succ j.
Proof. intro i. destruct (N.eq_0_gt_0_cases i); [left | right; exists (N.pred i)]; lia. Qed.

Lemma has_O_0 : forall p, has (Npos (xO p)) 0 = false.
Proof. reflexivity. Qed.
Lemma has_I_0 : forall p, has (Npos (xI p)) 0 = true.
Proof. reflexivity. Qed.
Lemma has_O_S : forall p j, has (Npos (xO p)) (N.succ j) = has (Npos p) j.
Proof. intros. unfold has. change (Npos (xO p)) with (2 * Npos p)%N. apply N.testbit_even_succ. lia. Qed.
Lemma has_I_S : forall p j, has (Npos (xI p)) (N.succ j) = has (Npos p) j.
Proof. intros. unfold has. change (Npos (xI p)) with (2 * Npos p + 1)%N. apply N.testbit_odd_succ. lia. Qed.
Lemma has_H_0 : has (Npos xH) 0 = true.
Proof. reflexivity. Qed.
Lemma has_H_S : forall j, has (Npos xH) (N.succ j) = false.
Proof. intros. unfold has. change (Npos xH) with (2 * 0 + 1)%N. rewrite N.testbit_odd_succ by lia. apply N.bits_0. Qed.

Global Hint Rewrite has_O_0 has_I_0 has_O_S has_I_S has_H_0 has_H_S has_zero : bits.
Ltac bits := autorewrite with bits in *.

Lemma positive_has_some : forall p, exists c, has (Npos p) c = true.
Proof.
  induction p as [p IH|p [c IH]|].
  - exists 0%N. reflexivity.
  - exists (N.succ c). bits. exact IH.
  - exists 0%N. reflexivity.
Qed.

(** Inclusion. *)
Fixpoint psubset (a b : positive) : bool :=
  match a, b with
  | xH, xO _ => false
  | xH, _ => true
  | xO a, xO b | xO a, xI b | xI a, xI b => psubset a b
  | xO _, xH | xI _, xH | xI _, xO _ => false
  end.

Definition subsetb (s t : set) : bool :=
  match s, t with
  | N0, _ => true
  | Npos _, N0 => false
  | Npos a, Npos b => psubset a b
  end.

Lemma psubset_spec : forall a b, psubset a b = true -> subset (Npos a) (Npos b).
Proof.
  induction a as [a IH|a IH|]; intros [b|b|] H; simpl in H; try discriminate;
    intros i Hi; destruct (zero_or_succ i) as [->|[j ->]]; bits; try discriminate; auto;
    apply (IH _ H); exact Hi.
Qed.

Lemma subsetb_spec : forall s t, subsetb s t = true -> subset s t.
Proof.
  intros [|a] [|b] H c Hc; simpl in H; try discriminate; bits; try discriminate.
  apply (psubset_spec _ _ H); exact Hc.
Qed.

Lemma subsetb_complete : forall s t, subset s t -> subsetb s t = true.
Proof.
  intros [|a] [|b] H; simpl; auto.
  - destruct (positive_has_some a) as [c Hc]. specialize (H c Hc). bits. discriminate.
  - revert b H. induction a as [a IH|a IH|]; intros [b|b|] H; simpl; auto.
    + apply IH. intros c Hc. specialize (H (N.succ c)). bits. auto.
    + specialize (H 0%N). bits. intuition congruence.
    + destruct (positive_has_some a) as [c Hc]. specialize (H (N.succ c)). bits. intuition congruence.
    + apply IH. intros c Hc. specialize (H (N.succ c)). bits. auto.
    + apply IH. intros c Hc. specialize (H (N.succ c)). bits. auto.
    + destruct (positive_has_some a) as [c Hc]. specialize (H (N.succ c)). bits. intuition congruence.
    + specialize (H 0%N). bits. intuition congruence.
Qed.

Lemma subsetb_iff : forall s t, subsetb s t = true <-> subset s t.
Proof. split; [apply subsetb_spec | apply subsetb_complete]. Qed.

(** Nothing in common. *)
Fixpoint pdisjoint (a b : positive) : bool :=
  match a, b with
  | xH, xO _ | xO _, xH => true
  | xH, _ | xI _, xH | xI _, xI _ => false
  | xO a, xO b | xO a, xI b | xI a, xO b => pdisjoint a b
  end.

Definition disjointb (s t : set) : bool :=
  match s, t with
  | N0, _ | _, N0 => true
  | Npos a, Npos b => pdisjoint a b
  end.

Lemma disjointb_spec : forall s t, disjointb s t = true -> disjoint s t.
Proof.
  intros [|a] [|b] H c Hs Ht; simpl in H; bits; try discriminate.
  revert b H c Hs Ht. induction a as [a IH|a IH|]; intros [b|b|] H c Hs Ht; simpl in H; try discriminate;
    destruct (zero_or_succ c) as [->|[j ->]]; bits; try discriminate; eauto.
Qed.

Lemma disjointb_complete : forall s t, disjoint s t -> disjointb s t = true.
Proof.
  intros [|a] [|b] H; simpl; auto.
  revert b H. induction a as [a IH|a IH|]; intros [b|b|] H; simpl; auto;
    try (exfalso; apply (H 0%N); reflexivity);
    apply IH; intros c Hs Ht; apply (H (N.succ c)); bits; assumption.
Qed.

Lemma disjointb_iff : forall s t, disjointb s t = true <-> disjoint s t.
Proof. split; [apply disjointb_spec | apply disjointb_complete]. Qed.

Lemma disjointb_false : forall s t, disjointb s t = false -> exists c, has s c = true /\ has t c = true.
Proof.
  intros [|a] [|b] H; simpl in H; try discriminate.
  revert b H. induction a as [a IH|a IH|]; intros [b|b|] H; simpl in H; try discriminate;
    try (exists 0%N; split; reflexivity);
    destruct (IH _ H) as [c [Hs Ht]]; exists (N.succ c); bits; split; assumption.
Qed.

(** The cells of a set, in ascending order. *)
Fixpoint pmembers (p : positive) (i : N) : list N :=
  match p with
  | xH => [i]
  | xO p => pmembers p (N.succ i)
  | xI p => i :: pmembers p (N.succ i)
  end.

Definition members (s : set) : list N :=
  match s with
  | N0 => []
  | Npos p => pmembers p 0
  end.

Lemma in_pmembers : forall p i c, In c (pmembers p i) <-> exists j, c = (i + j)%N /\ has (Npos p) j = true.
Proof.
  induction p as [p IH|p IH|]; intros i c; simpl.
  - rewrite IH. split.
    + intros [<-|[j [-> Hj]]]; [exists 0%N | exists (N.succ j)]; bits; split; auto; lia.
    + intros [j [-> Hj]]. destruct (zero_or_succ j) as [->|[k ->]]; [left; lia | right; exists k]; bits; split; auto; lia.
  - rewrite IH. split.
    + intros [j [-> Hj]]. exists (N.succ j). bits. split; auto; lia.
    + intros [j [-> Hj]]. destruct (zero_or_succ j) as [->|[k ->]]; bits; [discriminate | exists k]; split; auto; lia.
  - split.
    + intros [<-|[]]. exists 0%N. split; auto. lia.
    + intros [j [-> Hj]]. destruct (zero_or_succ j) as [->|[k ->]]; bits; [left; lia | discriminate].
Qed.

Lemma in_members : forall s c, In c (members s) <-> has s c = true.
Proof.
  intros [|p] c; simpl.
  - rewrite has_zero. split; [tauto | discriminate].
  - rewrite in_pmembers. split.
    + intros [j [-> Hj]]. rewrite N.add_0_l. exact Hj.
    + intro H. exists c. split; auto.
Qed.

(** The number of cells. *)
Fixpoint pcard (p : positive) : nat :=
  match p with
  | xH => 1
  | xO p => pcard p
  | xI p => S (pcard p)
  end.

Definition card (s : set) : nat :=
  match s with
  | N0 => 0
  | Npos p => pcard p
  end.

Lemma set_induction : forall P : set -> Prop, P 0%N -> (forall s, P (N.div2 s) -> P s) -> forall s, P s.
Proof.
  intros P H0 Hs [|p]; auto.
  induction p; apply Hs; simpl; auto.
Qed.

Lemma card_div2 : forall s, card s = ((if has s 0 then 1 else 0) + card (N.div2 s))%nat.
Proof. intros [|[p|p|]]; reflexivity. Qed.

Lemma has_div2 : forall s c, has (N.div2 s) c = has s (N.succ c).
Proof. intros. unfold has. rewrite N.div2_spec, N.shiftr_spec', N.add_1_r. reflexivity. Qed.

Lemma card_subset : forall s t, subset s t -> (card s <= card t)%nat.
Proof.
  induction s as [|s IH] using set_induction; intros t H; simpl; [lia|].
  rewrite (card_div2 s), (card_div2 t).
  assert (subset (N.div2 s) (N.div2 t)) as H2.
  { intros c Hc. rewrite has_div2 in *. auto. }
  specialize (IH _ H2). specialize (H 0%N).
  destruct (has s 0); [rewrite H by reflexivity; lia | lia].
Qed.

Lemma card_but_one : forall s t x, (forall c, c <> x -> has s c = true -> has t c = true) -> (card s <= S (card t))%nat.
Proof.
  induction s as [|s IH] using set_induction; intros t x H; simpl; [lia|].
  rewrite (card_div2 s), (card_div2 t).
  destruct (zero_or_succ x) as [->|[y ->]].
  - assert (subset (N.div2 s) (N.div2 t)) as H2.
    { intros c Hc. rewrite has_div2 in *. apply H; [lia | assumption]. }
    apply card_subset in H2. destruct (has s 0), (has t 0); lia.
  - assert (forall c, c <> y -> has (N.div2 s) c = true -> has (N.div2 t) c = true) as H2.
    { intros c Hc Hs. rewrite has_div2 in *. apply H; [lia | assumption]. }
    apply IH in H2. pose proof (H 0%N).
    destruct (has s 0); [rewrite H0 by (lia || reflexivity); lia | lia].
Qed.

Lemma card_more : forall s t x, subset s t -> has s x = false -> has t x = true -> (S (card s) <= card t)%nat.
Proof.
  induction s as [|s IH] using set_induction; intros t x H Hs Ht.
  - destruct t as [|p]; [bits; discriminate|]. simpl.
    clear. induction p; simpl; lia.
  - rewrite (card_div2 s), (card_div2 t).
    assert (subset (N.div2 s) (N.div2 t)) as H2.
    { intros c Hc. rewrite has_div2 in *. auto. }
    destruct (zero_or_succ x) as [->|[y ->]].
    + rewrite Hs, Ht. apply card_subset in H2. lia.
    + assert (S (card (N.div2 s)) <= card (N.div2 t))%nat.
      { apply (IH _ y); rewrite ?has_div2; assumption. }
      specialize (H 0%N). destruct (has s 0); [rewrite H by reflexivity; lia | lia].
Qed.

Lemma card_add : forall s x, has s x = false -> card (add s x) = S (card s).
Proof.
  intros. apply Nat.le_antisymm.
  - apply (card_but_one _ _ x). intros c Hc H2. rewrite has_add_other in H2; auto.
  - apply (card_more _ _ x); auto.
    + intros c Hc. apply has_add_true. auto.
    + apply has_add_same.
Qed.

(** The single cell of a set of one cell, as a set; nothing for other sets. *)
Fixpoint psingle (p : positive) : bool :=
  match p with
  | xH => true
  | xO p => psingle p
  | xI _ => false
  end.

Definition single (s : set) : bool :=
  match s with
  | N0 => false
  | Npos p => psingle p
  end.

Lemma single_spec : forall s, single s = true -> exists x, forall c, has s c = true <-> c = x.
Proof.
  intros [|p] H; simpl in H; [discriminate|].
  induction p as [p IH|p IH|]; simpl in H; try discriminate.
  - destruct (IH H) as [x Hx]. exists (N.succ x). intro c.
    destruct (zero_or_succ c) as [->|[j ->]]; bits.
    + split; [discriminate | lia].
    + rewrite Hx. lia.
  - exists 0%N. intro c. destruct (zero_or_succ c) as [->|[j ->]]; bits; split; try lia; discriminate || auto.
Qed.

Lemma single_complete : forall s x, (forall c, has s c = true <-> c = x) -> single s = true.
Proof.
  intros [|p] x H; simpl.
  - specialize (H x). bits. destruct H. discriminate (H0 eq_refl).
  - revert x H. induction p as [p IH|p IH|]; intros x H; simpl; auto.
    + exfalso. destruct (positive_has_some p) as [c Hc].
      pose proof (proj1 (H 0%N) eq_refl). pose proof (proj1 (H (N.succ c))). bits. specialize (H1 Hc). lia.
    + destruct (zero_or_succ x) as [->|[y ->]].
      * specialize (H 0%N). bits. destruct H. discriminate (H0 eq_refl).
      * apply (IH y). intro c. specialize (H (N.succ c)). bits. rewrite H. lia.
Qed.

(** Booleans. *)
Ltac split_andb :=
  repeat match goal with
         | H : (_ && _)%bool = true |- _ => apply andb_true_iff in H; destruct H
         end.

Lemma existsb_not : forall A (f : A -> bool) l, existsb f l = false <-> (forall x, In x l -> f x = false).
Proof.
  induction l as [|a l IH]; simpl.
  - split; auto. intros _ x [].
  - rewrite orb_false_iff, IH. split.
    + intros [H1 H2] x [<-|H]; auto.
    + intro H. split; auto.
Qed.

Lemma length_members : forall s, length (members s) = card s.
Proof.
  intros [|p]; simpl; auto. generalize 0%N. induction p; intro i; simpl; auto.
Qed.

Lemma subset_or_not : forall s t, subset s t \/ exists c, has s c = true /\ has t c = false.
Proof.
  intros. destruct (N.ldiff s t) as [|m] eqn:E.
  - left. intros c Hc. destruct (has t c) eqn:Ht; auto.
    assert (has (N.ldiff s t) c = true) by (rewrite has_ldiff, Hc, Ht; reflexivity).
    rewrite E in H. bits. discriminate.
  - right. destruct (positive_has_some m) as [c Hc]. rewrite <- E, has_ldiff, andb_true_iff, negb_true_iff in Hc.
    exists c. auto.
Qed.

Lemma card_less_some : forall s t, (card s < card t)%nat -> exists c, has t c = true /\ has s c = false.
Proof.
  intros s t H. destruct (subset_or_not t s) as [K|K]; auto. apply card_subset in K. lia.
Qed.

Lemma nonzero_has_some : forall s, s <> 0%N -> exists c, has s c = true.
Proof. intros [|m] H; [congruence | apply positive_has_some]. Qed.

Lemma card_below : forall n, card (below n) = N.to_nat n.
Proof.
  intro n. unfold below.
  assert (forall k, card (N.ones (N.of_nat k)) = k) as K.
  { induction k; auto. rewrite Nat2N.inj_succ.
    assert (N.ones (N.succ (N.of_nat k)) = add (N.ones (N.of_nat k)) (N.of_nat k)) as ->.
    { apply set_ext_iff. intro c. rewrite (has_below (N.succ (N.of_nat k))), has_add_true, (has_below (N.of_nat k)). lia. }
    rewrite card_add, IHk; auto. destruct (has _ _) eqn:E; auto. apply (has_below (N.of_nat k)) in E. lia. }
  rewrite <- (N2Nat.id n) at 1. apply K.
Qed.

Lemma card_split : forall s t, (card s <= card t + card (N.ldiff s t))%nat.
Proof.
  induction s as [|s IH] using set_induction; intro t; [simpl; lia|].
  rewrite (card_div2 s), (card_div2 t), (card_div2 (N.ldiff s t)).
  assert (N.div2 (N.ldiff s t) = N.ldiff (N.div2 s) (N.div2 t)) as ->.
  { apply set_ext. intro c. rewrite has_div2, !has_ldiff, !has_div2. reflexivity. }
  specialize (IH (N.div2 t)). rewrite has_ldiff. destruct (has s 0), (has t 0); simpl; lia.
Qed.
