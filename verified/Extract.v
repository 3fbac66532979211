(** The checker as an OCaml program. Booleans, lists, options and pairs become OCaml's own; numbers stay as they are
    defined in Coq, so that no arithmetic of OCaml's has to be believed. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Harary Require Import Checker.

Extraction Language OCaml.
Set Warnings "-extraction-opaque-accessed".
Extraction "checker.ml" check.
