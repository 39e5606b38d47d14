(* The theorem: the checker accepts the table. *)
From Stdlib Require Import List Arith Lia Hexadecimal Number.
Import ListNotations.
Require Import Statement Cells Rule Checker Table.

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

Theorem first_player_wins_after_4 : wins 7 6 X O (drop empty 3 X).
Proof.
  apply (run_move_sound 7 6 X 3 (tl (fold_right row [] table))); [repeat constructor|reflexivity|].
  vm_cast_no_check (eq_refl true).
Qed.
Theorem first_player_wins : wins 7 6 X X empty.
Proof.
  apply our_move with (c := 3); [split; repeat constructor|]. right. apply first_player_wins_after_4.
Qed.

(* X has every other disc, the first one included, so its win takes at most 41 of the 42. *)
Lemma wins_needs_an_empty_cell W H p b : wins W H p p b -> 0 < empty_cells W H b.
Proof.
  intros A. inversion A as [b1 c L _|b1 _ _ F]; [apply empty_cells_drop with (x := p) in L; lia|destruct p; discriminate].
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
      apply (IH _ _ B); [|rewrite I1; apply (E2 n false P)]. assert (D := empty_cells_drop W H b0 c (opponent p) LG). lia.
Qed.
Theorem first_player_wins_by_ply_41 : wins_within 7 6 X 41 X empty.
Proof. apply wins_in_time; [apply first_player_wins|reflexivity|reflexivity]. Qed.
Print Assumptions first_player_wins_after_4.
Print Assumptions first_player_wins.
Print Assumptions first_player_wins_by_ply_41.
