(** A win position by position ([p] lines; with White as the attacker, [l] lines): Lemmas 26 and 17 of docs/game.md. *)

From Coq Require Import NArith List Bool Lia Arith.
From Harary Require Import Bits Game Symmetry Follow.
Import ListNotations.

(** The cells at which the owner of the stones [mine] completes one of the sets, if they are empty. *)
Definition completions (sets : list set) (mine theirs : set) : set :=
  fold_left
    (fun acc s => if disjointb s theirs then let m := N.ldiff s mine in if single m then N.lor acc m else acc else acc)
    sets 0%N.

Lemma completions_spec : forall sets mine theirs x, has (completions sets mine theirs) x = true ->
  exists s, In s sets /\ subset s (add mine x) /\ has s x = true /\ has mine x = false /\ disjoint s theirs.
Proof.
  intros sets mine theirs x. unfold completions.
  assert (forall acc, has (fold_left
    (fun acc s => if disjointb s theirs then let m := N.ldiff s mine in if single m then N.lor acc m else acc else acc)
    sets acc) x = true -> has acc x = true \/ exists s, In s sets /\ subset s (add mine x) /\ has s x = true /\
      has mine x = false /\ disjoint s theirs) as K.
  { induction sets as [|s sets IH]; intros acc H; simpl in H; auto.
    apply IH in H. destruct H as [H|[t [H1 H2]]]; [|right; exists t; split; simpl; auto].
    destruct (disjointb s theirs) eqn:D; auto.
    destruct (single (N.ldiff s mine)) eqn:E; auto.
    rewrite has_lor, orb_true_iff in H. destruct H as [H|H]; auto.
    right. exists s. apply single_spec in E. destruct E as [y E].
    assert (y = x) by (symmetry; apply E; auto). subst y.
    rewrite has_ldiff, andb_true_iff, negb_true_iff in H. destruct H as [H1 H2].
    repeat split; simpl; auto; [|apply disjointb_spec; auto].
    intros c Hc. apply has_add_true. destruct (has mine c) eqn:Ec; auto. left. symmetry. apply E.
    rewrite has_ldiff, Hc, Ec. reflexivity. }
  intro H. apply K in H. destruct H as [H|H]; auto. bits. discriminate.
Qed.

Section Win.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).

Variable p : player.                       (* the one who wins *)
Local Notation q := (other p).
Variable mine : list set.
Hypothesis mine_spec : forall s, In s mine -> winning G p s.

Variable cover : set.
Hypothesis cover_inside : subset cover all.

