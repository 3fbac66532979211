(** A hold position by position ([q], [b] and [k] lines): Lemma 26 of docs/game.md. *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry Follow Win Lines Hold Orbits Certificate Blocks.
Import ListNotations.

Fixpoint takes_turns (p : player) (l : list player) : bool :=
  match l with
  | [] => true
  | q :: l => same p q && takes_turns (other p) l
  end.

Lemma takes_turns_spec : forall l p, takes_turns p l = true -> l = alternating (length l) p.
Proof.
  induction l as [|q l IH]; intros p H; simpl in *; auto.
  split_andb. apply same_eq in H. subst q. f_equal. apply IH; auto.
Qed.

Definition plain_b (l : list player) : bool := takes_turns Black l.

Lemma plain_b_spec : forall l, plain_b l = true -> plain l.
Proof. intros. apply takes_turns_spec. exact H. Qed.

Section HoldRun.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).
Variable blacks whites : list set.
Hypothesis blacks_spec : forall s, In s blacks <-> winning G Black s.
Hypothesis whites_spec : forall s, In s whites <-> winning G White s.
Variable orbits : list perm.
Hypothesis orbits_symmetric : forall ms, In ms orbits -> symmetric G ms.
Variable node_at : N -> option node.
Hypothesis nodes_ok : forall id nd, node_at id = Some nd -> block_ok G blacks whites orbits node_at nd = true.
Variable canon : position -> position.
Hypothesis canon_spec : forall P, inside G P -> alike G P (canon P).
(** What stands at a position: a hint. *)
Variable line : position -> option step.

Definition node_applies (id : N) (P : position) : bool :=
  match node_at id with Some nd => covers_b nd P | None => false end.

Definition free_cells (P : position) : set := N.ldiff all (N.lor (black P) (white P)).

Definition pairs_apply (pairs : list (N * N)) (P : position) (r : nat) : bool :=
  pairs_in pairs (free_cells P) && forallb (fun s => late_b P r s || has_pair pairs s) blacks.

Definition hold_turn (mover : player) (r : nat) (is_plain : bool) (A : set) (st : state) : step_result :=
  let P := fst st in
  let choices := N.land A (free_cells P) in
  if forallb (late_b P r) blacks then Next []
  else match mover, line P with
       | White, Some (PlayQ x) =>
           if has choices x then
             let stones := add (white P) x in
             if existsb (fun s => subsetb s stones) whites then Next []
             else Next [(canon (put White x P), 0)]
           else Fail BadMove
       | White, _ => Fail NoLine
       | Black, Some (ByNode id) => if is_plain && node_applies id P then Next [] else Fail NoLine
       | Black, Some (ByPairs pairs) => if is_plain && pairs_apply pairs P r then Next [] else Fail NoLine
       | Black, _ =>
           if existsb (fun s => disjointb s (white P) && (let m := N.ldiff s (black P) in
                                negb (disjointb m choices) && single m || N.eqb m 0)) blacks
           then Fail OtherCompletes
           else Next (map (fun x => (canon (put Black x P), 0)) (members choices))
       end.

Fixpoint hold_run (l : list player) (A : set) (states : list state) : outcome :=
  match states, l with
  | [], _ | _, [] => Proved
  | _, q :: rest =>
      match expand (hold_turn q (count_black l) (plain_b l) A) states [] with
      | (new, Proved) => hold_run rest all (tidy new)
      | (_, stuck) => stuck
      end
  end.

Definition held (l : list player) (P : position) : Prop :=
  proper G P -> ~ completed G White P -> ~ forces G Black l all P.

Lemma proper_alike : forall P Q, proper G P -> alike G P Q -> proper G Q.
Proof.
  intros P Q [I D] Al. split; [eapply alike_inside; eauto|].
  destruct Al as (g & h & A & ->). intros c Hb Hw. simpl in *. apply has_gset in Hb, Hw.
  destruct Hb as [d [Hd E1]], Hw as [e [He E2]]. destruct I as [Ib Iw].
  destruct (aut_g G g h A d) as [_ F1]; [apply has_below, Ib; auto|].
  destruct (aut_g G g h A e) as [_ F2]; [apply has_below, Iw; auto|].
  apply (D d); auto. congruence.
Qed.

Lemma held_canon : forall l P, held l (canon P) -> held l P.
Proof.
  intros l P H Pr NC F. pose proof (canon_spec P (proj1 Pr)) as Al.
  pose proof (proper_alike _ _ Pr Al) as Pr'. apply (H Pr').
  - intro C. apply NC. pose proof (alike_sym G P (canon P) (proj1 Pr) Al) as (g & h & A & E).
    rewrite E. eapply completed_gpos; eauto.
  - destruct Al as (g & h & A & ->). eapply forces_gpos; eauto. apply Pr.
Qed.

Lemma has_free_cells : forall P x, has (free_cells P) x = true <->
  (x < n)%N /\ has (black P) x = false /\ has (white P) x = false.
Proof.
  intros. unfold free_cells. rewrite has_ldiff, has_lor, andb_true_iff, negb_true_iff, orb_false_iff, has_below. tauto.
Qed.

Lemma choices_may : forall A P x, has (N.land A (free_cells P)) x = true <-> may G A P x.
Proof. intros. rewrite has_land, andb_true_iff, has_free_cells. unfold may. tauto. Qed.

Lemma alive_black : forall x P, ~ completed G White P -> ~ completed G White (put Black x P).
Proof. intros x P H [s [W Sub]]. apply H. exists s. auto. Qed.

Theorem hold_run_sound : forall l A states, hold_run l A states = Proved ->
  forall st, In st states -> proper G (fst st) -> ~ completed G White (fst st) -> ~ forces G Black l A (fst st).
