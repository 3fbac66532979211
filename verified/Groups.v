(** Symmetries that the checker verifies itself: permutations that keep the winning sets, and the groups they generate. *)

From Coq Require Import ZArith NArith List Bool Lia Arith FMapPositive.
From Harary Require Import Bits Game Symmetry Placements.
Import ListNotations.

Definition memb (s : set) (l : list set) : bool := existsb (N.eqb s) l.

Lemma memb_spec : forall s l, memb s l = true <-> In s l.
Proof.
  intros. unfold memb. rewrite existsb_exists. split.
  - intros [x [H E]]. apply N.eqb_eq in E. subst. auto.
  - intro H. exists s. split; auto. apply N.eqb_refl.
Qed.

Definition apply_list (l : list N) (x : N) : N := nth (N.to_nat x) l 0%N.

Definition as_perm (l : list N) : perm := map (add 0%N) l.

Fixpoint index_of (y : N) (l : list N) (i : N) : N :=
  match l with
  | [] => i
  | x :: l => if N.eqb x y then i else index_of y l (N.succ i)
  end.

Definition all_cells (n : N) : list N := members (below n).

Lemma in_all_cells : forall n x, In x (all_cells n) <-> (x < n)%N.
Proof. intros. unfold all_cells. rewrite in_members. apply has_below. Qed.

Definition inverse (n : N) (l : list N) : list N := map (fun y => index_of y l 0%N) (all_cells n).

Definition undoes (n : N) (l k : list N) : bool :=
  forallb (fun x => let y := apply_list l x in N.ltb y n && N.eqb (apply_list k y) x) (all_cells n).

Definition keeps (ms : perm) (sets : list set) : bool := forallb (fun s => memb (image ms s) sets) sets.

(** Whether a list of images is a symmetry of the game with these winning sets. *)
Definition is_symmetry (n : N) (families : list (list set)) (l : list N) : bool :=
  let k := inverse n l in
  Nat.eqb (length l) (N.to_nat n) && undoes n l k && undoes n k l &&
  forallb (fun sets => keeps (as_perm l) sets && keeps (as_perm k) sets) families.

Section Groups.

Variable G : game.
Local Notation n := (cells G).
Variable family : player -> list set.
Hypothesis family_spec : forall p s, In s (family p) <-> winning G p s.
Hypothesis insides : sets_inside G.

Lemma as_perm_spells : forall l, length l = N.to_nat n -> spells G (as_perm l) (apply_list l).
Proof.
  intros l H i Hi. unfold as_perm, apply_list.
  rewrite (nth_indep _ 0%N (add 0%N 0%N)) by (rewrite map_length; lia). apply map_nth.
Qed.

Lemma undoes_spec : forall l k, undoes n l k = true ->
  forall x, (x < n)%N -> (apply_list l x < n)%N /\ apply_list k (apply_list l x) = x.
Proof.
  intros l k H x Hx. unfold undoes in H. rewrite forallb_forall in H.
  specialize (H x (proj2 (in_all_cells _ _) Hx)). simpl in H. split_andb.
  apply N.ltb_lt in H. apply N.eqb_eq in H0. auto.
Qed.

Lemma keeps_spec : forall l p s, length l = N.to_nat n -> keeps (as_perm l) (family p) = true ->
  winning G p s -> winning G p (gset (apply_list l) s).
Proof.
  intros l p s L K W. unfold keeps in K. rewrite forallb_forall in K.
  rewrite <- (image_spells G (as_perm l)); [|apply as_perm_spells; auto | eapply insides; eauto].
  apply family_spec, memb_spec, K, family_spec, W.
Qed.

Lemma length_inverse : forall l, length (inverse n l) = N.to_nat n.
Proof.
  intros. unfold inverse, all_cells. rewrite map_length, length_members. apply card_below.
Qed.

Lemma is_symmetry_spec : forall l, is_symmetry n [family Black; family White] l = true -> symmetric G (as_perm l).
Proof.
  intros l H. unfold is_symmetry in H. cbn [forallb] in H. split_andb.
  apply Nat.eqb_eq in H. exists (apply_list l), (apply_list (inverse n l)). split; [|apply as_perm_spells; auto].
  constructor.
  - apply undoes_spec; auto.
  - apply undoes_spec; auto.
  - intros [] s W; apply keeps_spec; auto.
  - intros [] s W; apply keeps_spec; auto; apply length_inverse.
