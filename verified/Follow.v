(** Following all lines of play turn by turn: the part that wins and holds by positions have in common.

    A state is a position and a number: White's stones outside the cover, 0 where there is none. *)

From Coq Require Import NArith List Bool Lia Arith Mergesort Permutation Orders.
From Harary Require Import Bits Game.
Import ListNotations.

Definition state := (position * nat)%type.

(** What is wrong where the play cannot go on. *)
Inductive complaint :=
  NoLine | BadMove | OtherCompletes | NoReply | TooLate.

Inductive step_result := Next (l : list state) | Fail (c : complaint).

Inductive outcome := Proved | Stuck (c : complaint) (st : state).

(** States in order, so that each is followed once. *)
Definition state_compare (s t : state) : comparison :=
  match N.compare (black (fst s)) (black (fst t)) with
  | Eq => match N.compare (white (fst s)) (white (fst t)) with
          | Eq => Nat.compare (snd s) (snd t)
          | c => c
          end
  | c => c
  end.

Lemma state_compare_antisym : forall s t, state_compare t s = CompOpp (state_compare s t).
Proof.
  intros. unfold state_compare.
  rewrite (N.compare_antisym (black (fst s)) (black (fst t))). destruct (N.compare (black (fst s)) _); simpl; auto.
  rewrite (N.compare_antisym (white (fst s)) (white (fst t))). destruct (N.compare (white (fst s)) _); simpl; auto.
  apply Nat.compare_antisym.
Qed.

Lemma state_compare_eq : forall s t, state_compare s t = Eq -> s = t.
Proof.
  intros [[b w] u] [[b' w'] u']. unfold state_compare. simpl.
  destruct (N.compare b b') eqn:E1; try discriminate. apply N.compare_eq in E1.
  destruct (N.compare w w') eqn:E2; try discriminate. apply N.compare_eq in E2.
  intro E3. apply Nat.compare_eq in E3. congruence.
Qed.

Module StateOrder <: TotalLeBool.
  Definition t := state.
  Definition leb (x y : state) := match state_compare x y with Gt => false | _ => true end.
  Theorem leb_total : forall a1 a2, leb a1 a2 = true \/ leb a2 a1 = true.
  Proof.
    intros. unfold leb. rewrite (state_compare_antisym a1 a2). destruct (state_compare a1 a2); simpl; auto.
  Qed.
End StateOrder.

Module StateSort := Sort StateOrder.

Fixpoint drop_repeated (l acc : list state) : list state :=
  match l with
  | [] => acc
  | x :: l =>
      match acc with
      | y :: _ => match state_compare x y with Eq => drop_repeated l acc | _ => drop_repeated l (x :: acc) end
      | [] => drop_repeated l [x]
      end
  end.

Lemma in_drop_repeated : forall l acc x, In x l \/ In x acc -> In x (drop_repeated l acc).
Proof.
  induction l as [|a l IH]; intros acc x H; simpl.
  - destruct H as [[]|H]; auto.
  - destruct acc as [|y acc].
    + apply IH. destruct H as [[->|H]|[]]; simpl; auto.
    + destruct (state_compare a y) eqn:E; apply IH; try (simpl in *; tauto).
      apply state_compare_eq in E. subst. destruct H as [[->|H]|H]; simpl; auto.
Qed.

Definition tidy (l : list state) : list state := drop_repeated (StateSort.sort l) [].

Lemma in_tidy : forall l x, In x l -> In x (tidy l).
Proof.
  intros l x H. apply in_drop_repeated. left.
  eapply Permutation_in; [apply StateSort.Permuted_sort | exact H].
Qed.

(** All that can happen in these states; the states after it, or where it stops. *)
Fixpoint expand (f : state -> step_result) (l acc : list state) : list state * outcome :=
  match l with
  | [] => (acc, Proved)
  | st :: l =>
      match f st with
      | Next new => expand f l (rev_append new acc)
      | Fail c => ([], Stuck c st)
      end
  end.

Lemma expand_spec : forall f l acc r, expand f l acc = (r, Proved) ->
  (forall x, In x acc -> In x r) /\
  forall st, In st l -> exists new, f st = Next new /\ forall x, In x new -> In x r.
Proof.
  induction l as [|st l IH]; intros acc r H; simpl in H.
  - inversion H; subst. split; auto. intros st [].
  - destruct (f st) as [new|c] eqn:E; [|inversion H].
    apply IH in H. destruct H as [H1 H2].
    assert (forall x, In x new \/ In x acc -> In x r) as H3.
    { intros x Hx. apply H1. rewrite rev_append_rev. apply in_or_app. rewrite <- in_rev. exact Hx. }
    split; auto. intros s [->|Hs]; auto. exists new. split; auto.
Qed.
