(* The rule "follow up": player p has just moved and wins by answering each disc of the opponent q in a fixed way.

   A plan pairs empty cells. In each column the cells of a pair are on top of each other: q's disc in the lower one
   is answered in the upper one, which has just become free. Above the last pair there is nothing left, or p has a
   line with the upper cell of that pair, so that the column ends there. In some columns the lowest empty cell is
   contested, and the pairs begin above it: q's disc there is answered in the contested cell of another column, the
   mate, which is free too. So q gets at most the lower cells and one of each two mates. If there is no line in
   these, whoever gets which contested cell, q never has one; and p gets one if some column ends with a line, or if
   the upper cells contain one. *)
From Stdlib Require Import List Arith Bool Lia.
Import ListNotations.
Require Import Statement Board.

Record plan := { pairs : nat -> nat; mate : nat -> option nat }.  (* of each column; no mate: not contested *)

Section FollowUp.
Variables W H : nat.
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

Record good (b : board) (P : plan) : Prop := {
  good_top : forall c, c < W -> top b P c <= H;
  good_end : forall c, c < W -> top b P c = H \/ won b P c;
  good_mate : forall c m, c < W -> mate P c = Some m -> m < W /\ m <> c /\ mate P m = Some c;
  good_safe : forall f, split P f -> ~ four (theirs b P f);
  good_win : four (fun c r => has b p c r \/ upper b P c r) }.

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
  - intros f SP L. set (g := fun x => if x =? c then true else if x =? m then false else f x).
    apply (good_safe _ _ G g).
    + intros x n X A. destruct (good_mate _ _ G x n X A) as (A1 & A2 & A3). unfold g.
      destruct (Nat.eqb_spec x c) as [->|N1].
      { assert (n = m) as -> by congruence. destruct (Nat.eqb_spec m c); [congruence|]. rewrite Nat.eqb_refl. auto. }
      destruct (Nat.eqb_spec x m) as [->|N2].
      { assert (n = c) as -> by congruence. rewrite Nat.eqb_refl. auto. }
      destruct (Nat.eqb_spec n c) as [->|]; [congruence|]. destruct (Nat.eqb_spec n m) as [->|]; [congruence|].
      apply (SP x n X). simpl. destruct (Nat.eqb_spec x c), (Nat.eqb_spec x m); try contradiction; auto.
    + revert L. apply four_mono. intros x r [A|[(X & i & I & ->)|(X & A & F & ->)]].
      * apply answered in A as [A|[-> ->]]; [left; auto|]. right; right. unfold g. rewrite T, Nat.eqb_refl.
        repeat split; auto; discriminate.
      * right; left. rewrite ST. split; auto. exists i; auto.
      * destruct (mate P' x) as [n|] eqn:E; [|congruence]. apply MT in E as (E & N1 & N2). right; right.
        unfold g. rewrite LN, E. destruct (Nat.eqb_spec x c), (Nat.eqb_spec x m); try contradiction.
        repeat split; auto; try discriminate; lia.
  - generalize (good_win _ _ G). apply four_mono. intros x r [A|(X & i & I & ->)]; auto. right. split; auto.
    exists i. rewrite ST; auto.
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
  assert (E : line b2 p \/ forall x, x < W -> top b2 P' x = H \/ won b2 P' x).
  { destruct (good_end _ _ G c C) as [A|A]; [right|destruct (WN c A) as [|A']; [auto|right]]; intros x X;
      (destruct (Nat.eq_dec x c) as [->|N]; [rewrite TP; auto|]); rewrite TP;
      (destruct (good_end _ _ G x X) as [B|B]; [auto|]); right;
      apply (won_mono b b2 P P'); auto; rewrite KO by auto; apply B. }
  destruct E as [E|E]; auto. right. split; auto.
  - intros x X. rewrite TP. apply (good_top _ _ G x X).
  - exact (good_mate _ _ G).
  - intros f SP L. apply (good_safe _ _ G f SP). revert L.
    apply four_mono. intros x r [A|[(X & i & I & ->)|(X & A & F & ->)]].
    + apply answered in A as [A|[-> ->]]; [left; auto|]. right; left. split; auto. exists 0. lia.
    + right; left. split; auto. destruct (Nat.eq_dec x c) as [->|N].
      * exists (S i). rewrite SC'. rewrite KC in I. lia.
      * exists i. rewrite KO in I by auto. rewrite SO; auto.
    + right; right. change (mate P' x) with (mate P x) in A. repeat split; auto.
      rewrite LN. destruct (Nat.eqb_spec x c) as [->|]; [congruence|lia].
  - generalize (good_win _ _ G). apply four_mono. intros x r [A|(X & i & I & ->)]; auto.
    destruct (Nat.eq_dec x c) as [->|N].
    + destruct i as [|i]; [left; replace (start b P c + 2 * 0 + 1) with (start b P c + 1) by lia; auto|].
      right. split; auto. exists i. rewrite SC', KC. lia.
    + right. split; auto. exists i. rewrite SO, KO; auto.
Qed.

Theorem follow_up : forall n b P, empty_cells b < n -> good b P -> line b p \/ wins W H p q b.
Proof.
  induction n as [|n IH]; intros b P RN G; [lia|].
  destruct (find_legal b) as [EX|E].
  2: { (* the board is full: p has a line *)
    left. assert (N : forall c, c < W -> pairs P c = 0).
    { intros c C. assert (T := good_top _ _ G c C). specialize (E c C). unfold top, start in T. lia. }
    generalize (good_win _ _ G). apply four_mono. intros c r [A|(C & i & I & _)]; auto. specialize (N c C). lia. }
  right. apply their_move; auto. fold q. intros c LG. assert (C := proj1 LG). assert (T := good_top _ _ G c C).
  assert (LQ : ~ line (drop b c q) q).
  { intros L. apply (good_safe _ _ G (giving P c)); [apply (giving_splits b); auto|]. revert L.
    apply four_mono. intros x r A. apply has_drop in A as [A|(_ & -> & ->)]; [left; auto|]. right.
    destruct (mate P c) as [m|] eqn:M.
    - right. unfold giving. rewrite M, Nat.eqb_refl. repeat split; auto; discriminate.
    - left. split; auto. exists 0. destruct (good_end _ _ G c C) as [A|[A _]];
        unfold top, start in *; rewrite M in *; destruct LG; lia. }
  split; auto. set (b1 := drop b c q) in *.
  assert (OUR : forall c', legal W H b1 c' -> line (drop b1 c' p) p \/ wins W H p q (drop b1 c' p) -> wins W H p p b1).
  { intros c' L A. apply our_move with (c := c'); auto. }
  assert (R1 := empty_cells_drop b c q LG). fold b1 in R1.
  destruct (mate P c) as [m|] eqn:M.
  - destruct (good_mate _ _ G c m C M) as (M1 & M2 & M3). assert (LG1 : legal W H b1 m).
    { split; auto. unfold b1. rewrite length_drop. destruct (Nat.eqb_spec m c); [congruence|].
      assert (T' := good_top _ _ G m M1). unfold top, start in T'. rewrite M3 in T'. lia. }
    apply (OUR m LG1). assert (R2 := empty_cells_drop b1 m p LG1).
    apply (IH _ (without P c m)); [lia|apply contested_answer; auto].
  - assert (K : 0 < pairs P c).
    { destruct (good_end _ _ G c C) as [A|[A _]]; auto. unfold top, start in A. rewrite M in A. destruct LG. lia. }
    assert (LG1 : legal W H b1 c).
    { split; auto. unfold b1. rewrite length_drop, Nat.eqb_refl. unfold top, start in T. rewrite M in T. lia. }
    apply (OUR c LG1). assert (R2 := empty_cells_drop b1 c p LG1).
    destruct (pair_answer b P c G C M K) as [A|A]; auto. apply (IH _ (fewer P c)); [fold b1; lia|auto].
Qed.
End FollowUp.