(** The opponent's winning sets: what of each lies in the cover, and how many of its cells do not. *)
Variable theirs : list (set * nat).
Hypothesis theirs_spec : forall s, winning G q s -> In (N.land s cover, card (N.ldiff s cover)) theirs.

Variable canon : position -> position.
Hypothesis canon_spec : forall P, inside G P -> exists g h, aut G g h /\ gset g cover = cover /\ canon P = gpos g P.

(** The move that a line names. It is a hint: nothing is assumed of it. *)
Variable line : state -> option N.

Definition outside : nat := card (N.ldiff all cover).

Definition free (P : position) : set := N.ldiff cover (N.lor (black P) (white P)).

Definition settled (st : state) : state := (canon (fst st), snd st).

Definition my_turn (A : set) (st : state) : step_result :=
  let P := fst st in
  let choices := N.land A (free P) in
  if negb (disjointb (completions mine (own p P) (own q P)) choices) then Next []
  else match line st with
       | None => Fail NoLine
       | Some x => if has choices x then Next [settled (put p x P, snd st)] else Fail BadMove
       end.

(** Whether one more stone in [choices], or one outside if there is room, may complete a set of the opponent's. *)
Definition dangerous (P : position) (u : nat) (choices : set) (room : bool) : bool :=
  existsb
    (fun t => let m := N.ldiff (fst t) (own q P) in
       match m with
       | N0 => Nat.leb (snd t) (if room then S u else u)
       | Npos _ => single m && negb (disjointb m choices) && Nat.leb (snd t) u
       end) theirs.

Definition their_turn (next_mine : bool) (A : set) (st : state) : step_result :=
  let P := fst st in
  let u := snd st in
  let choices := N.land A (free P) in
  let room := Nat.ltb u outside in
  if dangerous P u choices room then Fail OtherCompletes
  else if N.eqb choices 0 && negb room then Fail NoReply
  else
    let threats := if next_mine then N.land (completions mine (own p P) (own q P)) (free P) else 0%N in
    let parries := filter (fun r => N.eqb (N.ldiff threats (add 0%N r)) 0) (members choices) in
    Next ((if room && N.eqb threats 0 then [settled (P, S u)] else [])
            ++ map (fun r => settled (put q r P, u)) parries).

Definition next_is_mine (l : list player) : bool := match l with r :: _ => same p r | [] => false end.

Fixpoint run (l : list player) (A : set) (states : list state) : outcome :=
  match states with
  | [] => Proved
  | st :: _ =>
      match l with
      | [] => Stuck TooLate st
      | r :: l =>
          match expand (if same p r then my_turn A else their_turn (next_is_mine l) A) states [] with
          | (new, Proved) => run l all (tidy new)
          | (_, stuck) => stuck
          end
      end
  end.

(** [R] is a position of the game that the state speaks of. *)
Definition matches (st : state) (R : position) : Prop :=
  let P := fst st in
  inside G R /\
  own p R = own p P /\ subset (own p P) cover /\ subset (own q P) cover /\
  (forall c, has cover c = true -> has (own q R) c = has (own q P) c) /\
  card (N.ldiff (own q R) cover) = snd st.

Lemma own_put_same : forall r x P, own r (put r x P) = add (own r P) x.
Proof. intros [] x P; reflexivity. Qed.

Lemma own_put_other : forall r x P, own r (put (other r) x P) = own r P.
Proof. intros [] x P; reflexivity. Qed.

Lemma own_put_other' : forall r x P, own (other r) (put r x P) = own (other r) P.
Proof. intros [] x P; reflexivity. Qed.

Lemma may_own : forall A P x, may G A P x <->
  (x < n)%N /\ has A x = true /\ has (own p P) x = false /\ has (own q P) x = false.
Proof. intros. unfold may. destruct p; simpl; tauto. Qed.

Lemma has_free : forall P x, has (free P) x = true <->
  has cover x = true /\ has (own p P) x = false /\ has (own q P) x = false.
Proof.
  intros. unfold free. rewrite has_ldiff, has_lor, andb_true_iff, negb_true_iff, orb_false_iff.
  destruct p; simpl; tauto.
Qed.

(** What is free for the state is free in the game. *)
Lemma free_may : forall st R A x, matches st R ->
  has (N.land A (free (fst st))) x = true -> may G A R x.
Proof.
  intros st R A x (I & E1 & S1 & S2 & E2 & _) H.
  rewrite has_land, andb_true_iff, has_free in H. destruct H as (Ha & Hc & H1 & H2).
  apply may_own. rewrite E1, E2 by assumption. repeat split; auto. apply has_below, cover_inside, Hc.
Qed.

Lemma same_eq : forall r s, same r s = true -> r = s.
Proof. intros [] []; simpl; congruence. Qed.

Lemma same_false : forall r s, same r s = false -> s = other r.
Proof. intros [] []; simpl; congruence. Qed.

Lemma matches_canon : forall st R, matches st R -> exists R',
  matches (settled st) R' /\ alike G R R'.
Proof.
  intros [P u] R (I & E1 & S1 & S2 & E2 & E3). simpl in *.
  assert (inside G P) as IP.
  { assert (forall r, subset (own r P) all) as K.
    { intros r c Hc. assert (r = p \/ r = q) as [->| ->] by (destruct r, p; auto); auto. }
    split; [apply (K Black) | apply (K White)]. }
  destruct (canon_spec P IP) as (g & h & A & EC & E). exists (gpos g R). unfold settled. simpl. rewrite E.
  split; [|exists g, h; auto]. unfold matches. simpl. rewrite !own_gpos.
  assert (forall c, has cover c = true -> exists d, has cover d = true /\ g d = c /\ (d < n)%N) as Cov.
  { intros c Hc. rewrite <- EC in Hc. apply has_gset in Hc. destruct Hc as [d [Hd Ed]].
    exists d. repeat split; auto. apply has_below, cover_inside, Hd. }
  split; [eapply gpos_inside; eauto|]. split; [rewrite E1; reflexivity|].
  split; [rewrite <- EC; apply gset_mono; auto|]. split; [rewrite <- EC; apply gset_mono; auto|]. split.
  - intros c Hc. destruct (Cov c Hc) as (d & Hd & <- & Hn).
    rewrite !(has_gset_at G g h); auto; apply inside_own; auto.
  - rewrite <- E3.
    assert (N.ldiff (gset g (own q R)) cover = gset g (N.ldiff (own q R) cover)) as Eq.
    { rewrite <- EC at 1. apply set_ext_iff. intro y. rewrite has_ldiff, andb_true_iff, negb_true_iff, !has_gset. split.
      - intros [[x [Hx <-]] Hy]. exists x. split; auto. rewrite has_ldiff, Hx. simpl.
        assert (x < n)%N as Hn by (apply has_below; apply (inside_own G q R I); auto).
        rewrite (has_gset_at G g h) in Hy; auto. rewrite Hy. reflexivity.
      - intros [x [Hx <-]]. rewrite has_ldiff, andb_true_iff, negb_true_iff in Hx. destruct Hx as [Hx Hc].
        assert (x < n)%N as Hn by (apply has_below; apply (inside_own G q R I); auto).
        split; [exists x; auto|]. rewrite (has_gset_at G g h); auto. }
    rewrite Eq. set (s := N.ldiff (own q R) cover).
    assert (subset s all) as Is.
    { intros c Hc. unfold s in Hc. rewrite has_ldiff, andb_true_iff in Hc. apply (inside_own G q R I), Hc. }
    apply (card_gset G g h); auto.
Qed.

Lemma matches_put_mine : forall st R x, matches st R -> has (free (fst st)) x = true ->
  matches (put p x (fst st), snd st) (put p x R).
Proof.
  intros [P u] R x (I & E1 & S1 & S2 & E2 & E3) H. simpl in *. apply has_free in H. destruct H as (Hc & H1 & H2).
  assert (x < n)%N as Hx by (apply has_below, cover_inside, Hc).
  unfold matches. simpl. rewrite !own_put_same, !own_put_other', E1.
  split; [apply inside_put; auto|]. repeat split; auto.
  intros c Ha. apply has_add_true in Ha. destruct Ha as [<-|Ha]; auto.
Qed.

Lemma matches_put_theirs : forall st R x, matches st R -> has (free (fst st)) x = true ->
  matches (put q x (fst st), snd st) (put q x R).
Proof.
  intros [P u] R x (I & E1 & S1 & S2 & E2 & E3) H. simpl in *. apply has_free in H. destruct H as (Hc & H1 & H2).
  assert (x < n)%N as Hx by (apply has_below, cover_inside, Hc).
  unfold matches. simpl. rewrite !own_put_same, !own_put_other.
  split; [apply inside_put; auto|]. repeat split; auto.
  - intros c Ha. apply has_add_true in Ha. destruct Ha as [<-|Ha]; auto.
  - intros c Ha. rewrite !has_add, E2 by assumption. reflexivity.
  - rewrite <- E3. f_equal. apply set_ext_iff. intro c. rewrite !has_ldiff, !andb_true_iff, !negb_true_iff, has_add_true.
    split; intros [Ha Hb]; split; auto. destruct Ha as [<-|Ha]; auto. congruence.
Qed.

Lemma matches_put_outside : forall st R x, matches st R -> (x < n)%N -> has cover x = false -> has (own q R) x = false ->
  matches (fst st, S (snd st)) (put q x R).
Proof.
  intros [P u] R x (I & E1 & S1 & S2 & E2 & E3) Hx Hc Hq. simpl in *.
  unfold matches. simpl. rewrite !own_put_same, !own_put_other.
  split; [apply inside_put; auto|]. repeat split; auto.
  - intros c Ha. rewrite has_add_other, E2; auto. congruence.
  - rewrite <- E3, <- (card_add _ x).
    + f_equal. apply set_ext_iff. intro c.
      rewrite has_ldiff, !has_add_true, !andb_true_iff, !negb_true_iff, has_add_true, has_ldiff, andb_true_iff, negb_true_iff.
      split; [tauto|]. intros [<-|H]; [auto | tauto].
    + rewrite has_ldiff, Hq. reflexivity.
Qed.

Lemma room_outside : forall st R x, matches st R -> (x < n)%N -> has cover x = false -> has (own q R) x = false ->
  (snd st < outside)%nat.
Proof.
  intros [P u] R x (I & E1 & S1 & S2 & E2 & E3) Hx Hc Hq. simpl in *. rewrite <- E3. unfold outside.
  apply (card_more _ _ x).
  - intros c H. rewrite has_ldiff, andb_true_iff in *. destruct H; split; auto. apply (inside_own G q R I); auto.
  - rewrite has_ldiff, Hq. reflexivity.
  - rewrite has_ldiff, Hc, andb_true_iff. split; auto. apply has_below; auto.
Qed.

(** A set that is completed by a stone. *)
Lemma dangerous_in : forall st R choices room x, matches st R -> dangerous (fst st) (snd st) choices room = false ->
  has cover x = true -> has choices x = true -> ~ completed G q (put q x R).
Proof.
  intros [P u] R choices room x (I & E1 & S1 & S2 & E2 & E3) D Hc Hx [s [Hs H]]. simpl in *.
  rewrite own_put_same in H. apply theirs_spec in Hs.
  unfold dangerous in D.
  rewrite existsb_not in D. specialize (D _ Hs). simpl in D.
  assert (card (N.ldiff s cover) <= u)%nat as Hu.
  { rewrite <- E3. apply card_subset. intros c Ha. rewrite has_ldiff, andb_true_iff, negb_true_iff in *.
    destruct Ha as [Ha Hb]. split; auto. apply H in Ha. apply has_add_true in Ha. destruct Ha as [<-|Ha]; auto. congruence. }
  assert (forall c, has (N.ldiff (N.land s cover) (own q P)) c = true -> c = x) as Hone.
  { intros c Ha. rewrite has_ldiff, has_land, !andb_true_iff, negb_true_iff in Ha. destruct Ha as [[Ha Hb] Hd].
    apply H in Ha. apply has_add_true in Ha. destruct Ha as [<-|Ha]; auto. rewrite E2 in Ha by auto. congruence. }
  destruct (N.ldiff (N.land s cover) (own q P)) as [|m] eqn:Em.
  - apply Nat.leb_gt in D. destruct room; lia.
  - assert (has (Npos m) x = true) as Hm.
    { destruct (positive_has_some m) as [c Hm]. rewrite <- (Hone c Hm). auto. }
    assert (single (Npos m) = true) as Hsingle.
    { apply (single_complete _ x). intro c. split; [apply Hone | intros ->; auto]. }
    rewrite Hsingle in D. simpl in D. apply andb_false_iff in D. destruct D as [D|D].
    + apply negb_false_iff in D. apply (disjointb_spec (Npos m) choices D x); auto.
    + apply Nat.leb_gt in D. lia.
Qed.

Lemma dangerous_out : forall st R choices x, matches st R -> dangerous (fst st) (snd st) choices true = false ->
  has cover x = false -> has (own q R) x = false -> ~ completed G q (put q x R).
Proof.
  intros [P u] R choices x (I & E1 & S1 & S2 & E2 & E3) D Hc Hq [s [Hs H]]. simpl in *.
  rewrite own_put_same in H. apply theirs_spec in Hs.
  unfold dangerous in D.
  rewrite existsb_not in D. specialize (D _ Hs). simpl in D.
  assert (card (N.ldiff s cover) <= S u)%nat as Hu.
  { rewrite <- E3. apply (card_but_one _ _ x). intros c Hn Ha. rewrite has_ldiff, andb_true_iff, negb_true_iff in *.
    destruct Ha as [Ha Hb]. split; auto. apply H in Ha. apply has_add_true in Ha. destruct Ha as [<-|Ha]; auto. }
  assert (forall c, has (N.ldiff (N.land s cover) (own q P)) c = true -> False) as Hone.
  { intros c Ha. rewrite has_ldiff, has_land, !andb_true_iff, negb_true_iff in Ha. destruct Ha as [[Ha Hb] Hd].
    apply H in Ha. apply has_add_true in Ha. destruct Ha as [<-|Ha]; [congruence|]. rewrite E2 in Ha by auto. congruence. }
  destruct (N.ldiff (N.land s cover) (own q P)) as [|m] eqn:Em.
  - apply Nat.leb_gt in D. lia.
  - destruct (positive_has_some m) as [c Hm]. apply (Hone c Hm).
Qed.

Lemma completions_complete : forall st R x, matches st R ->
  has (N.land (completions mine (own p (fst st)) (own q (fst st))) (free (fst st))) x = true ->
  completed G p (put p x R).
Proof.
  intros [P u] R x (I & E1 & S1 & S2 & E2 & E3) H. simpl in *.
  rewrite has_land, andb_true_iff in H. destruct H as [H _].
  apply completions_spec in H. destruct H as (s & Hs & H1 & _). exists s. split; auto.
  rewrite own_put_same, E1. exact H1.
Qed.

Theorem run_sound : forall l A states, subset (N.ldiff all cover) A -> run l A states = Proved ->
  forall st R, In st states -> matches st R -> forces G p l A R.
Proof.
  induction l as [|r l IH]; intros A states HA H st R Hin M.
  { destruct states; [destruct Hin | discriminate]. }
  destruct states as [|st0 states]; [destruct Hin|]. cbn [run] in H.
  destruct (expand _ (st0 :: states) []) as [new o] eqn:E.
  destruct o; [|discriminate].
  apply expand_spec in E. destruct E as [_ E]. destruct (E st Hin) as (succs & F & Hnew). clear E.
  assert (forall st' R', In (settled st') succs -> matches st' R' -> forces G p l all R') as Good.
  { intros st' R' Hs M'. destruct (matches_canon _ _ M') as (R'' & M2 & Al).
    apply (alike_forces G p l R' R''); auto; [apply M'|].
    apply (fun K => IH _ _ K H (settled st')); auto; [intros c Hc; rewrite has_ldiff, andb_true_iff in Hc; apply Hc|]. apply in_tidy, Hnew, Hs. }
  simpl forces. destruct (same p r) eqn:Er.
  - unfold my_turn in F. destruct (negb _) eqn:N.
    + apply negb_true_iff in N. apply disjointb_false in N. destruct N as (x & Hx1 & Hx2).
      exists x. split; [eapply free_may; eauto|]. left.
      apply (completions_complete st); auto. rewrite has_land, Hx1.
      rewrite has_land, andb_true_iff in Hx2. destruct Hx2 as [_ ->]. reflexivity.
    + destruct (line st) as [x|]; [|discriminate]. destruct (has _ x) eqn:Hx; [|discriminate].
      inversion F; subst succs. exists x. split; [eapply free_may; eauto|]. right.
      apply (Good (put p x (fst st), snd st)); [left; reflexivity|].
      apply matches_put_mine; auto. rewrite has_land, andb_true_iff in Hx. apply Hx.
  - apply same_false in Er. subst r.
    unfold their_turn in F. destruct (dangerous _ _ _ _) eqn:D; [discriminate|].
    destruct (N.eqb _ 0 && _) eqn:Z; [discriminate|].
    set (choices := N.land A (free (fst st))) in *.
    set (room := Nat.ltb (snd st) outside) in *.
    set (threats := if next_is_mine l then
          N.land (completions mine (own p (fst st)) (own q (fst st))) (free (fst st)) else 0%N) in *.
    injection F as F'. rewrite <- F' in Hnew, Good.
    (* a threat that the stone on [x] leaves open is carried out *)
    assert (forall x t, has threats t = true -> t <> x -> may G A R x -> forces G p l all (put q x R)) as Carry.
    { intros x t Ht Hx Hm. unfold threats in Ht. destruct l as [|r l]; [simpl in Ht; bits; discriminate|].
      simpl in Ht. destruct (same p r) eqn:Er; [|bits; discriminate].
      simpl. rewrite Er. exists t.
      assert (has (free (fst st)) t = true) as Hf by (rewrite has_land, andb_true_iff in Ht; apply Ht).
      split.
      - assert (may G all R t) as Hmt.
        { apply (free_may st); auto. rewrite has_land, Hf, andb_true_r. apply cover_inside.
          apply has_free in Hf. apply Hf. }
        apply may_own in Hmt. apply may_own. rewrite own_put_other, own_put_same, has_add_other by auto. exact Hmt.
      - left. apply (completions_complete st R t M) in Ht. destruct Ht as [s [Hs Hsub]]. exists s. split; auto.
        rewrite own_put_same in *. rewrite own_put_other. exact Hsub. }
    assert (forall x, may G A R x -> has cover x = true -> has choices x = true) as Inside.
    { intros x Hm Hc. apply may_own in Hm. destruct Hm as (Hx & Ha & H1 & H2).
      destruct M as (I & E1 & S1 & S2 & E2 & E3). unfold choices.
      rewrite has_land, Ha. simpl. apply has_free. rewrite <- E1, <- E2; auto. }
    assert (forall x, may G A R x -> has cover x = false -> room = true) as Outside.
    { intros x Hm Hc. apply may_own in Hm. destruct Hm as (Hx & Ha & H1 & H2). unfold room.
      apply Nat.ltb_lt. eapply room_outside; eauto. }
    assert (exists x, may G A R x) as Some_x.
    { apply andb_false_iff in Z. destruct Z as [Z|Z].
      - apply N.eqb_neq in Z. destruct choices as [|m] eqn:Ec; [congruence|].
        destruct (positive_has_some m) as [x Hx]. exists x. apply (free_may st); auto. fold choices. rewrite Ec. auto.
      - apply negb_false_iff in Z. unfold room in Z. apply Nat.ltb_lt in Z.
        destruct M as (I & E1 & S1 & S2 & E2 & E3). rewrite <- E3 in Z. unfold outside in Z.
        apply card_less_some in Z. destruct Z as [x [Hx1 Hx2]]. exists x. apply may_own.
        assert (has A x = true) as Ha by (apply HA; auto).
        rewrite has_ldiff, andb_true_iff, negb_true_iff in Hx1. destruct Hx1 as [Hn Hc].
        rewrite has_ldiff, Hc, andb_true_r in Hx2. apply has_below in Hn. repeat split; auto.
        rewrite E1. destruct (has (own p (fst st)) x) eqn:Ep; auto. apply S1 in Ep. congruence. }
    split; [exact Some_x|].
    intros x Hm. split.
    + destruct (has cover x) eqn:Hc.
      * eapply dangerous_in; eauto.
      * rewrite (Outside x Hm Hc) in D. eapply dangerous_out; eauto. apply may_own in Hm. apply Hm.
    + assert (forall t, has threats t = true -> t = x \/ forces G p l all (put q x R)) as Carried.
      { intros t Ht. destruct (N.eq_dec t x); auto. right. eapply Carry; eauto. }
      destruct (has cover x) eqn:Hc.
      * destruct (N.ldiff threats (add 0%N x)) as [|m] eqn:Ed.
        -- apply (Good (put q x (fst st), snd st)).
           ++ apply in_or_app. right. apply in_map_iff. exists x. split; auto.
              apply filter_In. split; [apply in_members, Inside; auto | cbv beta; rewrite Ed; reflexivity].
           ++ apply matches_put_theirs; auto.
              assert (has choices x = true) as Hx by (apply Inside; auto).
              unfold choices in Hx. rewrite has_land, andb_true_iff in Hx. apply Hx.
        -- destruct (positive_has_some m) as [t Ht]. rewrite <- Ed, has_ldiff, andb_true_iff, negb_true_iff in Ht.
           destruct Ht as [Ht1 Ht2]. apply has_add_false in Ht2. eapply Carry; eauto. intuition.
      * destruct threats as [|m] eqn:Et.
        -- apply (Good (fst st, S (snd st))).
           ++ apply in_or_app. left. rewrite (Outside x Hm Hc). simpl. auto.
           ++ apply may_own in Hm. apply (matches_put_outside st R x); auto; apply Hm.
        -- destruct (positive_has_some m) as [t Ht]. apply (Carry x t); auto. intro. subst t.
           assert (has (free (fst st)) x = true) as Hf.
           { rewrite <- Et in Ht. unfold threats in Ht. destruct (next_is_mine l); [|bits; discriminate].
             rewrite has_land, andb_true_iff in Ht. apply Ht. }
           apply has_free in Hf. destruct Hf. congruence.
Qed.

End Win.
