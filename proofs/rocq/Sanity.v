(* Facts that would be false if Statement.v had the rules wrong. The theorems do not need them. *)
From Stdlib Require Import List Arith Lia.
Import ListNotations.
Require Import Statement Board Cells Rule.

(* How many positions there are after 0, 1, ..., 5 discs; positions are lists of columns, made with `drop`. *)
Definition board_of (x : position) : board := fun c => nth c x [].
Definition moves (x : position) := filter (fun c => length (board_of x c) <? 6) (seq 0 7).
Definition next (p : player) (x : position) := map (fun c => map (drop (board_of x) c p) (seq 0 7)) (moves x).
Definition unless_listed (st : tree unit * list position) (x : position) :=
  match find_in (key 6 x) (fst st) with Some _ => st | None => (add_to (key 6 x) tt (fst st), x :: snd st) end.
Fixpoint positions (n : nat) (p : player) (l : list position) : list position :=
  match n with
  | 0 => l
  | S n => positions n (opponent p) (snd (fold_left unless_listed (flat_map (next p) l) (Leaf, [])))
  end.
Lemma moves_are_legal x c : In c (moves x) <-> legal 7 6 (board_of x) c.
Proof. unfold moves, legal. rewrite filter_In, in_seq, Nat.ltb_lt. intuition lia. Qed.
Example counts : map (fun n => length (positions n X [repeat [] 7])) [0; 1; 2; 3; 4; 5] = [1; 7; 49; 238; 1120; 4263].
Proof. vm_compute. reflexivity. Qed.

(* Lines in the four directions, and none of three, with a gap, or across an edge of the board *)
Example upwards : line (board_of [[]; [O; X; X; X; X]]) X.
Proof. exists 1, 1. left. apply below_4. repeat split. Qed.
Example to_the_right : line (board_of [[]; []; []; [X]; [X]; [X]; [X]]) X.
Proof. exists 3, 0. right; left. apply below_4. repeat split. Qed.
Example upwards_to_the_right : line (board_of [[]; [O]; [X; O]; [X; X; O]; [X; X; X; O]]) O.
Proof. exists 1, 0. right; right; left. apply below_4. repeat split. Qed.
Example downwards_to_the_right : line (board_of [[]; []; [X; X; O; X]; [O; O; X]; [X; X]; [X]]) X.
Proof. exists 2, 0. right; right; right. apply below_4. repeat split. Qed.

Lemma no_line p x : lined (discs p x) = false -> ~ line (board_of x) p.
Proof. intros E L. apply (lined_discs p x) in L; [congruence|intros c; auto]. Qed.
Example three_are_no_line : ~ line (board_of [[X; X; X]; [X]; [X]]) X.
Proof. apply no_line. reflexivity. Qed.
Example a_gap_is_no_line : ~ line (board_of [[X]; [X]; []; [X]; [X]]) X.
Proof. apply no_line. reflexivity. Qed.
Example not_from_top_to_bottom : ~ line (board_of [[O; O; X; X; X]; [X; O]]) X.
Proof. apply no_line. reflexivity. Qed.
Example not_from_right_to_left : ~ line (board_of [[O; X]; []; []; []; [X]; [X]; [X]]) X.
Proof. apply no_line. reflexivity. Qed.

(* Three in a row are won for the player to move; a board that is full is not. Not both players win. *)
Example one_move_is_enough : wins 7 6 X X (board_of [[X; O]; [X; O]; [X; O]]).
Proof.
  apply our_move with (c := 3); [split; simpl; lia|]. left. exists 0, 0. right; left. apply below_4. repeat split.
Qed.
Example a_draw_is_not_won : ~ wins 1 1 X X empty.
Proof.
  intros A. inversion_clear A as [b c [C _] D|]. assert (c = 0) as -> by lia. destruct D as [D|D].
  - apply (lined_discs X [[X]]) in D; [discriminate|intros [|[|c]]; reflexivity].
  - inversion_clear D as [|b [c [C' L]] _]. assert (c = 0) as -> by lia. simpl in L. lia.
Qed.
Theorem not_both width height p : forall q b, wins width height p q b -> ~ wins width height (opponent p) q b.
Proof.
  assert (N : opponent p <> p) by (destruct p; discriminate). fix IH 3. intros q b [b0 c LG E|b0 _ A] B.
  - inversion B as [b1 c1 _ _ F|b1 _ A F]; subst b1; [congruence|].
    destruct (A c LG) as [NL B']. rewrite !opponent_opponent in NL, B'. destruct E as [E|E]; [contradiction|].
    apply (IH _ _ E B').
  - inversion B as [b1 c LG E|b1 _ _ F]; subst b1; [|rewrite opponent_opponent in F; congruence].
    destruct (A c LG) as [NL B']. destruct E as [E|E]; [contradiction|]. rewrite opponent_opponent in E.
    apply (IH _ _ B' E).
Qed.

(* A position has at most one value, since who wins makes the opponent lose. *)
Lemma few_cells W H b : empty_cells W H b <= W * H.
Proof.
  assert (A : forall l, list_sum (map (fun c => H - length (b c)) l) <= length l * H).
  { induction l as [|c l IH]; simpl; lia. }
  specialize (A (seq 0 W)). rewrite length_seq in A. auto.
Qed.
Theorem a_win_is_a_loss W H p : forall q b, wins W H p q b -> ~ does_not_lose W H (opponent p) q b.
Proof.
  assert (N : opponent p <> p /\ opponent (opponent p) <> opponent p) by (destruct p; split; discriminate).
  assert (A : forall q b, wins W H p q b -> forall n, empty_cells W H b <= n -> ~ holds_out W H (opponent p) n q b).
  { fix IH 3. intros q b [b0 c LG E|b0 [c1 LG1] A] n R HO.
    - assert (D := empty_cells_drop W H b0 c p LG).
      inversion HO as [q1 b1|n1 b1 F|n1 b1 c1 LG1 E1|n1 b1 A1]; subst; try lia; try (destruct N; congruence).
      destruct (A1 c LG) as [NL HO1]. rewrite !opponent_opponent in NL, HO1. destruct E as [E|E]; [contradiction|].
      apply (IH _ _ E n1); auto. lia.
    - inversion HO as [q1 b1|n1 b1 F|n1 b1 c LG E1|n1 b1 A1]; subst.
      + assert (D := empty_cells_drop W H b0 c1 p LG1). lia.
      + apply (F c1 LG1).
      + assert (D := empty_cells_drop W H b0 c (opponent p) LG). destruct (A c LG) as [NL WN].
        destruct E1 as [E1|E1]; [contradiction|]. rewrite opponent_opponent in E1. apply (IH _ _ WN n1); [lia|auto].
      + destruct N as [_ N]. congruence. }
  intros q b WN. apply (A q b WN), few_cells.
Qed.
Theorem one_value W H q b r r' : value W H q b r -> value W H q b r' -> r = r'.
Proof.
  assert (A := a_win_is_a_loss W H). destruct r, r'; simpl; auto; intros V V'; exfalso;
    try (apply (not_both W H X q b); auto; fail); try (destruct V as [V1 V2]); try (destruct V' as [V1 V2]);
    (apply (A X q b); auto; fail) || (apply (A O q b); auto).
Qed.
