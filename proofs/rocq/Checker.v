(* A checker that computes, and the proof that what it accepts is true.

   It goes through the game layer by layer. A layer has the positions with the same number of discs in which p is to
   move, sorted, of two mirror images one. For each the table has an entry: a move, whose replies go to the next
     layer,
   or a move after which the rule of Rule.v decides, with the plan. Nothing is proven about order, reading or
   completeness of the table: an entry that does not fit is refused, and no entry can prove anything false. *)
From Stdlib Require Import List Arith Bool Lia.
Import ListNotations.
Require Import Statement Board Cells Rule.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

Section Tables.
Variables W H : nat.
Variable p : player.
Let q := opponent p.
Definition columns := seq 0 W.
Definition free (x : position) c := length (nth c x []) <? H.

(* The rule: the conditions of `good`. A plan is a list with the number of pairs and the mate of each column. *)
Definition plan_of (l : list (nat * option nat)) : plan :=
  {| pairs c := fst (nth c l (0, None)); mate c := snd (nth c l (0, None)) |}.
Definition tabulate (f : nat -> list bool) : list (list bool) := map f columns.
Fixpoint alternate (v : bool) n := match n with 0 => [] | S n => v :: negb v :: alternate v n end.
Definition contested (P : plan) c (v : bool) : list bool := match mate P c with Some _ => [v] | None => [] end.
Fixpoint choices (P : plan) n : list (list bool) := (* all divisions of the contested cells of the first n columns *)
  match n with
  | 0 => [[]]
  | S n => flat_map (fun l => match mate P n with
      | None => [l ++ [false]]
      | Some m => if m <? n then [l ++ [negb (nth m l false)]] else [l ++ [true]; l ++ [false]]
      end) (choices P n)
  end.

Section Plan.
Variable x : position.
Variable P : plan.
Definition begin c := length (nth c x []) + length (contested P c true).
Definition finish c := begin c + 2 * pairs P c.
Definition theirs_cells (l : list bool) := tabulate (fun c =>
  map (is q) (nth c x []) ++ contested P c (nth c l false) ++ alternate true (pairs P c)).
Definition ours_cells := tabulate (fun c =>
  map (is p) (nth c x []) ++ contested P c false ++ alternate false (pairs P c)).
Definition ends_with_line c : bool := (0 <? pairs P c) &&&
  lined (change (fun own => own ++ repeat false (finish c - 1 - length own) ++ [true]) c (discs p x)).
Definition fits c : bool :=
  (finish c <=? H) &&& ((finish c =? H) ||| ends_with_line c) &&&
  match mate P c with
  | None => true
  | Some m => (m <? W) &&& negb (m =? c) &&& match mate P m with Some c' => c' =? c | None => false end
  end.
Definition rule_holds : bool :=
  forallb fits columns &&& lined ours_cells &&&
  (negb (lined (theirs_cells (repeat true W))) ||| forallb (fun l => negb (lined (theirs_cells l))) (choices P W)).
End Plan.

