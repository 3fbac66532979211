(** Attack nodes ([a]), cards ([c]) and their uses ([u]), in the order of their ids, and the root of an attack. *)

From Coq Require Import ZArith NArith List Bool Lia Arith FMapPositive Mergesort Permutation Orders.
From Harary Require Import Bits Game Symmetry Placements Lines Hold Orbits Certificate Attack Cards.
Import ListNotations.

(** What is known of an attack node that has been checked. *)
Record fact := Fact { f_own : set; f_open : set; f_first : N; f_height : nat }.

Inductive entry := ANode (nd : node) | ACard (k : card_line) | AUse (u : use).

Definition entry_id (e : entry) : N :=
  match e with ANode nd => node_id nd | ACard k => card_id k | AUse u => use_id u end.

Module EntryOrder <: TotalLeBool.
  Definition t := entry.
  Definition leb (x y : entry) := N.leb (entry_id x) (entry_id y).
  Theorem leb_total : forall a1 a2, leb a1 a2 = true \/ leb a2 a1 = true.
  Proof. intros. unfold leb. rewrite !N.leb_le. lia. Qed.
End EntryOrder.

Module EntrySort := Sort EntryOrder.

Definition facts := PositiveMap.t fact.
Definition card_facts := PositiveMap.t card_fact.

Definition fact_at (t : facts) (id : N) : option fact := PositiveMap.find (N.succ_pos id) t.
Definition card_fact_at (t : card_facts) (id : N) : option card_fact := PositiveMap.find (N.succ_pos id) t.

Section AttackNodes.

Variable G : game.
Local Notation n := (cells G).
Local Notation all := (below (cells G)).
Variable blacks : list set.
Variable orbits : list perm.
Variable format : N.
(** The board and the shape, if there is a board. *)
Variable place_of : option (board * list point).

Definition answer_fits (known : N -> option fact) (own open : set) (a : N * N) : option nat :=
  match known (snd a) with
  | None => None
  | Some f =>
      let rest := N.clearbit open (fst a) in
      let limit := if N.eqb format 2 then N.lor rest own else rest in
      if subsetb (f_own f) own && subsetb (f_open f) limit then Some (f_height f) else None
  end.

Fixpoint heights (known : N -> option fact) (own open : set) (l : list (N * N)) : option (list nat) :=
  match l with
  | [] => Some []
  | a :: l =>
      match answer_fits known own open a, heights known own open l with
      | Some h, Some hs => Some (h :: hs)
      | _, _ => None
      end
  end.

Definition check_attack (known : N -> option fact) (nd : node) : option fact :=
  let B := node_own nd in
  let Z := node_open nd in
  if subsetb B all && subsetb Z all && disjointb B Z then
    match node_kind nd with
    | Done x =>
        if has Z x && existsb (fun s => subsetb s (add B x)) blacks then Some (Fact B Z x 1) else None
    | Move m answers =>
        let own := add B m in
        let open := N.clearbit Z m in
        if has Z m && all_answered orbits own open (map fst answers) then
          match heights known own open answers with
          | Some hs => Some (Fact B Z m (S (highest hs)))
          | None => None
          end
        else None
    | _ => None
    end
  else None.

(** A card put on the board. *)
Definition check_use (known : N -> option card_fact) (u : use) : option fact :=
  let pl := use_placing u in
  match place_of, known (placed_card pl) with
  | Some (b, _), Some k =>
      let f xy := cell_at b (place (placed_turn pl) (placed_shift pl) xy) in
      if N.ltb (placed_card pl) (use_id u) && N.ltb (placed_turn pl) 8 then
        match collect f (k_own k ++ k_open k) 0%N, collect f (k_own k) 0%N, collect f (k_open k) 0%N, f (k_first k) with
        | Some _, Some own, Some open, Some x => Some (Fact own open x (k_height k))
        | _, _, _, _ => None
        end
      else None
  | _, _ => None
  end.

