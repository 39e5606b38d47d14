(* A checker that computes, and the proof that what it accepts is true.

   It plays through the game. For a position in which p is to move and can't win at once, it reads from a table

   - a move, after which it plays all replies of the opponent q;
   - a move after which the rule of Rule.v decides, and the plan;
   - or that there is nothing to do: q can't get a line any more, or the position, or its mirror image, was met before.

   The table is not trusted: no digit can prove anything false. The number n counts the discs up to the limit of the
   goal, and `win` says whether the goal is a line of p, or that q has none. *)
From Stdlib Require Import List Arith PArith Bool Lia.
Import ListNotations.
Require Import Statement Board Cells Rule.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

(* As forallb and existsb, but only as far as it matters *)
Fixpoint every {A} (f : A -> bool) (l : list A) : bool := match l with [] => true | a :: l => f a &&& every f l end.
Fixpoint some {A} (f : A -> bool) (l : list A) : bool := match l with [] => false | a :: l => f a ||| some f l end.
Lemma every_spec {A} (f : A -> bool) l : every f l = true <-> forall a, In a l -> f a = true.
Proof.
  induction l as [|b l IH]; simpl; [intuition|]. rewrite lazy_and, IH. split; [intros [E K] a [<-|I]; auto|auto].
Qed.
Lemma some_spec {A} (f : A -> bool) l : some f l = true <-> exists a, In a l /\ f a = true.
Proof.
  induction l as [|b l IH]; simpl; [split; [discriminate|intros (a & [] & _)]|]. rewrite lazy_or, IH. split.
  - intros [E|(a & I & E)]; eauto.
  - intros (a & [<-|I] & E); eauto.
Qed.

Section Tables.
Variables W H : nat.
Variable win : bool.
Variable p : player.
Let q := opponent p.
Definition columns := seq 0 W.

(* The lines, and for each cell the other cells of those through it *)
Definition spot : Type := nat * nat.
Definition same (s t : spot) : bool := (fst s =? fst t) &&& (snd s =? snd t).
Definition others s (l : list spot) := filter (fun t => negb (same s t)) l.
Definition lines_through s := map (others s) (filter (some (same s)) (all_lines W H)).
Record geometry := { lines : list (list spot); through : list (list (list (list spot))) }.
Definition geometry_of := {| lines := all_lines W H;
  through := map (fun c => map (fun r => lines_through (c, r)) (seq 0 H)) columns |}.
Variable G : geometry. (* is computed once *)
Hypothesis G_is : G = geometry_of.

Definition occupied (x : position) (a : player) (s : spot) : bool :=
  match nth_error (nth (fst s) x []) (snd s) with Some d => is a d | None => false end.
Definition completes x a c r : bool := some (every (occupied x a)) (nth r (nth c (through G) []) []).
Definition completes_now x a c : bool := completes x a c (length (nth c x [])). (* with the next disc *)
Definition free (x : position) c := length (nth c x []) <? H.

(* The rule: the conditions of `good` *)
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
Definition ends_with_line c : bool := (0 <? pairs P c) &&& completes x p c (finish c - 1).
Definition fits c : bool :=
  (finish c <=? H) &&& ((finish c =? H) ||| ends_with_line c) &&&
  match mate P c with
  | None => true
  | Some m => (m <? W) &&& negb (m =? c) &&& match mate P m with Some c' => c' =? c | None => false end
  end.
(* How many cells of a column p may have, from the bottom, when q takes the last cell s of a line *)
Definition height_before (l : list spot) (s : spot) c : nat := fold_right (fun t n =>
  if fst t =? c then Nat.max n (snd t + if same s t then 1 else 2) else n) (length (nth c x [])) l.
Definition comes_late (ours : list (list bool)) (l : list spot) : bool := every (fun s =>
  occupied x q s ||| lined (tabulate (fun c => firstn (height_before l s c) (nth c ours [])))) l.
Definition contains (s : list (list bool)) (t : spot) : bool := nth (snd t) (nth (fst t) s []) false.
Definition harmless (theirs : list (list bool)) : bool :=
  negb (lined theirs) ||| every (fun l => negb (every (contains theirs) l) ||| comes_late ours_cells l) (lines G).
Definition rule_holds : bool :=
  every fits columns &&& (negb win ||| lined ours_cells) &&&
  (negb (lined (theirs_cells (repeat true W))) ||| every (fun l => harmless (theirs_cells l)) (choices P W)).
End Plan.

(* Plans to choose from, by digits of the table; nothing is proven about them. In each column the pairs end with a line,
   or at the top, and its lowest empty cell may be contested. *)
Fixpoint pile (fuel : nat) (y : position) c r n : option nat :=
  match fuel, H - r with
  | 0, _ | _, 1 => None
  | _, 0 => Some n
  | _, 2 => Some (S n)
  | S fuel, _ => if completes y p c (S r) then Some (S n) else pile fuel y c (S (S r)) (S n)
  end.