Inductive entry := Move (c : nat) | Follow (c : nat) (l : list (nat * option nat)).
Definition replies (x : position) := map (fun c => put x c q) (filter (free x) columns).
Definition answers (x : position) : option (list position) := (* q's moves; None if there is none, or one wins *)
  match replies x with
  | [] => None
  | l => if forallb (fun z => negb (lined (discs q z))) l then Some l else None
  end.
Definition check (x : position) (e : entry) : option (list position) :=
  let c := match e with Move c | Follow c _ => c end in
  let y := put x c p in
  if (c <? W) &&& free x c then
    match e with
    | Follow _ l => if rule_holds y (plan_of l) then Some [] else None
    | Move _ => if lined (discs p y) then Some [] else answers y
    end
  else None.
Definition canonical (x : position) : position :=
  let y := rev x in match compare_positions x y with Gt => y | _ => x end.

(* The table is a list of digits below 16: a move to column c is c; a move to column c and a plan is 8 + c and a
   digit for each column: the number of pairs, and 4 times the number of its pair of contested cells, or 0. *)
Definition mate_of (labels : list nat) c : option nat :=
  match nth c labels 0 with
  | 0 => None
  | label => find (fun m => negb (m =? c) &&& (nth m labels 0 =? label)) columns
  end.
Definition read (table : list nat) : option (entry * list nat) :=
  match table with
  | [] => None
  | d :: table =>
    if d <? 8 then Some (Move d, table) else
    let plan := firstn W table in
    let labels := map (fun n => n / 4) plan in
    Some (Follow (d - 8) (combine (map (fun n => n mod 4) plan) (map (mate_of labels) columns)), skipn W table)
  end.
Definition add (st : list (option (list position))) (l : list position) :=
  fold_left (fun st x => push compare_positions st [canonical x]) l st.
Fixpoint layer (l : list position) (table : list nat) (st : list (option (list position))) :=
  match l with
  | [] => Some (collect compare_positions st [], table)
  | x :: l =>
    match read table with
    | None => None
    | Some (e, table) =>
      match check x e with
      | None => None
      | Some next => layer l table (add st next)
      end
    end
  end.
Fixpoint run (fuel : nat) (l : list position) (table : list nat) : bool :=
  match l, fuel with
  | [], _ => true
  | _, 0 => false
  | _, S fuel => match layer l table [] with None => false | Some (l, table) => run fuel l table end
  end.

(* What is accepted is true *)
Definition holds (x : position) := length x = W -> forall b, shows x b -> wins W H p p b.

Lemma in_columns c : In c columns <-> c < W.
Proof. unfold columns. rewrite in_seq. lia. Qed.
Lemma length_over_columns {A} (f : nat -> A) : length (map f columns) = W.
Proof. unfold columns. rewrite length_map. apply length_seq. Qed.
Lemma nth_over_columns {A} (f : nat -> A) c d : c < W -> nth c (map f columns) d = f c.
Proof.
  intros L. rewrite (nth_indep _ d (f 0)), (map_nth f) by (rewrite length_over_columns; auto).
  unfold columns. rewrite seq_nth; auto.
Qed.
Lemma cells_tabulate f c r : cells (tabulate f) c r <-> c < W /\ nth r (f c) false = true.
Proof.
  unfold cells, tabulate. destruct (Nat.lt_ge_cases c W) as [L|G].
  - rewrite nth_over_columns by auto. tauto.
  - rewrite (nth_overflow (map f columns)) by (rewrite length_over_columns; auto).
    split; [destruct r; discriminate|lia].
Qed.
Lemma nth_lower : forall n i, i < n -> nth (2 * i) (alternate true n) false = true.
Proof.
  induction n as [|n IH]; intros i L; [lia|]. destruct i as [|i]; auto.
  replace (2 * S i) with (S (S (2 * i))) by lia. apply IH. lia.
Qed.
Lemma nth_upper : forall n r, nth r (alternate false n) false = true -> exists i, i < n /\ r = 2 * i + 1.
Proof.
  induction n as [|n IH]; intros r E; [destruct r; discriminate|]. destruct r as [|[|r]]; [discriminate|exists 0;
    lia|].
  apply IH in E as (i & L & ->). exists (S i). lia.
Qed.

Section Plan_sound.
Variables (x : position) (b : board) (P : plan).
Hypothesis shown : shows x b.
Hypothesis size : length x = W.

Lemma length_contested c v : length (contested P c v) = match mate P c with Some _ => 1 | None => 0 end.
Proof. unfold contested. destruct (mate P c); auto. Qed.
Lemma begin_start c : begin x P c = start b P c.
Proof. unfold begin, start. rewrite length_contested, shown. auto. Qed.
Lemma finish_top c : finish x P c = top b P c.
Proof. unfold finish, top. rewrite begin_start. auto. Qed.

Lemma ours_sound c r : cells (ours_cells x P) c r -> has b p c r \/ upper W b P c r.
Proof.
  intros A. apply cells_tabulate in A as [C A].
  destruct (Nat.lt_ge_cases r (length (nth c x []))) as [L|G].
  - left. rewrite app_nth1 in A by (rewrite length_map; auto). unfold has. rewrite shown. apply nth_discs; auto.
  - right. split; auto. rewrite app_nth2, length_map in A by (rewrite length_map; auto).
    destruct (Nat.lt_ge_cases (r - length (nth c x [])) (length (contested P c false))) as [L|G'].
    + rewrite app_nth1 in A by auto. unfold contested in *. destruct (mate P c); [|simpl in L; lia].
      destruct (r - length (nth c x [])) as [|[|k]]; discriminate.
    + rewrite app_nth2 in A by auto. apply nth_upper in A as (i & I & E). exists i. split; auto.
      rewrite <- begin_start. unfold begin. rewrite length_contested in *. lia.
Qed.
Lemma ends_sound c : c < W -> ends_with_line x P c = true -> won p b P c.
Proof.
  unfold ends_with_line. rewrite lazy_and, Nat.ltb_lt, lined_spec, finish_top. intros C [K A]. split; auto. revert A.
  apply four_mono. intros c' r. unfold cells. rewrite nth_change by (unfold discs; rewrite length_map; lia).
  destruct (Nat.eqb_spec c' c) as [->|N]; [|left; apply (cells_discs p x b); auto].
  rewrite column_discs. set (own := map (is p) (nth c x [])). intros A.
  destruct (Nat.lt_ge_cases r (length own)) as [L|G].
  - left. rewrite app_nth1 in A by auto. unfold has. rewrite shown. apply nth_discs; auto.
  - right. split; auto. rewrite app_nth2 in A by auto.
    set (k := top b P c - 1 - length own) in *. assert (T : length own <= top b P c - 1).
    { unfold own, top, start. rewrite length_map, shown. lia. }
    destruct (Nat.lt_ge_cases (r - length own) k) as [L|G'].
    + rewrite app_nth1 in A by (rewrite repeat_length; auto). rewrite nth_repeat in A. discriminate.
    + rewrite app_nth2, repeat_length in A by (rewrite repeat_length; auto).
      destruct (r - length own - k) as [|[|n]] eqn:E; [lia|discriminate..].
Qed.
Lemma theirs_complete f l c r : c < W \/ ~ has b q c r ->
  (forall c, c < W -> mate P c <> None -> f c = true -> nth c l false = true) ->
  theirs W p b P f c r -> cells (theirs_cells x P l) c r.
Proof.
  intros D F T. unfold theirs_cells. rewrite cells_tabulate.
  assert (C : c < W) by (destruct T as [A|[[A _]|[A _]]]; tauto). split; auto.
  destruct T as [A|[(_ & i & I & ->)|(_ & M & A & ->)]].
  - unfold has in A. rewrite shown in A. rewrite app_nth1; [apply nth_discs; auto|].
    rewrite length_map. apply nth_error_Some. congruence.
  - assert (S := begin_start c). unfold begin in S. rewrite length_contested in S.
    rewrite app_nth2 by (rewrite length_map; lia).
    rewrite app_nth2 by (rewrite length_map, length_contested; lia).
    rewrite length_map, length_contested. etransitivity; [|apply (nth_lower _ i I)]. f_equal. lia.
  - rewrite shown. rewrite app_nth2, length_map, Nat.sub_diag by (rewrite length_map; auto).
    unfold contested. destruct (mate P c) eqn:E; [|congruence]. simpl. apply F; auto. congruence.
Qed.
Definition given (f : nat -> bool) c : bool := match mate P c with Some _ => f c | None => false end.
Lemma choices_complete f : (forall c m, c < W -> mate P c = Some m -> m < W /\ m <> c /\ mate P m = Some c) ->
  split W P f -> forall n, n <= W -> In (map (given f) (seq 0 n)) (choices P n).
Proof.
  intros M S. induction n as [|n IH]; intros L; [left; auto|].
  rewrite seq_S, map_app. simpl. apply in_flat_map. eexists. split; [apply IH; lia|].
  assert (G : given f n = match mate P n with Some _ => f n | None => false end) by auto. rewrite G.
  destruct (mate P n) as [m|] eqn:E; [|left; auto].
  destruct (M n m ltac:(lia) E) as (M1 & M2 & M3). destruct (Nat.ltb_spec m n) as [A|A].
  - left. f_equal. f_equal. rewrite (nth_indep _ false (given f 0)) by (rewrite length_map, length_seq; auto).
    rewrite (map_nth (given f)), seq_nth by auto. unfold given. simpl. rewrite M3, (S n m) by (auto; lia).
    destruct (f n); auto.
  - destruct (f n); [left|right; left]; auto.
Qed.
Lemma rule_sound : rule_holds x P = true -> good W H true p b P /\ ~ line b q.
Proof.
  unfold rule_holds. rewrite !lazy_and, lazy_or, !forallb_forall, lined_spec, negb_true_iff. intros [[F O] S].
  assert (FC : forall c, c < W -> fits x P c = true) by (intros; apply F, in_columns; auto). clear F.
  assert (M : forall c m, c < W -> mate P c = Some m -> m < W /\ m <> c /\ mate P m = Some c).
  { intros c m C E. specialize (FC c C). unfold fits in FC. rewrite E, !lazy_and in FC. destruct FC as [_ [[A B] D]].
    apply Nat.ltb_lt in A. apply negb_true_iff, Nat.eqb_neq in B.
    destruct (mate P m) as [c'|]; [|discriminate]. apply Nat.eqb_eq in D as ->. auto. }
  assert (SAFE : forall f, split W P f -> ~ four (theirs W p b P f)).
  { intros f SP L. assert (N : forall l, (forall c, c < W -> mate P c <> None -> f c = true ->
      nth c l false = true) ->
      lined (theirs_cells x P l) = true).
    { intros l N. apply lined_spec. revert L. apply four_mono. intros c r. apply theirs_complete; auto.
      destruct (Nat.lt_ge_cases c W); auto. right. unfold has. rewrite shown, nth_overflow by lia.
      destruct r; discriminate. }
    destruct S as [S|S].
    + rewrite N in S; [discriminate|]. intros c C _ _.
      rewrite (nth_indep _ false true) by (rewrite repeat_length; auto). apply nth_repeat.
    + specialize (S _ (choices_complete f M SP W (le_n _))). rewrite N in S; [discriminate|]. intros c C E.
      fold columns. rewrite nth_over_columns by auto. unfold given. destruct (mate P c); congruence. }
  assert (GD : good W H true p b P); [split; auto|].
  - intros c C. specialize (FC c C). unfold fits in FC. rewrite !lazy_and in FC. destruct FC as [[A _] _].
    rewrite <- finish_top. apply Nat.leb_le. auto.
  - intros c C. specialize (FC c C). unfold fits in FC. rewrite !lazy_and, lazy_or in FC. destruct FC as [[_ A] _].
    destruct A as [A|A]; [left|right; apply ends_sound; auto]. rewrite <- finish_top. apply Nat.eqb_eq. auto.
  - intros f d column row SP L. destruct (SAFE f SP). apply four_on_line. exists d, column, row. auto.
  - intros _. revert O. apply four_mono, ours_sound.
  - split; auto. intros L. apply (SAFE (giving P 0)); [apply (giving_splits W H true p b); auto|].
    revert L. apply four_mono. intros c r A. left. auto.
Qed.
End Plan_sound.

Lemma free_spec x b c : shows x b -> In c (filter (free x) columns) <-> legal W H b c.
Proof. intros S. unfold free, legal. rewrite filter_In, in_columns, Nat.ltb_lt, S. tauto. Qed.

Lemma answers_sound y b l : answers y = Some l -> (forall z, In z l -> holds z) ->
  length y = W -> shows y b -> wins W H p q b.
Proof.
  unfold answers. intros E A L S. destruct (replies y) as [|z0 zs] eqn:R; [discriminate|]. rewrite <- R in E.
  destruct (forallb _ (replies y)) eqn:N; [|discriminate]. injection E as <-. rewrite forallb_forall in N.
  apply their_move.
  - destruct (filter (free y) columns) as [|c cs] eqn:D; [unfold replies in R; rewrite D in R; discriminate|].
    exists c. apply (free_spec y); auto. rewrite D. simpl; auto.
  - intros c LG. assert (C := proj1 LG).
    assert (I : In (put y c q) (replies y)) by (apply (in_map (fun c => put y c q)), (free_spec y b); auto).
    assert (S' : shows (put y c q) (drop b c q)) by (apply shows_put; auto; lia). split.
    + intros K. apply (lined_discs q (put y c q)) in K; auto. specialize (N _ I). rewrite K in N. discriminate.
    + apply (A _ I); auto. unfold put. rewrite length_change. auto.
Qed.

Lemma check_sound x e l : check x e = Some l -> (forall z, In z l -> holds z) -> holds x.
Proof.
  unfold check. set (c := match e with Move c | Follow c _ => c end). intros E A L b S.
  destruct ((c <? W) &&& free x c) eqn:F; [|discriminate]. apply lazy_and in F as [C F].
  apply Nat.ltb_lt in C. apply Nat.ltb_lt in F.
  apply our_move with (c := c); [split; auto; rewrite S; auto|].
  assert (S' : shows (put x c p) (drop b c p)) by (apply shows_put; auto; lia).
  assert (L' : length (put x c p) = W) by (unfold put; rewrite length_change; auto).
  destruct e as [c0|c0 P].
  - destruct (lined (discs p (put x c p))) eqn:N; [left; apply (lined_discs p (put x c p)); auto|right].
    apply (answers_sound _ _ _ E); auto.
  - destruct (rule_holds (put x c p) (plan_of P)) eqn:G; [|discriminate].
    apply rule_sound with (b := drop b c p) in G; auto. destruct G as [G NQ].
    assert (NB : narrow W (drop b c p)).
    { intros a LE. rewrite S', nth_overflow; auto. rewrite L'. auto. }
    destruct (line_or_not W p _ NB) as [LP|NP]; auto. right.
    apply (wins_within_wins W H p (empty_cells W H (drop b c p))), reach_wins_within.
    apply (follow_up W H true p _ _ (plan_of P)); auto.
Qed.

Lemma canonical_sound x : holds (canonical x) -> holds x.
Proof.
  unfold canonical. destruct (compare_positions x (rev x)); auto. intros A L b S.
  apply (wins_mirrored W H p p (fun c => nth c (rev x) [])).
  - apply A; [rewrite length_rev; auto|intros c; auto].
  - split; intros c C.
    + rewrite S, rev_nth by lia. f_equal. lia.
    + rewrite S, !nth_overflow; rewrite ?length_rev; auto; lia.
Qed.

Lemma add_sound : forall l st, (forall x, within (add st l) x -> holds x) ->
  (forall x, In x l -> holds x) /\ (forall x, within st x -> holds x).
Proof.
  induction l as [|x l IH]; simpl; intros st A; [split; auto; intros x []|]. apply IH in A as [A B]. split.
  - intros y [<-|I]; auto. apply canonical_sound, B, within_push; simpl; auto using compare_positions_eq.
  - intros y I. apply B, within_push; auto using compare_positions_eq.
Qed.

Lemma layer_sound : forall l table st l' table', layer l table st = Some (l', table') ->
  (forall x, In x l' -> holds x) -> (forall x, In x l -> holds x) /\ (forall x, within st x -> holds x).
Proof.
  induction l as [|x l IH]; simpl; intros table st l' table' E A.
  - injection E as <- <-. split; [intros x []|]. intros x I. apply A, in_collect; auto using compare_positions_eq.
  - destruct (read table) as [[e rest]|]; [|discriminate]. destruct (check x e) as [next|] eqn:C; [|discriminate].
    apply IH in E as [B D]; auto. apply add_sound in D as [D1 D2]. split; auto.
    intros y [<-|I]; auto. apply (check_sound x e next); auto.
Qed.

Theorem run_sound : forall fuel l table, run fuel l table = true -> forall x, In x l -> holds x.
Proof.
  induction fuel as [|fuel IH]; intros [|x l] table E; try (intros y []; fail); try discriminate.
  cbn [run] in E. destruct (layer (x :: l) table []) as [[l' table']|] eqn:EL; [|discriminate].
  apply (layer_sound _ _ _ _ _ EL). eauto.
Qed.

Definition start_position : position := repeat [] W.
Definition run_first table := run (W * H) [start_position] table.
Definition run_second table :=
  match answers start_position with
  | None => false
  | Some l => run (W * H) (collect compare_positions (add [] l) []) table
  end.
Lemma shows_empty : shows start_position empty.
Proof. intros c. symmetry. apply nth_repeat. Qed.
Theorem run_first_sound table : run_first table = true -> wins W H p p empty.
Proof.
  intros E. apply (run_sound _ _ _ E start_position); [simpl; auto|apply repeat_length|apply shows_empty].
Qed.
(* The same for the position after the first move of the table *)
Theorem run_move_sound c table : c < 8 -> lined (discs p (put start_position c p)) = false ->
  run_first (c :: table) = true -> wins W H p q (drop empty c p).
Proof.
  unfold run_first. intros C NL E. destruct (W * H) as [|fuel]; [discriminate|]. cbn [run layer read] in E.
  rewrite (proj2 (Nat.ltb_lt c 8) C) in E. destruct (check start_position (Move c)) as [next|] eqn:CK; [|discriminate].
  unfold check in CK. rewrite NL in CK. destruct ((c <? W) &&& free start_position c) eqn:F; [|discriminate].
  apply lazy_and in F as [CW _]. apply Nat.ltb_lt in CW. apply (answers_sound _ _ _ CK).
  - apply (add_sound next []). intros x I. apply (run_sound _ _ _ E), in_collect; auto using compare_positions_eq.
  - unfold put. rewrite length_change. apply repeat_length.
  - apply shows_put; [apply shows_empty|]. unfold start_position. rewrite repeat_length. auto.
Qed.
Theorem run_second_sound table : run_second table = true -> wins W H p q empty.
Proof.
  unfold run_second. destruct (answers start_position) as [l|] eqn:N; [|discriminate]. intros E.
  apply (answers_sound _ _ _ N); [|apply repeat_length|apply shows_empty]. apply (add_sound l []).
  intros x I. apply (run_sound _ _ _ E), in_collect; auto using compare_positions_eq.
Qed.
End Tables.