Fixpoint check_entries (l : list entry) (nodes : facts) (cards : card_facts) : facts + N :=
  match l with
  | [] => inl nodes
  | e :: l =>
      let id := entry_id e in
      match fact_at nodes id, card_fact_at cards id with
      | None, None =>
          match e with
          | ANode nd =>
              match check_attack (fact_at nodes) nd with
              | Some f => check_entries l (PositiveMap.add (N.succ_pos id) f nodes) cards
              | None => inr id
              end
          | ACard k =>
              match place_of with
              | None => inr id
              | Some (_, shape) =>
                  match check_card shape (card_fact_at cards) k with
                  | Some f => check_entries l nodes (PositiveMap.add (N.succ_pos id) f cards)
                  | None => inr id
                  end
              end
          | AUse u =>
              match check_use (card_fact_at cards) u with
              | Some f => check_entries l (PositiveMap.add (N.succ_pos id) f nodes) cards
              | None => inr id
              end
          end
      | _, _ => inr id
      end
  end.

Definition check_all_entries (l : list entry) : facts + N :=
  check_entries (EntrySort.sort l) (PositiveMap.empty _) (PositiveMap.empty _).

(** ** Soundness *)

Hypothesis blacks_spec : forall s, In s blacks <-> winning G Black s.
Hypothesis weak : forall s, ~ winning G White s.
Hypothesis orbits_symmetric : forall ms, In ms orbits -> symmetric G ms.
Hypothesis place_spec : forall b shape, place_of = Some (b, shape) ->
  NoDup shape /\ (forall s, image_on b shape s -> winning G Black s) /\
  (forall xy c, cell_at b xy = Some c -> (c < n)%N).

Definition inset (s : set) (c : N) : Prop := has s c = true.

Definition fact_true (f : fact) : Prop :=
  subset (f_own f) all /\ subset (f_open f) all /\
  attack G (inset (f_own f)) (inset (f_open f)) (f_first f) (f_height f).

Lemma heights_spec : forall known own open l hs, heights known own open l = Some hs ->
  forall a, In a l -> exists f, known (snd a) = Some f /\ subset (f_own f) own /\
    (forall c, has (f_open f) c = true -> (has open c = true /\ c <> fst a) \/ has own c = true) /\
    In (f_height f) hs.