Definition options (y : position) c : list (nat * bool) :=
  let option r contested := match pile (S H) y c r 0 with Some n => [(n, contested)] | None => [] end in
  let r := length (nth c y []) in option r false ++ if r <? H then option (S r) true else [].
Definition product {A} (l : list (list A)) : list (list A) :=
  fold_right (fun l rest => flat_map (fun a => map (cons a) rest) l) [[]] l.
Fixpoint pairings (fuel : nat) (l : list nat) : list (list (nat * nat)) :=
  match l, fuel with
  | [], _ => [[]]
  | _, 0 => []
  | a :: l, S fuel => flat_map (fun b => map (fun m => (a, b) :: (b, a) :: m)
      (pairings fuel (filter (fun c => negb (c =? b)) l))) l
  end.
Fixpoint numbered {A} (t : list nat) (l : list A) : option (A * list nat) :=
  match t with
  | [] => None
  | d :: t => if d =? 15 then numbered t (skipn 15 l) else
              match nth_error l d with Some a => Some (a, t) | None => None end
  end.
Definition pick {A} (t : list nat) (l : list A) := match l with [a] => Some (a, t) | _ => numbered t l end.
Definition read_plan (y : position) (t : list nat) : option (plan * list nat) :=
  match pick t (product (map (options y) columns)) with
  | None => None
  | Some (l, t) =>
    match pick t (pairings W (filter (fun c => snd (nth c l (0, false))) columns)) with
    | None => None
    | Some (m, t) =>
      let mates := map (fun c => option_map snd (find (fun x => fst x =? c) m)) columns in
      Some ({| pairs c := fst (nth c l (0, false)); mate c := nth c mates None |}, t)
    end
  end.

(* What is left of the table, and positions that have been played through, with the number n *)
Record state := { table : list nat; memo : tree (nat * position) }.
Definition canonical (x : position) : position :=
  let y := rev x in match compare_positions x y with Gt => y | _ => x end.
Definition proven (t : tree (nat * position)) n (x : position) : bool :=
  match find_in (key H x) t with
  | Some (n', y) => (n' =? n) &&& match compare_positions x y with Eq => true | _ => false end
  | None => false
  end.
Definition add (t : tree (nat * position)) n (x : position) := add_to (key H x) (n, x) t.
Definition no_line_left x : bool := negb win &&& negb (lined (tabulate (fun c =>
  map (fun d => negb (is p d)) (nth c x []) ++ repeat true (H - length (nth c x []))))).

(* `walk` is for positions after the next reply. In `replies` q is to move and n + 1 discs are left. *)
Definition replied (walk : position -> state -> option state) n y st c : option state :=
  let z := put y c q in
  if (negb win ||| (1 <=? n)) &&& completes_now z p c then Some st else walk z st.
Definition replies (walk : position -> state -> option state) n y st : option state :=
  if some (completes_now y q) columns then None else
  match filter (completes_now y p) columns with
  | [] =>
    match filter (free y) columns with
    | [] => if win then None else Some st
    | l => fold_left (fun st c => match st with None => None | Some st => replied walk n y st c end) l (Some st)
    end
  | c :: l => (* threats: other replies lose at once *)
    if negb win ||| (1 <=? n) then match l with [] => replied walk n y st c | _ => Some st end else None
  end.
(* A move to column c is the digit c, and with a plan 8 + c; 7: nothing else has to be proven. *)
Definition entry (walk : position -> state -> option state) n x st : option state :=
  match table st with
  | [] => None
  | d :: t =>
    let st := {| table := t; memo := memo st |} in
    if d =? 7 then if proven (memo st) (S (S n)) (canonical x) ||| no_line_left x then Some st else None else
    let c := if d <? 8 then d else d - 8 in
    let y := put x c p in
    if (c <? W) &&& free x c then
      if d <? 8 then replies walk n y st else
      match read_plan y t with
      | None => None
      | Some (P, t) =>
        if (negb win ||| (empty_cells W H (fun c => nth c y []) <=? S n)) &&& rule_holds y P
        then Some {| table := t; memo := memo st |} else None
      end
    else None
  end.
(* The digit 15 says that the position will be met again. *)
Fixpoint walk (n : nat) (x : position) (st : state) : option state :=
  match n with
  | S (S n2) =>
    if negb win &&& every (fun c => negb (free x c)) columns then Some st else
    match table st with
    | d :: t =>
      if d =? 15 then
        match entry (walk n2) n2 x {| table := t; memo := memo st |} with
        | None => None
        | Some st => Some {| table := table st; memo := add (memo st) n (canonical x) |}
        end
      else entry (walk n2) n2 x st
    | [] => None
    end
  | _ => if win then None else Some st
  end.
