(* The rules of Connect-4, and what it means that a player wins. There is nothing else to read in order to
   understand the theorems at the end of Value.v. `Prop` is the type of statements, `->` means "implies", `~` "not",
   `/\` "and" and `\/` "or"; `[]` is the empty list and `++` joins two lists. Columns and rows count from 0. *)
From Stdlib Require Import List Arith.
Import ListNotations.

Inductive player := X | O.
Definition opponent (p : player) : player := match p with X => O | O => X end.

(* A board gives the discs of each column, from the bottom to the top. *)
Definition board := nat -> list player.
Definition empty : board := fun column => [].
Definition drop (b : board) (column : nat) (p : player) : board :=
  fun c => if c =? column then b c ++ [p] else b c.

(* A move is legal if the column is one of the `width` columns and has fewer than `height` discs. *)
Definition legal (width height : nat) (b : board) (column : nat) : Prop :=
  column < width /\ length (b column) < height.

(* Player p has a disc in this column and row. *)
Definition has (b : board) (p : player) (column row : nat) : Prop := nth_error (b column) row = Some p.

(* Four cells of a set in a row: upwards, to the right, to the right and upwards, or to the right and downwards. *)
Definition four (cells : nat -> nat -> Prop) : Prop := exists column row,
     (forall k, k < 4 -> cells column (row + k))
  \/ (forall k, k < 4 -> cells (column + k) row)
  \/ (forall k, k < 4 -> cells (column + k) (row + k))
  \/ (forall k, k < 4 -> cells (column + k) (row + 3 - k)).
Definition line (b : board) (p : player) : Prop := four (has b p).

(* `wins width height p q b`: on the board b, on which nobody has a line yet, it is q's turn, and p can force a
   line. If it is p's turn, p needs one legal move that completes a line or leads to a won position. If it is the
   opponent's turn, there must be a legal move (otherwise it is a draw), and each of them must not complete a line,
   and lead to a won position. A strategy is finite, since `wins` is the least relation with these two rules. *)
Inductive wins (width height : nat) (p : player) : player -> board -> Prop :=
| our_move b c :
    legal width height b c ->
    line (drop b c p) p \/ wins width height p (opponent p) (drop b c p) ->
    wins width height p p b
| their_move b :
    (exists c, legal width height b c) ->
    (forall c, legal width height b c ->
       ~ line (drop b c (opponent p)) (opponent p) /\ wins width height p p (drop b c (opponent p))) ->
    wins width height p (opponent p) b.

(* `wins_within width height p n q b`: the same, and the line comes with the n-th disc from now on at the latest. *)
Inductive wins_within (width height : nat) (p : player) : nat -> player -> board -> Prop :=
| our_disc n b c :
    legal width height b c ->
    line (drop b c p) p \/ wins_within width height p n (opponent p) (drop b c p) ->
    wins_within width height p (S n) p b
| their_disc n b :
    (exists c, legal width height b c) ->
    (forall c, legal width height b c ->
       ~ line (drop b c (opponent p)) (opponent p) /\ wins_within width height p n p (drop b c (opponent p))) ->
    wins_within width height p (S n) (opponent p) b.

(* `holds_out width height p n q b`: q's turn again, and p can prevent that the opponent completes a line with one of
   the next n discs. Draws count, and so do lines of p, which end the game. *)
Inductive holds_out (width height : nat) (p : player) : nat -> player -> board -> Prop :=
| long_enough q b : holds_out width height p 0 q b
| our_board_is_full n b : (forall c, ~ legal width height b c) -> holds_out width height p n p b
| our_turn n b c :
    legal width height b c ->
    line (drop b c p) p \/ holds_out width height p n (opponent p) (drop b c p) ->
    holds_out width height p (S n) p b
| their_turn n b :
    (forall c, legal width height b c ->
       ~ line (drop b c (opponent p)) (opponent p) /\ holds_out width height p n p (drop b c (opponent p))) ->
    holds_out width height p (S n) (opponent p) b.

(* No game has more discs than the board has cells. *)
Definition does_not_lose (width height : nat) (p q : player) (b : board) : Prop :=
  holds_out width height p (width * height) q b.

(* The value of a position for the first player, X. *)
Inductive result := Win | Draw | Loss.
Definition value (width height : nat) (q : player) (b : board) (r : result) : Prop :=
  match r with
  | Win => wins width height X q b
  | Draw => does_not_lose width height X q b /\ does_not_lose width height O q b
  | Loss => wins width height O q b
  end.
