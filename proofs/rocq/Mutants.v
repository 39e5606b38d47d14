(* Tables with a mistake, which the checker must refuse. *)
From Stdlib Require Import List Arith.
Import ListNotations.
Require Import Statement Cells Checker Table Value.

Definition original : list nat := fold_right row [] table.
Definition refused (t : list nat) : bool := negb (run_first 7 6 X t).
Definition replaced n d (t : list nat) := change (fun _ => d) n t.
Definition removed n (t : list nat) := firstn n t ++ skipn (S n) t.
Fixpoint first_plan n (t : list nat) := match t with [] => n | d :: t => if 8 <=? d then n else first_plan (S n) t end.
Definition plan := first_plan 0 original.

Example wrong_column : forallb (fun d => refused (replaced 0 d original)) [0; 1; 2; 4; 5; 6; 7] = true.
Proof. vm_compute. reflexivity. Qed.
Example missing_reply : forallb (fun n => refused (removed n original)) [0; 1; 2; 3; 4; 10; 100; plan] = true.
Proof. vm_compute. reflexivity. Qed.
Example broken_plan : forallb (fun n => refused (replaced (plan + n) (nth (plan + n) original 0 + 1) original))
  [1; 2; 3; 4; 5; 6; 7] = true.
Proof. vm_compute. reflexivity. Qed.
Example wrong_column_before_a_plan : refused (replaced plan (8 + (nth plan original 0 - 7) mod 7) original) = true.
Proof. vm_compute. reflexivity. Qed.
