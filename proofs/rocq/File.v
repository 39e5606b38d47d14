(* Files of proofs: the line with the rules, the position and the claims is read here, too. `check_sound` says what it
   means that `check` accepts a file. What `check` returns is what the program prints. *)
From Stdlib Require Import List Arith NArith Ascii String Bool Lia.
Import ListNotations.
Require Import Statement Board Rule Bits Play Search.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)
Open Scope list_scope.

(* A position is the list of its columns, from the left; each has its discs from the bottom to the top. *)
Definition position := list (list player).
Definition board_of (x : position) : board := fun c => nth c x [].
Record claim := { claimant : player; win : bool; size : nat; count : nat }. (* the score is size if win, else -size *)
Record file := { width : nat; height : nat; rows : list string; mover : player; columns_of : position;
  claims : list claim }.

(* What a claim says. The game ends with the last of `width * height` discs; of these `discs` are on the board. *)
Definition discs (x : position) := list_sum (map (@List.length player) x).
Definition limit (f : file) (c : claim) : nat :=
  let empty := width f * height f - discs (columns_of f) in
  if win c then empty + 2 - 2 * size c else empty - 2 * size c.
Definition is_true (f : file) (c : claim) : Prop :=
  let b := board_of (columns_of f) in
  if win c then wins_within (width f) (height f) (claimant c) (limit f c) (mover f) b
  else holds_out (width f) (height f) (claimant c) (limit f c) (mover f) b.

Definition cells_of W H (p : player) (x : position) : N :=
  union (flat_map (fun c => flat_map (fun r =>
    match nth_error (nth c x []) r with Some d => if is p d then [cell H c r] else [] | None => [] end) (seq 0 H))
      (seq 0 W)).
Definition check_claim (f : file) (c : claim) (moves : list nat) : bool :=
  let W := width f in let H := height f in let x := columns_of f in let G := geometry_of W H in
  let own := cells_of W H (claimant c) x in let other := cells_of W H (opponent (claimant c)) x in
  (List.length x =? W) &&& forallb (fun column => List.length column <=? H) x &&&
  negb (has_line G own) &&& negb (has_line G other) &&&
  let early := early_cells W H (empty_cells W H (board_of x) - limit f c) in
  accepts W H (win c) early G (limit f c) own other (is (claimant c) (mover f)) moves.

Lemma cells_of_is W H p x : set_of W H (cells_of W H p x) (has (board_of x) p).
Proof.
  intros i. unfold cells_of. rewrite union_bit. unfold has, board_of. split.
  - intros (s & I & A). apply in_flat_map in I as (c & C & I). apply in_flat_map in I as (r & R & I).
    apply in_seq in C. apply in_seq in R. destruct (nth_error (nth c x []) r) as [d|] eqn:E; [|destruct I].
    destruct (is p d) eqn:D; [|destruct I]. destruct I as [<-|[]]. apply is_spec in D as ->.
    rewrite cell_bit in A. apply N.eqb_eq in A as <-. exists c, r. repeat split; auto; lia.
  - intros (c & r & C & R & -> & E). exists (cell H c r). split; [|rewrite cell_bit; apply N.eqb_refl].
    apply in_flat_map. exists c. split; [apply in_seq; lia|]. apply in_flat_map. exists r. split; [apply in_seq;
      lia|].
    rewrite E, (proj2 (is_spec p p) eq_refl). simpl. auto.
Qed.
Theorem check_claim_sound f c moves : check_claim f c moves = true -> is_true f c.
Proof.
  unfold check_claim. set (W := width f). set (H := height f). set (x := columns_of f). set (p := claimant c).
  rewrite !lazy_and. intros [[[[E1 E2] E3] E4] E5]. apply Nat.eqb_eq in E1. rewrite forallb_forall in E2.
  assert (S : shown W H p (cells_of W H p x) (cells_of W H (opponent p) x) (board_of x)).
  { split; try apply cells_of_is.
    - intros a A. apply nth_overflow. lia.
    - intros a. destruct (Nat.lt_ge_cases a (List.length x)) as [L|L].
      + apply Nat.leb_le, E2, nth_In. auto.
      + unfold board_of. rewrite nth_overflow by auto. simpl. lia. }
  apply (accepts_sound W H _ _ _ p _ eq_refl (set_early W H _) _ _ _ _ _ (board_of x)) in E5; auto.
  - replace (if is p (mover f) then p else opponent p) with (mover f) in E5.
    + unfold is_true. fold W H x p. destruct (win c); [apply reach_wins_within|apply reach_holds_out]; auto.
    + destruct p, (mover f); auto.
  - intros L. apply negb_true_iff in E4. apply (other_line W H p _ eq_refl _ _ _ S) in L. congruence.
  - intros _. lia.
Qed.

(* Reading *)
Inductive result (A : Type) := Fine (a : A) | Refused (why : string).
Arguments Fine {A}. Arguments Refused {A}.
Definition bind {A B} (r : result A) (f : A -> result B) : result B :=
  match r with Fine a => f a | Refused why => Refused why end.
Notation "'do' x <- r ; s" := (bind r (fun x => s)) (at level 100, x pattern, r at level 99, s at level 200).
Open Scope string_scope. Open Scope nat_scope.

Fixpoint after (prefix s : string) : option string := (* the rest of s after a prefix *)
  match prefix, s with
  | EmptyString, _ => Some s
  | String a prefix, String b s => if Ascii.eqb a b then after prefix s else None
  | _, _ => None
  end.
Definition expect (text why s : string) : result string :=
  match after text s with Some s => Fine s | None => Refused why end.