Proof.
  induction l as [|a0 l IH]; intros hs H a Ha; simpl in H; [destruct Ha|].
  destruct (answer_fits known own open a0) as [h|] eqn:E; [|discriminate].
  destruct (heights known own open l) as [hs'|] eqn:Eh; [|discriminate]. inversion H; subst.
  destruct Ha as [<-|Ha].
  - unfold answer_fits in E. destruct (known (snd a0)) as [f|] eqn:Ek; [|discriminate].
    match type of E with (if ?t then _ else _) = _ => destruct t eqn:Et; [|discriminate] end.
    inversion E; subst. apply andb_true_iff in Et. destruct Et as [E1 E2]. apply subsetb_spec in E1, E2.
    exists f. split; auto. split; auto. split; [|left; auto].
    intros c Hc. apply E2 in Hc.
    assert (has (N.clearbit open (fst a0)) c = true -> has open c = true /\ c <> fst a0) as K.
    { intro H0. unfold has in H0. rewrite N.clearbit_eqb, andb_true_iff, negb_true_iff, N.eqb_neq in H0.
      destruct H0. split; auto. }
    destruct (N.eqb format 2); auto. rewrite has_lor, orb_true_iff in Hc. destruct Hc; auto.
  - destruct (IH _ eq_refl a Ha) as (f & H1 & H2 & H3 & H4). exists f. repeat split; auto. right; auto.
Qed.

Theorem check_attack_sound : forall known nd r, (forall id f, known id = Some f -> fact_true f) ->
  check_attack known nd = Some r -> fact_true r.
Proof.
  intros known nd r Hk H. unfold check_attack in H.
  set (B := node_own nd) in *. set (Z := node_open nd) in *.
  destruct (subsetb B all && subsetb Z all && disjointb B Z) eqn:E; [|discriminate]. split_andb.
  apply subsetb_spec in H0, H2. apply disjointb_spec in H1. rename H0 into Ball, H2 into Zall, H1 into Disj.
  destruct (node_kind nd) as [| | | |x|m answers]; try discriminate.
  - destruct (has Z x && _) eqn:E; [|discriminate]. inversion H; subst r. clear H.
    apply andb_true_iff in E. destruct E as [Hx E]. apply existsb_exists in E. destruct E as [s [Hs Sub]].
    apply subsetb_spec in Sub. split; [exact Ball|]. split; [exact Zall|]. simpl.
    apply (attack_done G _ _ x s); auto.
    + apply has_below, Zall, Hx.
    + apply blacks_spec; auto.
    + intros c Hc. apply Sub in Hc. apply has_add_true in Hc. destruct Hc; [left | right]; auto.
  - set (own := add B m) in *. set (open := N.clearbit Z m) in *.
    destruct (has Z m && _) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [Hm An].
    destruct (heights known own open answers) as [hs|] eqn:Eh; [|discriminate]. inversion H; subst r. clear H.
    split; [exact Ball|]. split; [exact Zall|]. simpl.
    assert (m < n)%N as mn by (apply has_below, Zall, Hm).
    assert (subset own all) as Oall.
    { intros c Hc. apply has_add_true in Hc. destruct Hc as [<-|Hc]; [apply has_below; auto | apply Ball; auto]. }
    assert (forall c, has open c = true <-> has Z c = true /\ c <> m) as Hopen.
    { intro c. unfold open, has. rewrite N.clearbit_eqb, andb_true_iff, negb_true_iff, N.eqb_neq. intuition. }
    assert (subset open all) as Opall by (intros c Hc; apply Zall, Hopen; auto).
    assert (forall c, has own c = true -> inset B c \/ c = m) as Hown.
    { intros c Hc. apply has_add_true in Hc. destruct Hc; auto. }
    assert (forall a, In a answers -> exists f, known (snd a) = Some f /\
      child_of G (inset B) (inset Z) m (highest hs) (inset (f_own f)) (inset (f_open f)) /\
      fact_true f /\ subset (f_own f) own /\
      forall c, has (f_open f) c = true -> (has open c = true /\ c <> fst a) \/ has own c = true) as Child.
    { intros a Ha. destruct (heights_spec _ _ _ _ _ Eh a Ha) as (f & Ef & Sf & Zf & Hf).
      exists f. split; auto. pose proof (Hk _ _ Ef) as (F1 & F2 & Wi & _). split; [|split; [split; [|split]; auto; split; auto|split; auto]].
      - split; [exists (f_height f); split; auto; apply highest_spec; auto|]. split.
        + intros c Hc. apply Hown, Sf, Hc.
        + intros c Hc. destruct (Zf c Hc) as [[K _]|K]; [left; apply Hopen; auto|].
          destruct (Hown c K) as [K'| ->]; [right; auto | left; exact Hm].
      - exact (proj2 (proj2 (proj2 (Hk _ _ Ef)))). }
    destruct (all_answered_some orbits _ _ _ An) as [r0 [Hr0 _]].
    apply in_map_iff in Hr0. destruct Hr0 as [a0 [Ea0 Ha0]].
    destruct (Child a0 Ha0) as (f0 & _ & Ch0 & _ & _ & Zf0).
    refine (attack_move G blacks blacks_spec weak _ _ m (highest hs) mn Hm _ _).
    + eexists. eexists. exact Ch0.
    + intros y yn HBy Hym.
      assert (has own y = false) as Hoy.
      { destruct (has own y) eqn:Eo; auto. apply Hown in Eo. destruct Eo; contradiction. }
      destruct (has open y) eqn:Hoy2.
      * destruct (all_answered_spec G orbits orbits_symmetric own open _ Oall Opall An y Hoy2) as (r & Hr & Hro & Car).
        apply in_map_iff in Hr. destruct Hr as [a [Ea Ha]].
        destruct (Child a Ha) as (f & Ef & Ch & (F1 & F2 & Wi & _) & Sf & Zf).
        destruct Car as (g & k & Au & Egr & EgO & EgZ).
        exists (fun c => exists d, inset (f_own f) d /\ g d = c), (fun c => exists d, inset (f_open f) d /\ g d = c).
        assert (forall c, has own c = true -> has own (g c) = true) as gO.
        { intros c Hc. rewrite <- EgO. apply has_gset. exists c; auto. }
        assert (forall c, has open c = true -> has open (g c) = true) as gZ.
        { intros c Hc. rewrite <- EgZ. apply has_gset. exists c; auto. }
        split; [split; [|split]|].
        -- destruct Ch as [(h' & _ & Hh) _]. exists (f_height f). split.
           ++ apply (wins_image G g k); auto; intros c Hc; apply has_below; auto.
           ++ destruct (heights_spec _ _ _ _ _ Eh a Ha) as (f' & Ef' & _ & _ & Hf').
              rewrite Ef in Ef'. inversion Ef'; subst f'. apply highest_spec; auto.
        -- intros c [d [Hd <-]]. apply Hown, gO, Sf, Hd.
        -- intros c [d [Hd <-]]. destruct (Zf d Hd) as [[K _]|K]; [left; apply Hopen, gZ, K|].
           destruct (Hown _ (gO d K)) as [K'| ->]; [right; auto | left; exact Hm].
        -- intros [d [Hd Ed]]. destruct (Zf d Hd) as [[K1 K2]|K].
           ++ apply K2. rewrite Ea. rewrite <- Egr in Ed. apply (f_equal k) in Ed.
              destruct (aut_g G g k Au d) as [_ E1]; [apply has_below, Opall, K1|].
              destruct (aut_g G g k Au r) as [_ E2]; [apply has_below, Opall, Hro|]. congruence.
           ++ apply gO in K. congruence.
      * eexists. eexists. split; [exact Ch0|]. intro Hy. destruct (Zf0 y Hy) as [[K _]|K]; congruence.
Qed.

Theorem check_use_sound : forall known u r, (forall b shape id k, place_of = Some (b, shape) -> known id = Some k ->
    card_true G b k) ->
  check_use known u = Some r -> fact_true r.
Proof.
  intros known u r Hk H. unfold check_use in H.
  destruct place_of as [[b shape]|] eqn:Ep; [|discriminate].
  destruct (known (placed_card (use_placing u))) as [k|] eqn:Ek; [|discriminate].
  destruct (N.ltb _ _ && N.ltb _ 8) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [_ Ho].
  apply N.ltb_lt in Ho.
  set (f := fun xy => cell_at b (place (placed_turn (use_placing u)) (placed_shift (use_placing u)) xy)) in *.
  change (match collect f (k_own k ++ k_open k) 0%N, collect f (k_own k) 0%N, collect f (k_open k) 0%N, f (k_first k) with
        | Some _, Some own, Some open, Some x => Some (Fact own open x (k_height k))
        | _, _, _, _ => None end = Some r) in H.
  destruct (collect f (k_own k ++ k_open k) 0%N) as [both|] eqn:E0; [|discriminate].
  destruct (collect f (k_own k) 0%N) as [own|] eqn:E1; [|discriminate].
  destruct (collect f (k_open k) 0%N) as [open|] eqn:E2; [|discriminate].
  destruct (f (k_first k)) as [x|] eqn:E3; [|discriminate]. inversion H; subst r. clear H.
  destruct (Hk b shape _ k eq_refl Ek) as [_ Att].
  destruct (place_spec b shape eq_refl) as (_ & _ & Bc).
  assert (lander b f) as L by (exists (placed_turn (use_placing u)), (placed_shift (use_placing u)); split; auto).
  assert (forall l s, collect f l 0%N = Some s -> forall c, has s c = true <-> landed f l c) as Land.
  { intros l s Ec c. apply collect_spec in Ec. destruct Ec as (cs & F & _ & _ & Hc).
    rewrite Hc, has_zero. clear -F. induction F as [|xy c' l cs E F IH].
    - split; [intros [H|[]]; discriminate | intros [xy [[] _]]].
    - split.
      + intros [H|[<-|H]]; [discriminate | exists xy; simpl; auto |].
        destruct (proj1 IH (or_intror H)) as [uv [H1 H2]]. exists uv. simpl. auto.
      + intros [uv [[<-|H1] H2]]; [right; left; congruence|].
        destruct (proj2 IH (ex_intro _ uv (conj H1 H2))) as [K|K]; [discriminate | right; right; auto]. }
  assert (forall l s, collect f l 0%N = Some s -> subset s all) as Inside.
  { intros l s Ec c Hc. apply (Land _ _ Ec) in Hc. destruct Hc as [xy [_ E]]. apply has_below. eapply Bc; eauto. }
  assert (spreads f (k_own k ++ k_open k)) as Sp.
  { apply collect_spec in E0. destruct E0 as (cs & F & ND & _ & _). clear -F ND. split.
    - intros xy Hin. induction F; [destruct Hin|]. destruct Hin as [<-|Hin]; [exists y; auto|].
      inversion ND; subst. auto.
    - induction F as [|a c l cs E F IH]; [intros xy uv []|]. inversion ND; subst.
      assert (forall uv, In uv l -> f uv = f a -> False) as K.
      { intros uv Hin Eq. rewrite E in Eq. apply H1. clear -F Hin Eq. induction F; [destruct Hin|].
        destruct Hin as [<-|Hin]; [left; congruence | right; auto]. }
      intros xy uv [<-|H3] [<-|H4] Eq; auto; exfalso; eapply K; eauto. }
  split; [eapply Inside; eauto|]. split; [eapply Inside; eauto|]. simpl.
  destruct (Att f x L Sp E3) as [Wi Op]. split.
  - intros l P Pr [Ab Az] Pl En. apply Wi; auto. split; intros c Hc; [apply Ab | apply Az]; eapply Land; eauto.
  - intros l P A Pr [Ab Az] Pl En. apply Op; auto. split; intros c Hc; [apply Ab | apply Az]; eapply Land; eauto.
Qed.

Definition facts_true (t : facts) : Prop := forall id f, fact_at t id = Some f -> fact_true f.
Definition cards_true (t : card_facts) : Prop :=
  forall b shape id k, place_of = Some (b, shape) -> card_fact_at t id = Some k -> card_true G b k.

Theorem check_entries_sound : forall l nodes cards r, facts_true nodes -> cards_true cards ->
  check_entries l nodes cards = inl r -> facts_true r.
Proof.
  induction l as [|e l IH]; intros nodes cards r Hn Hc H; simpl in H; [inversion H; subst; auto|].
  destruct (fact_at nodes (entry_id e)); [discriminate|]. destruct (card_fact_at cards (entry_id e)); [discriminate|].
  assert (forall f, fact_true f -> facts_true (PositiveMap.add (N.succ_pos (entry_id e)) f nodes)) as Add.
  { intros f Hf id f' H'. unfold fact_at in H'.
    destruct (Pos.eq_dec (N.succ_pos (entry_id e)) (N.succ_pos id)) as [E|E].
    - rewrite E, PositiveMap.gss in H'. inversion H'; subst; auto.
    - rewrite PositiveMap.gso in H' by congruence. eapply Hn; eauto. }
  destruct e as [nd|k|u].
  - destruct (check_attack (fact_at nodes) nd) as [f|] eqn:E; [|discriminate].
    apply check_attack_sound in E; [|exact Hn]. eapply IH; [apply Add; exact E | exact Hc | exact H].
  - destruct place_of as [[b shape]|] eqn:Ep; [|discriminate].
    destruct (check_card shape (card_fact_at cards) k) as [f|] eqn:E; [|discriminate].
    eapply IH; [exact Hn | | exact H].
    intros b' shape' id k' Eb H'. rewrite Ep in Eb. inversion Eb; subst b' shape'.
    unfold card_fact_at in H'. destruct (Pos.eq_dec (N.succ_pos (entry_id (ACard k))) (N.succ_pos id)) as [E'|E'].
    + rewrite E', PositiveMap.gss in H'. inversion H'; subst k'.
      destruct (place_spec b shape eq_refl) as (ND & Im & Bc).
      eapply (check_card_sound G blacks blacks_spec weak b shape ND Im Bc (card_fact_at cards)); [|exact E].
      intros id0 f0 H0. apply (Hc b shape id0 f0); auto.
    + rewrite PositiveMap.gso in H' by congruence. apply (Hc b shape id k'); auto.
  - destruct (check_use (card_fact_at cards) u) as [f|] eqn:E; [|discriminate].
    apply check_use_sound in E; [|intros b shape id k; apply Hc]. eapply IH; [apply Add; exact E | exact Hc | exact H].
Qed.

Theorem check_all_entries_sound : forall l r, check_all_entries l = inl r -> facts_true r.
Proof.
  intros l r H. eapply check_entries_sound; [| |exact H].
  - intros id f K. unfold fact_at in K. rewrite PositiveMap.gempty in K. discriminate.
  - intros b shape id k _ K. unfold card_fact_at in K. rewrite PositiveMap.gempty in K. discriminate.
Qed.

End AttackNodes.
