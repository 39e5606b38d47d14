(* The rule "follow up": player p has just moved and reaches the goal by answering each disc of the opponent q in a
   fixed way.

   A plan pairs empty cells. In each column the cells of a pair are on top of each other: q's disc in the lower one
   is answered in the upper one, which has just become free. Above the last pair there is nothing left, or p has a
   line with the upper cell of that pair, so that the column ends there. In some columns the lowest empty cell is
   contested, and the pairs begin above it: q's disc there is answered in the contested cell of another column, the
   mate, which is free too. So q gets at most the lower cells and one of each two mates. If each line in these,
   whoever gets which contested cell, comes too late, q never has one; and p gets one if the upper cells contain one,
   with `spare` cells empty if as many cells are above each of these.

   A line of q comes too late if p has one before q takes its last cell, whichever cell that is: by then p has all
     upper
   cells below cells of the line, and has answered each disc in the line but the last. *)
From Stdlib Require Import List Arith Bool Lia.
Import ListNotations.
Require Import Statement Board.

Record plan := { pairs : nat -> nat; mate : nat -> option nat }.  (* of each column; no mate: not contested *)

Section FollowUp.
Variables W H : nat.
Variable win : bool. (* whether p must win: otherwise a draw is enough *)
Variable spare : nat. (* how many cells must still be empty when p wins *)
Variable p : player.
Let q := opponent p.

