(** The definitions at work, and a theorem about a game without extraction, reader or compiler: Coq runs the checker. *)

From Coq Require Import ZArith NArith List.
From Harary Require Import Bits Game Placements Certificate Rules Checker.
Import ListNotations.

Definition el : list point := [(0, 0); (0, 1); (1, 0)]%Z.
Definition skinny : list point := [(0, 0); (1, 0); (2, 0); (3, 0)]%Z.
Definition n5 : list point := [(0, 0); (1, 0); (1, 1); (2, 1); (3, 1)]%Z.

Definition plain_board (side : N) : board := Board side side false.
Definition torus_board (side : N) : board := Board side side true.

Definition winning_sets (b : board) (shape : list point) : nat := length (each_once (placements b shape)).

(** The number of winning sets, from the table of docs/game.md. *)
Example el_3x3 : winning_sets (plain_board 3) el = 16.
Proof. vm_compute. reflexivity. Qed.
Example skinny_7x7 : winning_sets (plain_board 7) skinny = 56.
Proof. vm_compute. reflexivity. Qed.
Example skinny_4x4_torus : winning_sets (torus_board 4) skinny = 8.
Proof. vm_compute. reflexivity. Qed.
Example skinny_7x7_torus : winning_sets (torus_board 7) skinny = 98.
Proof. vm_compute. reflexivity. Qed.
Example n5_3x3_torus : winning_sets (torus_board 3) n5 = 36.
Proof. vm_compute. reflexivity. Qed.
Example n5_4x4_torus : winning_sets (torus_board 4) n5 = 128.
Proof. vm_compute. reflexivity. Qed.

(** tests/certificates/el-3x3.cert: three lines, up to symmetry. *)
Definition el_certificate : certificate :=
  Certificate 1 (OnBoard (plain_board 3) el) Strong None (Win 5) BoardSymmetry None
    [Line (At 0%N 0%N) 0 (PlayP 4); Line (At 16%N 1%N) 0 (PlayP 1); Line (At 16%N 2%N) 0 (PlayP 3)]%N [] [] [] NoRoot.

(** Black can force the el on 3x3 by turn 5, under the strong rule. *)
Theorem el_wins : can_force_by (game_of (OnBoard (plain_board 3) el) Strong None) Black 5.
Proof. apply (check_sound el_certificate). vm_compute. reflexivity. Qed.
