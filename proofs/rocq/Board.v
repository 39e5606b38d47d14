(* First facts about boards: what a disc changes, and that mirror images reach the same goals. And tables, by number. *)
From Stdlib Require Import List Arith PArith Bool Lia.
Import ListNotations.
Require Import Statement.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

(* The library has these under names that changed with version 8.20. *)
Lemma length_app A (l m : list A) : length (l ++ m) = length l + length m.
Proof. induction l; simpl; auto. Qed.
Lemma length_rev A (l : list A) : length (rev l) = length l.
Proof. induction l; simpl; rewrite ?length_app; simpl; lia. Qed.
Lemma length_map A B (f : A -> B) l : length (map f l) = length l.
Proof. induction l; simpl; auto. Qed.
Lemma length_seq n : forall first, length (seq first n) = n.
Proof. induction n; simpl; auto. Qed.

Lemma lazy_and (a b : bool) : (a &&& b) = true <-> a = true /\ b = true.
Proof. destruct a; intuition congruence. Qed.
Lemma lazy_or (a b : bool) : (a ||| b) = true <-> a = true \/ b = true.
Proof. destruct a; intuition congruence. Qed.

Definition is (p d : player) : bool := match p, d with X, X | O, O => true | _, _ => false end.
Lemma is_spec p d : is p d = true <-> d = p.
Proof. destruct p, d; simpl; split; congruence. Qed.
Lemma is_not p d : is p d = false -> d = opponent p.
Proof. destruct p, d; simpl; congruence. Qed.
Lemma opponent_opponent p : opponent (opponent p) = p.
Proof. destruct p; auto. Qed.

Lemma four_mono (P Q : nat -> nat -> Prop) : (forall c r, P c r -> Q c r) -> four P -> four Q.
Proof.
  intros I (c & r & [A|[A|[A|A]]]); exists c, r; [left|right; left|right; right; left|right; right; right]; auto.
Qed.