Qed.

Definition identity : perm := as_perm (all_cells n).

(** ** The group of some symmetries *)

Definition largest_group : N := 65536.

(** Permutations found so far, by the images of the first few cells. *)
Definition seen := PositiveMap.t (list perm).

Fixpoint perm_eqb (a b : perm) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => N.eqb x y && perm_eqb a b
  | _, _ => false
  end.

Definition key (ms : perm) : positive :=
  N.succ_pos (fold_left (fun k m => N.add (N.shiftl k 10) (N.log2 m)) (firstn 8 ms) 0%N).

Definition note (ms : perm) (known : seen) : option seen :=
  match PositiveMap.find (key ms) known with
  | None => Some (PositiveMap.add (key ms) [ms] known)
  | Some l => if existsb (perm_eqb ms) l then None else Some (PositiveMap.add (key ms) (ms :: l) known)
  end.

(** The products of one element with each generator that are new. *)
Fixpoint products (gens : list perm) (e : perm) (known : seen) (new : list perm) : seen * list perm :=
  match gens with
  | [] => (known, new)
  | g :: gens =>
      let product := compose g e in
      match note product known with
      | None => products gens e known new
      | Some known => products gens e known (product :: new)
      end
  end.

Lemma products_symmetric : forall gens e known new known' new',
  (forall g, In g gens -> symmetric G g) -> symmetric G e -> (forall x, In x new -> symmetric G x) ->
  products gens e known new = (known', new') -> forall x, In x new' -> symmetric G x.
