(* Positions as two sets of cells: where a disc can fall, who has a line, what a move changes, and mirror images. *)
From Stdlib Require Import List Arith NArith Bool Lia.
Import ListNotations.
Require Import Statement Board Rule Bits.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

Section Positions.
Variables W H : nat.
Variable p : player.
Let q := opponent p.
Variable G : geometry.
Hypothesis G_is : G = geometry_of W H.

Lemma line_of_set s P : set_of W H s P -> has_line G s = true -> four P.
Proof. apply (has_line_sound W H G G_is). Qed.
Lemma set_of_line s P : set_of W H s P -> (forall c r, P c r -> c < W /\ r < H) -> four P -> has_line G s = true.
Proof.
  intros A B L. apply (has_line_complete W H G G_is). revert L. apply four_mono. intros c r D.
    destruct (B c r D) as [C R].
  repeat split; auto. apply (set_spot W H s P); auto.
Qed.

(* p has the cells of `own`, q those of `other`. *)
Record shown (own other : N) (b : board) : Prop := {
  own_is : set_of W H own (has b p);
  other_is : set_of W H other (has b q);
  narrow_is : narrow W b;
  low_is : forall c, length (b c) <= H }.

Lemma p_or_q y : y = p \/ y = q. Proof. unfold q. destruct p, y; auto. Qed.
Lemma has_on_board own other b x c r : shown own other b -> has b x c r -> c < W /\ r < H.
Proof.
  intros S A. assert (R := has_row _ _ _ _ A). split.
  - destruct (Nat.lt_ge_cases c W) as [|L]; auto. rewrite (narrow_is _ _ _ S c L) in R. simpl in R. lia.
  - assert (L := low_is _ _ _ S c). lia.
Qed.
Lemma taken_is own other b : shown own other b -> set_of W H (N.lor own other) (fun c r => r < length (b c)).
Proof.
  intros S. apply (set_ext W H _ _ _ (set_or W H _ _ _ _ (own_is _ _ _ S) (other_is _ _ _ S))).
  intros c r _ _. split; [intros [A|A]; apply (has_row _ _ _ _ A)|]. intros A. unfold has.
  destruct (nth_error (b c) r) as [y|] eqn:E; [|apply nth_error_None in E; lia].
  destruct (p_or_q y) as [->| ->]; auto.
Qed.

Definition free_cells (own other : N) : N :=
  let taken := N.lor own other in
  N.land (N.ldiff (N.lor (N.shiftl taken 1) (bottom G)) taken) (board_cells G).
