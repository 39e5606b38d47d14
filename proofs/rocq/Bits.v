(* Sets of cells as numbers: the bit column * (height + 1) + row is the cell in this column and row.
   Between two columns
   there is a bit that belongs to no cell. `set_of s P`: s is the set of the cells of which P is true. *)
From Stdlib Require Import List Arith NArith Bool Lia.
Import ListNotations.
Require Import Statement Board Rule.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

Lemma bit_of_nonzero s : N.eqb s 0 = false -> exists i, N.testbit s i = true.
Proof. intros E. exists (N.log2 s). apply N.bit_log2. intros ->. discriminate. Qed.
Lemma land_disjoint s t : N.eqb (N.land s t) 0 = true -> forall i, N.testbit s i = true -> N.testbit t i = false.
Proof.
  intros E i A. apply N.eqb_eq in E. assert (B := N.land_spec s t i). rewrite E, N.bits_0, A in B. auto.
Qed.
Definition subset (s t : N) : bool := N.eqb (N.land s t) s.
Lemma subset_spec s t : subset s t = true <-> forall i, N.testbit s i = true -> N.testbit t i = true.
Proof.
  unfold subset. rewrite N.eqb_eq. split.
  - intros E i A. rewrite <- E, N.land_spec in A. apply andb_true_iff in A. tauto.
  - intros A. apply N.bits_inj. intros i. rewrite N.land_spec. specialize (A i). destruct (N.testbit s i); auto.
Qed.

