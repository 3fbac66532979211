(** The table of nodes, by their ids. *)

From Coq Require Import NArith List Bool FMapPositive.
From Harary Require Import Bits Game Certificate.
Import ListNotations.

Definition node_table := PositiveMap.t node.

Definition node_in (t : node_table) (id : N) : option node := PositiveMap.find (N.succ_pos id) t.

Inductive node_tabled := NodesTabled (t : node_table) | NodeTwice (id : N).

Fixpoint make_nodes (l : list node) (t : node_table) : node_tabled :=
  match l with
  | [] => NodesTabled t
  | nd :: l =>
      match node_in t (node_id nd) with
      | Some _ => NodeTwice (node_id nd)
      | None => make_nodes l (PositiveMap.add (N.succ_pos (node_id nd)) nd t)
      end
  end.

Lemma make_nodes_spec : forall l t r, make_nodes l t = NodesTabled r ->
  forall id nd, node_in r id = Some nd -> In nd l \/ node_in t id = Some nd.
Proof.
  induction l as [|x l IH]; intros t r H id nd Hn; simpl in H.
  - inversion H; subst. auto.
  - destruct (node_in t (node_id x)); [discriminate|].
    destruct (IH _ _ H id nd Hn) as [K|K]; [left; right; auto|].
    unfold node_in in *. destruct (Pos.eq_dec (N.succ_pos (node_id x)) (N.succ_pos id)) as [E|E].
    + rewrite E, PositiveMap.gss in K. inversion K. left; left; auto.
    + rewrite PositiveMap.gso in K by congruence. auto.
Qed.

Lemma node_in_empty : forall id, node_in (PositiveMap.empty _) id = None.
Proof. intros. apply PositiveMap.gempty. Qed.
