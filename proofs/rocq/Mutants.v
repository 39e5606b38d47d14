(* Tables with a mistake, and claims that are false: the checker must refuse them. *)
From Stdlib Require Import List Arith.
Import ListNotations.
Require Import Statement Cells Checker Table Value.

Definition original : list nat := fold_right row [] O_after_1.
Definition refused (t : list nat) : bool := negb (run true O 41 0 t).
Definition replaced n d (t : list nat) := change (fun _ => d) n t.
Definition removed n (t : list nat) := firstn n t ++ skipn (S n) t.
Definition others (d : nat) := filter (fun d' => negb (d' =? d)) (seq 0 16).
Fixpoint first_plan n (t : list nat) := match t with [] => n | d :: t => if 8 <=? d then n else first_plan (S n) t end.
Definition plan := first_plan 0 original.

Example accepted : refused original = false.
Proof. vm_compute. reflexivity. Qed.
Example wrong_column : forallb (fun d => refused (replaced 0 d original)) (others (nth 0 original 0)) = true.
Proof. vm_compute. reflexivity. Qed.
Example missing_digit : forallb (fun n => refused (removed n original)) [0; 1; 2; 3; 10; plan; 4614] = true.
Proof. vm_compute. reflexivity. Qed.
Example left_over : refused (original ++ [0]) = true.
Proof. vm_compute. reflexivity. Qed.
Definition cut_short n (t : list nat) := firstn n t ++ 7 :: skipn n t.
Example not_played_through_before : forallb (fun n => refused (cut_short n original)) [0; 1; 5] = true.
Proof. vm_compute. reflexivity. Qed.
Example wrong_column_before_a_plan :
  forallb (fun d => refused (replaced plan d original)) (others (nth plan original 0)) = true.
Proof. vm_compute. reflexivity. Qed.
Example wrong_plan :
  forallb (fun d => refused (replaced (S plan) d original)) (others (nth (S plan) original 0)) = true.
Proof. vm_compute. reflexivity. Qed.

(* A table is for one claim, and the claims are as strong as possible. *)
Definition claims (t : list nat) := map (fun '(win, p, n, c) => run win p n c t)
  [(true, O, 41, 0); (true, X, 41, 0); (false, X, 42, 0); (true, O, 39, 0); (true, O, 41, 1); (true, O, 41, 3)].
Example one_claim : claims original = [true; false; false; false; false; false].
Proof. vm_compute. reflexivity. Qed.
Example holding_out_longer : run false O 40 3 (fold_right row [] O_after_4) = false.
Proof. vm_compute. reflexivity. Qed.