Lemma length_drop b c p c' : length (drop b c p c') = length (b c') + if c' =? c then 1 else 0.
Proof. unfold drop. destruct (c' =? c); [rewrite length_app|]; auto. Qed.

Lemma has_drop b c p c' r q :
  has (drop b c p) q c' r <-> has b q c' r \/ (q = p /\ c' = c /\ r = length (b c)).
Proof.
  unfold has, drop. destruct (Nat.eqb_spec c' c) as [->|N]; [|intuition congruence].
  destruct (Nat.lt_trichotomy r (length (b c))) as [L|[->|L]].
  - rewrite nth_error_app1 by auto. split; auto. intros [A|(_ & _ & ->)]; auto. lia.
  - rewrite nth_error_app2, Nat.sub_diag by auto. simpl. rewrite (proj2 (nth_error_None _ _) (le_n _)).
    intuition congruence.
  - rewrite (proj2 (nth_error_None _ _)) by (rewrite length_app; simpl; lia).
    rewrite (proj2 (nth_error_None (b c) r)) by lia. intuition (try congruence; lia).
Qed.

Lemma has_row b x c r : has b x c r -> r < length (b c).
Proof. unfold has. intros A. apply nth_error_Some. congruence. Qed.

(* Tables by the binary digits of a number; in the library, which has them too, 9.0 and 8.16 have no name in
   common. *)
Inductive tree (A : Type) := Leaf | Node (even : tree A) (value : option A) (odd : tree A).
Arguments Leaf {A}. Arguments Node {A}.
Fixpoint find_in {A} (n : positive) (t : tree A) {struct t} : option A :=
  match t, n with
  | Leaf, _ => None
  | Node _ v _, xH => v
  | Node l _ _, xO n => find_in n l
  | Node _ _ r, xI n => find_in n r
  end.
Fixpoint add_to {A} (n : positive) (v : A) (t : tree A) : tree A :=
  let '(l, w, r) := match t with Leaf => (Leaf, None, Leaf) | Node l w r => (l, w, r) end in
  match n with
  | xH => Node l (Some v) r
  | xO n => Node (add_to n v l) w r
  | xI n => Node l w (add_to n v r)
  end.
Lemma find_added {A} (v : A) : forall n t, find_in n (add_to n v t) = Some v.
Proof. induction n as [n IH|n IH|]; intros []; simpl; auto. Qed.
Lemma find_other {A} (v : A) : forall n m t, n <> m -> find_in n (add_to m v t) = find_in n t.
Proof.
  induction n as [n IH|n IH|]; intros [m|m|] [|l w r] N; simpl; auto; try congruence;
    (rewrite IH by congruence; destruct n; auto) || (destruct n; auto).
Qed.

Section Mirror.
Variables W H : nat.
Definition mirrored (b b' : board) :=
  (forall c, c < W -> b' c = b (W - 1 - c)) /\ forall c, W <= c -> b c = [] /\ b' c = [].

Lemma mirrored_sym b b' : mirrored b b' -> mirrored b' b.
Proof.
  intros [A B]. split; intros c C; [|destruct (B c C); auto].
  rewrite A by lia. f_equal. lia.
Qed.

Lemma column_of_disc b b' p c r : mirrored b b' -> has b p c r -> c < W.
Proof.
  intros [_ B] A. destruct (Nat.lt_ge_cases c W) as [|G]; auto.
  unfold has in A. rewrite (proj1 (B c G)) in A. destruct r; discriminate.
Qed.

Lemma has_mirrored b b' p c r c' : mirrored b b' -> has b p c r -> c' = W - 1 - c -> has b' p c' r.
Proof.
  intros M A ->. assert (C := column_of_disc _ _ _ _ _ M A). unfold has. rewrite (proj1 M) by lia.
  replace (W - 1 - (W - 1 - c)) with c by lia. auto.
Qed.

Lemma line_mirrored b b' p : mirrored b b' -> line b p -> line b' p.
Proof.
  intros M (c & r & [L|[L|[L|L]]]).
  - exists (W - 1 - c), r. left. intros k K. apply (has_mirrored b b' p c); auto.
  - assert (c + 3 < W) by (apply (column_of_disc b b' p _ r M), L; lia).
    exists (W - 1 - (c + 3)), r. right; left. intros k K.
    apply (has_mirrored b b' p (c + (3 - k))); auto; [apply L|]; lia.
  - assert (c + 3 < W) by (apply (column_of_disc b b' p _ (r + 3) M), L; lia).
    exists (W - 1 - (c + 3)), r. right; right; right. intros k K. replace (r + 3 - k) with (r + (3 - k)) by lia.
    apply (has_mirrored b b' p (c + (3 - k))); auto; [apply L|]; lia.
  - assert (c + 3 < W) by (apply (column_of_disc b b' p _ (r + 3 - 3) M), L; lia).
    exists (W - 1 - (c + 3)), r. right; right; left. intros k K. replace (r + k) with (r + 3 - (3 - k)) by lia.
    apply (has_mirrored b b' p (c + (3 - k))); auto; [apply L|]; lia.
Qed.

Lemma legal_mirrored b b' c : mirrored b b' -> legal W H b c -> legal W H b' (W - 1 - c).
Proof.
  intros M [C L]. split; [lia|]. rewrite (proj1 M) by lia. replace (W - 1 - (W - 1 - c)) with c by lia. auto.
Qed.

Lemma drop_mirrored b b' c p : mirrored b b' -> c < W -> mirrored (drop b c p) (drop b' (W - 1 - c) p).
Proof.
  intros [A B] C. split; intros x X; unfold drop.
  - destruct (Nat.eqb_spec x (W - 1 - c)), (Nat.eqb_spec (W - 1 - x) c); try lia; rewrite A by lia; auto.
  - destruct (Nat.eqb_spec x c), (Nat.eqb_spec x (W - 1 - c)); try lia; auto.
Qed.

Lemma no_move_mirrored b b' : mirrored b b' -> (forall c, ~ legal W H b c) -> forall c, ~ legal W H b' c.
Proof. intros M N c LG. apply (N _ (legal_mirrored _ _ _ (mirrored_sym _ _ M) LG)). Qed.

(* What both goals have in common: p reaches a line with the n-th disc from now on at the latest (win = true), or
   prevents one of the opponent among the next n discs (win = false). *)
Inductive reach (win : bool) (p : player) : nat -> player -> board -> Prop :=
| reach_long_enough q b : win = false -> reach win p 0 q b
| reach_full n b : win = false -> (forall c, ~ legal W H b c) -> reach win p n p b
| reach_ours n b c :
    legal W H b c -> line (drop b c p) p \/ reach win p n (opponent p) (drop b c p) -> reach win p (S n) p b
| reach_theirs n b :
    (win = true -> exists c, legal W H b c) ->
    (forall c, legal W H b c ->
       ~ line (drop b c (opponent p)) (opponent p) /\ reach win p n p (drop b c (opponent p))) ->
    reach win p (S n) (opponent p) b.

(* Inductions are written out, since Coq's own principle does not look under the conjunctions. *)
Theorem wins_mirrored p : forall q b, wins W H p q b -> forall b', mirrored b b' -> wins W H p q b'.
Proof.
  fix IH 3. intros q b [b0 c LG E|b0 EX A] b' M.
  - apply our_move with (c := W - 1 - c); [apply (legal_mirrored b0); auto|].
    assert (M' := drop_mirrored _ _ c p M (proj1 LG)). destruct E as [E|E].
    + left. apply (line_mirrored _ _ p M' E).
    + right. apply (IH _ _ E _ M').
  - apply their_move.
    + destruct EX as [c LG]. exists (W - 1 - c). apply (legal_mirrored b0); auto.
    + intros c LG. assert (M1 := mirrored_sym _ _ M). assert (LG' := legal_mirrored _ _ _ M1 LG).
      assert (M2 := drop_mirrored _ _ c (opponent p) M1 (proj1 LG)). destruct (A _ LG') as [NL WN]. split.
      * intros L. apply NL. apply (line_mirrored _ _ _ M2 L).
      * apply (IH _ _ WN). apply mirrored_sym. auto.
Qed.
Theorem reach_mirrored win p : forall n q b, reach win p n q b -> forall b', mirrored b b' -> reach win p n q b'.
Proof.
  fix IH 4. intros n q b [q0 b0 E|n0 b0 E N|n0 b0 c LG E|n0 b0 EX A] b' M.
  - apply reach_long_enough; auto.
  - apply reach_full; auto. apply (no_move_mirrored b0); auto.
  - apply reach_ours with (c := W - 1 - c); [apply (legal_mirrored b0); auto|].
    assert (M' := drop_mirrored _ _ c p M (proj1 LG)). destruct E as [E|E].
    + left. apply (line_mirrored _ _ p M' E).
    + right. apply (IH _ _ _ E _ M').
  - apply reach_theirs.
    + intros WN. destruct (EX WN) as [c LG]. exists (W - 1 - c). apply (legal_mirrored b0); auto.
    + intros c LG. assert (M1 := mirrored_sym _ _ M). assert (LG' := legal_mirrored _ _ _ M1 LG).
      assert (M2 := drop_mirrored _ _ c (opponent p) M1 (proj1 LG)). destruct (A _ LG') as [NL R]. split.
      * intros L. apply NL. apply (line_mirrored _ _ _ M2 L).
      * apply (IH _ _ _ R). apply mirrored_sym. auto.
Qed.

(* In the words of Statement.v *)
Theorem reach_wins_within p : forall n q b, reach true p n q b -> wins_within W H p n q b.
Proof.
  fix IH 4. intros n q b [q0 b0 E|n0 b0 E N|n0 b0 c LG E|n0 b0 EX A]; try discriminate.
  - apply our_disc with (c := c); auto. destruct E as [E|E]; auto.
  - apply their_disc; auto. intros c LG. destruct (A c LG) as [NL R]. auto.
Qed.
Theorem wins_within_wins p : forall n q b, wins_within W H p n q b -> wins W H p q b.
Proof.
  fix IH 4. intros n q b [n0 b0 c LG E|n0 b0 EX A].
  - apply our_move with (c := c); auto. destruct E as [E|E]; [auto|right; apply (IH _ _ _ E)].
  - apply their_move; auto. intros c LG. destruct (A c LG) as [NL R]. split; auto. apply (IH _ _ _ R).
Qed.
Theorem reach_holds_out p : forall n q b, reach false p n q b -> holds_out W H p n q b.
Proof.
  fix IH 4. intros n q b [q0 b0 E|n0 b0 E N|n0 b0 c LG E|n0 b0 EX A].
  - apply long_enough.
  - apply our_board_is_full; auto.
  - apply our_turn with (c := c); auto. destruct E as [E|E]; auto.
  - apply their_turn. intros c LG. destruct (A c LG) as [NL R]. auto.
Qed.

(* A win is no loss, and who holds out holds out for fewer discs, too. *)
Theorem wins_holds_out p : forall q b, wins W H p q b -> forall n, holds_out W H p n q b.
Proof.
  fix IH 3. intros q b [b0 c LG E|b0 EX A] [|n]; try apply long_enough.
  - apply our_turn with (c := c); auto. destruct E as [E|E]; auto.
  - apply their_turn. intros c LG. destruct (A c LG) as [NL R]. auto.
Qed.
Theorem holds_out_fewer p : forall n q b, holds_out W H p n q b -> forall m, m <= n -> holds_out W H p m q b.
Proof.
  fix IH 4. intros n q b [q0 b0|n0 b0 N|n0 b0 c LG E|n0 b0 A] [|m] L; try apply long_enough; try lia.
  - apply our_board_is_full; auto.
  - apply our_turn with (c := c); auto. destruct E as [E|E]; [auto|right; apply (IH _ _ _ E); lia].
  - apply their_turn. intros c LG. destruct (A c LG) as [NL R]. split; auto. apply (IH _ _ _ R). lia.
Qed.
End Mirror.
