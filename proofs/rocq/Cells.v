(* What the checker computes with: sets of cells and lines in them, positions, and tables of these. A position is the
   list of its columns, a set of cells a list of columns of booleans: both from the bottom. *)
From Stdlib Require Import List Arith PArith Bool Lia.
Import ListNotations.
Require Import Statement Board.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

(* Sets of cells, and lines in them *)
Definition cells (s : list (list bool)) c r := nth r (nth c s []) false = true.

Fixpoint across (a b c d : list bool) : bool := (* whether four columns have a row in common *)
  match a, b, c, d with
  | x :: a, y :: b, z :: c, t :: d => (x &&& y &&& z &&& t) ||| across a b c d
  | _, _, _, _ => false
  end.
Definition lined_from (a b c d : list bool) : bool :=
  across a (tl a) (tl (tl a)) (tl (tl (tl a))) ||| across a b c d
  ||| across a (tl b) (tl (tl c)) (tl (tl (tl d))) ||| across (tl (tl (tl a))) (tl (tl b)) (tl c) d.
Fixpoint lined (s : list (list bool)) : bool :=
  match s with
  | [] => false
  | a :: s => lined_from a (nth 0 s []) (nth 1 s []) (nth 2 s []) ||| lined s
  end.

Lemma nth_tl a r : nth r (tl a) false = nth (S r) a false.
Proof. destruct a; [destruct r|]; auto. Qed.
Lemma below_4 (P : nat -> Prop) : (forall k, k < 4 -> P k) <-> P 0 /\ P 1 /\ P 2 /\ P 3.
Proof.
  split; [auto 8|]. intros (A & B & C & D) k K. destruct k as [|[|[|[|k]]]]; auto. lia.
Qed.

Lemma across_spec : forall a b c d, across a b c d = true <->
  exists r, nth r a false = true /\ nth r b false = true /\ nth r c false = true /\ nth r d false = true.
Proof.
  assert (N : forall r, nth r (@nil bool) false = true -> False) by (destruct r; discriminate).
  induction a as [|x a IH]; intros b c d; [split; [discriminate|intros (r & A & _); destruct (N r A)]|].
  destruct b as [|y b]; [split; [discriminate|intros (r & _ & A & _); destruct (N r A)]|].
  destruct c as [|z c]; [split; [discriminate|intros (r & _ & _ & A & _); destruct (N r A)]|].
  destruct d as [|t d]; [split; [discriminate|intros (r & _ & _ & _ & A); destruct (N r A)]|].
  simpl. rewrite lazy_or, !lazy_and, IH. split.
  - intros [A|(r & A)]; [exists 0; simpl; tauto|exists (S r); auto].
  - intros ([|r] & A); [left; simpl in A; tauto|right; exists r; auto].
Qed.

Lemma lined_iff s : lined s = true <->
  exists c, lined_from (nth c s []) (nth (c + 1) s []) (nth (c + 2) s []) (nth (c + 3) s []) = true.
Proof.
  induction s as [|a s IH].
  - split; [discriminate|]. intros (c & A). destruct c; discriminate.
  - cbn [lined]. rewrite lazy_or, IH. split.
    + intros [A|(c & A)]; [exists 0|exists (S c)]; exact A.
    + intros ([|c] & A); [left; exact A|right; exists c; exact A].
Qed.

Theorem lined_spec s : lined s = true <-> four (cells s).
Proof.
  rewrite lined_iff. unfold four, lined_from, cells. split.
  - intros (c & A). rewrite !lazy_or, !across_spec in A. exists c.
    destruct A as [[[(r & A)|(r & A)]|(r & A)]|(r & A)]; rewrite ?nth_tl in A; exists r;
      [left|right; left|right; right; left|right; right; right]; apply below_4;
      rewrite ?Nat.add_0_r, ?Nat.sub_0_r, ?(Nat.add_comm r); simpl; rewrite ?Nat.sub_0_r; tauto.
  - intros (c & r & A). exists c. rewrite !lazy_or, !across_spec.
    destruct A as [A|[A|[A|A]]]; apply below_4 in A;
      [left; left; left|left; left; right|left; right|right]; exists r; rewrite ?nth_tl;
      rewrite ?Nat.add_0_r, ?Nat.sub_0_r, ?(Nat.add_comm r) in A; simpl in A; rewrite ?Nat.sub_0_r in A; tauto.