Definition accepts (n : nat) (mover : player) (x : position) (t : list nat) : bool :=
  let st := {| table := t; memo := Leaf |} in
  (length x =? W) &&& every (fun column => length column <=? H) x &&& negb (lined (discs q x)) &&&
  match (if is p mover then walk n x st else match n with 0 => None | S n => replies (walk n) n x st end) with
  | Some {| table := [] |} => true
  | _ => false
  end.

(* What is accepted is true *)
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
  unfold cells, tabulate. destruct (Nat.lt_ge_cases c W) as [L|K].
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

Lemma same_spec s t : same s t = true <-> s = t.
Proof.
  unfold same. rewrite lazy_and, !Nat.eqb_eq. destruct s, t; simpl.
  split; [intros [-> ->]; auto|intros [= -> ->]; auto].
Qed.
Lemma through_lines c r l : In l (nth r (nth c (through G) []) []) <->
  c < W /\ r < H /\ exists l0, In l0 (all_lines W H) /\ In (c, r) l0 /\ l = others (c, r) l0.
Proof.
  rewrite G_is. unfold geometry_of. cbn [through]. destruct (Nat.lt_ge_cases c W) as [C|C].
  - rewrite nth_over_columns by auto. destruct (Nat.lt_ge_cases r H) as [R|R].
    + rewrite (nth_indep _ [] (lines_through (c, 0))) by (rewrite length_map, length_seq; auto).
      rewrite (map_nth (fun r => lines_through (c, r))), seq_nth by auto. simpl.
      unfold lines_through. rewrite in_map_iff. split.
      * intros (l0 & <- & I). apply filter_In in I as [I S]. apply some_spec in S as (s & J & S).
        apply same_spec in S as <-. repeat split; auto. exists l0. auto.
      * intros (_ & _ & l0 & I & J & ->). exists l0. split; auto. apply filter_In. split; auto.
        apply some_spec. exists (c, r). split; auto. apply same_spec. auto.
    + rewrite (nth_overflow (map _ (seq 0 H))) by (rewrite length_map, length_seq; auto). split; [intros []|lia].
  - rewrite (nth_overflow (map _ columns)) by (rewrite length_over_columns; auto).
    split; [destruct r; intros []|lia].
Qed.

Lemma occupied_spec x b a s : shows x b -> (occupied x a s = true <-> has b a (fst s) (snd s)).
Proof.
  intros S. unfold occupied, has. rewrite S. destruct (nth_error _ _); [rewrite is_spec|]; split; congruence.
Qed.
Lemma completes_sound x b a c r : shows x b -> completes x a c r = true ->
  c < W /\ r < H /\ four (fun c' r' => has b a c' r' \/ (c' = c /\ r' = r)).
Proof.
  intros S E. apply some_spec in E as (l & I & E). apply through_lines in I as (C & R & l0 & I & J & ->).
  repeat split; auto. apply all_lines_are in I as (d & column & row & -> & _). apply four_on_line.
  exists d, column, row. intros c' r' L. rewrite every_spec in E. destruct (same (c, r) (c', r')) eqn:N.
  - apply same_spec in N. injection N as <- <-. auto.
  - left. apply (occupied_spec x b a (c', r') S), E. apply filter_In. split; [apply in_cells_on_line; auto|].
    rewrite N. auto.
Qed.

Definition fine (x : position) (b : board) := shows x b /\ length x = W /\ forall c, length (b c) <= H.
Lemma fine_narrow x b : fine x b -> narrow W b.
Proof. intros (S & L & _) c C. rewrite S. apply nth_overflow. lia. Qed.
Lemma fine_put x b c a : fine x b -> legal W H b c -> fine (put x c a) (drop b c a).
Proof.
  intros (S & L & B) LG. split; [apply shows_put; auto; rewrite L; apply LG|].
  split; [unfold put; rewrite length_change; auto|apply (drop_low W H); auto].
Qed.
Lemma free_spec x b c : fine x b -> (In c (filter (free x) columns) <-> legal W H b c).
Proof. intros (S & _). unfold free, legal. rewrite filter_In, in_columns, Nat.ltb_lt, S. tauto. Qed.
Lemma completes_now_sound x b a c : fine x b -> completes_now x a c = true -> legal W H b c /\ line (drop b c a) a.
Proof.
  intros F E. assert (S := proj1 F). apply (completes_sound x b) in E as (C & R & L); auto. rewrite <- S in *.
  split; [split; auto|]. revert L. apply four_mono. intros c' r' A. apply has_drop. tauto.
Qed.
Lemma completes_now_complete x b a c : fine x b -> ~ line b a -> legal W H b c -> line (drop b c a) a ->
  completes_now x a c = true.
