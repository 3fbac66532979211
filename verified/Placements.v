(** The winning sets of a shape on a board, as a list: all images that [Game.image_on] speaks of, and no others. *)

From Coq Require Import ZArith NArith List Bool Lia Arith.
From Harary Require Import Bits Game.
Import ListNotations.

Arguments cell_at : simpl never.
Arguments turned : simpl never.

(** The cells that points fall on, as a set; none if one falls nowhere or two on the same cell. *)
Fixpoint collect (f : point -> option N) (shape : list point) (acc : set) : option set :=
  match shape with
  | [] => Some acc
  | xy :: shape =>
      match f xy with
      | None => None
      | Some c => if has acc c then None else collect f shape (add acc c)
      end
  end.

Lemma collect_spec : forall f shape acc s, collect f shape acc = Some s <->
  exists cs, Forall2 (fun xy c => f xy = Some c) shape cs /\ NoDup cs /\
    (forall c, In c cs -> has acc c = false) /\ forall c, has s c = true <-> has acc c = true \/ In c cs.
Proof.
  intros f. induction shape as [|xy shape IH]; intros acc s; simpl.
  - split.
    + intro H. inversion H; subst. exists []. simpl. split; [constructor|]. split; [constructor|]. split; [tauto|]. intro c. tauto.
    + intros (cs & F & _ & _ & H). inversion F; subst. f_equal. apply set_ext_iff. intro c. rewrite H. simpl. tauto.
  - destruct (f xy) as [c|] eqn:E.
    + destruct (has acc c) eqn:Hc.
      * split; [discriminate|]. intros (cs & F & _ & H & _). inversion F as [|a b la lb Hab]; subst.
        rewrite E in Hab. inversion Hab; subst. rewrite H in Hc by (left; auto). discriminate.
      * rewrite IH. split.
        -- intros (cs & F & ND & H1 & H2). exists (c :: cs). split; [constructor; auto|]. split.
           { constructor; auto. intro Hin. apply H1 in Hin. rewrite has_add_same in Hin. discriminate. }
           split.
           { intros d [<-|Hd]; auto. apply H1 in Hd. apply has_add_false in Hd. apply Hd. }
           intro d. rewrite H2, has_add_true. simpl. tauto.
        -- intros (cs & F & ND & H1 & H2). inversion F as [|a b la lb Hab F2]; subst.
           rewrite E in Hab. inversion Hab; subst. inversion ND; subst.
           exists lb. split; auto. split; auto. split.
           { intros d Hd. apply has_add_false. split; [intro; subst; auto | apply H1; right; auto]. }
           intro d. rewrite H2, has_add_true. simpl. tauto.
    + split; [discriminate|]. intros (cs & F & _). inversion F; subst. congruence.
Qed.

Definition coordinates (side : N) : list Z := map Z.of_nat (seq 0 (N.to_nat side)).

Lemma in_coordinates : forall side z, In z (coordinates side) <-> (0 <= z < Z.of_N side)%Z.
Proof.
  intros. unfold coordinates. rewrite in_map_iff. split.
  - intros [k [<- H]]. apply in_seq in H. lia.
  - intro H. exists (Z.to_nat z). split; [lia|]. apply in_seq. lia.
Qed.

Definition orientations : list N := [0; 1; 2; 3; 4; 5; 6; 7]%N.

Lemma in_orientations : forall o, In o orientations <-> (o < 8)%N.
Proof. intro o. unfold orientations. simpl. lia. Qed.

(** The image with this orientation whose first cell lies at (x, y). *)
Definition image_at (b : board) (shape : list point) (o : N) (x y : Z) : option set :=
  match shape with
  | [] => None
  | xy :: _ =>
      let (x0, y0) := turned o xy in
      collect (fun xy => cell_at b (moved (x - x0, y - y0)%Z (turned o xy))) shape 0%N
  end.

Definition placements (b : board) (shape : list point) : list set :=
  flat_map (fun o =>
    flat_map (fun x =>
      flat_map (fun y => match image_at b shape o x y with Some s => [s] | None => [] end)
        (coordinates (height b))) (coordinates (width b))) orientations.

Lemma in_placements : forall b shape s, In s (placements b shape) <->
  exists o x y, (o < 8)%N /\ (0 <= x < Z.of_N (width b))%Z /\ (0 <= y < Z.of_N (height b))%Z /\
    image_at b shape o x y = Some s.
Proof.
  intros. unfold placements. rewrite in_flat_map. split.
  - intros [o [Ho H]]. apply in_flat_map in H. destruct H as [x [Hx H]]. apply in_flat_map in H.
    destruct H as [y [Hy H]]. exists o, x, y. apply in_orientations in Ho. apply in_coordinates in Hx, Hy.
    destruct (image_at b shape o x y); [|destruct H]. destruct H as [<-|[]]. auto.
  - intros (o & x & y & Ho & Hx & Hy & E). exists o. split; [apply in_orientations; auto|].
    apply in_flat_map. exists x. split; [apply in_coordinates; auto|].
    apply in_flat_map. exists y. split; [apply in_coordinates; auto|]. rewrite E. left; auto.
Qed.

Lemma image_on_collect : forall b shape s, image_on b shape s <->
  exists o d, (o < 8)%N /\ collect (fun xy => cell_at b (moved d (turned o xy))) shape 0%N = Some s.
