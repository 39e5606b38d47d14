(* The theorem: the table of a proof, accepted by the checker. *)
From Coq Require Import List Hexadecimal Number.
Import ListNotations.
Require Import Statement Checker Table.

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

Theorem first_player_wins : wins 7 6 X X empty.
Proof. apply (run_first_sound 7 6 X (fold_right row [] table)). vm_cast_no_check (eq_refl true). Qed.
Print Assumptions first_player_wins.
