(** What the theorem rests on: Coq must answer "Closed under the global context". *)

From Harary Require Import Checker.

Print Assumptions check_sound.