Proof.
  induction gens as [|g gens IH]; intros e known new known' new' Hg He Hn H; simpl in H.
  - inversion H; subst. auto.
  - assert (forall g0, In g0 gens -> symmetric G g0) as Hg' by (intros; apply Hg; right; auto).
    destruct (note _ known); [|eapply IH; [exact Hg' | exact He | exact Hn | exact H]].
    eapply IH; [exact Hg' | exact He | | exact H].
    intros x [<-|Hx]; auto. apply symmetric_compose; auto. apply Hg. left; auto.
Qed.

Fixpoint grow (fuel : nat) (gens : list perm) (stack found : list perm) (known : seen) (count : N) : option (list perm) :=
  match fuel with
  | O => None
  | S fuel =>
      match stack with
      | [] => Some found
      | e :: stack =>
          let (known, new) := products gens e known [] in
          let count := (count + N.of_nat (length new))%N in
          if N.ltb largest_group count then None
          else grow fuel gens (new ++ stack) (rev_append new found) known count
      end
  end.

Lemma grow_symmetric : forall fuel gens stack found known count r,
  (forall g, In g gens -> symmetric G g) -> (forall x, In x stack -> symmetric G x) ->
  (forall x, In x found -> symmetric G x) ->
  grow fuel gens stack found known count = Some r -> forall x, In x r -> symmetric G x.
Proof.
  induction fuel as [|fuel IH]; intros gens stack found known count r Hg Hs Hf H; simpl in H; [discriminate|].
  destruct stack as [|e stack]; [inversion H; subst; auto|].
  destruct (products gens e known []) as [known' new] eqn:E.
  destruct (N.ltb _ _); [discriminate|].
  assert (forall x, In x new -> symmetric G x) as Hn.
  { intros x Hx. refine (products_symmetric gens e known [] known' new Hg _ _ E x Hx);
      [apply Hs; left; auto | intros y []]. }
  eapply IH; [exact Hg | | | exact H].
  - intros x Hx. apply in_app_or in Hx. destruct Hx; auto. apply Hs. right; auto.
  - intros x Hx. rewrite rev_append_rev in Hx. apply in_app_or in Hx. destruct Hx as [Hx|Hx]; auto.
    apply in_rev in Hx. auto.
Qed.

Definition generated (gens : list perm) : option (list perm) :=
  match note identity (PositiveMap.empty _) with
  | None => None
  | Some known => grow (N.to_nat largest_group + 2) gens [identity] [identity] known 1
  end.

Lemma all_cells_length : length (all_cells n) = N.to_nat n.
Proof. rewrite <- (length_inverse []). unfold inverse. rewrite map_length. reflexivity. Qed.

(** Every group element is checked to be a symmetry by its making. The identity is looked at like the others. *)
Definition group_of (lists : list (list N)) : option (list perm) :=
  if forallb (is_symmetry n [family Black; family White]) (all_cells n :: lists)
  then generated (map as_perm lists) else None.

Lemma group_of_symmetric : forall lists r, group_of lists = Some r -> forall x, In x r -> symmetric G x.
Proof.
  intros lists r H. unfold group_of in H. destruct (forallb _ _) eqn:E; [|discriminate].
  rewrite forallb_forall in E.
  assert (symmetric G identity) as Hi by (apply is_symmetry_spec, E; left; auto).
  unfold generated in H. destruct (note _ _); [|discriminate].
  eapply grow_symmetric; [| | |exact H].
  - intros g Hg. apply in_map_iff in Hg. destruct Hg as [l [<- Hl]]. apply is_symmetry_spec, E. right; auto.
  - intros x [<-|[]]; auto.
  - intros x [<-|[]]; auto.
Qed.

(** ** The symmetries of a board: two reflections, the diagonal of a square, the translations of a torus, each with
    its order. The group is all their products. *)
Definition board_map (b : board) (f : Z -> Z -> point) : list N :=
  map (fun c => let x := Z.of_N (N.modulo c (width b)) in let y := Z.of_N (N.div c (width b)) in
                match cell_at b (f x y) with Some d => d | None => 0%N end)
      (all_cells (width b * height b)).

Definition board_generators (b : board) : list (list N * nat) :=
  let w := Z.of_N (width b) in
  let h := Z.of_N (height b) in
  [(board_map b (fun x y => (w - 1 - x, y)%Z), 2); (board_map b (fun x y => (x, h - 1 - y)%Z), 2)]
  ++ (if N.eqb (width b) (height b) then [(board_map b (fun x y => (y, x)), 2)] else [])
  ++ (if torus b
      then [(board_map b (fun x y => (x + 1, y)%Z), N.to_nat (width b));
            (board_map b (fun x y => (x, y + 1)%Z), N.to_nat (height b))]
      else []).

Fixpoint powers (g : perm) (k : nat) (e : perm) : list perm :=
  match k with
  | O => []
  | S k => e :: powers g k (compose g e)
  end.

Lemma powers_symmetric : forall g k e x, symmetric G g -> symmetric G e -> In x (powers g k e) -> symmetric G x.
Proof.
  induction k as [|k IH]; intros e x Hg He H; simpl in H; [tauto|].
  destruct H as [<-|H]; auto. apply (IH (compose g e)); auto. apply symmetric_compose; auto.
Qed.

Definition span (gens : list (list N * nat)) : list perm :=
  fold_left (fun group g => flat_map (powers (as_perm (fst g)) (snd g)) group) gens [identity].

Definition board_group (b : board) : option (list perm) :=
  let gens := board_generators b in
  if forallb (is_symmetry n [family Black; family White]) (all_cells n :: map fst gens)
  then Some (span gens) else None.

Lemma board_group_symmetric : forall b r, board_group b = Some r -> forall x, In x r -> symmetric G x.
Proof.
  intros b r H. unfold board_group in H. destruct (forallb _ _) eqn:E; [|discriminate].
  inversion H; subst. clear H. rewrite forallb_forall in E.
  assert (forall x, In x [identity] -> symmetric G x) as Hi.
  { intros x [<-|[]]. apply is_symmetry_spec, E. left; auto. }
  assert (forall g, In g (board_generators b) -> symmetric G (as_perm (fst g))) as Hg.
  { intros g Hg. apply is_symmetry_spec, E. right. apply in_map. auto. }
  clear E. unfold span. revert Hi Hg. generalize [identity]. generalize (board_generators b).
  induction l as [|g gens IH]; intros group Hi Hg x Hx; simpl in Hx; auto.
  eapply IH in Hx; eauto.
  - intros y Hy. apply in_flat_map in Hy. destruct Hy as [e [He Hy]].
    eapply powers_symmetric; [apply Hg; left; auto | apply Hi; exact He | exact Hy].
  - intros; apply Hg; right; auto.
Qed.

End Groups.