Definition quote := """". Definition form := "the line of JSON is not written as c4mcts writes it".
Definition text (key s : string) : result string := expect (quote ++ key ++ quote ++ ": ") form s.
Definition digit (a : ascii) : option nat :=
  let n := nat_of_ascii a in if (48 <=? n) &&& (n <=? 57) then Some (n - 48) else None.
Fixpoint digits (n : nat) (s : string) : nat * string :=
  match s with
  | String a rest => match digit a with Some d => digits (10 * n + d) rest | None => (n, s) end
  | EmptyString => (n, s)
  end.
Definition number (s : string) : result (nat * string) :=
  match s with
  | String a _ => match digit a with Some _ => Fine (digits 0 s) | None => Refused form end
  | EmptyString => Refused form
  end.
Fixpoint until_quote (s : string) : string * string :=
  match s with
  | String a rest => if Ascii.eqb a """" then ("", rest) else let (t, rest) := until_quote rest in (String a t, rest)
  | EmptyString => ("", "")
  end.
Fixpoint items {A} (fuel : nat) (item : string -> result (A * string)) (s : string) : result (list A * string) :=
  match fuel with
  | 0 => Refused form
  | S fuel =>
    do (a, s) <- item s;
    match after ", " s with
    | Some s => do (l, s) <- items fuel item s; Fine (a :: l, s)
    | None => do s <- expect "]" form s; Fine ([a], s)
    end
  end.
Definition row (s : string) : result (string * string) := do s <- expect quote form s; Fine (until_quote s).
Definition player_of (a : ascii) : option player :=
  if Ascii.eqb a "X" then Some X else if Ascii.eqb a "O" then Some O else None.
Definition claim_of (s : string) : result (claim * string) :=
  do s <- expect "{" form s; do s <- text "player" s; do (name, s) <- row s;
  do s <- expect ", " form s; do s <- text "score" s;
  let minus := match after "-" s with Some _ => true | None => false end in
  do (n, s) <- number (match after "-" s with Some s => s | None => s end);
  do s <- expect ", " form s; do s <- text "moves" s; do (count, s) <- number s;
  do s <- expect ", " form s; do s <- text "positions" s; do (_, s) <- number s; do s <- expect "}" form s;
  match name with
  | String a EmptyString =>
    match player_of a with
    | Some p => Fine ({| claimant := p; win := negb minus &&& (1 <=? n); size := n; count := count |}, s)
    | None => Refused "a third player"
    end
  | _ => Refused "a third player"
  end.

Definition other_rules := "this program knows only four in a row, in four directions".
(* The discs of a column, from the bottom; above them there are only dots. *)
Fixpoint stack (l : list ascii) : result (list player) :=
  match l with
  | [] => Fine []
  | a :: l =>
    match player_of a with
    | Some p => do l <- stack l; Fine (p :: l)
    | None => if forallb (Ascii.eqb ".") (a :: l) then Fine [] else Refused "a disc floats, or is of a third player"
    end
  end.
Fixpoint stacks (l : list (list ascii)) : result position :=
  match l with
  | [] => Fine []
  | a :: l => do column <- stack a; do l <- stacks l; Fine (column :: l)
  end.
Definition cell_at (row : string) c : ascii := nth c (list_ascii_of_string row) "."%char.
Definition read (s : string) : result file :=
  do s <- expect "{" form s; do s <- text "rules" s; do s <- expect "{" form s;
  do s <- text "width" s; do (width, s) <- number s; do s <- expect ", " form s;
  do s <- text "height" s; do (height, s) <- number s; do s <- expect ", " form s;
  do s <- text "connect" s; do (connect, s) <- number s; do s <- expect ", " form s;
  do s <- text "diagonals" s;
  do s <- expect "true}, " (match after "false" s with Some _ => other_rules | None => form end) s;
  if negb (connect =? 4) then Refused other_rules else
  do s <- text "board" s; do s <- expect "[" form s; do (rows, s) <- items (S height) row s;
    do s <- expect ", " form s;
  do s <- text "claims" s; do s <- expect "[" form s; do (claims, s) <- items 3 claim_of s; do s <- expect "}" form s;
  if negb ((List.length rows =? height) &&& forallb (fun row => String.length row =? width) rows)
  then Refused "the board is of another size" else
  do x <- stacks (map (fun c => map (fun row => cell_at row c) (rev rows)) (seq 0 width));
  let number p := list_sum (map (fun column => List.length (filter (is p) column)) x) in
  if number X =? number O then Fine (Build_file width height rows X x claims)
  else if number X =? 1 + number O then Fine (Build_file width height rows O x claims)
  else Refused "nobody is to move".

(* Each claim has its own moves, one after the other. *)
Fixpoint check_claims (f : file) (l : list claim) (moves : list nat) : bool :=
  match l with
  | [] => match moves with [] => true | _ => false end
  | c :: l => check_claim f c (firstn (count c) moves) &&& check_claims f l (skipn (count c) moves)
  end.
Definition check (head : string) (moves : list nat) : result file :=
  do f <- read head;
  if check_claims f (claims f) moves then Fine f
  else Refused "the game is over, a move is missing, left over or bad, or the goal is out of reach".

Theorem check_sound head moves f : check head moves = Fine f -> forall c, In c (claims f) -> is_true f c.
Proof.
  unfold check. destruct (read head) as [g|why]; [|discriminate]. cbn [bind].
  destruct (check_claims g (claims g) moves) eqn:E; [|discriminate]. intros [= <-]. revert E. generalize (claims g).
  intros l. revert moves. induction l as [|c l IH]; intros moves E c' I; [destruct I|].
  cbn [check_claims] in E. apply lazy_and in E as [E1 E2]. destruct I as [<-|I].
  - apply (check_claim_sound _ _ _ E1).
  - apply (IH _ E2 _ I).
Qed.
Print Assumptions check_sound.
