(* The theorems: the checker accepts the tables. *)
From Stdlib Require Import List Arith Lia Hexadecimal Number.
Import ListNotations.
Require Import Statement Board Cells Rule Checker Table.

Fixpoint digits (u : Hexadecimal.uint) (rest : list nat) : list nat :=
  match u with
  | Nil => rest
  | D0 u => 0 :: digits u rest | D1 u => 1 :: digits u rest | D2 u => 2 :: digits u rest
  | D3 u => 3 :: digits u rest | D4 u => 4 :: digits u rest | D5 u => 5 :: digits u rest
  | D6 u => 6 :: digits u rest | D7 u => 7 :: digits u rest | D8 u => 8 :: digits u rest
  | D9 u => 9 :: digits u rest | Da u => 10 :: digits u rest | Db u => 11 :: digits u rest
  | Dc u => 12 :: digits u rest | Dd u => 13 :: digits u rest | De u => 14 :: digits u rest
  | Df u => 15 :: digits u rest
  end.
Definition row (u : Number.uint) (rest : list nat) : list nat :=
  match u with Number.UIntHexadecimal u => digits u rest | Number.UIntDecimal _ => rest end.
Definition run win p n c (t : list nat) : bool := (* after X's first disc, in column c *)
  let G := geometry_of 7 6 in accepts 7 6 win p G n O (put (repeat [] 7) c X) t.
Lemma shows_first_move c : c < 7 -> shows (put (repeat [] 7) c X) (drop empty c X).
Proof. intros C. apply shows_put; auto. intros c'. symmetry. apply nth_repeat. Qed.
Lemma run_sound win p n c t : c < 7 -> run win p n c (fold_right row [] t) = true ->
  reach 7 6 win p n O (drop empty c X).
Proof. intros C E. apply (accepts_sound 7 6 win p _ eq_refl _ _ _ _ _ E), shows_first_move, C. Qed.
Lemma O_wins_after_1 : reach 7 6 true O 41 O (drop empty 0 X).
Proof. apply (run_sound _ _ _ _ O_after_1); [lia|]. vm_cast_no_check (eq_refl true). Qed.
Lemma O_wins_after_2 : reach 7 6 true O 41 O (drop empty 1 X).
Proof. apply (run_sound _ _ _ _ O_after_2); [lia|]. vm_cast_no_check (eq_refl true). Qed.
Lemma O_does_not_lose_after_3 : reach 7 6 false O 42 O (drop empty 2 X).
Proof. apply (run_sound _ _ _ _ O_after_3); [lia|]. vm_cast_no_check (eq_refl true). Qed.
Lemma X_does_not_lose_after_3 : reach 7 6 false X 42 O (drop empty 2 X).
Proof. apply (run_sound _ _ _ _ X_after_3); [lia|]. vm_cast_no_check (eq_refl true). Qed.
Lemma X_wins_after_4 : reach 7 6 true X 41 O (drop empty 3 X).
Proof. apply (run_sound _ _ _ _ X_after_4); [lia|]. vm_cast_no_check (eq_refl true). Qed.
Lemma O_holds_out_after_4 : reach 7 6 false O 39 O (drop empty 3 X).
Proof. apply (run_sound _ _ _ _ O_after_4); [lia|]. vm_cast_no_check (eq_refl true). Qed.

Lemma in_mirror win p n c : c < 7 -> reach 7 6 win p n O (drop empty c X) -> reach 7 6 win p n O (drop empty (6 - c) X).
Proof.
  intros C R. apply (reach_mirrored 7 6 win p n O _ R). apply (drop_mirrored 7 empty empty); auto. split; auto.
Qed.
Theorem value_of_first_move : forall c, c < 7 ->
  value 7 6 O (drop empty c X) (nth c [Loss; Loss; Draw; Win; Draw; Loss; Loss] Draw).
Proof.
  assert (WIN : forall p n b, reach 7 6 true p n O b -> wins 7 6 p O b).
  { intros p n b R. apply (wins_within_wins 7 6 p n), reach_wins_within, R. }
  intros c C. destruct c as [|[|[|[|[|[|[|c]]]]]]]; [..|lia]; cbn [nth value].
  - apply (WIN O 41), O_wins_after_1.
  - apply (WIN O 41), O_wins_after_2.
  - split; apply reach_holds_out; [apply X_does_not_lose_after_3|apply O_does_not_lose_after_3].
  - apply (WIN X 41), X_wins_after_4.
  - split; apply reach_holds_out, (in_mirror _ _ _ 2 ltac:(lia));
      [apply X_does_not_lose_after_3|apply O_does_not_lose_after_3].
  - apply (WIN O 41), (in_mirror _ _ _ 1 ltac:(lia)), O_wins_after_2.
  - apply (WIN O 41), (in_mirror _ _ _ 0 ltac:(lia)), O_wins_after_1.
Qed.
Theorem first_player_wins : wins 7 6 X X empty.
Proof.
  apply our_move with (c := 3); [split; repeat constructor|]. right. apply (value_of_first_move 3). repeat constructor.
Qed.

(* X has every other disc, the first one included, so its win takes at most 41 of the 42. *)
Lemma wins_needs_an_empty_cell W H p b : wins W H p p b -> 0 < empty_cells W H b.
Proof.
  intros A. inversion A as [b1 c L _|b1 _ _ F]; [|destruct p; discriminate].
  apply empty_cells_drop with (x := p) in L. lia.
Qed.
Theorem wins_in_time W H p : forall q b, wins W H p q b ->
  forall n, empty_cells W H b = S n -> Nat.even n = negb (is p q) -> wins_within W H p n q b.
Proof.
  assert (I : is p p = true /\ is p (opponent p) = false) by (destruct p; auto). destruct I as [I1 I2].
  assert (E2 : forall n v, Nat.even (S n) = negb v -> Nat.even n = v).
  { intros n v. rewrite Nat.even_succ, <- Nat.negb_even. destruct (Nat.even n), v; auto. }
  fix IH 3. intros q b [b0 c LG E|b0 EX A] n R P.
  - rewrite I1 in P. destruct n as [|n]; [discriminate|]. apply our_disc with (c := c); auto.
    destruct E as [E|E]; auto. right. apply (IH _ _ E); [|rewrite I2; apply (E2 n true P)].
    assert (D := empty_cells_drop W H b0 c p LG). lia.
  - rewrite I2 in P. destruct n as [|n].
    + destruct EX as [c LG]. exfalso. assert (D := empty_cells_drop W H b0 c (opponent p) LG).
      destruct (A c LG) as [_ B]. apply wins_needs_an_empty_cell in B. lia.
    + apply their_disc; auto. intros c LG. destruct (A c LG) as [N B]. split; auto.
      apply (IH _ _ B); [|rewrite I1; apply (E2 n false P)].
      assert (D := empty_cells_drop W H b0 c (opponent p) LG). lia.
Qed.
Theorem first_player_wins_by_ply_41 : wins_within 7 6 X 41 X empty.
Proof. apply wins_in_time; [apply first_player_wins|reflexivity|reflexivity]. Qed.
Theorem second_player_holds_out_until_ply_41 : holds_out 7 6 O 40 X empty.
Proof.
  apply (their_turn 7 6 O 39). intros c [C _]. split.
  - intros L. apply (lined_discs X _ _ (shows_first_move c C)) in L.
    destruct c as [|[|[|[|[|[|[|c]]]]]]]; [discriminate..|lia].
  - assert (V := value_of_first_move c C). destruct c as [|[|[|[|[|[|[|c]]]]]]]; [..|lia]; cbn [nth value] in V;
      try (apply wins_holds_out, V); try (apply (holds_out_fewer 7 6 O 42); [apply V|lia]).
    apply reach_holds_out, O_holds_out_after_4.
Qed.
Print Assumptions value_of_first_move.
Print Assumptions first_player_wins.
Print Assumptions first_player_wins_by_ply_41.
Print Assumptions second_player_holds_out_until_ply_41.