Proof.
  intros. split.
  - intros (o & d & cs & Ho & F & ND & H). exists o, d. split; auto. apply collect_spec. exists cs.
    split; auto. split; auto. split; [intros; apply has_zero|].
    intro c. rewrite H, has_zero. intuition congruence.
  - intros (o & d & Ho & E). apply collect_spec in E. destruct E as (cs & F & ND & _ & H).
    exists o, d, cs. split; auto. split; auto. split; auto. intro c. rewrite H. rewrite has_zero. intuition congruence.
Qed.

Lemma cell_at_shift : forall b x y i j, torus b = true ->
  cell_at b (x + Z.of_N (width b) * i, y + Z.of_N (height b) * j)%Z = cell_at b (x, y).
Proof.
  intros b x y i j T. unfold cell_at. rewrite T.
  f_equal. f_equal. rewrite !(Z.mul_comm (Z.of_N _) i), !(Z.mul_comm (Z.of_N _) j).
  rewrite !Z_mod_plus_full. reflexivity.
Qed.

Lemma collect_ext : forall f g shape acc, (forall xy, f xy = g xy) -> collect f shape acc = collect g shape acc.
Proof.
  intros f g shape. induction shape as [|xy shape IH]; intros acc H; simpl; auto.
  rewrite H. destruct (g xy); auto. destruct (has acc n); auto.
Qed.

Theorem placements_spec : forall b shape s,
  (0 < width b)%N -> (0 < height b)%N -> shape <> [] -> In s (placements b shape) <-> image_on b shape s.
Proof.
  intros b shape s Hw Hh Hs. rewrite in_placements, image_on_collect.
  destruct shape as [|xy0 shape]; [congruence|]. unfold image_at. split.
  - intros (o & x & y & Ho & _ & _ & E). destruct (turned o xy0) as [x0 y0] eqn:E0.
    exists o, (x - x0, y - y0)%Z. auto.
  - intros (o & [dx dy] & Ho & E).
    destruct (turned o xy0) as [x0 y0] eqn:E0.
    set (w := Z.of_N (width b)) in *. set (h := Z.of_N (height b)) in *.
    assert (0 < w)%Z as Pw by lia. assert (0 < h)%Z as Ph by lia.
    destruct (torus b) eqn:T.
    + exists o, ((x0 + dx) mod w)%Z, ((y0 + dy) mod h)%Z. rewrite E0.
      split; auto. split; [apply Z.mod_pos_bound; auto|]. split; [apply Z.mod_pos_bound; auto|].
      rewrite <- E. apply collect_ext. intros xy. unfold moved. simpl. destruct (turned o xy) as [x y]. simpl.
      rewrite <- (cell_at_shift b (x + dx) (y + dy) (- ((x0 + dx) / w)) (- ((y0 + dy) / h)) T).
      f_equal. fold w h. f_equal; rewrite Z.mod_eq by lia; lia.
    + exists o, (x0 + dx)%Z, (y0 + dy)%Z. rewrite E0. split; auto.
      assert (0 <= x0 + dx < w /\ 0 <= y0 + dy < h)%Z as [H1 H2].
      { simpl in E. unfold moved at 1 in E. rewrite E0 in E. unfold cell_at at 1 in E. simpl in E.
        rewrite T in E. fold w h in E.
        destruct ((0 <=? x0 + dx)%Z && (x0 + dx <? w)%Z && (0 <=? y0 + dy)%Z && (y0 + dy <? h)%Z) eqn:Eb; [|discriminate].
        rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in Eb. lia. }
      repeat split; try lia. rewrite <- E. apply collect_ext. intro xy.
      unfold moved. simpl. destruct (turned o xy) as [x y]. simpl. f_equal. f_equal; lia.
Qed.

Lemma cell_at_below : forall b xy c, (0 < width b)%N -> (0 < height b)%N ->
  cell_at b xy = Some c -> (c < width b * height b)%N.
Proof.
  intros b [x y] c Hw Hh E. unfold cell_at in E.
  assert (forall u v, (0 <= u < Z.of_N (width b))%Z -> (0 <= v < Z.of_N (height b))%Z ->
    (Z.to_N (u + Z.of_N (width b) * v) < width b * height b)%N) as K.
  { intros u v Hu Hv. apply N2Z.inj_lt. rewrite Z2N.id by nia. rewrite N2Z.inj_mul. nia. }
  destruct (torus b).
  - inversion E. apply K; apply Z.mod_pos_bound; lia.
  - destruct ((0 <=? x) && (x <? Z.of_N (width b)) && (0 <=? y) && (y <? Z.of_N (height b)))%Z eqn:Eb; [|discriminate].
    rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in Eb. inversion E. apply K; lia.
Qed.

Lemma image_on_inside : forall b shape s, (0 < width b)%N -> (0 < height b)%N ->
  image_on b shape s -> subset s (below (width b * height b)).
Proof.
  intros b shape s Hw Hh (o & d & cs & _ & F & _ & H) c Hc. apply H in Hc. apply has_below.
  clear H. induction F as [|xy c' shape cs E F IH]; [destruct Hc|].
  destruct Hc as [<-|Hc]; auto. eapply cell_at_below; eauto.
Qed.
