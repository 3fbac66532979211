(** Position lines: the table of them, and whether each is legal, reached or not.

    Nothing is proved of this file, and nothing needs to be: a line is a hint, and what it says is looked at again when
    the play gets there. That illegal lines are refused is part of the format, not of the truth of a claim. *)

From Coq Require Import NArith List Bool Arith FMapPositive.
From Harary Require Import Bits Game Symmetry Follow Win Certificate.
Import ListNotations.

Definition table := PositiveMap.t (PositiveMap.t (list (N * step))).

Definition line_at (t : table) (P : position) (u : N) : option step :=
  match PositiveMap.find (N.succ_pos (black P)) t with
  | None => None
  | Some t =>
      match PositiveMap.find (N.succ_pos (white P)) t with
      | None => None
      | Some l => match find (fun e => N.eqb (fst e) u) l with Some e => Some (snd e) | None => None end
      end
  end.

(** None if the position has a line already. *)
Definition add_line (t : table) (x : line) : option table :=
  let P := line_position x in
  match line_at t P (line_elsewhere x) with
  | Some _ => None
  | None =>
      let b := N.succ_pos (black P) in
      let w := N.succ_pos (white P) in
      let inner := match PositiveMap.find b t with Some i => i | None => PositiveMap.empty _ end in
      let old := match PositiveMap.find w inner with Some l => l | None => [] end in
      Some (PositiveMap.add b (PositiveMap.add w ((line_elsewhere x, line_step x) :: old) inner) t)
  end.

Inductive tabled := Tabled (t : table) | Twice (x : line).

Fixpoint make_table (l : list line) (t : table) : tabled :=
  match l with
  | [] => Tabled t
  | x :: l => match add_line t x with Some t => make_table l t | None => Twice x end
  end.

Fixpoint count_black (l : list player) : nat :=
  match l with
  | [] => 0
  | Black :: l => S (count_black l)
  | White :: l => count_black l
  end.

(** What the legality of lines depends on. *)
Record context := Context {
  x_format : N;
  x_all : set;
  x_blacks : list set;
  x_whites : list set;
  x_start : position;
  x_first : set;
  x_turns : list player;
  x_claim : claim;
  x_cover : set;
  x_canonical : position -> position;
  x_node_applies : N -> position -> bool;
  x_pairs_hold : list (N * N) -> position -> nat -> bool
}.

Definition last_turns (c : claim) (l : list player) : list player :=
  match c with
  | Win K | HoldUpTo K | Loss K => up_to K l
  | Hold => l
  end.

Definition legal (x : context) (e : line) : bool :=
  let P := line_position e in
  let cover := x_cover x in
  let outside := card (N.ldiff (x_all x) cover) in
  let stones := N.lor (black P) (white P) in
  disjointb (black P) (white P) && subsetb stones (x_all x) &&
  subsetb (black (x_start x)) (black P) && subsetb (white (x_start x)) (white P) &&
  subsetb stones cover && N.leb (line_elsewhere e) (N.of_nat outside) &&
  (let u := N.to_nat (line_elsewhere e) in
   let t := card stones + u - card (N.lor (black (x_start x)) (white (x_start x))) in
   let Q := x_canonical x P in
   N.eqb (black P) (black Q) && N.eqb (white P) (white Q) &&
   Nat.eqb (count_black (firstn t (x_turns x)) + card (black (x_start x))) (card (black P)) &&
   let choices := N.land (match t with O => x_first x | _ => x_all x end) (N.ldiff cover stones) in
   let completes sets mine theirs :=
     negb (disjointb (completions sets mine theirs) choices) || existsb (fun s => subsetb s mine) sets in
   match nth_error (x_turns x) t, line_step e, x_claim x with
   | Some Black, PlayP c, Win _ => has choices c && negb (completes (x_blacks x) (black P) (white P))
   | Some White, PlayQ c, Hold | Some White, PlayQ c, HoldUpTo _ => has choices c
   | Some White, PlayL c, Loss _ => has choices c && negb (completes (x_whites x) (white P) (black P))
   | Some Black, ByNode id, Hold | Some Black, ByNode id, HoldUpTo _ => x_node_applies x id P
   | Some Black, ByPairs pairs, HoldUpTo K =>
       N.eqb (x_format x) 2 &&
       x_pairs_hold x pairs P (count_black (skipn t (up_to K (x_turns x))))
   | _, _, _ => false
   end).
