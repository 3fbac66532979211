(** What a certificate says, as the reader hands it over. *)

From Coq Require Import ZArith NArith List Bool.
From Harary Require Import Bits Game.
Import ListNotations.

Inductive symmetry :=
| NoSymmetry
| BoardSymmetry
| Generators (gens : list (list N)).

(** What stands at a position: [p], [q] or [l] with the cell to play; [b] with a node; [k] with pairs. *)
Inductive step :=
| PlayP (x : N)
| PlayQ (x : N)
| PlayL (x : N)
| ByNode (id : N)
| ByPairs (pairs : list (N * N)).

Record line := Line { line_position : position; line_elsewhere : N; line_step : step }.

(** A card turned by an orientation and moved: [<card>@<o>,<dx>,<dy>]. *)
Record placing := Placing { placed_card : N; placed_turn : N; placed_shift : point }.

Inductive kind :=
| Pave (pairs : list (N * N))                          (* n … pave *)
| Reply (answers : list (N * (N * N)))                 (* n … reply m:o:child *)
| StrongReply (answers : list (N * (N * option N)))    (* s … reply m:o or m:o:child *)
| Threat (c o : N) (child : option N)                  (* s … threat c o or c o:child *)
| Done (x : N)                                         (* a … done x *)
| Move (m : N) (answers : list (N * N)).               (* a … move m r:child *)

(** [own] is [B] of an attack and [W] of a block, [open] is [Z]. *)
Record node := Node { node_id : N; node_own : set; node_open : set; node_kind : kind }.

Inductive card_kind :=
| CardDone (x : N)
| CardMove (m : N) (children : list placing).

Record card_line := Card {
  card_id : N; card_width : N; card_height : N; card_own : set; card_open : set; card_kind_of : card_kind
}.

(** [u <id> <card> <o> <dx>,<dy>] *)
Record use := Use { use_id : N; use_placing : placing }.

Inductive root := NoRoot | RootNode (id : N) | RootExplicit.

Record certificate := Certificate {
  c_format : N;
  c_setting : setting;
  c_rule : rule;
  c_turns : option (list player);
  c_claim : claim;
  c_symmetry : symmetry;
  c_cover : option set;
  c_lines : list line;
  c_nodes : list node;
  c_cards : list card_line;
  c_uses : list use;
  c_root : root
}.

(** The game that a certificate speaks of. *)
Definition game_in (c : certificate) : game := game_of (c_setting c) (c_rule c) (c_turns c).
