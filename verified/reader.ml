(* The reader: the text of a certificate, as docs/certificate.md defines it, becomes the syntax of Certificate.v.

   Nothing is proved of this file. It must be believed that it reads the header as it stands: the game and the claim of
   a file are what is printed. What it makes of the other lines cannot make a false claim accepted, because the checker
   looks at them. It knows the text only; whether lines are legal and go together is the checker's business. *)

open Checker

exception Bad of string

let bad reason = raise (Bad reason)

(* What a file says, fit for a message: short, and without bytes that a terminal obeys. *)
let quoted text = "'" ^ String.escaped (if String.length text > 40 then String.sub text 0 40 ^ "..." else text) ^ "'"

let need condition reason = if not condition then bad reason

(* Numbers. *)

let rec positive_of_int k =
  if k = 1 then XH else if k land 1 = 0 then XO (positive_of_int (k lsr 1)) else XI (positive_of_int (k lsr 1))

let n_of_int k = if k = 0 then N0 else Npos (positive_of_int k)

let is_digits text = text <> "" && String.for_all (fun c -> c >= '0' && c <= '9') text

(* A number below 2^64, as the 64 bits of an integer. *)
let unsigned text =
  need (is_digits text && (text = "0" || text.[0] <> '0')) "no number";
  let limit = "18446744073709551615" in
  let length = String.length text in
  need (length < 20 || (length = 20 && text <= limit)) "a number too large";
  Int64.of_string ("0u" ^ text)

let rec positive_of_bits k =
  if k = 1L then XH
  else
    let rest = positive_of_bits (Int64.shift_right_logical k 1) in
    if Int64.logand k 1L = 0L then XO rest else XI rest

let number text =
  let k = unsigned text in
  if k = 0L then N0 else Npos (positive_of_bits k)

let below limit text =
  let k = unsigned text in
  need (k >= 0L && k < Int64.of_int limit) "a number too large";
  Int64.to_int k

let cell vertices text = n_of_int (below vertices text)

let id text = n_of_int (below (1 lsl 32) text)

let z_of_int k = if k = 0 then Z0 else if k > 0 then Zpos (positive_of_int k) else Zneg (positive_of_int (-k))

let z_of_n = function N0 -> Z0 | Npos p -> Zpos p

let shift text =
  if text <> "" && text.[0] = '-' then (
    let k = below 100 (String.sub text 1 (String.length text - 1)) in
    need (k > 0) "minus zero";
    z_of_int (-k))
  else z_of_int (below 100 text)

(* A set of cells below [vertices], from its hexadecimal digits. *)
let set vertices text =
  let length = String.length text in
  need (length > 0 && (text = "0" || text.[0] <> '0')) "no set";
  let digit c =
    match c with
    | '0' .. '9' -> Char.code c - Char.code '0'
    | 'a' .. 'f' -> Char.code c - Char.code 'a' + 10
    | _ -> bad "no set"
  in
  let highest = ref (-1) in
  let result = ref N0 in
  (* From the highest bit to the lowest. *)
  String.iteri
    (fun place c ->
      let value = digit c in
      for bit = 3 downto 0 do
        let one = (value lsr bit) land 1 = 1 in
        if one && !highest < 0 then highest := (4 * (length - 1 - place)) + bit;
        result :=
          match (!result, one) with
          | N0, false -> N0
          | N0, true -> Npos XH
          | Npos p, false -> Npos (XO p)
          | Npos p, true -> Npos (XI p)
      done)
    text;
  need (!highest < vertices) "a set with cells that there are not";
  !result

(* Exactly so many parts between separators. *)
let parts count separator text =
  let found = String.split_on_char separator text in
  need (List.length found = count) (quoted text ^ " is not understood");
  found

let two separator text = match parts 2 separator text with [ a; b ] -> (a, b) | _ -> bad "two parts"

let sides text =
  let w, h = two 'x' text in
  let w = below 20 w and h = below 20 h in
  need (w > 0 && h > 0) "a side of no length";
  (w, h)

let pair vertices text =
  let a, b = two '-' text in
  (cell vertices a, cell vertices b)

(* Lines: their fields, comments left out. *)

type lines = { mutable rest : (int * string list) list; mutable last : int }

let split text =
  let length = String.length text in
  need (length > 0 && text.[length - 1] = '\n') "the last line has no line end";
  let keep number line =
    if line <> "" && line.[0] = '#' then (
      need (String.length line < 1048576) "a comment too long";
      None)
    else (
      need (String.length line < 65536) "a line too long";
      let fields = String.split_on_char ' ' line in
      need (List.for_all (fun field -> field <> "") fields) (Printf.sprintf "line %d: an empty field" (number + 1));
      Some (number + 1, fields))
  in
  let all = String.split_on_char '\n' (String.sub text 0 (length - 1)) in
  let add (number, kept) line =
    (number + 1, match keep number line with Some fields -> fields :: kept | None -> kept)
  in
  { rest = List.rev (snd (List.fold_left add (0, []) all)); last = 0 }

let next lines =
  match lines.rest with
  | [] -> bad "the file ends too early"
  | (number, fields) :: rest ->
      lines.rest <- rest;
      lines.last <- number;
      fields

let next_if word lines =
  match lines.rest with (_, first :: _) :: _ when first = word -> Some (List.tl (next lines)) | _ -> None

(* The header. *)

let game_of_sets lines count =
  let vertices = below 1001 count in
  need (vertices > 0) "no vertices";
  let rec family word =
    match next_if word lines with
    | Some [ text ] ->
        let first = set vertices text in
        first :: family word
    | Some _ -> bad word
    | None -> []
  in
  let blacks = family "black" in
  let whites = family "white" in
  let start =
    match next_if "start" lines with
    | Some [ b; w ] -> { black = set vertices b; white = set vertices w }
    | Some _ -> bad "start"
    | None -> { black = N0; white = N0 }
  in
  let first =
    match next_if "first" lines with Some [ text ] -> Some (set vertices text) | Some _ -> bad "first" | None -> None
  in
  (OfSets (n_of_int vertices, blacks, whites, start, first), vertices)

let game lines =
  match next lines with
  | [ "game"; "sets"; count ] -> game_of_sets lines count
  | "game" :: size :: topology :: shape ->
      let w, h = sides size in
      need (topology = "plain" || topology = "torus") "plain or torus has to stand here";
      let point text =
        let x, y = two ',' text in
        (z_of_n (number x), z_of_n (number y))
      in
      let board = { width = n_of_int w; height = n_of_int h; torus = topology = "torus" } in
      (OnBoard (board, List.map point shape), w * h)
  | _ -> bad "a line 'game …' has to come here"

let turns text =
  let player = function 'B' -> Black | 'W' -> White | _ -> bad "no player" in
  List.map player (List.of_seq (String.to_seq text))

let claim = function
  | [ "claim"; "win"; k ] -> Win (number k)
  | [ "claim"; "hold" ] -> Hold
  | [ "claim"; "hold"; k ] -> HoldUpTo (number k)
  | [ "claim"; "loss"; k ] -> Loss (number k)
  | _ -> bad "a line 'claim …' has to come here"

let symmetry lines vertices =
  match next lines with
  | [ "symmetry"; "none" ] -> NoSymmetry
  | [ "symmetry"; "board" ] -> BoardSymmetry
  | [ "symmetry"; "generators"; count ] ->
      let rec generators k =
        if k = 0 then []
        else
          match next lines with
          | "g" :: images ->
              let first = List.map (cell vertices) images in
              first :: generators (k - 1)
          | _ -> bad "a generator is missing"
      in
      Generators (generators (below 17 count))
  | _ -> bad "a line 'symmetry …' has to come here"

(* The body. *)

let placing card turn dx dy =
  { placed_card = id card; placed_turn = n_of_int (below 8 turn); placed_shift = (shift dx, shift dy) }

let child_card text =
  let card, place = two '@' text in
  match parts 3 ',' place with [ turn; dx; dy ] -> placing card turn dx dy | _ -> bad "a child's place"

let strong_answer vertices text =
  match String.split_on_char ':' text with
  | [ o ] -> (cell vertices o, None)
  | [ o; child ] -> (cell vertices o, Some (id child))
  | _ -> bad "an answer"

let node vertices fields =
  let cell = cell vertices in
  match fields with
  | word :: number :: own :: op :: what :: rest ->
      let kind =
        match (word, what, rest) with
        | "n", "pave", pairs -> Pave (List.map (pair vertices) pairs)
        | "n", "reply", answers ->
            let answer text =
              match parts 3 ':' text with [ m; o; child ] -> (cell m, (cell o, id child)) | _ -> bad "an answer"
            in
            Reply (List.map answer answers)
        | "s", "reply", answers ->
            let answer text =
              match String.index_opt text ':' with
              | None -> bad "an answer"
              | Some at ->
                  let rest = String.sub text (at + 1) (String.length text - at - 1) in
                  (cell (String.sub text 0 at), strong_answer vertices rest)
            in
            StrongReply (List.map answer answers)
        | "s", "threat", [ c; answer ] ->
            let o, child = strong_answer vertices answer in
            Threat (cell c, o, child)
        | "a", "done", [ x ] -> Done (cell x)
        | "a", "move", m :: answers ->
            let answer text =
              let r, child = two ':' text in
              (cell r, id child)
            in
            Move (cell m, List.map answer answers)
        | _ -> bad "a node of no kind"
      in
      { node_id = id number; node_own = set vertices own; node_open = set vertices op; node_kind = kind }
  | _ -> bad "a node cut off"

let card fields =
  match fields with
  | number :: size :: own :: op :: what :: x :: children ->
      let w, h = sides size in
      let x = cell (w * h) x in
      let kind =
        match (what, children) with
        | "done", [] -> CardDone x
        | "move", children -> CardMove (x, List.map child_card children)
        | _ -> bad "a card of no kind"
      in
      {
        card_id = id number; card_width = n_of_int w; card_height = n_of_int h; card_own = set (w * h) own;
        card_open = set (w * h) op; card_kind_of = kind;
      }
  | _ -> bad "a card cut off"

let certificate text =
  let lines = split text in
  try
    let format =
      match next lines with
      | [ "harary-certificate"; ("1" | "2") as format ] -> number format
      | "harary-avoidance" :: _ -> bad "not supported by this checker: the game of avoidance"
      | _ -> bad "no certificate of format 1 or 2"
    in
    let setting, vertices = game lines in
    let rule =
      match next lines with
      | [ "rule"; "strong" ] -> Strong
      | [ "rule"; "weak" ] -> Weak
      | _ -> bad "a line 'rule …' has to come here"
    in
    let order =
      match next_if "turns" lines with Some [ text ] -> Some (turns text) | Some _ -> bad "turns" | None -> None
    in
    let claim = claim (next lines) in
    let symmetry = symmetry lines vertices in
    let cover =
      match next_if "cover" lines with Some [ text ] -> Some (set vertices text) | Some _ -> bad "cover" | None -> None
    in
    let positions = ref [] and nodes = ref [] and cards = ref [] and uses = ref [] and root = ref NoRoot in
    let position black white elsewhere step =
      let at = { black = set vertices black; white = set vertices white } in
      positions := { line_position = at; line_elsewhere = elsewhere; line_step = step } :: !positions
    in
    while lines.rest <> [] do
      need (!root = NoRoot) "nothing comes after the root";
      match next lines with
      | [ "p"; b; w; u; x ] -> position b w (number u) (PlayP (cell vertices x))
      | [ "q"; b; w; x ] -> position b w N0 (PlayQ (cell vertices x))
      | [ "l"; b; w; x ] -> position b w N0 (PlayL (cell vertices x))
      | [ "b"; b; w; node ] -> position b w N0 (ByNode (id node))
      | "k" :: b :: w :: pairs -> position b w N0 (ByPairs (List.map (pair vertices) pairs))
      | ("n" | "s" | "a") :: _ as fields -> nodes := node vertices fields :: !nodes
      | "c" :: fields -> cards := card fields :: !cards
      | [ "u"; number; card; turn; by ] ->
          let dx, dy = two ',' by in
          uses := { use_id = id number; use_placing = placing card turn dx dy } :: !uses
      | [ "root"; "explicit" ] -> root := RootExplicit
      | [ "root"; number ] -> root := RootNode (id number)
      | word :: _ -> bad (quoted word ^ " starts no such line")
      | [] -> bad "an empty line"
    done;
    {
      c_format = format; c_setting = setting; c_rule = rule; c_turns = order; c_claim = claim; c_symmetry = symmetry;
      c_cover = cover; c_lines = List.rev !positions; c_nodes = List.rev !nodes; c_cards = List.rev !cards;
      c_uses = List.rev !uses; c_root = !root;
    }
  with Bad reason -> bad (Printf.sprintf "line %d: %s" lines.last reason)