Proof.
  induction l as [|q l IH]; intros A states H st Hin Pr Alive F; [exact F|].
  destruct states as [|st0 states]; [destruct Hin|]. cbn [hold_run] in H.
  destruct (expand _ (st0 :: states) []) as [new o] eqn:E.
  destruct o; [|discriminate].
  apply expand_spec in E. destruct E as [_ E]. destruct (E st Hin) as (succs & T & Hnew). clear E.
  assert (forall P, In (canon P, 0) succs -> held l P) as Later.
  { intros P Hs. apply held_canon. intros Pr' Al'. apply (IH all _ H (canon P, 0)); auto. apply in_tidy, Hnew, Hs. }
  unfold hold_turn in T.
  destruct (forallb _ blacks) eqn:L.
  { rewrite forallb_forall in L. apply (out_of_time G (q :: l) A (fst st)); auto.
    intros s W. apply late_b_spec, L, blacks_spec, W. }
  clear L. destruct q.
  - (* Black to move *)
    assert ((if existsb (fun s => disjointb s (white (fst st)) && (let m := N.ldiff s (black (fst st)) in
                                negb (disjointb m (N.land A (free_cells (fst st)))) && single m || N.eqb m 0)) blacks
             then Fail OtherCompletes
             else Next (map (fun x => (canon (put Black x (fst st)), 0)) (members (N.land A (free_cells (fst st))))))
             = Next succs -> False) as Try.
    { clear T. intro T. destruct (existsb _ blacks) eqn:D; [discriminate|]. injection T as T.
      rewrite existsb_not in D. simpl in F. destruct F as [x [M F]].
      destruct F as [[s [W Sub]]|F].
      - simpl in Sub. pose proof W as W'. apply blacks_spec in W'. apply D in W'. apply andb_false_iff in W'.
        destruct W' as [W'|W'].
        + apply disjointb_false in W'. destruct W' as [c [H1 H2]]. eapply (completed_free G A (fst st) x s c); eauto.
        + apply orb_false_iff in W'. destruct W' as [W1 W2]. apply N.eqb_neq in W2.
          assert (forall c, has (N.ldiff s (black (fst st))) c = true -> c = x) as K.
          { intros c Hc. rewrite has_ldiff, andb_true_iff, negb_true_iff in Hc. destruct Hc as [H1 H2].
            apply Sub in H1. apply has_add_true in H1. destruct H1; congruence. }
          destruct (nonzero_has_some _ W2) as [c Hc]. pose proof (K c Hc). subst c.
          apply andb_false_iff in W1. destruct W1 as [W1|W1].
          * apply negb_false_iff in W1. apply (disjointb_spec _ _ W1 x); auto. apply choices_may; auto.
          * rewrite (single_complete _ x) in W1; [discriminate|]. intro c. split; [apply K | intros ->; auto].
      - apply (Later (put Black x (fst st))).
        + rewrite <- T. apply in_map_iff. exists x. split; auto. apply in_members, choices_may; auto.
        + eapply proper_put; eauto.
        + apply alive_black; auto.
        + exact F. }
    destruct (line (fst st)) as [[x|x|x|id|pairs]|]; auto.
    + destruct (plain_b (Black :: l) && node_applies id (fst st)) eqn:C; [|discriminate].
      apply andb_true_iff in C. destruct C as [C1 C2]. apply plain_b_spec in C1.
      unfold node_applies in C2. destruct (node_at id) as [nd|] eqn:En; [|discriminate].
      apply (blocks_hold G blacks whites blacks_spec whites_spec orbits orbits_symmetric node_at nodes_ok
               (length (Black :: l)) (Black :: l) nd (fst st)); auto.
      * eapply nodes_ok; eauto.
      * apply covers_b_spec; auto.
      * intros _. exact Alive.
      * eapply forces_any_opening; eauto.
    + destruct (plain_b (Black :: l) && pairs_apply pairs (fst st) (count_black (Black :: l))) eqn:C; [|discriminate].
      apply andb_true_iff in C. destruct C as [C1 C2]. apply plain_b_spec in C1.
      unfold pairs_apply in C2. apply andb_true_iff in C2. destruct C2 as [C2 C3]. rewrite forallb_forall in C3.
      refine (pairs_hold G pairs (free_cells (fst st)) C2 _ (Black :: l) A (fst st) C1 Pr _ _ F).
      * intros x Hx. apply has_free_cells in Hx. apply has_below. apply Hx.
      * intros ab x y Hab Hp. right; right.
        assert (partner ab y x) as Hp' by (destruct Hp; [right|left]; auto).
        apply pairs_in_spec in C2. destruct C2 as [C2 _].
        destruct (C2 ab x y Hab Hp) as [_ Hx]. destruct (C2 ab y x Hab Hp') as [_ Hy].
        apply has_free_cells in Hx, Hy. tauto.
      * intros s W. apply blacks_spec in W. apply C3 in W. apply orb_true_iff in W.
        destruct W as [W|W]; auto. left. apply late_b_spec; auto.
  - (* White to move *)
    destruct (line (fst st)) as [[x|x|x|id|pairs]|]; try discriminate.
    destruct (has _ x) eqn:Hx; [|discriminate]. apply choices_may in Hx.
    simpl in F. destruct F as [_ F]. destruct (F x Hx) as [NC F'].
    destruct (existsb _ whites) eqn:C.
    + apply NC. apply existsb_exists in C. destruct C as [s [Hs Sub]]. apply subsetb_spec in Sub.
      exists s. split; [apply whites_spec; auto | exact Sub].
    + injection T as T. apply (Later (put White x (fst st))); auto.
      * rewrite <- T. left; auto.
      * eapply proper_put; eauto.
Qed.

End HoldRun.