Proof.
  intros F N LG L. assert (F1 := fine_put _ _ _ a F LG). assert (S := proj1 F).
  apply four_on_line in L as (d & column & row & L). assert (IN : In (cells_on_line d column row) (all_lines W H)).
  { apply lines_on_board. intros c' r' K. apply L in K. assert (R := has_row _ _ _ _ K). split.
    - destruct (Nat.lt_ge_cases c' W) as [|C]; auto. rewrite (fine_narrow _ _ F1 c' C) in R. simpl in R. lia.
    - apply Nat.lt_le_trans with (1 := R), F1. }
  assert (J : In (c, length (b c)) (cells_on_line d column row)).
  { destruct (some (same (c, length (b c))) (cells_on_line d column row)) eqn:E.
    - apply some_spec in E as (s & I & E). apply same_spec in E as ->. auto.
    - destruct N. apply four_on_line. exists d, column, row. intros c' r' K. assert (K' := L c' r' K).
      apply has_drop in K' as [A|(_ & -> & ->)]; auto. exfalso. refine (eq_true_false_abs _ _ E). apply some_spec.
      exists (c, length (b c)). split; [apply in_cells_on_line; auto|apply same_spec; auto]. }
  unfold completes_now, completes. apply some_spec. rewrite <- S. eexists. split.
  - apply through_lines. split; [apply LG|]. split; [apply LG|]. eexists.
    split; [exact IN|]. split; [exact J|reflexivity].
  - apply every_spec. intros s I. apply filter_In in I as [I D]. apply (occupied_spec x b a s S).
    apply in_cells_on_line, L, has_drop in I as [A|(_ & E1 & E2)]; auto. exfalso.
    assert (E : same (c, length (b c)) s = true) by (apply same_spec; destruct s; simpl in *; congruence).
    rewrite E in D. discriminate.
Qed.

Section Plan_sound.
Variables (x : position) (b : board) (P : plan).
Hypothesis shown : shows x b.
Hypothesis size : length x = W.
Hypothesis low : forall c, length (b c) <= H.

Lemma length_contested c v : length (contested P c v) = match mate P c with Some _ => 1 | None => 0 end.
Proof. unfold contested. destruct (mate P c); auto. Qed.
Lemma begin_start c : begin x P c = start b P c.
Proof. unfold begin, start. rewrite length_contested, shown. auto. Qed.
Lemma finish_top c : finish x P c = top b P c.
Proof. unfold finish, top. rewrite begin_start. auto. Qed.

Lemma ours_sound c r : cells (ours_cells x P) c r -> has b p c r \/ upper W b P c r.
Proof.
  intros A. apply cells_tabulate in A as [C A].
  destruct (Nat.lt_ge_cases r (length (nth c x []))) as [L|K].
  - left. rewrite app_nth1 in A by (rewrite length_map; auto). unfold has. rewrite shown. apply nth_discs; auto.
  - right. split; auto. rewrite app_nth2, length_map in A by (rewrite length_map; auto).
    destruct (Nat.lt_ge_cases (r - length (nth c x [])) (length (contested P c false))) as [L|K'].
    + rewrite app_nth1 in A by auto. unfold contested in *. destruct (mate P c); [|simpl in L; lia].
      destruct (r - length (nth c x [])) as [|[|k]]; discriminate.
    + rewrite app_nth2 in A by auto. apply nth_upper in A as (i & I & E). exists i. split; auto.
      rewrite <- begin_start. unfold begin. rewrite length_contested in *. lia.
Qed.
Lemma ends_sound c : ends_with_line x P c = true -> won p b P c.
Proof.
  unfold ends_with_line. rewrite lazy_and, Nat.ltb_lt, finish_top. intros [K A]. split; auto.
  apply (completes_sound x b p c _ shown A).
Qed.
Lemma theirs_complete f l c r :
  (forall c, c < W -> mate P c <> None -> f c = true -> nth c l false = true) ->
  theirs W p b P f c r -> cells (theirs_cells x P l) c r.
Proof.
  intros F T. unfold theirs_cells. rewrite cells_tabulate.
  assert (C : c < W).
  { destruct T as [A|[[A _]|[A _]]]; auto. apply has_row in A. destruct (Nat.lt_ge_cases c W) as [|C]; auto.
    rewrite shown, nth_overflow in A by lia. simpl in A. lia. }
  split; auto.
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
  assert (K : given f n = match mate P n with Some _ => f n | None => false end) by auto. rewrite K.
  destruct (mate P n) as [m|] eqn:E; [|left; auto].
  destruct (M n m ltac:(lia) E) as (M1 & M2 & M3). destruct (Nat.ltb_spec m n) as [A|A].
  - left. f_equal. f_equal. rewrite (nth_indep _ false (given f 0)) by (rewrite length_map, length_seq; auto).
    rewrite (map_nth (given f)), seq_nth by auto. unfold given. simpl. rewrite M3, (S n m) by (auto; lia).
    destruct (f n); auto.
  - destruct (f n); [left|right; left]; auto.
Qed.

Lemma nth_first : forall n (l : list bool) r, nth r (firstn n l) false = true -> r < n /\ nth r l false = true.
Proof.
  induction n as [|n IH]; intros [|a l] [|r] E; simpl in *; try discriminate; [split; auto; lia|].
  apply IH in E as [E1 E2]. split; auto. lia.
Qed.
Lemma height_before_spec l s c r : r < height_before x l s c -> r < length (b c) \/
  exists t, In t l /\ fst t = c /\ (r <= snd t \/ (r = S (snd t) /\ t <> s)).
Proof.
  rewrite shown. induction l as [|t l IH]; simpl; auto. intros R.
  assert (D : r < height_before x l s c \/ (fst t = c /\ r < snd t + if same s t then 1 else 2)).
  { destruct (Nat.eqb_spec (fst t) c) as [E|]; auto. apply Nat.max_lt_iff in R as [R|R]; auto. }
  destruct D as [D|[E D]].
  - destruct (IH D) as [A|(t' & I & A)]; auto. right. exists t'. auto.
  - right. exists t. split; auto. split; auto. destruct (same s t) eqn:Q; [left; lia|].
    destruct (Nat.le_gt_cases r (snd t)); auto. right. split; [lia|]. intros ->.
    rewrite (proj2 (same_spec s s) eq_refl) in Q. discriminate.
Qed.
Lemma comes_late_sound d column row : comes_late x (ours_cells x P) (cells_on_line d column row) = true ->
  late W p b P (on_line d column row).
Proof.
  unfold comes_late. rewrite every_spec. intros A lc lr L N.
  specialize (A (lc, lr) (proj2 (in_cells_on_line d column row (lc, lr)) L)). apply lazy_or in A as [A|A].
  { apply (occupied_spec x b q (lc, lr) shown) in A. contradiction. }
  apply lined_spec in A. revert A. apply four_mono. intros c r A. apply cells_tabulate in A as [C A].
  apply nth_first in A as [A1 A2]. apply ours_sound in A2 as [A2|A2]; auto.
  apply height_before_spec in A1 as [A1|([c' r'] & I & <- & A1)].
  - exfalso. destruct A2 as (_ & i & _ & ->). unfold start in A1. lia.
  - right. split; auto. apply in_cells_on_line in I. exists r'. split; auto. simpl in *.
    destruct A1 as [A1|[A1 A3]]; auto. right. split; auto. destruct (Nat.eq_dec c' lc), (Nat.eq_dec r' lr); auto.
Qed.
Lemma rule_sound : rule_holds x P = true -> good W H win 0 p b P.
Proof.
  unfold rule_holds. rewrite !lazy_and, !lazy_or, !every_spec, !negb_true_iff, lined_spec. intros [[F O] S].
  assert (FC : forall c, c < W -> fits x P c = true) by (intros; apply F, in_columns; auto). clear F.
  assert (T : forall c, c < W -> top b P c <= H).
  { intros c C. specialize (FC c C). unfold fits in FC. rewrite !lazy_and in FC. destruct FC as [[A _] _].
    rewrite <- finish_top. apply Nat.leb_le. auto. }
  assert (M : forall c m, c < W -> mate P c = Some m -> m < W /\ m <> c /\ mate P m = Some c).
  { intros c m C E. specialize (FC c C). unfold fits in FC. rewrite E, !lazy_and in FC. destruct FC as [_ [[A B] D]].
    apply Nat.ltb_lt in A. apply negb_true_iff, Nat.eqb_neq in B.
    destruct (mate P m) as [c'|]; [|discriminate]. apply Nat.eqb_eq in D as ->. auto. }
  split; auto.
  - intros c C. specialize (FC c C). unfold fits in FC. rewrite !lazy_and, lazy_or in FC. destruct FC as [[_ A] _].
    destruct A as [A|A]; [left|right; apply ends_sound; auto]. rewrite <- finish_top. apply Nat.eqb_eq. auto.
  - intros f d column row SP L. assert (FOUR : four (theirs W p b P f)) by (apply four_on_line; eauto).
    assert (N : forall l, (forall c, c < W -> mate P c <> None -> f c = true -> nth c l false = true) ->
      lined (theirs_cells x P l) = true).
    { intros l N. apply lined_spec. revert FOUR. apply four_mono. intros c r. apply theirs_complete; auto. }
    destruct S as [S|S].
    + rewrite N in S; [discriminate|]. intros c C _ _.
      rewrite (nth_indep _ false true) by (rewrite repeat_length; auto). apply nth_repeat.
    + specialize (S _ (choices_complete f M SP W (le_n _))). set (l := map (given f) (seq 0 W)) in *.
      assert (D : forall c, c < W -> mate P c <> None -> f c = true -> nth c l false = true).
      { intros c C E. unfold l. fold columns. rewrite nth_over_columns by auto. unfold given.
        destruct (mate P c); congruence. }
      unfold harmless in S. rewrite (N l D) in S. simpl in S. rewrite every_spec, G_is in S.
      assert (IN : In (cells_on_line d column row) (all_lines W H)).
      { apply lines_on_board. intros c r K. assert (A := theirs_complete f l c r D (L c r K)).
        apply cells_tabulate in A as [C _]. split; auto. specialize (T c C). unfold top, start in T.
        destruct (L c r K) as [A|[(_ & i & I & ->)|(_ & A & _ & ->)]].
        - apply has_row in A. specialize (low c). lia.
        - unfold start. lia.
        - destruct (mate P c); [lia|congruence]. }
      specialize (S _ IN). apply lazy_or in S as [S|S]; [|apply comes_late_sound; auto]. exfalso.
      apply negb_true_iff in S. refine (eq_true_false_abs _ _ S). apply every_spec. intros s I.
      apply in_cells_on_line, L in I. apply (theirs_complete f l _ _ D I).
  - intros WIN. destruct O as [O|O]; [rewrite WIN in O; discriminate|]. revert O. apply four_mono.
    intros c r A. apply ours_sound in A as [A|A]; auto. right. split; auto. destruct A as (C & i & I & ->).
    specialize (T c C). unfold top in T. lia.
Qed.
End Plan_sound.

Definition reaches n (x : position) := forall b, fine x b -> ~ line b q -> reach W H win p n p b.
Definition valid (t : tree (nat * position)) := forall k n x, find_in k t = Some (n, x) -> reaches n x.

Lemma reversed n x : reaches n (rev x) -> reaches n x.
Proof.
  intros A b F NQ. destruct F as (S & L & B). assert (M : mirrored W (fun c => nth c (rev x) []) b).
  { split; intros c C.
    - rewrite S, rev_nth by lia. f_equal. lia.
    - rewrite S, !nth_overflow; rewrite ?length_rev; auto; lia. }
  apply (reach_mirrored W H win p n p (fun c => nth c (rev x) [])); auto. apply A.
  - split; [intros c; auto|]. split; [rewrite length_rev; auto|]. intros c. destruct (Nat.lt_ge_cases c W) as [C|C].
    + rewrite rev_nth, <- S by lia. auto.
    + rewrite nth_overflow by (rewrite length_rev; lia). simpl. lia.
  - intros K. apply NQ. apply (line_mirrored W _ _ q M K).
Qed.
Lemma canonical_spec n x : reaches n (canonical x) <-> reaches n x.
Proof.
  unfold canonical. destruct (compare_positions x (rev x)); try tauto. split; [apply reversed|].
  intros A. apply reversed. rewrite rev_involutive. auto.
Qed.
Lemma proven_sound t n x : valid t -> proven t n x = true -> reaches n x.
Proof.
  unfold proven. destruct (find_in _ _) as [[n' y]|] eqn:E; [|discriminate]. rewrite lazy_and, Nat.eqb_eq.
  intros V [-> K]. destruct (compare_positions x y) eqn:C; try discriminate. apply compare_positions_eq in C as ->. apply (V _ _ _ E).
Qed.
Lemma add_sound t n x : valid t -> reaches n x -> valid (add t n x).
Proof.
  intros V A k n' y E. unfold add in E. destruct (Pos.eq_dec k (key H x)) as [->|N].
  - rewrite find_added in E. injection E as <- <-. auto.
  - rewrite find_other in E by auto. apply (V _ _ _ E).
Qed.
Lemma no_line_left_sound n x : no_line_left x = true -> reaches n x.
Proof.
  unfold no_line_left. rewrite lazy_and, !negb_true_iff. intros [WN E] b F _.
  apply (hopeless W H win p); auto; [apply (fine_narrow _ _ F)|apply F|]. intros L. refine (eq_true_false_abs _ _ E).
  apply lined_spec. revert L. apply four_mono. intros c r (C & R & A). apply cells_tabulate. split; auto.
  destruct F as (S & _). unfold has in A. rewrite S in A. revert r R A. generalize (nth c x []) H. intros l.
  induction l as [|d l IH]; intros h r R A; simpl.
  - rewrite Nat.sub_0_r, (nth_indep _ false true) by (rewrite repeat_length; auto). apply nth_repeat.
  - destruct r as [|r]; simpl in *; [|destruct h as [|h]; [lia|apply IH; auto; lia]].
    apply negb_true_iff. destruct (is p d) eqn:D; auto. apply is_spec in D. congruence.
Qed.

Section Walk.
Variables (walk : position -> state -> option state) (n : nat).
Hypothesis walk_sound : forall x st st', walk x st = Some st' -> valid (memo st) -> reaches n x /\ valid (memo st').

Lemma replied_sound y st c st' : replied walk n y st c = Some st' -> valid (memo st) -> valid (memo st') /\
  forall b, fine y b -> legal W H b c -> ~ line (drop b c q) q -> reach W H win p n p (drop b c q).
Proof.
  unfold replied. intros E V. destruct ((negb win ||| (1 <=? n)) &&& completes_now (put y c q) p c) eqn:T.
  - injection E as <-. split; auto. intros b F LG NQ. apply lazy_and in T as [T1 T2].
    apply (completes_now_sound _ (drop b c q)) in T2 as [LG' L]; [|apply fine_put; auto].
    apply lazy_or in T1 as [T1|T1].
    + apply negb_true_iff in T1. destruct n as [|n']; [apply reach_long_enough; auto|].
      apply reach_ours with (c := c); auto.
    + apply Nat.leb_le in T1. destruct n as [|n']; [lia|]. apply reach_ours with (c := c); auto.
  - apply walk_sound in E as [R V']; auto. split; auto. intros b F LG NQ. apply R; auto. apply fine_put; auto.
Qed.
Lemma replies_sound y st st' : replies walk n y st = Some st' -> valid (memo st) -> valid (memo st') /\
  forall b, fine y b -> ~ line b q -> reach W H win p (S n) q b.
Proof.
  unfold replies. destruct (some (completes_now y q) columns) eqn:Q; [discriminate|].
  assert (CALM : forall b, fine y b -> ~ line b q -> forall c, legal W H b c -> ~ line (drop b c q) q).
  { intros b F NQ c LG L. apply (completes_now_complete y) in L; auto. refine (eq_true_false_abs _ _ Q).
    apply some_spec. exists c. split; auto. apply in_columns, LG. }
  destruct (filter (completes_now y p) columns) as [|c1 l] eqn:FI.
  - assert (FR := fun b c => free_spec y b c). destruct (filter (free y) columns) as [|c0 cs].
    + destruct win eqn:WN; [discriminate|]. intros [= <-] V. split; auto. intros b F NQ.
      apply reach_theirs; [discriminate|]. intros c LG. destruct (proj2 (FR b c F) LG).
    + set (go := fun (st : option state) c => _).
      assert (NONE : forall l, fold_left go l None = None) by (induction l; auto).
      assert (FOLD : forall l st st', fold_left go l (Some st) = Some st' -> valid (memo st) -> valid (memo st') /\
        forall b c, In c l -> fine y b -> legal W H b c -> ~ line (drop b c q) q -> reach W H win p n p (drop b c q)).
      { induction l as [|c l IH]; intros s s' E V; [injection E as <-; split; auto; intros b c []|].
        cbn [fold_left] in E. unfold go at 2 in E.
        destruct (replied walk n y s c) as [s1|] eqn:R; [|rewrite NONE in E; discriminate].
        apply replied_sound in R as [V1 R]; auto. apply IH in E as [V' A]; auto. split; auto.
        intros b c' [<-|I]; auto. }
      intros E V. apply FOLD in E as [V' A]; auto. split; auto. intros b F NQ. apply reach_theirs.
      * intros _. exists c0. apply FR; simpl; auto.
      * intros c LG. assert (NL := CALM b F NQ c LG). split; auto. apply A; auto. apply (FR b); auto.
  - destruct (negb win ||| (1 <=? n)) eqn:T; [|discriminate]. assert (T' : win = true -> 1 <= n).
    { intros WN. rewrite WN in T. simpl in T. apply Nat.leb_le. auto. }
    assert (SPEC : forall c b, In c (c1 :: l) -> fine y b -> legal W H b c /\ line (drop b c p) p).
    { intros c b I F. rewrite <- FI in I. apply filter_In in I as [_ I]. apply (completes_now_sound y); auto. }
    assert (ND : NoDup (c1 :: l)) by (rewrite <- FI; apply NoDup_filter, seq_NoDup).
    assert (THREAT : forall b c c', In c (c1 :: l) -> fine y b -> c' <> c -> reach W H win p n p (drop b c' q)).
    { intros b c c' I F N. destruct (SPEC c b I F). apply (threat_executed W H win p n b c); auto. }
    intros E V. destruct l as [|c2 l].
    + apply replied_sound in E as [V' R]; auto. split; auto. intros b F NQ.
      apply reach_theirs; [intros _; exists c1; apply SPEC; simpl; auto|]. intros c LG.
      assert (NL := CALM b F NQ c LG). split; auto. destruct (Nat.eq_dec c c1) as [->|N]; [apply R; auto|].
      apply (THREAT b c1); simpl; auto.
    + injection E as <-. split; auto. intros b F NQ.
      apply reach_theirs; [intros _; exists c1; apply SPEC; simpl; auto|]. intros c LG. split; [apply CALM; auto|].
      destruct (Nat.eq_dec c c1) as [->|N]; [|apply (THREAT b c1); simpl; auto]. apply (THREAT b c2); simpl; auto.
      intros ->. inversion ND as [|? ? ND1 _]. apply ND1. simpl. auto.
Qed.
Lemma entry_sound x st st' : entry walk n x st = Some st' -> valid (memo st) -> reaches (S (S n)) x /\ valid (memo st').
Proof.
  unfold entry. destruct (table st) as [|d t]; [discriminate|]. cbn [memo table]. destruct (d =? 7).
  { destruct (proven (memo st) (S (S n)) (canonical x) ||| no_line_left x) eqn:K; [|discriminate]. intros [= <-] V.
    split; auto. apply lazy_or in K as [K|K]; [|apply no_line_left_sound; auto].
    apply canonical_spec. apply (proven_sound _ _ _ V K). }
  set (c := if d <? 8 then d else d - 8). destruct ((c <? W) &&& free x c) eqn:C; [|discriminate].
  apply lazy_and in C as [C FR]. apply Nat.ltb_lt in C.
  assert (MOVE : (forall b, fine (put x c p) b -> ~ line b q -> line b p \/ reach W H win p (S n) q b) ->
    reaches (S (S n)) x).
  { intros R b F NQ. assert (LG : legal W H b c).
    { apply (free_spec x b c F), filter_In. split; auto. apply in_columns. auto. }
    apply reach_ours with (c := c); auto. apply R; [apply fine_put; auto|apply (no_line_drop p); auto]. }
  destruct (d <? 8).
  - intros E V. apply replies_sound in E as [V' R]; auto.
  - destruct (read_plan (put x c p) t) as [[P t']|]; [|discriminate].
    destruct ((negb win ||| (empty_cells W H (fun c0 => nth c0 (put x c p) []) <=? S n)) &&& rule_holds (put x c p) P)
      eqn:E; [|discriminate]. intros [= <-] V. split; auto. apply MOVE. intros b F NQ. apply lazy_and in E as [E1 E2].
    destruct (line_or_not W p b (fine_narrow _ _ F)) as [L|NP]; auto. right.
    apply (follow_up W H win 0 p (S n) b P); auto;
      [|apply (fine_narrow _ _ F)|apply (rule_sound (put x c p)); auto; apply F].
    intros WN. rewrite WN in E1. apply Nat.leb_le in E1. rewrite Nat.add_0_r. apply Nat.le_trans with (2 := E1). unfold empty_cells.
    apply Nat.eq_le_incl. f_equal. apply map_ext. intros a. destruct F as (S & _). rewrite S. auto.
Qed.
End Walk.

Lemma walk_sound : forall n x st st', walk n x st = Some st' -> valid (memo st) -> reaches n x /\ valid (memo st').
Proof.
  induction n as [n IH] using lt_wf_ind. intros x st st' E V. destruct n as [|[|n]].
  1, 2: cbn [walk] in E; destruct win eqn:WN; [discriminate|]; injection E as <-; split; auto; intros b F NQ.
  - apply reach_long_enough. auto.
  - destruct (find_legal W H b) as [[c LG]|K].
    + apply reach_ours with (c := c); auto. right. apply reach_long_enough. auto.
    + apply reach_full; auto. intros c [C L]. specialize (K c C). lia.
  - cbn [walk] in E. destruct (negb win &&& every (fun c => negb (free x c)) columns) eqn:K.
    { injection E as <-. split; auto. intros b F NQ. apply lazy_and in K as [WN K]. apply negb_true_iff in WN.
      apply reach_full; auto. intros c LG. rewrite every_spec in K. apply (free_spec x b c F), filter_In in LG as [I A].
      specialize (K c I). rewrite A in K. discriminate. }
    destruct (table st) as [|d t]; [discriminate|]. destruct (d =? 15).
    + destruct (entry _ _ _ _) as [s1|] eqn:N; [|discriminate]. injection E as <-.
      apply entry_sound in N as [R V1]; [|apply IH; lia|auto]. split; auto. apply add_sound; auto.
      apply canonical_spec. auto.
    + apply entry_sound in E; auto. apply IH. lia.
Qed.
Theorem accepts_sound n mover x t b : accepts n mover x t = true -> shows x b -> reach W H win p n mover b.
Proof.
  unfold accepts. rewrite !lazy_and, every_spec. intros [[[L B] NL] E] S. apply Nat.eqb_eq in L.
  assert (F : fine x b).
  { split; auto. split; auto. intros c. rewrite S. destruct (nth_in_or_default c x []) as [I| ->]; [|simpl; lia].
    apply Nat.leb_le, B, I. }
  assert (NQ : ~ line b q).
  { intros K. apply negb_true_iff in NL. refine (eq_true_false_abs _ _ NL). apply (lined_discs q x b S). auto. }
  assert (V : valid (memo {| table := t; memo := Leaf |})) by (intros k n' y K; destruct k; discriminate).
  destruct (is p mover) eqn:M.
  - apply is_spec in M as ->. destruct (walk _ _ _) as [st|] eqn:R; [|discriminate].
    apply walk_sound in R as [R _]; auto.
  - apply is_not in M as ->. destruct n as [|n]; [discriminate|].
    destruct (replies _ _ _ _) as [st|] eqn:R; [|discriminate].
    apply (replies_sound _ _ (walk_sound n)) in R as [_ R]; auto.
Qed.
End Tables.
