(* harary-check-verified: says of certificates whether they prove what they claim. Reader and messages are not proved;
   see README.md for what is. *)

open Checker

let help =
  "Checks certificates of positional games with a checker that is proved correct in Coq.\n\n\
   Usage: harary-check-verified FILE...\n\n\
   Arguments:\n\
  \  FILE...        Certificates, not compressed; `-` is standard input\n\n\
   Options:\n\
  \  --batch        Read names of files from standard input, one a line, and answer each at once\n\
  \  -h, --help     Print this\n\n\
   Exit codes: 0 every certificate is accepted, 1 one is refused, 2 one cannot be read or wrong usage.\n"

let rec bits_of_positive = function
  | XH -> 1L
  | XO p -> Int64.shift_left (bits_of_positive p) 1
  | XI p -> Int64.logor (Int64.shift_left (bits_of_positive p) 1) 1L

(* A number below 2^64. *)
let text_of_n = function N0 -> "0" | Npos p -> Printf.sprintf "%Lu" (bits_of_positive p)

let text_of_z = function Z0 -> "0" | Zpos p -> text_of_n (Npos p) | Zneg p -> "-" ^ text_of_n (Npos p)

let rec bits = function XH -> [ true ] | XO p -> false :: bits p | XI p -> true :: bits p

(* A set as a certificate spells it. *)
let text_of_set = function
  | N0 -> "0"
  | Npos p ->
      let rec digits = function
        | [] -> []
        | some ->
            let rec take k value rest =
              match rest with
              | bit :: rest when k < 4 -> take (k + 1) (value + if bit then 1 lsl k else 0) rest
              | rest -> (value, rest)
            in
            let value, rest = take 0 0 some in
            Printf.sprintf "%x" value :: digits rest
      in
      String.concat "" (List.rev (digits (bits p)))

let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

let text_of_position at u = Printf.sprintf "%s %s %s" (text_of_set at.black) (text_of_set at.white) u

let text_of_line line = text_of_position line.line_position (text_of_n line.line_elsewhere)

let text_of_complaint = function
  | NoLine -> "no line for the position"
  | BadMove -> "the line's move is not allowed in the position"
  | OtherCompletes -> "the other side completes a winning set from the position"
  | NoReply -> "the board is full and nothing is completed in the position"
  | TooLate -> "no turn is left in the position"

let text_of_reason = function
  | BadHeader -> "the game, its turns and the claim do not go together, or the game is over at the start"
  | BadSymmetry -> "a generator is no symmetry of the game, the group is too large, or there is no board"
  | BadCover -> "a cover does not belong here"
  | BadMixture -> "lines, nodes and root do not go together"
  | LineTwice line -> "the position has two lines: " ^ text_of_line line
  | LineIllegal line -> "the line is not legal: " ^ text_of_line line
  | NodeRepeated id -> "two nodes have the id " ^ text_of_n id
  | NodeWrong id -> "the node is not right: " ^ text_of_n id
  | RootWrong -> "there is no such root, or it does not prove the claim"
  | Play (complaint, at, u) -> text_of_complaint complaint ^ " " ^ text_of_position at (string_of_int (int_of_nat u))

(* The game and the claim that were proved, as the checker was given them. *)
let text_of_game certificate =
  let game =
    match certificate.c_setting with
    | OnBoard (board, shape) ->
        let point (x, y) = text_of_z x ^ "," ^ text_of_z y in
        let cells = String.concat " " (List.map point shape) in
        let topology = if board.torus then "torus" else "plain" in
        Printf.sprintf "%s on %sx%s %s" cells (text_of_n board.width) (text_of_n board.height) topology
    | OfSets (vertices, blacks, whites, _, _) ->
        Printf.sprintf "the game of %s vertices with %d and %d sets" (text_of_n vertices) (List.length blacks)
          (List.length whites)
  in
  let rule = match certificate.c_rule with Strong -> "strong rule" | Weak -> "weak rule" in
  let letter = function Black -> "B" | White -> "W" in
  let turns = match certificate.c_turns with None -> "" | Some l -> ", turns " ^ String.concat "" (List.map letter l) in
  Printf.sprintf "%s, %s%s" game rule turns

let text_of_claim certificate =
  let game = text_of_game certificate in
  match certificate.c_claim with
  | Win k -> Printf.sprintf "Black wins %s, by turn %s" game (text_of_n k)
  | Hold -> Printf.sprintf "White holds %s" game
  | HoldUpTo k -> Printf.sprintf "White holds %s, up to turn %s" game (text_of_n k)
  | Loss k -> Printf.sprintf "White wins %s, by turn %s" game (text_of_n k)

(* More than this is not read. *)
let longest = 1 lsl 30

let read_all channel =
  let buffer = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec go () =
    let count = input channel chunk 0 (Bytes.length chunk) in
    if count > 0 then (
      Buffer.add_subbytes buffer chunk 0 count;
      if Buffer.length buffer > longest then raise (Reader.Bad "the file is longer than 1 GiB");
      go ())
  in
  go ();
  Buffer.contents buffer

let read_file name =
  if name = "-" then read_all stdin
  else
    let channel = open_in_bin name in
    Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () -> read_all channel)

let compressed text = String.length text >= 4 && String.sub text 0 4 = "\x28\xb5\x2f\xfd"

(* The verdict as a line, and the exit code. *)
let verdict name =
  match read_file name with
  | exception Sys_error reason -> (Printf.sprintf "%s: cannot be read: %s" name reason, 2)
  | exception Reader.Bad reason -> (Printf.sprintf "%s: refused: %s" name reason, 1)
  | text when compressed text ->
      (Printf.sprintf "%s: refused: not supported by this checker: compressed, unpack it with zstd -d" name, 1)
  | text -> (
      match
        let certificate = Reader.certificate text in
        (certificate, check certificate)
      with
      | certificate, Accepted -> (Printf.sprintf "%s: accepted: %s" name (text_of_claim certificate), 0)
      | _, Refused reason -> (Printf.sprintf "%s: refused: %s" name (text_of_reason reason), 1)
      | exception Reader.Bad reason -> (Printf.sprintf "%s: refused: %s" name reason, 1)
      | exception (Stack_overflow | Out_of_memory) ->
          (Printf.sprintf "%s: refused: more than this checker can hold (a larger stack may help: ulimit -s unlimited)" name, 1))

let report name =
  let text, code = verdict name in
  print_endline text;
  code

let rec batch code =
  match input_line stdin with exception End_of_file -> code | name -> batch (max code (report name))

let wrong reason =
  prerr_string (Printf.sprintf "harary-check-verified: %s\n\n%s" reason help);
  2

let run = function
  | [ ("-h" | "--help") ] ->
      print_string help;
      0
  | [ "--batch" ] -> batch 0
  | [] -> wrong "no certificate is named"
  | files -> (
      match List.find_opt (fun file -> String.length file > 1 && file.[0] = '-') files with
      | Some option -> wrong (Printf.sprintf "there is no option '%s'" option)
      | None -> List.fold_left (fun code file -> max code (report file)) 0 files)

(* Where nobody reads along, what was not printed was not accepted. *)
let () =
  match
    Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
    let code = run (List.tl (Array.to_list Sys.argv)) in
    flush_all ();
    code
  with
  | code -> exit code
  | exception Sys_error _ -> exit 2
