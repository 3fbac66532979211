(** The game, from page one of docs/game.md. This file is the whole specification: nothing here is about checking.

    A cell is a number. A set of cells is a binary number, bit [c] standing for cell [c] ([Bits.v]): [has s c] says that
    [c] is in [s], [add s c] is [s] with [c], [below n] is all cells below [n], [card s] is the number of cells. *)

From Coq Require Import ZArith NArith List Bool.
From Harary Require Import Bits.
Import ListNotations.

Inductive player := Black | White.

Definition other (p : player) : player := match p with Black => White | White => Black end.

Definition same (p q : player) : bool := match p, q with Black, Black | White, White => true | _, _ => false end.

(** A position: Black's stones and White's. *)
Record position := At { black : set; white : set }.

Definition own (p : player) (P : position) : set := match p with Black => black P | White => white P end.

(** The position with a stone of [p]'s on [x]. *)
Definition put (p : player) (x : N) (P : position) : position :=
  match p with
  | Black => At (add (black P) x) (white P)
  | White => At (black P) (add (white P) x)
  end.

(** A positional game: its vertices are the numbers below [cells]; [winning p s] says that [s] is a winning set of
    [p]'s; [first] are the vertices allowed at turn 1; [turns] says who plays at turn 1, 2, 3, … *)
Record game := Game {
  cells : N;
  winning : player -> set -> Prop;
  start : position;
  first : set;
  turns : list player
}.

(** [p] owns a whole winning set. *)
Definition completed (G : game) (p : player) (P : position) : Prop :=
  exists s, winning G p s /\ subset s (own p P).

(** [x] may be played in [P] if only the vertices of [A] are allowed. *)
Definition may (G : game) (A : set) (P : position) (x : N) : Prop :=
  (x < cells G)%N /\ has A x = true /\ has (black P) x = false /\ has (white P) x = false.

(** [p] can force that he completes a winning set, before his opponent does, within the turns [l] that are to come: [l]
    says who plays at each of them. [A] are the vertices allowed at the next turn; at all later ones every empty vertex
    is. If no turn is to come he cannot. If it is his turn, he can if some move completes a set, or leads to a position
    from which he can. If it is his opponent's turn, he can if no move completes a set of the opponent's and each leads
    to a position from which he can. (Where turns are to come there are empty vertices in a game that is well formed,
    see below, so that the opponent has a move. If he had none, the game would be over, and nobody would have won.) *)
Fixpoint forces (G : game) (p : player) (l : list player) (A : set) (P : position) : Prop :=
  match l with
  | [] => False
  | q :: l =>
      if same p q
      then exists x, may G A P x /\
             (completed G p (put p x P) \/ forces G p l (below (cells G)) (put p x P))
      else (exists x, may G A P x) /\
           forall x, may G A P x ->
             ~ completed G q (put q x P) /\ forces G p l (below (cells G)) (put q x P)
  end.

(** The first [K] of a list of turns. *)
Fixpoint up_to (K : N) (l : list player) : list player :=
  match l with
  | [] => []
  | q :: l => if N.eqb K 0 then [] else q :: up_to (N.pred K) l
  end.

(** "[p] can force a win by turn K", and by the last turn. *)
Definition can_force_by (G : game) (p : player) (K : N) : Prop :=
  forces G p (up_to K (turns G)) (first G) (start G).

Definition can_force (G : game) (p : player) : Prop :=
  forces G p (turns G) (first G) (start G).

(** What a certificate claims, and what that means. *)
Inductive claim := Win (K : N) | Hold | HoldUpTo (K : N) | Loss (K : N).

Definition true_of (G : game) (c : claim) : Prop :=
  match c with
  | Win K => can_force_by G Black K
  | Hold => ~ can_force G Black
  | HoldUpTo K => ~ can_force_by G Black K
  | Loss K => can_force_by G White K
  end.

(** The vertices that are empty at the start. *)
Definition empty_at_start (G : game) : set :=
  N.ldiff (below (cells G)) (N.lor (black (start G)) (white (start G))).

(** What is asked of a game: the start stones are vertices, no vertex has two, they complete nothing; there are no more
    turns than empty vertices; one of them is allowed at turn 1, unless there is none. *)
Definition well_formed (G : game) : Prop :=
  subset (N.lor (black (start G)) (white (start G))) (below (cells G)) /\
  disjoint (black (start G)) (white (start G)) /\
  (forall p, ~ completed G p (start G)) /\
  (length (turns G) <= card (empty_at_start G))%nat /\
  (empty_at_start G = 0%N \/ exists x, may G (first G) (start G) x).

(** ** Games as the header of a certificate gives them *)

(** Players take turns, Black first. *)
Fixpoint alternating (n : nat) (p : player) : list player :=
  match n with
  | O => []
  | S n => p :: alternating n (other p)
  end.

Inductive rule := Strong | Weak.

Record board := Board { width : N; height : N; torus : bool }.

Definition point := (Z * Z)%type.

(** The eight rotations and reflections, numbered 0 to 7: if 4 is in the number, x and y are exchanged; then, if 1 is
    in it, x is negated; if 2 is in it, y is negated. *)
Definition turned (o : N) (xy : point) : point :=
  let (x, y) := if has o 2 then (snd xy, fst xy) else xy in
  (if has o 0 then (- x)%Z else x, if has o 1 then (- y)%Z else y).

Definition moved (d xy : point) : point := (fst xy + fst d, snd xy + snd d)%Z.

(** The cell of a board at a point of the plane: on a torus coordinates count modulo the sides. *)
Definition cell_at (b : board) (xy : point) : option N :=
  let (x, y) := xy in
  let w := Z.of_N (width b) in
  let h := Z.of_N (height b) in
  if torus b then Some (Z.to_N (x mod w + w * (y mod h)))
  else if ((0 <=? x) && (x <? w) && (0 <=? y) && (y <? h))%Z then Some (Z.to_N (x + w * y))
  else None.

(** [s] is an image of the shape on the board: each cell of the shape, turned by [o] and moved by [d], falls on a cell
    of the board, no two on the same one, and [s] is all these cells. *)
Definition image_on (b : board) (shape : list point) (s : set) : Prop :=
  exists (o : N) (d : point) (cs : list N),
    (o < 8)%N /\
    Forall2 (fun xy c => cell_at b (moved d (turned o xy)) = Some c) shape cs /\
    NoDup cs /\
    forall c, has s c = true <-> In c cs.

Inductive setting :=
| OnBoard (b : board) (shape : list point)
| OfSets (n : N) (blacks whites : list set) (begin : position) (opening : option set).

Definition cells_of (S : setting) : N :=
  match S with OnBoard b _ => (width b * height b)%N | OfSets n _ _ _ _ => n end.

Definition start_of (S : setting) : position :=
  match S with OnBoard _ _ => At 0%N 0%N | OfSets _ _ _ begin _ => begin end.

Definition first_of (S : setting) : set :=
  match S with OfSets _ _ _ _ (Some opening) => opening | _ => below (cells_of S) end.

(** Under the weak rule White has no winning sets. *)
Definition winning_of (S : setting) (r : rule) (p : player) (s : set) : Prop :=
  match r, p with
  | Weak, White => False
  | _, _ =>
      match S with
      | OnBoard b shape => image_on b shape s
      | OfSets _ blacks whites _ _ => In s (match p with Black => blacks | White => whites end)
      end
  end.

(** Without a list of turns the players alternate, Black first, until the board is full. *)
Definition turns_of (S : setting) (given : option (list player)) : list player :=
  match given with
  | Some l => l
  | None => alternating
              (card (N.ldiff (below (cells_of S)) (N.lor (black (start_of S)) (white (start_of S))))) Black
  end.

Definition game_of (S : setting) (r : rule) (given : option (list player)) : game :=
  Game (cells_of S) (winning_of S r) (start_of S) (first_of S) (turns_of S given).