Section Sets.
Variables W H : nat.
Definition spot c r : N := N.of_nat (c * S H + r).
Definition cell c r : N := N.shiftl 1 (spot c r).
Lemma spot_inj c r c' r' : r <= H -> r' <= H -> spot c r = spot c' r' -> c = c' /\ r = r'.
Proof.
  intros R R' E. apply Nat2N.inj in E. assert (c = c') as ->; [|lia].
  destruct (Nat.lt_trichotomy c c') as [L|[|L]]; auto.
  - assert (S c * S H <= c' * S H) by (apply Nat.mul_le_mono_r; lia). simpl in *. lia.
  - assert (S c' * S H <= c * S H) by (apply Nat.mul_le_mono_r; lia). simpl in *. lia.
Qed.
Lemma spot_up c r : N.succ (spot c r) = spot c (S r).
Proof. unfold spot. rewrite <- Nat2N.inj_succ. f_equal. lia. Qed.
Lemma cell_bit c r i : N.testbit (cell c r) i = N.eqb (spot c r) i.
Proof. unfold cell. rewrite N.shiftl_1_l. apply N.pow2_bits_eqb. Qed.
Lemma cell_up c r : N.shiftl (cell c r) 1 = cell c (S r).
Proof. unfold cell. rewrite N.shiftl_shiftl, <- spot_up, N.add_1_r. auto. Qed.

Definition set_of (s : N) (P : nat -> nat -> Prop) := forall i,
  N.testbit s i = true <-> exists c r, c < W /\ r < H /\ i = spot c r /\ P c r.
Lemma set_spot s P c r : set_of s P -> c < W -> r < H -> (N.testbit s (spot c r) = true <-> P c r).
Proof.
  intros A C R. rewrite (A (spot c r)). split; [|intros B; exists c, r; auto].
  intros (c' & r' & C' & R' & E & B). apply spot_inj in E as [-> ->]; auto; lia.
Qed.
Lemma set_above s P c : set_of s P -> N.testbit s (spot c H) = false.
Proof.
  intros A. destruct (N.testbit s (spot c H)) eqn:E; auto. apply A in E as (c' & r' & _ & R & E & _).
  apply spot_inj in E as [_ E]; lia.
Qed.
Lemma set_ext s P Q : set_of s P -> (forall c r, c < W -> r < H -> (P c r <-> Q c r)) -> set_of s Q.
Proof.
  intros A E i. rewrite (A i). split; intros (c & r & C & R & EQ & B); exists c, r; repeat split; auto; apply E; auto.
Qed.
Lemma set_and s t P Q : set_of s P -> set_of t Q -> set_of (N.land s t) (fun c r => P c r /\ Q c r).
Proof.
  intros A B i. rewrite N.land_spec, andb_true_iff, (A i). split.
  - intros [(c & r & C & R & -> & D) E]. apply (set_spot t Q) in E; auto. exists c, r. auto.
  - intros (c & r & C & R & -> & D & E). split; [exists c, r; auto|apply (set_spot t Q); auto].
Qed.
Lemma set_or s t P Q : set_of s P -> set_of t Q -> set_of (N.lor s t) (fun c r => P c r \/ Q c r).
Proof.
  intros A B i. rewrite N.lor_spec, orb_true_iff, (A i), (B i). split.
  - intros [(c & r & D)|(c & r & D)]; exists c, r; tauto.
  - intros (c & r & C & R & E & [D|D]); [left|right]; exists c, r; auto.
Qed.
Lemma set_minus s t P Q : set_of s P -> set_of t Q -> set_of (N.ldiff s t) (fun c r => P c r /\ ~ Q c r).
Proof.
  intros A B i. rewrite N.ldiff_spec, andb_true_iff, negb_true_iff, (A i). split.
  - intros [(c & r & C & R & -> & D) E]. exists c, r. repeat split; auto.
    intros F. apply (set_spot t Q) in F; auto. congruence.
  - intros (c & r & C & R & -> & D & E). split; [exists c, r; auto|].
    destruct (N.testbit t (spot c r)) eqn:F; auto. apply (set_spot t Q) in F; auto. contradiction.
Qed.
Lemma set_empty : set_of 0 (fun _ _ => False).
Proof. intros i. rewrite N.bits_0. split; [discriminate|]. intros (c & r & _ & _ & _ & []). Qed.
Lemma set_cell c r : c < W -> r < H -> set_of (cell c r) (fun c' r' => c' = c /\ r' = r).
Proof.
  intros C R i. rewrite cell_bit, N.eqb_eq. split; [intros <-; exists c, r; auto|].
  intros (c' & r' & _ & _ & -> & -> & ->). auto.
Qed.
Lemma set_zero s P : set_of s P -> N.eqb s 0 = true -> forall c r, c < W -> r < H -> ~ P c r.
Proof.
  intros A E c r C R B. apply N.eqb_eq in E as ->. apply (set_spot 0 P) in B; auto. rewrite N.bits_0 in B.
    discriminate.
Qed.
Lemma set_nonzero s P : set_of s P -> N.eqb s 0 = false -> exists c r, c < W /\ r < H /\ P c r.
Proof. intros A E. apply bit_of_nonzero in E as [i E]. apply A in E as (c & r & C & R & _ & B). exists c, r. auto.
  Qed.

(* The union of the sets of a list *)
Definition union (l : list N) : N := fold_right N.lor 0%N l.
Lemma union_bit l i : N.testbit (union l) i = true <-> exists s, In s l /\ N.testbit s i = true.
Proof.
  induction l as [|s l IH]; simpl.
  - split; [discriminate|]. intros (s & [] & _).
  - rewrite N.lor_spec, orb_true_iff, IH. split.
    + intros [A|(t & I & A)]; [exists s; auto|exists t; auto].
    + intros (t & [->|I] & A); [auto|right; exists t; auto].
Qed.
Definition column c : N := union (map (cell c) (seq 0 H)).
Lemma set_column c : c < W -> set_of (column c) (fun c' r => c' = c).
Proof.
  intros C i. unfold column. rewrite union_bit. split.
  - intros (s & I & A). apply in_map_iff in I as (r & <- & I). apply in_seq in I. rewrite cell_bit in A.
    apply N.eqb_eq in A as <-. exists c, r. repeat split; auto; lia.
  - intros (c' & r & _ & R & -> & ->). exists (cell c r). split; [apply in_map, in_seq; lia|].
    rewrite cell_bit. apply N.eqb_refl.
Qed.

(* What the checker needs is computed once. *)
Definition masked (l : list (nat * nat)) : N * list N :=
  let cells := map (fun x => cell (fst x) (snd x)) l in (union cells, cells).
Definition lines : list (N * list N) := map masked (all_lines W H).
Record geometry := {
  columns : list (nat * N); bottom : N; board_cells : N; line_list : list (N * list N); steps : list (N * (N * N));
  moved : list ((N * N) * N) (* how many bits each column is shifted down and up to its mirror image *) }.
Definition step d := match d with Up => 1 | Right => S H | RightUp => S (S H) | RightDown => H end.
Definition steps_of d := let n := N.of_nat (step d) in (n, (2 * n, 3 * n))%N.
Definition geometry_of : geometry := {|
  columns := map (fun c => (c, column c)) (seq 0 W);
  bottom := union (map (fun c => cell c 0) (seq 0 W));
  board_cells := union (map column (seq 0 W));
  line_list := lines;
  steps := map steps_of [Up; Right; RightUp; RightDown];
  moved := map (fun c => (N.of_nat (c * S H), N.of_nat ((W - 1 - c) * S H), column 0)) (seq 0 W) |}.

Lemma set_board : set_of (board_cells geometry_of) (fun _ _ => True).
Proof.
  intros i. simpl. rewrite union_bit. split.
  - intros (s & I & A). apply in_map_iff in I as (c & <- & I). apply in_seq in I.
    apply (set_column c) in A; [|lia]. destruct A as (c' & r & C & R & E & _). exists c', r. auto.
  - intros (c & r & C & R & -> & _). exists (column c). split; [apply in_map, in_seq; lia|].
    apply (set_column c); auto. exists c, r. auto.
Qed.
(* The cells with as many above them *)
Definition early_cells spare : N := union (flat_map (fun c => map (cell c) (seq 0 (H - spare))) (seq 0 W)).
Lemma set_early spare : set_of (early_cells spare) (fun _ r => r + spare < H).
Proof.
  intros i. unfold early_cells. rewrite union_bit. split.
  - intros (s & I & A). apply in_flat_map in I as (c & C & I). apply in_seq in C. apply in_map_iff in I as (r & <- & I).
    apply in_seq in I. rewrite cell_bit in A. apply N.eqb_eq in A as <-. exists c, r. repeat split; auto; lia.
  - intros (c & r & C & R & -> & E). exists (cell c r). split; [|rewrite cell_bit; apply N.eqb_refl].
    apply in_flat_map. exists c. split; [apply in_seq; lia|]. apply in_map, in_seq. lia.
Qed.
Lemma in_bottom i : N.testbit (bottom geometry_of) i = true <-> exists c, c < W /\ i = spot c 0.
Proof.
  simpl. rewrite union_bit. split.
  - intros (s & I & A). apply in_map_iff in I as (c & <- & I). apply in_seq in I. rewrite cell_bit in A.
    apply N.eqb_eq in A as <-. exists c. split; auto; lia.
  - intros (c & C & ->). exists (cell c 0). split; [apply in_map_iff; exists c; rewrite in_seq; split; auto; lia|].
    rewrite cell_bit. apply N.eqb_refl.
Qed.
Lemma in_columns c s : In (c, s) (columns geometry_of) <-> c < W /\ s = column c.
Proof.
  simpl. rewrite in_map_iff. split.
  - intros (c' & E & I). apply in_seq in I. injection E as -> <-. split; auto; lia.
  - intros [C ->]. exists c. rewrite in_seq. split; auto; lia.
Qed.

(* A line is found by shifting: a bit is left for its first cell.
   Since there is a bit between two columns, four bits on
   the board at these distances are a line. *)
Section Geometry.
Variable G : geometry.
Hypothesis G_is : G = geometry_of.

Definition starts (x : N) (s : N * (N * N)) : N :=
  let pairs := N.land x (N.shiftr x (fst s)) in N.land pairs (N.shiftr pairs (fst (snd s))).
Definition has_line (x : N) : bool := existsb (fun s => negb (N.eqb (starts x s) 0)) (steps G).
(* Cells that may complete a line of the set; certainly those that do *)
Definition winning_in (x w : N) (s : N * (N * N)) : N :=
  let '(one, (two, three)) := s in
  let r1 := N.shiftr x one in let r2 := N.land r1 (N.shiftr x two) in
  let l1 := N.shiftl x one in let l2 := N.land l1 (N.shiftl x two) in
  N.lor w (N.lor (N.land r2 (N.lor l1 (N.shiftr x three))) (N.land l2 (N.lor r1 (N.shiftl x three)))).
Definition winning (x : N) : N := fold_left (winning_in x) (steps G) 0%N.

Definition in_set x c r := c < W /\ r < H /\ N.testbit x (spot c r) = true.
Lemma spot_on_line d column row k : k < 4 ->
  spot (line_column d column k) (line_row d row k) = (spot (line_column d column 0) (line_row d row 0) +
    N.of_nat (k * step d))%N.
Proof.
  intros K. unfold spot. rewrite <- Nat2N.inj_add. f_equal. destruct d; simpl line_column; simpl line_row; simpl step;
    destruct k as [|[|[|[|k]]]]; lia.
Qed.
Lemma starts_bit x d i : N.testbit (starts x (steps_of d)) i = true <->
  forall k, k < 4 -> N.testbit x (i + N.of_nat (k * step d)) = true.
Proof.
  unfold starts, steps_of. cbv zeta. cbn [fst snd].
  rewrite !N.land_spec, !N.shiftr_spec', !N.land_spec, !N.shiftr_spec', !andb_true_iff.
  replace (i + N.of_nat (step d))%N with (i + N.of_nat (1 * step d))%N by lia.
  replace (i + 2 * N.of_nat (step d))%N with (i + N.of_nat (2 * step d))%N by lia.
  replace (i + N.of_nat (2 * step d) + N.of_nat (step d))%N with (i + N.of_nat (3 * step d))%N by lia.
  split.
  - intros [[A B] [C D]] k K. destruct k as [|[|[|[|k]]]]; auto; [|lia]. simpl. rewrite N.add_0_r. auto.
  - intros A. repeat split; try (apply A; lia). rewrite <- (A 0) by lia. simpl. rewrite N.add_0_r. auto.
Qed.
Lemma line_starts d column row x : (forall c r, on_line d column row c r -> in_set x c r) -> has_line x = true.
Proof.
  intros A. apply existsb_exists. exists (steps_of d). split.
  { rewrite G_is. destruct d; simpl; auto. }
  apply negb_true_iff. destruct (N.eqb (starts x (steps_of d)) 0) eqn:E; auto. apply N.eqb_eq in E.
  assert (F := N.bits_0 (spot (line_column d column 0) (line_row d row 0))). rewrite <- E in F.
  rewrite (proj2 (starts_bit _ _ _)) in F; [discriminate|]. intros k K. rewrite <- spot_on_line by auto.
  apply A. exists k; auto.
Qed.
(* The next cell of a line, whose bit is on the board, is the neighbour in this direction. *)
Lemma neighbour d c r c' r' : r < H -> r' < H -> (spot c r + N.of_nat (step d))%N = spot c' r' ->
  match d with
  | Up => c' = c /\ r' = S r
  | Right => c' = S c /\ r' = r
  | RightUp => c' = S c /\ r' = S r
  | RightDown => c' = S c /\ r = S r'
  end.
Proof.
  intros R R' E. assert (E' : N.of_nat (c * S H + r + step d) = spot c' r') by (rewrite <- E; unfold spot; lia).
  destruct d; simpl step in E'.
  - replace (c * S H + r + 1) with (c * S H + S r) in E' by lia. fold (spot c (S r)) in E'.
    apply spot_inj in E'; lia.
  - replace (c * S H + r + S H) with (S c * S H + r) in E' by (simpl; lia). fold (spot (S c) r) in E'.
    apply spot_inj in E'; lia.
  - replace (c * S H + r + S (S H)) with (S c * S H + S r) in E' by (simpl; lia). fold (spot (S c) (S r)) in E'.
    apply spot_inj in E'; lia.
  - destruct r as [|r].
    + replace (c * S H + 0 + H) with (c * S H + H) in E' by lia. fold (spot c H) in E'. apply spot_inj in E'; lia.
    + replace (c * S H + S r + H) with (S c * S H + r) in E' by (simpl; lia). fold (spot (S c) r) in E'.
      apply spot_inj in E'; lia.
Qed.
Lemma starts_line x d i : (forall i, N.testbit x i = true -> exists c r, c < W /\ r < H /\ i = spot c r) ->
  N.testbit (starts x (steps_of d)) i = true -> four (in_set x).
Proof.
  intros B A. rewrite starts_bit in A. set (n := N.of_nat (step d)).
  assert (A0 := A 0 ltac:(lia)). assert (A1 := A 1 ltac:(lia)). assert (A2 := A 2 ltac:(lia)).
    assert (A3 := A 3 ltac:(lia)).
  replace (i + N.of_nat (0 * step d))%N with i in A0 by lia.
  replace (i + N.of_nat (1 * step d))%N with (i + n)%N in A1 by lia.
  replace (i + N.of_nat (2 * step d))%N with (i + n + n)%N in A2 by lia.
  replace (i + N.of_nat (3 * step d))%N with (i + n + n + n)%N in A3 by lia.
  destruct (B _ A0) as (c0 & r0 & C0 & R0 & E0). destruct (B _ A1) as (c1 & r1 & C1 & R1 & E1).
  destruct (B _ A2) as (c2 & r2 & C2 & R2 & E2). destruct (B _ A3) as (c3 & r3 & C3 & R3 & E3).
  rewrite E3 in A3. rewrite E2 in A2, E3. rewrite E1 in A1, E2. rewrite E0 in A0, E1.
  apply neighbour in E1; auto. apply neighbour in E2; auto. apply neighbour in E3; auto.
  apply four_on_line. exists d, c0, (match d with RightDown => r3 | _ => r0 end). intros c r (k & K & -> & ->).
  set (l := [(c0, r0); (c1, r1); (c2, r2); (c3, r3)]).
  assert (X : line_column d c0 k = fst (nth k l (0, 0)) /\
              line_row d (match d with RightDown => r3 | _ => r0 end) k = snd (nth k l (0, 0))).
  { destruct d; destruct k as [|[|[|[|k]]]]; try lia; simpl; lia. }
  destruct X as [-> ->]. destruct k as [|[|[|[|k]]]]; try lia; simpl; repeat split; auto.
Qed.
Lemma in_lines d column row : (forall c r, on_line d column row c r -> c < W /\ r < H) ->
  In (let cells := map (fun x => cell (fst x) (snd x)) (cells_on_line d column row) in (union cells, cells)) lines.
Proof. intros A. apply (in_map masked _ _ (lines_on_board W H d column row A)). Qed.
Lemma lines_in m l : In (m, l) lines -> exists d column row,
  l = map (fun x => cell (fst x) (snd x)) (cells_on_line d column row) /\ m = union l /\
  forall c r, on_line d column row c r -> c < W /\ r < H.
Proof.
  intros I. apply in_map_iff in I as (cells & E & I). injection E as <- <-.
  apply all_lines_are in I as (d & column & row & -> & A). exists d, column, row. auto.
Qed.
Lemma in_line_mask d column row i :
  N.testbit (union (map (fun x => cell (fst x) (snd x)) (cells_on_line d column row))) i = true <->
  exists c r, on_line d column row c r /\ i = spot c r.
Proof.
  rewrite union_bit. split.
  - intros (s & I & A). apply in_map_iff in I as ((c & r) & <- & I). rewrite cell_bit in A. apply N.eqb_eq in A as <-.
    apply in_map_iff in I as (k & E & I). injection E as <- <-. eexists _, _. split; [|reflexivity].
    exists k. repeat split. simpl in I. lia.
  - intros (c & r & (k & K & -> & ->) & ->). exists (cell (line_column d column k) (line_row d row k)). split.
    + apply in_map_iff. exists (line_column d column k, line_row d row k). split; auto. apply in_map_iff. exists k.
      split; auto. simpl. lia.
    + rewrite cell_bit. apply N.eqb_refl.
Qed.
Lemma has_line_in_set x : (forall i, N.testbit x i = true -> exists c r, c < W /\ r < H /\ i = spot c r) ->
  has_line x = true -> four (in_set x).
Proof.
  intros A E. apply existsb_exists in E as (s & I & E). rewrite G_is in I. apply in_map_iff in I as (d & <- & _).
  apply negb_true_iff in E. apply bit_of_nonzero in E as [i E]. apply (starts_line _ _ _ A E).
Qed.
Lemma has_line_sound x P : set_of x P -> has_line x = true -> four P.
Proof.
  intros A E. apply has_line_in_set in E.
  - revert E. apply four_mono. intros c r (C & R & B). apply (set_spot x P); auto.
  - intros i B. apply A in B as (c & r & C & R & EQ & _). exists c, r. auto.
Qed.
Lemma has_line_complete x : four (in_set x) -> has_line x = true.
Proof. intros A. apply four_on_line in A as (d & column & row & A). apply (line_starts d column row). auto. Qed.

Lemma fold_keeps x i : forall l w, N.testbit w i = true -> N.testbit (fold_left (winning_in x) l w) i = true.
Proof.
  induction l as [|(one & two & three) l IH]; intros w A; auto. simpl fold_left. apply IH. unfold winning_in.
  rewrite N.lor_spec, A. auto.
Qed.
(* A cell that completes a line: the other three are in the set. *)
Lemma winning_complete d column row x c r : on_line d column row c r ->
  (forall c' r', on_line d column row c' r' -> (c' = c /\ r' = r) \/ in_set x c' r') ->
  N.testbit (winning x) (spot c r) = true.
Proof.
  intros (k & K & -> & ->) A.
  assert (B : forall j, j < 4 -> j <> k -> N.testbit x (spot (line_column d column 0) (line_row d row 0) +
      N.of_nat (j * step d)) = true).
  { intros j J N. rewrite <- spot_on_line by auto. destruct (A (line_column d column j) (line_row d row j)) as [[E
      F]|E].
    - exists j; auto.
    - exfalso. destruct d; simpl in E, F; lia.
    - apply E. }
  rewrite spot_on_line by auto. set (i := spot _ _) in *.
  assert (IN : In (steps_of d) (steps G)) by (rewrite G_is; destruct d; simpl; auto).
  apply in_split in IN as (l1 & l2 & E). unfold winning. rewrite E, fold_left_app. cbn [fold_left].
  apply fold_keeps. unfold winning_in at 1, steps_of. cbv beta iota zeta. rewrite N.lor_spec. apply orb_true_iff.
    right.
  set (n := N.of_nat (step d)) in *.
  assert (B' : forall j, j < 4 -> j <> k -> N.testbit x (i + N.of_nat j * n) = true).
  { intros j J N. rewrite <- (B j J N). f_equal. unfold n. lia. }
  replace (N.of_nat (k * step d)) with (N.of_nat k * n)%N by (unfold n; lia).
  assert (R : forall m, m <> 0 -> k + m < 4 -> N.testbit (N.shiftr x (N.of_nat m * n)) (i + N.of_nat k * n) = true).
  { intros m M L. rewrite N.shiftr_spec', <- (B' (k + m) ltac:(lia) ltac:(lia)). f_equal. lia. }
  assert (L : forall m, m <> 0 -> m <= k -> N.testbit (N.shiftl x (N.of_nat m * n)) (i + N.of_nat k * n) = true).
  { intros m M L. replace (i + N.of_nat k * n)%N with (i + N.of_nat (k - m) * n + N.of_nat m * n)%N.
    2: { rewrite <- N.add_assoc, <- N.mul_add_distr_r, <- Nat2N.inj_add. do 3 f_equal. lia. }
    rewrite N.shiftl_spec_alt. apply B'; lia. }
  assert (R1 := R 1 ltac:(lia)). assert (R2 := R 2 ltac:(lia)). assert (R3 := R 3 ltac:(lia)).
  assert (L1 := L 1 ltac:(lia)). assert (L2 := L 2 ltac:(lia)). assert (L3 := L 3 ltac:(lia)).
  change (N.of_nat 1) with 1%N in *. change (N.of_nat 2) with 2%N in *. change (N.of_nat 3) with 3%N in *.
  rewrite N.mul_1_l in R1, L1.
  rewrite !N.lor_spec, !N.land_spec, !N.lor_spec. destruct k as [|[|[|[|k]]]]; try lia.
  - rewrite R1, R2, R3 by lia. simpl. rewrite orb_true_r. auto.
  - rewrite R1, R2, L1 by lia. auto.
  - rewrite L1, L2, R1 by lia. simpl. rewrite orb_true_r. auto.
  - rewrite L1, L2, L3 by lia. rewrite !orb_true_r. auto.
Qed.
End Geometry.
End Sets.