Qed.

(* Positions *)
Definition position := list (list player).
Definition shows (x : position) (b : board) := forall c, b c = nth c x [].
Definition discs (p : player) (x : position) := map (map (is p)) x.
Fixpoint change {A} (f : A -> A) (c : nat) (l : list A) : list A :=
  match l, c with
  | [], _ => []
  | a :: l, 0 => f a :: l
  | a :: l, S c => a :: change f c l
  end.
Definition put x c p : position := change (fun column => column ++ [p]) c x.

Lemma length_change {A} (f : A -> A) : forall l c, length (change f c l) = length l.
Proof. induction l as [|a l IH]; intros [|c]; simpl; auto. Qed.
Lemma nth_change {A} (f : A -> A) d : forall l c c', c < length l ->
  nth c' (change f c l) d = if c' =? c then f (nth c l d) else nth c' l d.
Proof.
  induction l as [|a l IH]; intros c c' L; simpl in L; [lia|]. destruct c as [|c], c' as [|c']; simpl; auto.
  apply IH. lia.
Qed.
Lemma shows_put x b c p : shows x b -> c < length x -> shows (put x c p) (drop b c p).
Proof.
  intros S L c'. unfold put, drop. rewrite nth_change, !S by auto. destruct (Nat.eqb_spec c' c) as [->|]; auto.
Qed.
Lemma nth_discs p : forall column r, nth r (map (is p) column) false = true <-> nth_error column r = Some p.
Proof.
  induction column as [|d column IH]; intros [|r]; simpl; try (split; discriminate); auto.
  rewrite is_spec. split; congruence.
Qed.
Lemma column_discs p x c : nth c (discs p x) [] = map (is p) (nth c x []).
Proof. apply (map_nth (map (is p)) x []). Qed.
Lemma cells_discs p x b c r : shows x b -> cells (discs p x) c r <-> has b p c r.
Proof. intros S. unfold cells, has. rewrite column_discs, nth_discs, S. tauto. Qed.
Lemma lined_discs p x b : shows x b -> lined (discs p x) = true <-> line b p.
Proof. intros S. rewrite lined_spec. split; apply four_mono; intros c r; apply cells_discs; auto. Qed.

(* Positions in a table. It is found by a key, and compared; so nothing has to be proven about keys. *)
Section Compare.
Context {A : Type} (compare : A -> A -> comparison).
Hypothesis compare_eq : forall a b, compare a b = Eq -> a = b.
Fixpoint lexicographic (l m : list A) : comparison :=
  match l, m with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | a :: l, b :: m => match compare a b with Eq => lexicographic l m | unequal => unequal end
  end.
Lemma lexicographic_eq : forall l m, lexicographic l m = Eq -> l = m.
Proof.
  induction l as [|a l IH]; intros [|b m] E; try discriminate; auto. simpl in E.
  destruct (compare a b) eqn:C; try discriminate. f_equal; auto.
Qed.
End Compare.

Definition compare_players p q := match p, q with X, O => Lt | O, X => Gt | _, _ => Eq end.
Lemma compare_players_eq p q : compare_players p q = Eq -> p = q.
Proof. destruct p, q; auto; discriminate. Qed.
Definition compare_positions : position -> position -> comparison := lexicographic (lexicographic compare_players).
Definition compare_positions_eq := lexicographic_eq _ (lexicographic_eq _ compare_players_eq).
Fixpoint zeros n k : positive := match n with 0 => k | S n => xO (zeros n k) end.
Fixpoint column_key (height : nat) (column : list player) k : positive :=
  match height, column with
  | S n, d :: column => if is X d then xO (column_key n column k) else xI (column_key n column k)
  | n, _ => xI (zeros n k)
  end.
Definition key height (x : position) : positive := fold_left (fun k column => column_key height column k) x xH.