Lemma free_is own other b : shown own other b -> set_of W H (free_cells own other) (fun c r => r = length (b c)).
Proof.
  intros S i. unfold free_cells. rewrite N.land_spec, andb_true_iff, N.ldiff_spec, andb_true_iff, negb_true_iff,
    N.lor_spec.
  assert (T := taken_is _ _ _ S). set (taken := N.lor own other) in *. rewrite G_is. split.
  - intros [[A B] C]. apply (set_board W H) in C as (c & r & C & R & -> & _). exists c, r. repeat split; auto.
    assert (NT : ~ r < length (b c)) by (intros D; apply (set_spot W H _ _ c r T) in D; auto; congruence).
    apply orb_true_iff in A. destruct r as [|r]; [lia|]. destruct A as [A|A].
    + rewrite <- spot_up, <- N.add_1_r, N.shiftl_spec_alt in A. apply (set_spot W H _ _ c r T) in A; auto; lia.
    + apply in_bottom in A as (c' & _ & A). apply spot_inj in A as [_ A]; lia.
  - intros (c & r & C & R & -> & E). repeat split.
    + apply orb_true_iff. destruct r as [|r].
      * right. apply in_bottom. exists c. auto.
      * left. rewrite <- spot_up, <- N.add_1_r, N.shiftl_spec_alt. apply (set_spot W H _ _ c r T); auto; lia.
    + destruct (N.testbit taken (spot H c r)) eqn:D; auto. apply (set_spot W H _ _ c r T) in D; auto. lia.
    + apply (set_board W H). exists c, r. auto.
Qed.
Lemma lowest_is own other b c : shown own other b -> c < W ->
  set_of W H (N.land (free_cells own other) (column H c)) (fun c' r => c' = c /\ r = length (b c)).
Proof.
  intros S C. apply (set_ext W H _ _ _ (set_and W H _ _ _ _ (free_is _ _ _ S) (set_column W H c C))).
  intros c' r _ _. split; intros [A B]; subst; auto.
Qed.
Lemma lowest_legal own other b c : shown own other b -> c < W ->
  (N.eqb (N.land (free_cells own other) (column H c)) 0 = false <-> legal W H b c).
Proof.
  intros S C. assert (A := lowest_is _ _ _ c S C). split.
  - intros E. apply (set_nonzero W H _ _ A) in E as (c' & r & _ & R & -> & ->). split; auto.
  - intros [_ L]. destruct (N.eqb _ 0) eqn:E; auto. destruct (set_zero W H _ _ A E c (length (b c))); auto.
Qed.

Lemma q_not_p : q <> p. Proof. unfold q. destruct p; discriminate. Qed.
Lemma ours_shown own other b c : shown own other b -> legal W H b c ->
  shown (N.lor own (N.land (free_cells own other) (column H c))) other (drop b c p).
Proof.
  intros S L. split.
  - apply (set_ext W H _ _ _ (set_or W H _ _ _ _ (own_is _ _ _ S) (lowest_is _ _ _ c S (proj1 L)))).
    intros c' r _ _. rewrite has_drop. intuition.
  - apply (set_ext W H _ _ _ (other_is _ _ _ S)). intros c' r _ _. rewrite has_drop. assert (N := q_not_p). intuition.
  - apply narrow_drop; [apply S|apply L].
  - apply (drop_low W H); [auto|apply S].
Qed.
Lemma theirs_shown own other b c : shown own other b -> legal W H b c ->
  shown own (N.lor other (N.land (free_cells own other) (column H c))) (drop b c q).
Proof.
  intros S L. split.
  - apply (set_ext W H _ _ _ (own_is _ _ _ S)). intros c' r _ _. rewrite has_drop. assert (N := q_not_p). intuition.
    congruence.
  - apply (set_ext W H _ _ _ (set_or W H _ _ _ _ (other_is _ _ _ S) (lowest_is _ _ _ c S (proj1 L)))).
    intros c' r _ _. rewrite has_drop. intuition.
  - apply narrow_drop; [apply S|apply L].
  - apply (drop_low W H); [auto|apply S].
Qed.

Lemma own_line own other b : shown own other b -> has_line G own = true <-> line b p.
Proof.
  intros S. split; [apply line_of_set, S|]. apply set_of_line; [apply S|]. intros c r.
    apply (has_on_board own other); auto.
Qed.
Lemma other_line own other b : shown own other b -> has_line G other = true <-> line b q.
Proof.
  intros S. split; [apply line_of_set, S|]. apply set_of_line; [apply S|]. intros c r.
    apply (has_on_board own other); auto.
Qed.

(* q can't complete a line with its next disc. *)
Lemma calm own other b : shown own other b -> N.eqb (N.land (winning G other) (free_cells own other)) 0 = true ->
  ~ line b q -> forall c, legal W H b c -> ~ line (drop b c q) q.
Proof.
  intros S E NQ c LG L. apply four_on_line in L as (d & column & row & L).
  destruct (search_below (fun k => ~ has b q (line_column d column k) (line_row d row k)) 4) as [(k & K & A)|A].
  - intros k _. destruct (has_or_not b q (line_column d column k) (line_row d row k)); tauto.
  - assert (I : on_line d column row (line_column d column k) (line_row d row k)) by (exists k; auto).
    assert (I' := L _ _ I). apply has_drop in I' as [I'|(_ & E1 & E2)]; [contradiction|]. rewrite E1, E2 in I.
    assert (B : N.testbit (winning G other) (spot H c (length (b c))) = true).
    { apply (winning_complete W H G G_is d column row); auto. intros c' r' J. apply L, has_drop in J as [J|(_ & ->
        & ->)]; auto.
      right. destruct (has_on_board _ _ _ _ _ _ S J). repeat split; auto.
      apply (set_spot W H _ _ _ _ (other_is _ _ _ S)); auto. }
    destruct LG as [C R]. apply (land_disjoint _ _ E) in B.
    rewrite (proj2 (set_spot W H _ _ c (length (b c)) (free_is _ _ _ S) C R) eq_refl) in B. discriminate.
  - apply NQ. apply four_on_line. exists d, column, row. intros x r (k & K & -> & ->).
    destruct (has_or_not b q (line_column d column k) (line_row d row k)); auto. destruct (A k); auto.
Qed.

(* Mirror images *)
Definition mirror (s : N) : N := union (map (fun m =>
  N.shiftl (N.land (N.shiftr s (fst (fst m))) (snd m)) (snd (fst m))) (moved G)).
Lemma mirror_is s P : set_of W H s P -> set_of W H (mirror s) (fun c r => P (W - 1 - c) r).
Proof.
  intros A i. unfold mirror. rewrite union_bit, G_is. simpl moved. rewrite map_map. cbn [fst snd]. split.
  - intros (t & I & B). apply in_map_iff in I as (c & <- & I). apply in_seq in I. simpl in I.
    set (up := N.of_nat ((W - 1 - c) * S H)) in *. destruct (N.lt_ge_cases i up) as [L|L].
    { rewrite N.shiftl_spec_low in B by auto. discriminate. }
    rewrite N.shiftl_spec_high', N.land_spec, andb_true_iff, N.shiftr_spec' in B by auto. destruct B as [B1 B2].
    apply (set_column W H 0) in B2; [|lia]. destruct B2 as (c0 & r & _ & R & E & ->).
    exists (W - 1 - c), r. repeat split; auto; [lia| |].
    + unfold spot in *. simpl in E. replace i with (N.of_nat r + up)%N by lia. unfold up. rewrite <- Nat2N.inj_add.
      f_equal. lia.
    + replace (W - 1 - (W - 1 - c)) with c by lia. apply (set_spot W H s P c r A); [lia|auto|].
      rewrite <- B1. f_equal. rewrite E. unfold spot. rewrite <- Nat2N.inj_add. f_equal. lia.
  - intros (c & r & C & R & -> & B). eexists. split; [apply in_map_iff; exists (W - 1 - c); split; [reflexivity|]|].
    { apply in_seq. lia. }
    replace (W - 1 - (W - 1 - c)) with c by lia.
    replace (spot H c r) with (spot H 0 r + N.of_nat (c * S H))%N by (unfold spot; rewrite <- Nat2N.inj_add;
      f_equal; lia).
    rewrite N.shiftl_spec_alt, N.land_spec, andb_true_iff, N.shiftr_spec'. split.
    + replace (spot H 0 r + N.of_nat ((W - 1 - c) * S H))%N with (spot H (W - 1 - c) r)
        by (unfold spot; rewrite <- Nat2N.inj_add; f_equal; lia).
      apply (set_spot W H s P); auto. lia.
    + apply (set_column W H 0); [lia|]. exists 0, r. repeat split; auto. lia.
Qed.

Definition mirror_board (b : board) : board := fun c => if c <? W then b (W - 1 - c) else [].
Lemma mirror_shown own other b : shown own other b -> shown (mirror own) (mirror other) (mirror_board b).
Proof.
  intros S. unfold mirror_board. split.
  - apply (set_ext W H _ _ _ (mirror_is _ _ (own_is _ _ _ S))). intros c r C _. unfold has.
    apply Nat.ltb_lt in C. rewrite C. tauto.
  - apply (set_ext W H _ _ _ (mirror_is _ _ (other_is _ _ _ S))). intros c r C _. unfold has.
    apply Nat.ltb_lt in C. rewrite C. tauto.
  - intros c C. apply Nat.ltb_ge in C. rewrite C. auto.
  - intros c. destruct (c <? W); [apply S|simpl; lia].
Qed.
Lemma mirror_board_mirrored b : narrow W b -> mirrored W (mirror_board b) b.
Proof.
  intros N. unfold mirror_board. split; intros c C.
  - destruct (Nat.ltb_spec (W - 1 - c) W); [|lia]. f_equal. lia.
  - destruct (Nat.ltb_spec c W); [lia|]. auto.
Qed.
End Positions.
