(** Answers to one cell of each orbit are answers to all: the symmetries must keep both sets of a node. *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry.
Import ListNotations.

Definition mask (named : list N) : set := fold_left add named 0%N.

Lemma has_mask : forall named x, has (mask named) x = true <-> In x named.
Proof.
  intros named x. unfold mask.
  assert (forall acc, has (fold_left add named acc) x = true <-> has acc x = true \/ In x named) as K.
  { induction named as [|c named IH]; intro acc; simpl; [tauto|]. rewrite IH, has_add_true. tauto. }
  rewrite K, has_zero. intuition congruence.
Qed.

Definition reached (orbits : list perm) (own open m : set) : set :=
  fold_left
    (fun acc ms => if N.eqb (image ms own) own && N.eqb (image ms open) open then N.lor acc (image ms m) else acc)
    orbits m.

(** Different cells of [open], at least one, and one in the orbit of each cell of [open]. *)
Definition all_answered (orbits : list perm) (own open : set) (named : list N) : bool :=
  let m := mask named in
  negb (N.eqb m 0) && Nat.eqb (card m) (length named) && subsetb m open &&
  (subsetb open m || subsetb open (reached orbits own open m)).

Section Orbits.

Variable G : game.
Local Notation all := (below (cells G)).
Variable orbits : list perm.
Hypothesis orbits_symmetric : forall ms, In ms orbits -> symmetric G ms.

(** A symmetry that takes [m] to [x] and keeps both sets. *)
Definition carries (own open : set) (m x : N) : Prop :=
  exists g h, aut G g h /\ g m = x /\ gset g own = own /\ gset g open = open.

Lemma carries_itself : forall own open x, carries own open x x.
Proof.
  intros. exists (fun x => x), (fun x => x).
  assert (forall s, gset (fun x => x) s = s) as Id.
  { intro s. apply set_ext_iff. intro y. rewrite has_gset. split; [intros [z [Hz <-]]; auto | intro; exists y; auto]. }
  rewrite !Id. split; [apply aut_identity | auto].
Qed.

Lemma reached_spec : forall own open m x, subset own all -> subset open all -> subset m all ->
  has (reached orbits own open m) x = true -> exists y, has m y = true /\ carries own open y x.
Proof.
  intros own open m x Ho Hz Hm H. unfold reached in H.
  assert (forall l acc, (forall ms, In ms l -> symmetric G ms) ->
    (forall x, has acc x = true -> exists y, has m y = true /\ carries own open y x) ->
    forall x, has (fold_left (fun acc ms => if N.eqb (image ms own) own && N.eqb (image ms open) open
                                           then N.lor acc (image ms m) else acc) l acc) x = true ->
    exists y, has m y = true /\ carries own open y x) as K.
  { induction l as [|ms l IH]; intros acc Hl Ha z Hx; simpl in Hx; auto.
    apply IH in Hx; auto; [intros; apply Hl; right; auto|].
    intros z' Hz'. destruct (N.eqb _ _ && _) eqn:E; auto.
    rewrite has_lor, orb_true_iff in Hz'. destruct Hz' as [Hz'|Hz']; auto.
    apply andb_true_iff in E. destruct E as [E1 E2]. apply N.eqb_eq in E1, E2.
    destruct (Hl ms (or_introl eq_refl)) as (g & h & A & S).
    rewrite (image_spells G ms g) in E1, E2, Hz' by auto.
    apply has_gset in Hz'. destruct Hz' as [y [Hy Hg]]. exists y. split; auto. exists g, h. auto. }
  eapply (K orbits m); eauto. intros y Hy. exists y. split; auto. apply carries_itself.
Qed.

Lemma all_answered_spec : forall own open named, subset own all -> subset open all ->
  all_answered orbits own open named = true ->
  forall x, has open x = true -> exists m, In m named /\ has open m = true /\ carries own open m x.
Proof.
  intros own open named Ho Hz H x Hx. unfold all_answered in H. split_andb.
  assert (subset (mask named) open) as Hm by (apply subsetb_spec; auto).
  assert (has (mask named) x = true \/ has (reached orbits own open (mask named)) x = true) as [K|K].
  { apply orb_true_iff in H0. destruct H0 as [K|K]; [left | right]; apply subsetb_spec in K; auto. }
  - exists x. split; [apply has_mask; auto|]. split; auto. apply carries_itself.
  - apply reached_spec in K; auto; [|intros y Hy; auto].
    destruct K as [y [Hy C]]. exists y. split; [apply has_mask; auto | auto].
Qed.

Lemma all_answered_some : forall own open named, all_answered orbits own open named = true ->
  exists m, In m named /\ has open m = true.
Proof.
  intros own open named H. unfold all_answered in H. split_andb.
  apply negb_true_iff, N.eqb_neq in H. apply nonzero_has_some in H. destruct H as [m Hm].
  exists m. split; [apply has_mask; auto | apply (subsetb_spec _ _ H1); auto].
Qed.

End Orbits.
