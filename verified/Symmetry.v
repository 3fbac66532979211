(** Symmetries of a game: what can be forced in a position can be forced in its image (Lemma 12 of docs/game.md). *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game.
Import ListNotations.

(** The image of a set under a function, cell by cell. *)
Definition gset (g : N -> N) (s : set) : set := fold_right (fun c acc => add acc (g c)) 0%N (members s).

Lemma has_gset : forall g s y, has (gset g s) y = true <-> exists x, has s x = true /\ g x = y.
Proof.
  intros. unfold gset.
  transitivity (exists x, In x (members s) /\ g x = y).
  - induction (members s) as [|c l IH]; simpl.
    + rewrite has_zero. split; [discriminate | intros [x [[] _]]].
    + rewrite has_add_true, IH. split.
      * intros [H|[x [H1 H2]]]; [exists c | exists x]; auto.
      * intros [x [[->|H1] H2]]; [left; auto | right; exists x; auto].
  - split; intros [x [H1 H2]]; exists x; split; auto; apply in_members; auto.
Qed.

Definition gpos (g : N -> N) (P : position) : position := At (gset g (black P)) (gset g (white P)).

Lemma own_gpos : forall g p P, own p (gpos g P) = gset g (own p P).
Proof. intros g [] P; reflexivity. Qed.

Lemma gset_add : forall g s x, gset g (add s x) = add (gset g s) (g x).
Proof.
  intros. apply set_ext_iff. intro y. rewrite has_gset, has_add_true, has_gset. split.
  - intros [z [Hz <-]]. apply has_add_true in Hz. destruct Hz as [->|Hz]; [left; auto | right; exists z; auto].
  - intros [<-|[z [Hz <-]]]; [exists x | exists z]; split; auto; apply has_add_true; auto.
Qed.

Lemma put_gpos : forall g p x P, put p (g x) (gpos g P) = gpos g (put p x P).
Proof. intros g [] x P; unfold put, gpos; simpl; rewrite gset_add; reflexivity. Qed.

Lemma gset_comp : forall g g' s, gset g (gset g' s) = gset (fun x => g (g' x)) s.
Proof.
  intros. apply set_ext_iff. intro y. rewrite !has_gset. split.
  - intros [z [Hz <-]]. apply has_gset in Hz. destruct Hz as [x [Hx <-]]. exists x; auto.
  - intros [x [Hx <-]]. exists (g' x). split; auto. apply has_gset. exists x; auto.
Qed.

Lemma gset_mono : forall g s t, subset s t -> subset (gset g s) (gset g t).
Proof. intros g s t H y Hy. apply has_gset in Hy. destruct Hy as [x [Hx <-]]. apply has_gset. exists x; auto. Qed.

Section Symmetry.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).

(** Winning sets are sets of vertices. *)
Definition sets_inside : Prop := forall p s, winning G p s -> subset s all.

(** The stones lie on vertices. *)
Definition inside (P : position) : Prop := subset (black P) all /\ subset (white P) all.

Lemma inside_own : forall p P, inside P -> subset (own p P) all.
Proof. intros [] P [H1 H2]; assumption. Qed.

Lemma inside_put : forall p x P, inside P -> (x < n)%N -> inside (put p x P).
Proof.
  intros p x P [H1 H2] Hx.
  assert (forall s, subset s all -> subset (add s x) all) as Ha.
  { intros s Hs c Hc. apply has_add_true in Hc. destruct Hc as [<-|Hc]; auto. apply has_below; auto. }
  destruct p; split; simpl; auto.
Qed.

(** [g] is a symmetry, and [h] undoes it. *)
Record aut (g h : N -> N) : Prop := {
  aut_g : forall x, (x < n)%N -> (g x < n)%N /\ h (g x) = x;
  aut_h : forall x, (x < n)%N -> (h x < n)%N /\ g (h x) = x;
  aut_g_sets : forall p s, winning G p s -> winning G p (gset g s);
  aut_h_sets : forall p s, winning G p s -> winning G p (gset h s)
}.

Lemma aut_inverse : forall g h, aut g h -> aut h g.
Proof. intros g h []; constructor; auto. Qed.

Lemma aut_identity : aut (fun x => x) (fun x => x).
Proof.
  assert (forall s, gset (fun x => x) s = s) as E.
  { intro s. apply set_ext_iff. intro y. rewrite has_gset. split; [intros [x [H <-]]; auto | intro; exists y; auto]. }
  constructor; intros; rewrite ?E; auto.
Qed.

Lemma aut_compose : forall g h g' h', aut g h -> aut g' h' -> aut (fun x => g (g' x)) (fun x => h' (h x)).
Proof.
  intros g h g' h' A B. constructor; intros.
  - destruct (aut_g _ _ B x H) as [H1 H2]. destruct (aut_g _ _ A _ H1) as [H3 H4]. rewrite H4. auto.
  - destruct (aut_h _ _ A x H) as [H1 H2]. destruct (aut_h _ _ B _ H1) as [H3 H4]. rewrite H4. auto.
  - rewrite <- gset_comp. apply (aut_g_sets _ _ A), (aut_g_sets _ _ B); assumption.
  - rewrite <- gset_comp. apply (aut_h_sets _ _ B), (aut_h_sets _ _ A); assumption.
Qed.

Lemma gset_inside : forall g h s, aut g h -> subset s all -> subset (gset g s) all.
Proof.
  intros g h s A H y Hy. apply has_gset in Hy. destruct Hy as [x [Hx <-]].
  apply has_below. apply (aut_g _ _ A). apply has_below. apply H; assumption.
Qed.

Lemma gpos_inside : forall g h P, aut g h -> inside P -> inside (gpos g P).
Proof. intros g h P A [H1 H2]. split; simpl; eapply gset_inside; eauto. Qed.

Lemma gset_undo : forall g h s, aut g h -> subset s all -> gset h (gset g s) = s.
Proof.
  intros g h s A H. rewrite gset_comp. apply set_ext_iff. intro y. rewrite has_gset. split.
  - intros [x [Hx <-]]. destruct (aut_g _ _ A x) as [_ E]; [apply has_below, H; auto | rewrite E; auto].
  - intro Hy. exists y. split; auto. apply (aut_g _ _ A). apply has_below, H; auto.
Qed.

Lemma gpos_undo : forall g h P, aut g h -> inside P -> gpos h (gpos g P) = P.
Proof.
  intros g h [b w] A [H1 H2]. unfold gpos. simpl in *. rewrite !(gset_undo g h); auto.
Qed.

Lemma has_gset_at : forall g h s x, aut g h -> subset s all -> (x < n)%N -> has (gset g s) (g x) = has s x.
Proof.
  intros g h s x A H Hx. apply has_eq. rewrite has_gset. split.
  - intros [z [Hz E]]. apply (f_equal h) in E.
    destruct (aut_g _ _ A x Hx) as [_ E1]. destruct (aut_g _ _ A z) as [_ E2]; [apply has_below, H; auto|].
    rewrite E1, E2 in E. congruence.
  - intro Hs. exists x; auto.
Qed.

Lemma card_gset_le : forall g s, (card (gset g s) <= card s)%nat.
Proof.
  intros g s. unfold gset.
  assert (forall l, (card (fold_right (fun c acc => add acc (g c)) 0%N l) <= length l)%nat) as K.
  { induction l as [|c l IH]; simpl; auto.
    apply Nat.le_trans with (S (card (fold_right (fun c acc => add acc (g c)) 0%N l))); [|lia].
    apply (card_but_one _ _ (g c)). intros d Hd H. rewrite has_add_other in H; auto. }
  rewrite <- (length_members s). apply K.
Qed.

Lemma card_gset : forall g h s, aut g h -> subset s all -> card (gset g s) = card s.
Proof.
  intros g h s A H. apply Nat.le_antisymm; [apply card_gset_le|].
  rewrite <- (gset_undo g h s A H) at 1. apply card_gset_le.
Qed.

Lemma may_gpos : forall g h P x, aut g h -> inside P -> may G all P x -> may G all (gpos g P) (g x).
Proof.
  intros g h P x A [Ib Iw] (Hx & _ & Hb & Hw). unfold may. simpl.
  destruct (aut_g _ _ A x Hx) as [Hg _].
  rewrite !(has_gset_at g h) by assumption. repeat split; auto. apply has_below; auto.
Qed.

Lemma completed_gpos : forall g h p P, aut g h -> completed G p P -> completed G p (gpos g P).
Proof.
  intros g h p P A [s [Hs H]]. exists (gset g s). split.
  - apply (aut_g_sets _ _ A); auto.
  - rewrite own_gpos. apply gset_mono; auto.
Qed.

Theorem forces_gpos : forall p l g h P,
  aut g h -> inside P -> forces G p l all P -> forces G p l all (gpos g P).
Proof.
  intros p l. induction l as [|q l IH]; intros g h P A I F; [exact F|].
  simpl in *. destruct (same p q).
  - destruct F as [x [Hx F]]. exists (g x). split; [eapply may_gpos; eauto|].
    rewrite put_gpos. destruct F as [F|F]; [left; eapply completed_gpos; eauto | right].
    apply (IH g h); auto. apply inside_put; auto. apply Hx.
  - destruct F as [[x Hx] F]. split; [exists (g x); eapply may_gpos; eauto|].
    intros y Hy.
    assert (may G all P (h y)) as Hh.
    { rewrite <- (gpos_undo g h P) by assumption. apply (may_gpos h g); auto using aut_inverse.
      eapply gpos_inside; eauto. }
    assert (y = g (h y)) as E by (symmetry; apply (aut_h _ _ A); apply Hy).
    destruct (F _ Hh) as [Hc Hf]. rewrite E, put_gpos.
    assert (inside (put q (h y) P)) as I2 by (apply inside_put; auto; apply Hh).
    split; [|apply (IH g h); auto].
    intro C. apply Hc. apply (completed_gpos h g) in C; [|apply aut_inverse; assumption].
    rewrite (gpos_undo g h) in C; assumption.
Qed.

(** A position and an image of it. *)
Definition alike (P Q : position) : Prop := exists g h, aut g h /\ Q = gpos g P.

Lemma alike_refl : forall P, inside P -> alike P P.
Proof.
  intros P I. exists (fun x => x), (fun x => x). split; [apply aut_identity|].
  rewrite <- (gpos_undo _ _ P aut_identity I) at 1. unfold gpos at 1. simpl. rewrite !gset_comp. reflexivity.
Qed.

Lemma alike_inside : forall P Q, inside P -> alike P Q -> inside Q.
Proof. intros P Q I (g & h & A & ->). eapply gpos_inside; eauto. Qed.

Lemma alike_sym : forall P Q, inside P -> alike P Q -> alike Q P.
Proof.
  intros P Q I (g & h & A & ->). exists h, g. split; [apply aut_inverse; auto|].
  rewrite (gpos_undo g h); auto.
Qed.

Lemma alike_forces : forall p l P Q, inside P -> alike P Q -> forces G p l all Q -> forces G p l all P.
Proof.
  intros p l P Q I H F. pose proof (alike_inside _ _ I H) as IQ. apply alike_sym in H; auto.
  destruct H as (g & h & A & ->). eapply forces_gpos; eauto.
Qed.

(** ** Permutations as lists: the image of cell [i], as a set of one cell, is the [i]-th entry *)

Definition perm := list set.

Fixpoint pimage (p : positive) (ms : perm) : set :=
  match p, ms with
  | _, [] => 0%N
  | xH, m :: _ => m
  | xO p, _ :: ms => pimage p ms
  | xI p, m :: ms => N.lor m (pimage p ms)
  end.

Definition image (ms : perm) (s : set) : set :=
  match s with
  | N0 => 0%N
  | Npos p => pimage p ms
  end.

Lemma has_pimage : forall p ms y, has (pimage p ms) y = true <->
  exists i, has (Npos p) i = true /\ has (nth (N.to_nat i) ms 0%N) y = true.
Proof.
  induction p as [p IH|p IH|]; intros [|m ms] y; simpl pimage.
  - rewrite has_zero. split; [discriminate | intros [i [_ H]]]. destruct (N.to_nat i); simpl in H; bits; discriminate.
  - rewrite has_lor, orb_true_iff, IH. split.
    + intros [H|[i [H1 H2]]]; [exists 0%N | exists (N.succ i)]; split; bits; auto. rewrite N2Nat.inj_succ. auto.
    + intros [i [H1 H2]]. destruct (zero_or_succ i) as [->|[j ->]]; bits; auto.
      right. exists j. rewrite N2Nat.inj_succ in H2. auto.
  - rewrite has_zero. split; [discriminate | intros [i [_ H]]]. destruct (N.to_nat i); simpl in H; bits; discriminate.
  - rewrite IH. split.
    + intros [i [H1 H2]]. exists (N.succ i). split; bits; auto. rewrite N2Nat.inj_succ. auto.
    + intros [i [H1 H2]]. destruct (zero_or_succ i) as [->|[j ->]]; bits; try discriminate.
      exists j. rewrite N2Nat.inj_succ in H2. auto.
  - rewrite has_zero. split; [discriminate | intros [i [_ H]]]. destruct (N.to_nat i); simpl in H; bits; discriminate.
  - split.
    + intro H. exists 0%N. auto.
    + intros [i [H1 H2]]. destruct (zero_or_succ i) as [->|[j ->]]; bits; try discriminate. auto.
Qed.

Lemma has_image : forall ms s y, has (image ms s) y = true <->
  exists i, has s i = true /\ has (nth (N.to_nat i) ms 0%N) y = true.
Proof.
  intros ms [|p] y; simpl.
  - rewrite has_zero. split; [discriminate | intros [i [H _]]]. bits. discriminate.
  - apply has_pimage.
Qed.

(** [ms] spells the symmetry [g]. *)
Definition spells (ms : perm) (g : N -> N) : Prop :=
  forall i, (i < n)%N -> nth (N.to_nat i) ms 0%N = add 0%N (g i).

Lemma image_spells : forall ms g s, spells ms g -> subset s all -> image ms s = gset g s.
Proof.
  intros ms g s H Hs. apply set_ext_iff. intro y. rewrite has_image, has_gset. split.
  - intros [i [H1 H2]]. exists i. split; auto. rewrite H in H2 by (apply has_below; auto).
    apply has_add_true in H2. destruct H2 as [H2|H2]; auto. bits. discriminate.
  - intros [i [H1 H2]]. exists i. split; auto. rewrite H by (apply has_below; auto). rewrite H2. apply has_add_same.
Qed.

Definition symmetric (ms : perm) : Prop := exists g h, aut g h /\ spells ms g.

Definition compose (ms1 ms2 : perm) : perm := map (image ms1) ms2.

Lemma image_zero : forall ms, image ms 0%N = 0%N.
Proof. reflexivity. Qed.

Lemma symmetric_compose : forall ms1 ms2, symmetric ms1 -> symmetric ms2 -> symmetric (compose ms1 ms2).
Proof.
  intros ms1 ms2 (g1 & h1 & A1 & S1) (g2 & h2 & A2 & S2).
  exists (fun x => g1 (g2 x)), (fun x => h2 (h1 x)). split; [apply aut_compose; auto|].
  intros i Hi. unfold compose. rewrite <- (image_zero ms1), map_nth, S2 by assumption.
  destruct (aut_g _ _ A2 i Hi) as [H _].
  rewrite (image_spells ms1 g1); auto.
  - apply set_ext_iff. intro y. rewrite has_gset, has_add_true. split.
    + intros [x [Hx <-]]. apply has_add_true in Hx. destruct Hx as [->|Hx]; [auto | bits; discriminate].
    + intros [<-|Hy]; [exists (g2 i); split; auto; apply has_add_same | bits; discriminate].
  - intros x Hx. apply has_add_true in Hx. destruct Hx as [<-|Hx]; [apply has_below; auto | bits; discriminate].
Qed.

Definition image_position (ms : perm) (P : position) : position := At (image ms (black P)) (image ms (white P)).

Lemma image_position_alike : forall ms P, symmetric ms -> inside P -> alike P (image_position ms P).
Proof.
  intros ms P (g & h & A & S) [I1 I2]. exists g, h. split; auto.
  unfold image_position, gpos. rewrite !(image_spells ms g); auto.
Qed.

(** The least image: the least [black], then the least [white], as numbers. *)
Definition better (ms : perm) (P best : position) : position :=
  let b := image ms (black P) in
  match N.compare b (black best) with
  | Lt => At b (image ms (white P))
  | Eq => let w := image ms (white P) in if N.ltb w (white best) then At b w else best
  | Gt => best
  end.

Definition canonical (group : list perm) (P : position) : position :=
  fold_left (fun best ms => better ms P best) group P.

Lemma canonical_alike : forall group P, (forall ms, In ms group -> symmetric ms) -> inside P -> alike P (canonical group P).
Proof.
  intros group P H I. unfold canonical.
  assert (forall best, alike P best -> alike P (fold_left (fun best ms => better ms P best) group best)) as K.
  { induction group as [|ms group IH]; intros best Hb; simpl; auto.
    apply IH; [intros; apply H; right; auto|].
    pose proof (image_position_alike ms P (H ms (or_introl eq_refl)) I) as Hi.
    unfold better. destruct (N.compare _ _) eqn:E; auto.
    destruct (N.ltb _ _); auto. }
  apply K, alike_refl, I.
Qed.

End Symmetry.
