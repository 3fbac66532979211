(** The header of a certificate: the game with its winning sets as lists, and what has to hold of it. *)

From Coq Require Import ZArith NArith List Bool Lia Arith Mergesort Permutation Orders.
From Harary Require Import Bits Game Symmetry Placements Groups Certificate.
Import ListNotations.

(** Sets in ascending order, each once. *)
Module SetOrder <: TotalLeBool.
  Definition t := N.
  Definition leb (x y : N) := N.leb x y.
  Theorem leb_total : forall a1 a2, leb a1 a2 = true \/ leb a2 a1 = true.
  Proof. intros. unfold leb. rewrite !N.leb_le. lia. Qed.
End SetOrder.

Module SetSort := Sort SetOrder.

Fixpoint unique (l acc : list set) : list set :=
  match l with
  | [] => acc
  | x :: l => match acc with
              | y :: _ => if N.eqb x y then unique l acc else unique l (x :: acc)
              | [] => unique l [x]
              end
  end.

Lemma in_unique : forall l acc x, In x (unique l acc) <-> In x l \/ In x acc.
Proof.
  induction l as [|a l IH]; intros acc x; simpl; [tauto|].
  destruct acc as [|y acc].
  - rewrite IH. simpl. tauto.
  - destruct (N.eqb a y) eqn:E; rewrite IH; simpl; [|tauto].
    apply N.eqb_eq in E. subst. tauto.
Qed.

Definition each_once (l : list set) : list set := unique (SetSort.sort l) [].

Lemma in_each_once : forall l x, In x (each_once l) <-> In x l.
Proof.
  intros. unfold each_once. rewrite in_unique. simpl. split.
  - intros [H|[]]. eapply Permutation_in; [apply Permutation_sym, SetSort.Permuted_sort | exact H].
  - intro H. left. eapply Permutation_in; [apply SetSort.Permuted_sort | exact H].
Qed.

Definition all_different (l : list set) : bool := Nat.eqb (length (each_once l)) (length l).

(** The winning sets of both players. *)
Definition families (S : setting) (r : rule) : list set * list set :=
  match S with
  | OnBoard b shape =>
      let sets := each_once (placements b shape) in
      (sets, match r with Strong => sets | Weak => [] end)
  | OfSets _ blacks whites _ _ => (blacks, match r with Strong => whites | Weak => [] end)
  end.

Definition family (fs : list set * list set) (p : player) : list set :=
  match p with Black => fst fs | White => snd fs end.

Fixpoint distinct_points (shape : list point) : bool :=
  match shape with
  | [] => true
  | xy :: shape =>
      negb (existsb (fun uv => Z.eqb (fst xy) (fst uv) && Z.eqb (snd xy) (snd uv)) shape) && distinct_points shape
  end.

(** No two cells of the shape are 19 or more apart in either direction. *)
Definition shape_fits (shape : list point) : bool :=
  forallb (fun xy => forallb (fun uv => Z.ltb (fst xy - fst uv) 19 && Z.ltb (snd xy - snd uv) 19) shape) shape.

Definition in_range (low high x : N) : bool := N.leb low x && N.leb x high.

(** The most vertices of a game of sets. A limit of the format: nothing is proved with it. *)
Definition most_vertices : N := 1000.

Definition setting_ok (S : setting) : bool :=
  match S with
  | OnBoard b shape =>
      in_range 1 19 (width b) && in_range 1 19 (height b) &&
      match shape with [] => false | _ => true end && distinct_points shape && shape_fits shape
  | OfSets n blacks whites begin opening =>
      in_range 1 most_vertices n &&
      forallb (fun sets => all_different sets && forallb (fun s => negb (N.eqb s 0) && subsetb s (below n)) sets)
        [blacks; whites] &&
      subsetb (black begin) (below n) && subsetb (white begin) (below n) &&
      disjointb (black begin) (white begin) &&
      match opening with None => true | Some s => subsetb s (below n) end
  end.

Definition start_completes (sets : list set) (stones : set) : bool := existsb (fun s => subsetb s stones) sets.

(** The turns that must be there: min(K, E), or E. *)
Definition turns_needed (c : claim) (empty : nat) : nat :=
  match c with
  | Win K | HoldUpTo K | Loss K => N.to_nat (N.min K (N.of_nat empty))
  | Hold => empty
  end.

Definition claim_ok (format : N) (r : rule) (c : claim) (turns : nat) : bool :=
  match c with
  | Win K | HoldUpTo K => negb (N.eqb K 0)
  | Hold => true
  | Loss K => negb (N.eqb K 0) && N.eqb format 2 && match r with Strong => true | Weak => false end
              && N.leb K (N.of_nat turns)
  end.

