(* What `check` in File.v accepts, in words: main FILE, with the bytes of the moves on the standard input. *)
open Checker

let characters text = List.init (String.length text) (String.get text)
let text characters = String.of_seq (List.to_seq characters)
let rec bytes sofar channel =
  match input_byte channel with
  | byte -> bytes (byte :: sofar) channel
  | exception End_of_file -> List.rev sofar
let name = function X -> "X" | O -> "O"

let refused why =
  Printf.printf "%s: refused: %s\n" Sys.argv.(1) why;
  exit 1

let in_words f c =
  let last = discs f.columns_of + limit f c in
  let ends = last >= f.width * f.height in
  match c.win, ends with
  | true, true -> "wins"
  | true, false -> Printf.sprintf "wins with disc %d of the game at the latest" last
  | false, true -> "does not lose"
  | false, false -> Printf.sprintf "does not lose before disc %d of the game" (last + 1)

let () =
  let file = open_in_bin Sys.argv.(1) in
  ignore (input_line file);
  let head = characters (input_line file) in
  (match read head with
   | Refused why -> refused (text why)
   | Fine f -> if f.width * (f.height + 1) > Numbers.most_bits then exit 3);
  set_binary_mode_in stdin true;
  match check head (bytes [] stdin) with
  | Refused why -> refused (text why)
  | Fine f ->
    Printf.printf "%s: %d x %d, four in a row, %s to move\n" Sys.argv.(1) f.width f.height (name f.mover);
    List.iter (fun row -> print_endline (text row)) f.rows;
    List.iter (fun c -> Printf.printf "%s %s: proven.\n" (name c.claimant) (in_words f c)) f.claims