Definition start (b : board) P c := length (b c) + match mate P c with Some _ => 1 | None => 0 end.
Definition top b P c := start b P c + 2 * pairs P c.       (* the first row above the pairs *)
Definition lower b P c r := c < W /\ exists i, i < pairs P c /\ r = start b P c + 2 * i.
Definition upper b P c r := c < W /\ exists i, i < pairs P c /\ r = start b P c + 2 * i + 1.
Definition won b P c := 0 < pairs P c /\ four (fun c' r => has b p c' r \/ (c' = c /\ r = top b P c - 1)).

(* f says which contested cells q gets *)
Definition split P (f : nat -> bool) := forall c m, c < W -> mate P c = Some m -> f m = negb (f c).
Definition theirs b P (f : nat -> bool) c r :=
  has b q c r \/ lower b P c r \/ (c < W /\ mate P c <> None /\ f c = true /\ r = length (b c)).

(* A line in one of the four directions: its k-th cell, from the left or the bottom, is in this column and row. *)
Inductive direction := Up | Right | RightUp | RightDown.
Definition line_column d column k := match d with Up => column | _ => column + k end.
Definition line_row d row k := match d with Right => row | RightDown => row + 3 - k | _ => row + k end.
Definition on_line d column row c r := exists k, k < 4 /\ c = line_column d column k /\ r = line_row d row k.

(* When q takes the last cell of a line, which is in column lc and row lr, p has the upper cells that are in a column
   of the line, below one of its cells, or directly above another one. *)
Definition answered_before (L : nat -> nat -> Prop) lc lr c r :=
  exists r', L c r' /\ (r <= r' \/ (r = S r' /\ (c <> lc \/ r' <> lr))).
Definition late b P (L : nat -> nat -> Prop) := forall lc lr, L lc lr -> ~ has b q lc lr ->
  four (fun c r => has b p c r \/ (upper b P c r /\ answered_before L lc lr c r)).

Record good (b : board) (P : plan) : Prop := {
  good_top : forall c, c < W -> top b P c <= H;
  good_end : forall c, c < W -> top b P c = H \/ won b P c;
  good_mate : forall c m, c < W -> mate P c = Some m -> m < W /\ m <> c /\ mate P m = Some c;
  good_safe : forall f d column row, split P f ->
    (forall c r, on_line d column row c r -> theirs b P f c r) -> late b P (on_line d column row);
  good_win : win = true -> four (fun c r => has b p c r \/ (upper b P c r /\ r + spare < H)) }.

Lemma four_on_line (A : nat -> nat -> Prop) :
  four A <-> exists d column row, forall c r, on_line d column row c r -> A c r.
Proof.
  split.
  - intros (c & r & [L|[L|[L|L]]]); [exists Up|exists Right|exists RightUp|exists RightDown]; exists c, r;
      intros c' r' (k & K & -> & ->); apply L; auto.
  - intros (d & c & r & L). exists c, r. destruct d; [left|right; left|right; right; left|right; right; right];
      intros k K; apply L; exists k; auto.
Qed.

(* The lines on the board, as lists of cells: a column and a row *)
Definition cells_on_line d column row := map (fun k => (line_column d column k, line_row d row k)) [0; 1; 2; 3].
Definition inside (x : nat * nat) : bool := (fst x <? W) && (snd x <? H).
Definition all_lines : list (list (nat * nat)) := filter (forallb inside) (flat_map (fun d =>
  flat_map (fun column => map (cells_on_line d column) (seq 0 H)) (seq 0 W)) [Up; Right; RightUp; RightDown]).
Lemma in_cells_on_line d column row x : In x (cells_on_line d column row) <-> on_line d column row (fst x) (snd x).
Proof.
  unfold cells_on_line, on_line. rewrite in_map_iff. split.
  - intros (k & <- & I). exists k. simpl in *. split; auto. lia.
  - intros (k & K & E1 & E2). exists k. split; [destruct x; simpl in *; congruence|]. simpl. lia.
Qed.
Lemma all_lines_are l : In l all_lines -> exists d column row,
  l = cells_on_line d column row /\ forall c r, on_line d column row c r -> c < W /\ r < H.
Proof.
  unfold all_lines. intros I. apply filter_In in I as [I F]. apply in_flat_map in I as (d & _ & I).
  apply in_flat_map in I as (column & _ & I). apply in_map_iff in I as (row & <- & _). exists d, column, row.
  split; auto. intros c r L. rewrite forallb_forall in F.
  specialize (F (c, r) (proj2 (in_cells_on_line d column row (c, r)) L)).
  unfold inside in F. rewrite andb_true_iff, !Nat.ltb_lt in F. auto.
Qed.
Lemma lines_on_board d column row : (forall c r, on_line d column row c r -> c < W /\ r < H) ->
  In (cells_on_line d column row) all_lines.
Proof.
  intros A. assert (B : forall k, k < 4 -> line_column d column k < W /\ line_row d row k < H).
  { intros k K. apply A. exists k. auto. }
  apply filter_In. split.
  - destruct (B 0 ltac:(lia)) as [C R], (B 3 ltac:(lia)) as [_ R']. apply in_flat_map. exists d.
    split; [destruct d; simpl; auto 6|]. apply in_flat_map. exists column.
    split; [apply in_seq|apply in_map, in_seq]; destruct d; simpl in *; lia.
  - apply forallb_forall. intros x I. apply in_cells_on_line, A in I. unfold inside.
    rewrite andb_true_iff, !Nat.ltb_lt. auto.
Qed.

(* The induction is on the number of empty cells. *)
Definition empty_cells (b : board) := list_sum (map (fun c => H - length (b c)) (seq 0 W)).
Lemma empty_cells_drop b c x : legal W H b c -> S (empty_cells (drop b c x)) = empty_cells b.
Proof.
  intros [C L]. unfold empty_cells. assert (A : forall n, list_sum (map (fun y => H - length (b y)) (seq 0 n)) =
      (if c <? n then 1 else 0) + list_sum (map (fun y => H - length (drop b c x y)) (seq 0 n))).
  { induction n as [|n IH]; auto. rewrite seq_S, !map_app, !list_sum_app, IH. simpl. rewrite length_drop.
    destruct (Nat.eqb_spec n c) as [->|E].
    - rewrite Nat.ltb_irrefl. destruct (Nat.ltb_spec c (S c)); lia.
    - destruct (Nat.ltb_spec c n), (Nat.ltb_spec c (S n)); lia. }
  rewrite A. destruct (Nat.ltb_spec c W); [auto|lia].
Qed.

Lemma find_legal b : (exists c, legal W H b c) \/ (forall c, c < W -> H <= length (b c)).
Proof.
  assert (A : forall n, n <= W -> (exists c, legal W H b c) \/ (forall c, c < n -> H <= length (b c)));
    [|apply (A W); auto].
  induction n as [|n IH]; intros N; [right; lia|]. destruct IH as [E|E]; [lia|auto|].
  destruct (Nat.lt_ge_cases (length (b n)) H); [left; exists n; split; auto|].
  right. intros c C. destruct (Nat.eq_dec c n) as [->|]; auto. apply E; lia.
Qed.

Lemma p_not_q : p <> q. Proof. unfold q. destruct p; discriminate. Qed.

(* A division of the contested cells in which q gets a given one, if it is contested *)
Definition giving P c0 (c : nat) : bool :=
  match mate P c with
  | Some m => if c =? c0 then true else if m =? c0 then false else c <? m
  | None => false
  end.
Lemma giving_splits b P c0 : good b P -> split P (giving P c0).
Proof.
  intros G c m C M. destruct (good_mate _ _ G c m C M) as (M1 & M2 & M3). unfold giving. rewrite M, M3.
  destruct (Nat.eqb_spec c c0), (Nat.eqb_spec m c0); try congruence; auto.
  destruct (Nat.ltb_spec m c), (Nat.ltb_spec c m); simpl; auto; lia.
Qed.

Lemma won_mono b b' P P' c : (forall c' r, has b p c' r -> has b' p c' r) ->
  top b' P' c = top b P c -> 0 < pairs P' c -> won b P c -> won b' P' c.
Proof.
  intros Hp E S (_ & L). split; auto. rewrite E. revert L. apply four_mono. intros c' r [B|B]; auto.
Qed.

Lemma late_mono b b' P P' L : (forall c r, has b p c r -> has b' p c r) -> (forall c r, has b q c r ->
  has b' q c r) ->
  (forall c r, upper b P c r -> has b' p c r \/ upper b' P' c r) -> late b P L -> late b' P' L.
Proof.
  intros Hp Hq U A lc lr I N. generalize (A lc lr I (fun B => N (Hq _ _ B))). apply four_mono.
  intros c r [B|[B D]]; auto. destruct (U c r B); auto.
Qed.

(* After q's disc and an answer, only the first is new among q's discs, and p keeps its own. *)
Lemma answered b c c' x r : has (drop (drop b c q) c' p) q x r -> has b q x r \/ (x = c /\ r = length (b c)).
Proof. rewrite !has_drop. intros [[A|A]|[A _]]; auto; [tauto|]. destruct (p_not_q); auto. Qed.

(* q plays a contested cell *)
Definition without P c m :=
  {| pairs := pairs P; mate := fun x => if (x =? c) || (x =? m) then None else mate P x |}.
Lemma contested_answer b P c m : good b P -> c < W -> mate P c = Some m ->
  good (drop (drop b c q) m p) (without P c m).
Proof.
  intros G C T. destruct (good_mate _ _ G c m C T) as (M1 & M2 & M3).
  set (b2 := drop (drop b c q) m p). set (P' := without P c m).
  assert (LN : forall x, length (b2 x) = length (b x) + (if x =? c then 1 else 0) + (if x =? m then 1 else 0)).
  { intros x. unfold b2. rewrite !length_drop. lia. }
  assert (ST : forall x, start b2 P' x = start b P x).
  { intros x. unfold start. rewrite LN. simpl.
    destruct (Nat.eqb_spec x c) as [E|], (Nat.eqb_spec x m) as [E'|]; try rewrite E, T; try rewrite E', M3; simpl;
      try congruence; lia. }
  assert (TP : forall x, top b2 P' x = top b P x) by (intros x; unfold top; rewrite ST; auto).
  assert (Hp : forall x r, has b p x r -> has b2 p x r) by (intros; unfold b2; rewrite !has_drop; auto).
  assert (Hq : forall x r, has b q x r -> has b2 q x r) by (intros; unfold b2; rewrite !has_drop; auto).
  assert (WN : forall x, won b P x -> won b2 P' x).
  { intros x A. apply (won_mono b b2 P P'); auto. apply A. }
  assert (MT : forall x n, mate P' x = Some n -> mate P x = Some n /\ x <> c /\ x <> m).
  { intros x n. simpl. destruct (Nat.eqb_spec x c), (Nat.eqb_spec x m); simpl; auto; discriminate. }
  split.
  - intros x X. rewrite TP. apply (good_top _ _ G x X).
  - intros x X. rewrite TP. destruct (good_end _ _ G x X); auto.
  - intros x n X A. apply MT in A as (A & N1 & N2). destruct (good_mate _ _ G x n X A) as (A1 & A2 & A3).
    repeat split; auto. simpl. destruct (Nat.eqb_spec n c) as [->|]; [congruence|].
    destruct (Nat.eqb_spec n m) as [->|]; [congruence|auto].
  - intros f d column row SP L. set (g := fun x => if x =? c then true else if x =? m then false else f x).
    apply (late_mono b b2 P P'); auto; [intros x r A; right; destruct A as (X & i & I & ->); split; auto; exists i;
      rewrite ST; auto|].
    apply (good_safe _ _ G g).
    + intros x n X A. destruct (good_mate _ _ G x n X A) as (A1 & A2 & A3). unfold g.
      destruct (Nat.eqb_spec x c) as [->|N1].
      { assert (n = m) as -> by congruence. destruct (Nat.eqb_spec m c); [congruence|]. rewrite Nat.eqb_refl. auto. }
      destruct (Nat.eqb_spec x m) as [->|N2].
      { assert (n = c) as -> by congruence. rewrite Nat.eqb_refl. auto. }
      destruct (Nat.eqb_spec n c) as [->|]; [congruence|]. destruct (Nat.eqb_spec n m) as [->|]; [congruence|].
      apply (SP x n X). simpl. destruct (Nat.eqb_spec x c), (Nat.eqb_spec x m); try contradiction; auto.
    + intros x r A0. destruct (L x r A0) as [A|[(X & i & I & ->)|(X & A & F & ->)]].
      * apply answered in A as [A|[-> ->]]; [left; auto|]. right; right. unfold g. rewrite T, Nat.eqb_refl.
        repeat split; auto; discriminate.
      * right; left. rewrite ST. split; auto. exists i; auto.
      * destruct (mate P' x) as [n|] eqn:E; [|congruence]. apply MT in E as (E & N1 & N2). right; right.
        unfold g. rewrite LN, E. destruct (Nat.eqb_spec x c), (Nat.eqb_spec x m); try contradiction.
        repeat split; auto; try discriminate; lia.
  - intros WIN. generalize (good_win _ _ G WIN). apply four_mono. intros x r [A|[(X & i & I & ->) E]]; auto. right.
    split; auto. split; auto. exists i. rewrite ST; auto.
Qed.

(* q plays the lower cell of a pair *)
Definition fewer P c := {| pairs := fun x => if x =? c then pairs P c - 1 else pairs P x; mate := mate P |}.
Lemma pair_answer b P c : good b P -> c < W -> mate P c = None -> 0 < pairs P c ->
  line (drop (drop b c q) c p) p \/ good (drop (drop b c q) c p) (fewer P c).
Proof.
  intros G C T K. set (b2 := drop (drop b c q) c p). set (P' := fewer P c).
  assert (LN : forall x, length (b2 x) = length (b x) + if x =? c then 2 else 0).
  { intros x. unfold b2. rewrite !length_drop. destruct (x =? c); lia. }
  assert (SC : start b P c = length (b c)) by (unfold start; rewrite T; lia).
  assert (SC' : start b2 P' c = start b P c + 2) by (unfold start; rewrite LN, Nat.eqb_refl; simpl; rewrite T; lia).
  assert (KC : pairs P' c = pairs P c - 1) by (simpl; rewrite Nat.eqb_refl; auto).
  assert (SO : forall x, x <> c -> start b2 P' x = start b P x).
  { intros x N. unfold start. rewrite LN. simpl. destruct (Nat.eqb_spec x c); [contradiction|lia]. }
  assert (KO : forall x, x <> c -> pairs P' x = pairs P x).
  { intros x N. simpl. destruct (Nat.eqb_spec x c); congruence. }
  assert (TP : forall x, top b2 P' x = top b P x).
  { intros x. unfold top. destruct (Nat.eq_dec x c) as [->|N]; [rewrite SC', KC; lia|rewrite SO, KO; auto]. }
  assert (Hp : forall x r, has b p x r -> has b2 p x r) by (intros; unfold b2; rewrite !has_drop; auto).
  assert (Hq : forall x r, has b q x r -> has b2 q x r) by (intros; unfold b2; rewrite !has_drop; auto).
  assert (Hn : has b2 p c (start b P c + 1)).
  { unfold b2. rewrite has_drop, length_drop, Nat.eqb_refl. right. repeat split; auto. }
  (* if the answer fills the last pair of a column that ends with a line, it completes this line *)
  assert (WN : forall x, won b P x -> line b2 p \/ won b2 P' x).
  { intros x A. destruct (Nat.eq_dec x c) as [->|N].
    - destruct (Nat.eq_dec (pairs P c) 1) as [E|N].
      + left. destruct A as [_ A]. revert A. apply four_mono. intros x r [A|[-> ->]]; auto.
        replace (top b P c - 1) with (start b P c + 1) by (unfold top; lia). auto.
      + right. apply (won_mono b b2 P P'); auto. lia.
    - right. apply (won_mono b b2 P P'); auto. rewrite KO by auto. apply A. }
  assert (UP : forall x r, upper b P x r -> has b2 p x r \/ upper b2 P' x r).
  { intros x r (X & i & I & ->). destruct (Nat.eq_dec x c) as [->|N].
    - destruct i as [|i]; [left; replace (start b P c + 2 * 0 + 1) with (start b P c + 1) by lia; auto|].
      right. split; auto. exists i. rewrite SC', KC. lia.
    - right. split; auto. exists i. rewrite SO, KO; auto. }
  assert (E : line b2 p \/ forall x, x < W -> top b2 P' x = H \/ won b2 P' x).
  { destruct (good_end _ _ G c C) as [A|A]; [right|destruct (WN c A) as [|A']; [auto|right]]; intros x X;
      (destruct (Nat.eq_dec x c) as [->|N]; [rewrite TP; auto|]); rewrite TP;
      (destruct (good_end _ _ G x X) as [B|B]; [auto|]); right;
      apply (won_mono b b2 P P'); auto; rewrite KO by auto; apply B. }
  destruct E as [E|E]; auto. right. split; auto.
  - intros x X. rewrite TP. apply (good_top _ _ G x X).
  - exact (good_mate _ _ G).
  - intros f d column row SP L. apply (late_mono b b2 P P'); auto. apply (good_safe _ _ G f); auto.
    intros x r A0. destruct (L x r A0) as [A|[(X & i & I & ->)|(X & A & F & ->)]].
    + apply answered in A as [A|[-> ->]]; [left; auto|]. right; left. split; auto. exists 0. lia.
    + right; left. split; auto. destruct (Nat.eq_dec x c) as [->|N].
      * exists (S i). rewrite SC'. rewrite KC in I. lia.
      * exists i. rewrite KO in I by auto. rewrite SO; auto.
    + right; right. change (mate P' x) with (mate P x) in A. repeat split; auto.
      rewrite LN. destruct (Nat.eqb_spec x c) as [->|]; [congruence|lia].
  - intros WIN. generalize (good_win _ _ G WIN). apply four_mono. intros x r [A|[A B]]; auto.
    destruct (UP x r A); auto.
Qed.

(* Whether p has a line can be found out, since a board has finitely many cells. *)
Definition narrow (b : board) := forall c, W <= c -> b c = [].
Lemma narrow_drop b c x : narrow b -> c < W -> narrow (drop b c x).
Proof. intros N C c' L. unfold drop. destruct (Nat.eqb_spec c' c); [lia|auto]. Qed.
Lemma drop_low b c x : legal W H b c -> (forall c, length (b c) <= H) -> forall c', length (drop b c x c') <= H.
Proof. intros [_ L] A c'. rewrite length_drop. destruct (Nat.eqb_spec c' c) as [->|]; [lia|]. rewrite Nat.add_0_r.
  auto. Qed.
Lemma search_below (A : nat -> Prop) n : (forall k, k < n -> A k \/ ~ A k) ->
  (exists k, k < n /\ A k) \/ (forall k, k < n -> ~ A k).
Proof.
  induction n as [|n IH]; intros D; [right; lia|]. destruct (D n) as [B|B]; [lia|left; exists n; auto|].
  destruct IH as [(k & K & B')|N]; [auto|left; exists k; auto|]. right. intros k K.
  destruct (Nat.eq_dec k n) as [->|]; auto. apply N. lia.
Qed.
Lemma has_or_not b x c r : has b x c r \/ ~ has b x c r.
Proof.
  unfold has. destruct (nth_error (b c) r) as [y|]; [|right; discriminate].
  destruct x, y; auto; right; discriminate.
Qed.
Lemma line_or_not b : narrow b -> line b p \/ ~ line b p.
Proof.
  intros N. set (height := list_sum (map (fun c => length (b c)) (seq 0 W))).
  assert (HT : forall c, length (b c) <= height).
  { intros c. destruct (Nat.lt_ge_cases c W) as [C|C]; [|rewrite N; simpl; lia]. unfold height.
    assert (I : In c (seq 0 W)) by (apply in_seq; lia). revert I. generalize (seq 0 W). intros l.
    induction l as [|a l IH]; simpl; [tauto|]. intros [->|I]; [lia|]. specialize (IH I). lia. }
  assert (D : forall d column row, (forall c r, on_line d column row c r -> has b p c r) \/
                                   ~ (forall c r, on_line d column row c r -> has b p c r)).
  { intros d column row.
    destruct (search_below (fun k => ~ has b p (line_column d column k) (line_row d row k)) 4) as [(k & K & B)|B].
    - intros k _. destruct (has_or_not b p (line_column d column k) (line_row d row k)); tauto.
    - right. intros A. apply B, A. exists k; auto.
    - left. intros c r (k & K & -> & ->). destruct (has_or_not b p (line_column d column k) (line_row d row k)); auto.
      destruct (B k); auto. }
  destruct (search_below (fun column => exists row, row < height /\
      exists d, forall c r, on_line d column row c r -> has b p c r) W) as [(column & _ & row & _ & d & A)|A].
  - intros column _.
    destruct (search_below (fun row => exists d, forall c r, on_line d column row c r ->
      has b p c r) height) as [A|A];
      [|left; exact A|right; intros (row & R & B); apply (A row R B)].
    intros row _. destruct (D Up column row); [left; exists Up; auto|]. destruct (D Right column row); [left;
      exists Right; auto|].
    destruct (D RightUp column row); [left; exists RightUp; auto|]. destruct (D RightDown column row); [left;
      exists RightDown; auto|].
    right. intros ([] & B); auto.
  - left. apply four_on_line. eauto.
  - right. intros L. apply four_on_line in L as (d & column & row & L).
    assert (A0 : forall k, k < 4 -> line_column d column k < W /\ line_row d row k < height).
    { intros k K. assert (B := L _ _ (ex_intro _ k (conj K (conj eq_refl eq_refl)))).
      split.
      - destruct (Nat.lt_ge_cases (line_column d column k) W) as [|G]; auto. unfold has in B. rewrite N in B by auto.
        destruct (line_row d row k); discriminate.
      - apply Nat.lt_le_trans with (length (b (line_column d column k))); auto. apply nth_error_Some. unfold has in B.
        congruence. }
    apply (A column).
    + destruct (A0 0 ltac:(lia)). destruct d; simpl in *; lia.
    + exists row. split; [|exists d; auto]. destruct (A0 (match d with RightDown => 3 | _ => 0 end)); destruct d;
        simpl in *; lia.
Qed.

Lemma no_line_yet b P c : good b P -> ~ line b p -> ~ line b q -> legal W H b c -> ~ line (drop b c q) q.
Proof.
  intros G NP NQ [C LC] L. apply four_on_line in L as (d & column & row & L).
  assert (T : forall x r, on_line d column row x r -> theirs b P (giving P c) x r).
  { intros x r A. apply L in A. apply has_drop in A as [A|(_ & -> & ->)]; [left; auto|]. right.
    assert (T := good_top _ _ G c C). destruct (mate P c) as [m|] eqn:M.
    - right. unfold giving. rewrite M, Nat.eqb_refl. repeat split; auto; discriminate.
    - left. split; auto. exists 0. destruct (good_end _ _ G c C) as [A|[A _]];
        unfold top, start in *; rewrite M in *; lia. }
  apply (good_safe _ _ G _ _ _ _ (giving_splits b P c G)) in T.
  assert (NR : ~ has b q c (length (b c))).
  { unfold has. rewrite (proj2 (nth_error_None _ _) (le_n _)). discriminate. }
  destruct (search_below (fun k => ~ has b q (line_column d column k) (line_row d row k)) 4) as [(k & K & A)|A].
  - intros k _. destruct (has_or_not b q (line_column d column k) (line_row d row k)); tauto.
  - assert (I : on_line d column row (line_column d column k) (line_row d row k)) by (exists k; auto).
    specialize (T _ _ I A). apply L, has_drop in I as [I|(_ & E1 & E2)]; [contradiction|].
    apply NP. revert T. apply four_mono. intros x r [B|[(X & i & I & ->) (r' & I' & B)]]; auto. exfalso.
    apply L, has_drop in I' as [I'|(_ & -> & ->)].
    + assert (r' < length (b x)) by (apply nth_error_Some; unfold has in I'; congruence). unfold start in B. lia.
    + unfold start in B. lia.
  - apply NQ. apply four_on_line. exists d, column, row. intros x r (k & K & -> & ->).
    destruct (has_or_not b q (line_column d column k) (line_row d row k)); auto. destruct (A k); auto.
Qed.

(* p has a line by the time that only `spare` cells are empty, or one more when q is to move. *)
Lemma line_in_time b P : good b P -> win = true -> empty_cells b <= S spare -> line b p.
Proof.
  intros G WIN E. generalize (good_win _ _ G WIN). apply four_mono. intros c r [A|[(C & i & I & ->) R]]; auto. exfalso.
  assert (A : H - length (b c) <= empty_cells b).
  { unfold empty_cells. assert (K : In c (seq 0 W)) by (apply in_seq; lia). revert K. generalize (seq 0 W). intros l.
    induction l as [|a l IH]; simpl; [tauto|]. intros [->|K]; [lia|]. specialize (IH K). lia. }
  unfold start in R. lia.
Qed.

(* The rule: with a plan, p reaches the goal. In order to win, p may need all the empty cells but `spare`. *)
Theorem follow_up : forall n b P, (win = true -> empty_cells b <= n + spare) -> narrow b -> good b P -> ~ line b p ->
  ~ line b q ->
  reach W H win p n q b.
Proof.
  induction n as [n IH] using lt_wf_ind. intros b P RN NB G NP NQ.
  assert (EARLY := line_in_time b P G).
  assert (EX : win = true -> exists c, legal W H b c).
  { intros WIN. destruct (find_legal b) as [EX|E]; auto. destruct NP. apply EARLY; auto. (* the board is full *)
    apply Nat.le_trans with 0; [|lia]. unfold empty_cells. replace (map _ _) with (map (fun _ => 0) (seq 0 W)).
    - generalize (seq 0 W). intros l. induction l; simpl; auto.
    - apply map_ext_in. intros c C. apply in_seq in C. specialize (E c ltac:(lia)). lia. }
  destruct n as [|n].
  { destruct win eqn:WIN; [|apply reach_long_enough; auto]. destruct NP. apply EARLY; auto. }
  apply reach_theirs; auto. fold q. intros c LG. assert (C := proj1 LG). assert (T := good_top _ _ G c C).
  assert (LQ := no_line_yet b P c G NP NQ LG). split; auto. set (b1 := drop b c q) in *.
  assert (R1 := empty_cells_drop b c q LG). fold b1 in R1.
  assert (ANSWER : forall c' P', legal W H b1 c' -> line (drop b1 c' p) p \/ good (drop b1 c' p) P' ->
    reach W H win p n p b1).
  { intros c' P' LG1 A. assert (R2 := empty_cells_drop b1 c' p LG1). destruct n as [|n].
    { destruct win eqn:WIN; [|apply reach_long_enough; auto]. destruct NP. apply EARLY; auto. }
    apply reach_ours with (c := c'); auto.
    assert (NB' : narrow (drop b1 c' p)) by (apply narrow_drop; [apply narrow_drop; auto|apply LG1]).
    destruct (line_or_not _ NB') as [L|NL]; auto. destruct A as [A|A]; auto. right.
    apply (IH n ltac:(lia) _ P'); auto; [intros WIN; specialize (RN WIN); lia|].
    intros L. apply LQ. revert L. apply four_mono. intros x r L. apply has_drop in L as [L|[L _]]; auto.
    destruct p_not_q; auto. }
  destruct (mate P c) as [m|] eqn:M.
  - destruct (good_mate _ _ G c m C M) as (M1 & M2 & M3). apply (ANSWER m (without P c m)).
    + split; auto. unfold b1. rewrite length_drop. destruct (Nat.eqb_spec m c); [congruence|].
      assert (T' := good_top _ _ G m M1). unfold top, start in T'. rewrite M3 in T'. lia.
    + right. apply contested_answer; auto.
  - assert (K : 0 < pairs P c).
    { destruct (good_end _ _ G c C) as [A|[A _]]; auto. unfold top, start in A. rewrite M in A. destruct LG. lia. }
    apply (ANSWER c (fewer P c)).
    + split; auto. unfold b1. rewrite length_drop, Nat.eqb_refl. unfold top, start in T. rewrite M in T. lia.
    + apply pair_answer; auto.
Qed.

(* No line is left for q. *)
Lemma hopeless : win = false -> forall n b who, (who = p \/ who = q) -> narrow b -> (forall c, length (b c) <= H) ->
  ~ four (fun c r => c < W /\ r < H /\ ~ has b p c r) -> reach W H win p n who b.
Proof.
  intros E. induction n as [|n IH]; intros b who K NB LB NF; [apply reach_long_enough; auto|].
  assert (NEXT : forall c x, legal W H b c -> narrow (drop b c x) /\ (forall c', length (drop b c x c') <= H) /\
    ~ four (fun c' r => c' < W /\ r < H /\ ~ has (drop b c x) p c' r)).
  { intros c x LG. split; [apply narrow_drop; auto; apply LG|]. split; [apply drop_low; auto|].
    intros F. apply NF. revert F. apply four_mono. intros c' r (A1 & A2 & A3). repeat split; auto. intros A. apply A3.
    apply has_drop. auto. }
  destruct K as [->| ->].
  - destruct (find_legal b) as [[c LG]|F].
    + apply reach_ours with (c := c); auto. right. destruct (NEXT c p LG) as (A1 & A2 & A3). apply IH; auto.
    + apply reach_full; auto. intros c [C L]. specialize (F c C). lia.
  - apply reach_theirs; [congruence|]. intros c LG. destruct (NEXT c q LG) as (A1 & A2 & A3). split; [|apply IH;
      auto].
    intros L. apply A3. revert L. apply four_mono. intros c' r A. repeat split.
    + destruct (Nat.lt_ge_cases c' W) as [|Z]; auto. apply has_row in A. rewrite A1 in A by auto. simpl in A. lia.
    + apply has_row in A. apply Nat.lt_le_trans with (1 := A), A2.
    + intros B. unfold has in *. assert (N := p_not_q). unfold q in *. congruence.
Qed.

Lemma no_line_drop b c : ~ line b q -> ~ line (drop b c p) q.
Proof.
  intros N L. apply N. revert L. apply four_mono. intros c' r A. apply has_drop in A as [A|[A _]]; auto.
  destruct p_not_q; auto.
Qed.

(* p wins with its next disc in one of two columns, or in one unless q plays there. *)
Lemma line_after b c c' : line (drop b c p) p -> c' <> c -> line (drop (drop b c' q) c p) p.
Proof.
  intros L N. revert L. apply four_mono. intros x r A. rewrite !has_drop, length_drop in *.
  destruct (Nat.eqb_spec c c'); [congruence|]. rewrite Nat.add_0_r. intuition.
Qed.
Lemma legal_after b c c' : legal W H b c -> c' <> c -> legal W H (drop b c' q) c.
Proof. intros [C L] N. split; auto. rewrite length_drop. destruct (Nat.eqb_spec c c'); [congruence|lia]. Qed.
Lemma threat_executed n b c c' : legal W H b c -> line (drop b c p) p -> c' <> c -> (win = true -> 1 <= n) ->
  reach W H win p n p (drop b c' q).
Proof.
  intros LG L N E. destruct n as [|n].
  - destruct win; [specialize (E eq_refl); lia|apply reach_long_enough; auto].
  - apply reach_ours with (c := c); [apply legal_after; auto|]. left. apply line_after; auto.
Qed.
End FollowUp.