Definition header_ok (c : certificate) (fs : list set * list set) : bool :=
  let G := game_in c in
  let empty := card (empty_at_start G) in
  let turns := length (turns G) in
  in_range 1 2 (c_format c) && setting_ok (c_setting c) &&
  Nat.leb (turns_needed (c_claim c) empty) turns && Nat.leb turns empty &&
  claim_ok (c_format c) (c_rule c) (c_claim c) turns &&
  (Nat.eqb empty 0 || negb (disjointb (first G) (empty_at_start G))) &&
  negb (start_completes (fst fs) (black (start G))) && negb (start_completes (snd fs) (white (start G))).

Section Rules.

Variable c : certificate.
Local Notation G := (game_in c).
Let fs := families (c_setting c) (c_rule c).
Hypothesis ok : header_ok c fs = true.

Lemma setting_is_ok : setting_ok (c_setting c) = true.
Proof. pose proof ok as OK. unfold header_ok in OK. split_andb. assumption. Qed.

Lemma family_spec : forall p s, In s (family fs p) <-> winning G p s.
Proof.
  pose proof setting_is_ok as S. intros p s. unfold fs. simpl. unfold families, winning_of.
  destruct (c_setting c) as [b shape|n blacks whites begin opening]; simpl in S.
  - split_andb. unfold in_range in *. split_andb. rewrite ?N.leb_le in *.
    assert (In s (each_once (placements b shape)) <-> image_on b shape s) as K.
    { rewrite in_each_once. apply placements_spec; [lia | lia |]. destruct shape; discriminate. }
    destruct p, (c_rule c); simpl; auto; tauto.
  - destruct p, (c_rule c); simpl; tauto.
Qed.

Lemma insides : sets_inside G.
Proof.
  pose proof setting_is_ok as S. intros p s W. simpl in W. simpl. unfold winning_of in W.
  destruct (c_setting c) as [b shape|n blacks whites begin opening]; cbn [setting_ok] in S.
  - split_andb. unfold in_range in *. split_andb. rewrite ?N.leb_le in *. simpl.
    apply (image_on_inside b shape); try lia. destruct p, (c_rule c); auto; tauto.
  - simpl. split_andb.
    match goal with K : forallb _ [blacks; whites] = true |- _ => rewrite forallb_forall in K; rename K into F end.
    assert (exists l, In l [blacks; whites] /\ In s l) as [l [Hl Hs]].
    { destruct p, (c_rule c); try tauto; [exists blacks | exists blacks | exists whites]; simpl; auto. }
    apply F in Hl. apply andb_true_iff in Hl. destruct Hl as [_ Hl]. rewrite forallb_forall in Hl. apply Hl in Hs. split_andb.
    apply subsetb_spec; auto.
Qed.

Lemma start_not_completed : forall p, ~ completed G p (start G).
Proof.
  pose proof ok as OK. unfold header_ok in OK. split_andb.
  assert (forall p, start_completes (family fs p) (own p (start G)) = false) as K
    by (intros []; apply negb_true_iff; assumption).
  intros p [s [W S]]. apply family_spec in W. apply subsetb_complete in S.
  specialize (K p). unfold start_completes in K. rewrite existsb_not in K. rewrite (K s W) in S. discriminate.
Qed.

Lemma start_inside : inside G (start G).
Proof.
  pose proof setting_is_ok as S. simpl. unfold inside. simpl.
  destruct (c_setting c) as [b shape|n blacks whites begin opening]; simpl in *.
  - split; intros x H; bits; discriminate.
  - split_andb. split; apply subsetb_spec; auto.
Qed.

Lemma start_disjoint : disjoint (black (start G)) (white (start G)).
Proof.
  pose proof setting_is_ok as S. simpl.
  destruct (c_setting c) as [b shape|n blacks whites begin opening]; simpl in *.
  - intros x H. bits. discriminate.
  - split_andb. apply disjointb_spec; auto.
Qed.

Theorem game_well_formed : well_formed G.
Proof.
  unfold well_formed. split.
  { intros x H. rewrite has_lor, orb_true_iff in H. destruct start_inside as [H1 H2]. destruct H; auto. }
  split; [apply start_disjoint|]. split; [apply start_not_completed|].
  pose proof ok as OK. unfold header_ok in OK. split_andb. split; [apply Nat.leb_le; assumption|].
  match goal with K : (_ || _)%bool = true |- _ => apply orb_true_iff in K; destruct K as [H1'|H1'] end;
    rename H1' into F1.
  - left. apply Nat.eqb_eq in F1. destruct (empty_at_start G) as [|m] eqn:E; auto. simpl in F1. exfalso.
    clear -F1. induction m; simpl in *; lia.
  - right. apply negb_true_iff in F1. apply disjointb_false in F1. destruct F1 as [x [Hx Hy]]. exists x.
    unfold empty_at_start in Hy. rewrite has_ldiff, has_lor, andb_true_iff, negb_true_iff, orb_false_iff in Hy.
    destruct Hy as (Hn & Hb & Hw). unfold may. repeat split; auto. apply has_below; auto.
Qed.

End Rules.
