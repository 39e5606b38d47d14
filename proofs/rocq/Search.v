(* The checker of files: it walks through the game as tools/check_proof.py does, and what it accepts is true.

   The claimant p plays the moves of the file, q all replies. Where p can win at once, where two threats or a chain of
   them decide, where the rule "follow up" holds, or one of these after each reply, it needs no move.
     A position that was
   proven before, or its mirror image, is not played again. The number n counts the discs up to the limit of the
     goal. *)
From Stdlib Require Import List Arith NArith PArith Bool Lia.
Import ListNotations.
Require Import Statement Board Rule Bits Play Plans.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

Section Walk.
Variables W H : nat.
Variable win : bool.
Variable spare : nat.  (* how many cells are empty at the limit *)
Variable early : N.  (* the cells with as many above them *)
Variable p : player.
Let q := opponent p.
Variable G : geometry.
Hypothesis G_is : G = geometry_of W H.
Hypothesis early_is : set_of W H early (fun _ r => r + spare < H).

(* Positions that have been proven: for both sets, the number n *)
Definition table := tree (tree nat).
Definition find_exactly (t : table) n own other : bool :=
  match find_in (N.succ_pos own) t with
  | None => false
  | Some t => match find_in (N.succ_pos other) t with Some n' => n' =? n | None => false end
  end.
Definition proven (t : table) n own other : bool :=
  find_exactly t n own other ||| find_exactly t n (mirror G own) (mirror G other).
Definition add (t : table) n own other : table :=
  let inner := match find_in (N.succ_pos own) t with Some inner => inner | None => Leaf end in
  add_to (N.succ_pos own) (add_to (N.succ_pos other) n inner) t.

(* Columns in which p's next disc completes a line *)
Definition wins_in own free : list (nat * N) :=
  let cells := N.land (winning G own) free in
  if N.eqb cells 0 then [] else
  filter (fun m => negb (N.eqb (N.land cells (snd m)) 0) &&& has_line G (N.lor own (N.land free (snd m)))) (columns
    G).
(* Moves after which q can't win at once; threats are cells that complete lines of q *)
Definition safe free threats : list N :=
  let now := N.land threats free in
  if N.eqb (N.land now (N.pred now)) 0 then
    let good := N.ldiff (if N.eqb now 0 then free else now) (N.shiftr (N.land threats (board_cells G)) 1) in
    flat_map (fun m => if N.eqb (N.land good (snd m)) 0 then [] else [N.land free (snd m)]) (columns G)
  else [].

(* Whether a rule shows that p, who is to move, reaches the goal *)
Fixpoint decides (fuel n : nat) (own other : N) : bool :=
  match fuel with
  | 0 => false
  | S fuel =>
    let free := free_cells G own other in
    (negb win &&& ((n <=? 1) ||| negb (has_line G (N.ldiff (board_cells G) own)))) |||
    ((1 <=? n) &&& match wins_in own free with [] => false | _ => true end) |||
    ((2 <=? n) &&&
      let threats := winning G other in
      existsb (fun x =>
        let own := N.lor own x in
        let free := free_cells G own other in
        (N.eqb (N.land threats free) 0 &&&
          match wins_in own free with
          | [] => false
          | [m] => decides fuel (n - 2) own (N.lor other (N.land free (snd m)))
          | _ => negb win ||| (3 <=? n)
          end) ||| follow H win early G own other) (safe free threats))
  end.
(* Whether a rule decides after each reply *)
Definition all_decided (fuel n : nat) (own other : N) : bool :=
  let free := free_cells G own other in
  (2 <=? n) &&& negb (N.eqb free 0) &&& N.eqb (N.land (winning G other) free) 0 &&&
  forallb (fun m => let x := N.land free (snd m) in N.eqb x 0 ||| decides fuel (n - 2) own (N.lor other x)) (columns
    G).

Record state := { moves : list nat; our_table : table; their_table : table }.
Definition chosen (l : list N) (moves : list nat) : option (N * list nat) :=
  match l, moves with
  | [], _ => None
  | [x], _ => Some (x, moves)
  | _, [] => None
  | _, m :: moves =>
    match find (fun x => negb (N.eqb (N.land x (snd (nth m (columns G) (0, 0%N)))) 0)) l with
    | Some x => Some (x, moves)
    | None => None
    end
  end.
(* A position in which q is to move; `walk` is for those after its replies. *)
Definition replies (walk : nat -> N -> N -> state -> option state) n own other st : option state :=
  let free := free_cells G own other in
  if proven (their_table st) n own other then Some st else
  if (N.eqb (N.land (winning G other) free) 0 ||| (negb win &&& (n =? 0))) &&& (negb win ||| negb (N.eqb free 0)) then
    match fold_left (fun st m =>
      match st with
      | None => None
      | Some st => let x := N.land free (snd m) in if N.eqb x 0 then Some st else walk (n - 1) own (N.lor other x) st
      end) (columns G) (Some st) with
    | None => None
    | Some st => Some {| moves := moves st; our_table := our_table st;
      their_table := add (their_table st) n own other |}
    end
  else None.
(* One in which p is to move; `walk` is for those after the next reply. *)
Definition step (walk : nat -> N -> N -> state -> option state) (fuel n : nat) own other st : option state :=
  if proven (our_table st) n own other then Some st else
  if decides fuel n own other then Some st else
  let options := safe (free_cells G own other) (winning G other) in
  if existsb (fun x => all_decided fuel n (N.lor own x) other) options then Some st else
  match n, chosen options (moves st) with
  | S n', Some (x, rest) =>
    match replies walk n' (N.lor own x) other
            {| moves := rest; our_table := our_table st; their_table := their_table st |} with
    | None => None
    | Some st => Some {| moves := moves st; our_table := add (our_table st) n own other;
      their_table := their_table st |}
    end
  | _, _ => None
  end.
Fixpoint walk (fuel n : nat) (own other : N) (st : state) : option state :=
  match fuel with
  | 0 => None
  | S fuel => step (walk fuel) (S fuel) n own other st
  end.
Definition start_state l := {| moves := l; our_table := Leaf; their_table := Leaf |}.
Definition accepts (n : nat) (own other : N) (p_moves : bool) (l : list nat) : bool :=
  match (if p_moves then walk (S (W * H)) n own other (start_state l)
         else replies (walk (S (W * H))) n own other (start_state l)) with
  | Some st => match moves st with [] => true | _ => false end
  | None => false
  end.

(* What is accepted is true. *)
Definition in_time n b := win = true -> empty_cells W H b <= n + spare.
Definition reaches who n own other := forall b, shown W H p own other b -> ~ line b q -> in_time n b ->
  reach W H win p n who b.
Definition valid st :=
  (forall n own other, proven (our_table st) n own other = true -> reaches p n own other) /\
  (forall n own other, proven (their_table st) n own other = true -> reaches q n own other).

Lemma succ_pos_inj x y : N.succ_pos x = N.succ_pos y -> x = y.
Proof. intros E. rewrite <- (N.pos_pred_succ x), <- (N.pos_pred_succ y), E. auto. Qed.
Lemma find_add t n own other n' own' other' : find_exactly (add t n own other) n' own' other' = true ->
  (n' = n /\ own' = own /\ other' = other) \/ find_exactly t n' own' other' = true.
Proof.
  unfold find_exactly, add. destruct (N.eq_dec own' own) as [->|N1].
  - rewrite find_added. destruct (N.eq_dec other' other) as [->|N2].
    + rewrite find_added. intros E. apply Nat.eqb_eq in E. auto.
    + rewrite find_other by (intros E; apply succ_pos_inj in E; auto).
      destruct (find_in (N.succ_pos own) t); auto.
  - rewrite find_other by (intros E; apply succ_pos_inj in E; auto). auto.
Qed.

Lemma empty_cells_mirror b : empty_cells W H (mirror_board W b) = empty_cells W H b.
Proof.
  unfold empty_cells. set (f := fun c => H - length (b c)).
  assert (E : map (fun c => H - length (mirror_board W b c)) (seq 0 W) = rev (map f (seq 0 W))).
  { apply nth_ext with (d := 0) (d' := 0); [rewrite length_rev, !length_map; auto|].
    rewrite length_map, length_seq. intros c C. rewrite rev_nth by (rewrite length_map, length_seq; auto).
    rewrite length_map, length_seq.
    rewrite (nth_indep _ 0 (H - length (mirror_board W b 0))) by (rewrite length_map, length_seq; auto).
    rewrite (map_nth (fun c => H - length (mirror_board W b c))).
    rewrite (nth_indep (map f _) 0 (f 0)) by (rewrite length_map, length_seq; lia). rewrite (map_nth f).
    rewrite !seq_nth by lia. unfold f, mirror_board. destruct (Nat.ltb_spec (0 + c) W); [|lia]. do 2 f_equal.
      f_equal. lia. }
  rewrite E. clear E. induction (map f (seq 0 W)) as [|x l IH]; auto. simpl. rewrite list_sum_app, IH. simpl. lia.
Qed.
Lemma reaches_mirror who n own other : reaches who n (mirror G own) (mirror G other) -> reaches who n own other.
Proof.
  intros A b S NQ T. assert (M := mirror_board_mirrored W b (narrow_is _ _ _ _ _ _ S)).
  apply (reach_mirrored W H win p n who (mirror_board W b)); auto. apply A.
  - apply (mirror_shown W H p G G_is). auto.
  - intros L. apply NQ. apply (line_mirrored W _ _ q M L).
  - unfold in_time. rewrite empty_cells_mirror. auto.
Qed.
Lemma proven_add t who n own other : (forall n own other, proven t n own other = true -> reaches who n own other) ->
  reaches who n own other -> forall n' own' other', proven (add t n own other) n' own' other' = true ->
    reaches who n' own' other'.
Proof.
  intros A B n' own' other' E. assert (K : forall n' own' other', find_exactly (add t n own other) n' own' other' =
    true ->
    reaches who n' own' other').
  { intros n1 own1 other1 E1. apply find_add in E1 as [(-> & -> & ->)|E1]; auto. apply A. unfold proven.
      rewrite E1. auto. }
  unfold proven in E. apply lazy_or in E as [E|E]; [apply K; auto|]. apply reaches_mirror. apply K. auto.
Qed.
Lemma valid_start l : valid (start_state l).
Proof.
  split; intros n own other E; unfold proven, find_exactly in E; simpl in E; discriminate.
Qed.

Lemma in_columns_G m : In m (columns G) -> fst m < W /\ snd m = column H (fst m).
Proof. destruct m as (c & s). rewrite G_is. intros I. apply in_columns in I. auto. Qed.
Lemma column_G c : c < W -> In (c, column H c) (columns G).
Proof. intros C. rewrite G_is. apply in_columns. auto. Qed.
Lemma in_time_drop n b c x : in_time n b -> legal W H b c -> in_time (n - 1) (drop b c x).
Proof. intros T LG E. specialize (T E). assert (A := empty_cells_drop W H b c x LG). lia. Qed.
(* p wins at once. *)
Lemma wins_in_spec own other b m : shown W H p own other b -> In m (wins_in own (free_cells G own other)) ->
  In m (columns G) /\ legal W H b (fst m) /\ line (drop b (fst m) p) p.
Proof.
  unfold wins_in. intros S I. destruct (N.eqb _ 0); [destruct I|]. apply filter_In in I as [I E].
  apply lazy_and in E as [E1 E2]. destruct (in_columns_G m I) as [C D]. rewrite D in *. split; auto.
  assert (LG : legal W H b (fst m)).
  { apply (lowest_legal W H p G G_is _ _ _ _ S C). apply negb_true_iff in E1. apply bit_of_nonzero in E1 as [i E1].
    rewrite !N.land_spec, !andb_true_iff in E1. destruct (N.eqb _ 0) eqn:E; auto. apply N.eqb_eq in E.
    assert (F := N.bits_0 i). rewrite <- E, N.land_spec in F. destruct E1 as [[_ F1] F2]. rewrite F1, F2 in F.
      discriminate. }
  split; auto. apply (own_line W H p G G_is _ _ _ (ours_shown W H p G G_is _ _ _ _ S LG)). auto.
Qed.
Lemma wins_in_nodup own free : NoDup (map fst (wins_in own free)).
Proof.
  unfold wins_in. destruct (N.eqb _ 0); [constructor|]. assert (A : NoDup (map fst (columns G))).
  { rewrite G_is. simpl. rewrite map_map. simpl. rewrite map_id. apply seq_NoDup. }
  set (f := fun m => _). clearbody f. induction (columns G) as [|m l IH]; simpl; [constructor|]. simpl in A.
  inversion A as [|? ? A1 A2]. subst. destruct (f m); simpl; auto. constructor; auto. intros I. apply A1.
  apply in_map_iff in I as (m' & E & I). apply filter_In in I as [I _]. rewrite <- E. apply in_map. auto.
Qed.
Lemma safe_spec own other b threats x : shown W H p own other b -> In x (safe (free_cells G own other) threats) ->
  exists c, legal W H b c /\ x = N.land (free_cells G own other) (column H c).
Proof.
  unfold safe. intros S I. set (free := free_cells G own other) in *. set (now := N.land threats free) in *.
  destruct (N.eqb (N.land now (N.pred now)) 0); [|destruct I]. set (good := N.ldiff _ _) in *.
  apply in_flat_map in I as (m & I & J). destruct (in_columns_G m I) as [C D]. rewrite D in J.
  destruct (N.eqb (N.land good (column H (fst m))) 0) eqn:E; [destruct J|]. destruct J as [<-|[]].
  exists (fst m). split; auto. apply (lowest_legal W H p G G_is _ _ _ _ S C). fold free.
  apply bit_of_nonzero in E as [i E]. rewrite N.land_spec, andb_true_iff in E. destruct E as [E1 E2].
  assert (F : N.testbit free i = true).
  { unfold good in E1. rewrite N.ldiff_spec, andb_true_iff in E1. destruct E1 as [E1 _].
    destruct (N.eqb now 0); auto. unfold now in E1. rewrite N.land_spec, andb_true_iff in E1. tauto. }
  destruct (N.eqb (N.land free (column H (fst m))) 0) eqn:Z; auto. apply N.eqb_eq in Z. assert (B := N.bits_0 i).
    rewrite <- Z, N.land_spec, F, E2 in B.
  discriminate.
Qed.

Lemma decides_sound : forall fuel n own other, decides fuel n own other = true -> reaches p n own other.
Proof.
  induction fuel as [|fuel IH]; intros n own other E b S NQ T; [discriminate|]. cbn [decides] in E.
  set (free := free_cells G own other) in *. apply lazy_or in E as [E|E]; [apply lazy_or in E as [E|E]|].
  - apply lazy_and in E as [WN E]. apply negb_true_iff in WN. apply lazy_or in E as [E|E].
    + apply Nat.leb_le in E. destruct n as [|n]; [apply reach_long_enough; auto|].
      destruct (find_legal W H b) as [[c LG]|F].
      * apply reach_ours with (c := c); auto. right. replace n with 0 by lia. apply reach_long_enough. auto.
      * apply reach_full; auto. intros c [C L]. specialize (F c C). lia.
    + apply (hopeless W H win p); auto; try apply S. intros F. apply negb_true_iff in E.
      assert (A := set_minus W H _ _ _ _ (set_board W H) (own_is _ _ _ _ _ _ S)). rewrite <- G_is in A.
      apply (set_of_line W H G G_is (N.ldiff (board_cells G) own) (fun c r => c < W /\ r < H /\
        ~ has b p c r)) in F; [congruence| |tauto].
      apply (set_ext W H _ _ _ A). intros. tauto.
  - apply lazy_and in E as [E1 E2]. apply Nat.leb_le in E1. destruct (wins_in own free) as [|m l] eqn:WI;
      [discriminate|].
    destruct (wins_in_spec own other b m S) as (_ & LG & L); [fold free; rewrite WI; simpl; auto|].
    destruct n as [|n]; [lia|]. apply reach_ours with (c := fst m); auto.
  - apply lazy_and in E as [E2 E3]. apply Nat.leb_le in E2.
    apply existsb_exists in E3 as (x & I & E3). apply (safe_spec own other b) in I as (c & LG & ->); auto.
      fold free in E3.
    set (own1 := N.lor own (N.land free (column H c))) in *. set (b1 := drop b c p).
    assert (S1 : shown W H p own1 other b1) by (apply (ours_shown W H p G G_is); auto).
    assert (NQ1 : ~ line b1 q) by (apply (no_line_drop p); auto).
    destruct n as [|[|n]]; [lia..|]. replace (Datatypes.S (Datatypes.S n) - 2) with n in E3 by lia.
    assert (T1 : in_time (Datatypes.S n) b1).
    { replace (Datatypes.S n) with (Datatypes.S (Datatypes.S n) - 1) by lia. apply in_time_drop; auto. }
    apply reach_ours with (c := c); auto. fold b1.
    destruct (line_or_not W p b1 (narrow_is _ _ _ _ _ _ S1)) as [L1|NL1]; auto. right.
    apply lazy_or in E3 as [E3|E3].
    + apply lazy_and in E3 as [CALM E3]. set (free1 := free_cells G own1 other) in *.
      assert (CM := calm W H p G G_is own1 other b1 S1 CALM NQ1).
      assert (SPEC := fun m => wins_in_spec own1 other b1 m S1). fold free1 in SPEC.
      assert (ND := wins_in_nodup own1 free1). destruct (wins_in own1 free1) as [|m1 [|m2 l]]; [discriminate| |].
      * destruct (SPEC m1) as (I1 & LG1 & W1); [simpl; auto|]. destruct (in_columns_G m1 I1) as [C1 D1].
        assert (R1 : reach W H win p n p (drop b1 (fst m1) q)).
        { apply (IH _ _ _ E3).
          - rewrite D1. apply (theirs_shown W H p G G_is); auto.
          - apply CM. auto.
          - replace n with (Datatypes.S n - 1) by lia. apply in_time_drop; auto. }
        apply reach_theirs; [intros _; exists (fst m1); auto|]. intros c' LG'. split; [apply CM; auto|].
        destruct (Nat.eq_dec c' (fst m1)) as [->|N']; auto. apply (threat_executed W H win p n b1 (fst m1)); auto.
        intros WN. destruct n; [|lia]. rewrite WN in R1. inversion R1; discriminate.
      * destruct (SPEC m1) as (I1 & LG1 & W1); [simpl; auto|]. destruct (SPEC m2) as (I2 & LG2 & W2); [simpl; auto|].
        assert (ME : fst m1 <> fst m2) by (intros ME; simpl in ND; inversion ND as [|? ? ND1 _]; apply ND1;
          rewrite ME; simpl; auto).
        assert (WN : win = true -> 1 <= n) by (intros WN; rewrite WN in E3; apply lazy_or in E3 as [E3|E3];
          [discriminate|apply Nat.leb_le in E3; lia]).
        apply reach_theirs; [intros _; exists (fst m1); auto|]. intros c' LG'. split; [apply CM; auto|].
        destruct (Nat.eq_dec c' (fst m1)) as [->|N'].
        -- apply (threat_executed W H win p n b1 (fst m2)); auto.
        -- apply (threat_executed W H win p n b1 (fst m1)); auto.
    + apply (follow_sound W H win spare early p G G_is early_is own1 other b1 S1) in E3 as [P GD].
      apply (follow_up W H win spare p (Datatypes.S n) b1 P); auto. apply S1.
Qed.

Lemma all_decided_sound fuel n own other : all_decided fuel n own other = true -> reaches q (n - 1) own other.
Proof.
  unfold all_decided. rewrite !lazy_and. intros [[[E1 E2] E3] E4] b S NQ T. apply Nat.leb_le in E1.
  destruct n as [|[|n]]; [lia..|]. replace (Datatypes.S (Datatypes.S n) - 1) with (Datatypes.S n) in * by lia.
  replace (Datatypes.S (Datatypes.S n) - 2) with n in * by lia. assert (CM := calm W H p G G_is own other b S E3 NQ).
  rewrite forallb_forall in E4. apply reach_theirs.
  - intros _. apply negb_true_iff in E2. apply (set_nonzero W H _ _ (free_is W H p G G_is _ _ _ S)) in E2 as (c & r
      & C & R & ->).
    exists c. split; auto.
  - intros c LG. split; [apply CM; auto|]. specialize (E4 _ (column_G c (proj1 LG))). cbn [snd] in E4.
    rewrite (proj2 (lowest_legal W H p G G_is _ _ _ c S (proj1 LG)) LG) in E4. simpl in E4.
    apply (decides_sound _ _ _ _ E4).
    + apply (theirs_shown W H p G G_is); auto.
    + apply CM. auto.
    + replace n with (Datatypes.S n - 1) by lia. apply in_time_drop; auto.
Qed.

Lemma chosen_in l ms x rest : chosen l ms = Some (x, rest) -> In x l.
Proof.
  unfold chosen. destruct l as [|y [|z l]]; [discriminate| |].
  - destruct ms; intros E; injection E as <- <-; simpl; auto.
  - destruct ms as [|m ms]; [discriminate|]. destruct (find _ _) eqn:F; [|discriminate]. intros E.
      injection E as <- <-.
    apply find_some in F. tauto.
Qed.

Lemma replies_sound w : (forall n own other st st', w n own other st = Some st' -> valid st ->
  reaches p n own other /\ valid st') ->
  forall n own other st st', replies w n own other st = Some st' -> valid st -> reaches q n own other /\ valid st'.
Proof.
  intros WS n own other st st' E V. unfold replies in E. set (free := free_cells G own other) in *.
  destruct (proven (their_table st) n own other) eqn:PR; [injection E as <-; split; auto; apply V; auto|].
  match type of E with (if ?c then _ else _) = _ => destruct c eqn:CND; [|discriminate] end.
  apply lazy_and in CND as [E1 E2].
  set (go := fun (st : option state) (m : nat * N) => _) in E.
  assert (NONE : forall l, fold_left go l None = None) by (induction l; auto).
  assert (FOLD : forall l st st', fold_left go l (Some st) = Some st' -> valid st -> valid st' /\
    forall m, In m l -> N.eqb (N.land free (snd m)) 0 = false ->
      reaches p (n - 1) own (N.lor other (N.land free (snd m)))).
  { induction l as [|m l IH]; intros s s' F V0.
    - injection F as <-. split; auto. intros m [].
    - cbn [fold_left] in F. unfold go at 2 in F. cbv zeta in F. destruct (N.eqb (N.land free (snd m)) 0) eqn:Z.
      + apply IH in F as [F1 F2]; auto. split; auto. intros m' [<-|I] Z'; [congruence|auto].
      + destruct (w (n - 1) own (N.lor other (N.land free (snd m))) s) as [s1|] eqn:R; [|rewrite NONE in F;
          discriminate].
        apply WS in R as [R V1]; auto. apply IH in F as [F1 F2]; auto. split; auto. intros m' [<-|I] Z'; auto. }
  destruct (fold_left go (columns G) (Some st)) as [s1|] eqn:F; [|discriminate]. injection E as <-.
  apply FOLD in F as [V1 R]; auto.
  assert (RE : reaches q n own other).
  { intros b S NQ T. destruct n as [|n].
    - destruct win eqn:WN; [|apply reach_long_enough; auto]. exfalso.
      (* a win without discs: q has a legal move, after which p has reached nothing *)
      simpl in E2. apply negb_true_iff in E2.
      apply (set_nonzero W H _ _ (free_is W H p G G_is _ _ _ S)) in E2 as (c & r & C & RR & ->).
      assert (LG : legal W H b c) by (split; auto). assert (CALM : N.eqb (N.land (winning G other) free) 0 = true).
      { apply lazy_or in E1 as [E1|E1]; auto. discriminate. }
      assert (K := R _ (column_G c C)). cbn [snd] in K.
      assert (NZ := proj2 (lowest_legal W H p G G_is _ _ _ c S C) LG). fold free in NZ. rewrite NZ in K.
        specialize (K eq_refl (drop b c q)).
      assert (K' : reach W H win p 0 p (drop b c q)).
      { rewrite WN in *. apply K.
        - apply (theirs_shown W H p G G_is); auto.
        - apply (calm W H p G G_is own other b S CALM NQ). auto.
        - intros _. assert (D := empty_cells_drop W H b c q LG). specialize (T WN). lia. }
      rewrite WN in K'. inversion K'; discriminate.
    - assert (CALM : N.eqb (N.land (winning G other) free) 0 = true).
      { apply lazy_or in E1 as [E1|E1]; auto. apply lazy_and in E1 as [_ E1]. discriminate. }
      assert (CM := calm W H p G G_is own other b S CALM NQ). apply reach_theirs.
      + intros WN. rewrite WN in E2. simpl in E2. apply negb_true_iff in E2.
        apply (set_nonzero W H _ _ (free_is W H p G G_is _ _ _ S)) in E2 as (c & r & C & RR & ->). exists c. split;
          auto.
      + intros c LG. split; [apply CM; auto|]. assert (K := R _ (column_G c (proj1 LG))). cbn [snd] in K.
        assert (NZ := proj2 (lowest_legal W H p G G_is _ _ _ c S (proj1 LG)) LG). fold free in NZ. rewrite NZ in K.
        replace (Datatypes.S n - 1) with n in K by lia. apply (K eq_refl).
        * apply (theirs_shown W H p G G_is); auto.
        * apply CM. auto.
        * replace n with (Datatypes.S n - 1) by lia. apply in_time_drop; auto. }
  split; auto. destruct V1 as [V1 V2]. split; simpl; auto. apply proven_add; auto.
Qed.

Lemma walk_sound : forall fuel n own other st st', walk fuel n own other st = Some st' -> valid st ->
  reaches p n own other /\ valid st'.
Proof.
  induction fuel as [|fuel IH]; intros n own other st st' E V; [discriminate|].
  change (step (walk fuel) (S fuel) n own other st = Some st') in E. unfold step in E.
  destruct (proven (our_table st) n own other) eqn:PR; [injection E as <-; split; auto; apply V; auto|].
  destruct (decides (S fuel) n own other) eqn:DE.
  { injection E as <-. split; auto. apply (decides_sound _ _ _ _ DE). }
  cbv zeta in E. set (options := safe (free_cells G own other) (winning G other)) in *.
  assert (MOVE : forall x n', n = S n' -> In x options -> reaches q n' (N.lor own x) other -> reaches p n own other).
  { intros x n' -> I R b SH NQ T. apply (safe_spec own other b) in I as (c & LG & ->); auto.
    apply reach_ours with (c := c); auto. right. apply R.
    - apply (ours_shown W H p G G_is); auto.
    - apply (no_line_drop p); auto.
    - replace n' with (S n' - 1) by lia. apply in_time_drop; auto. }
  destruct (existsb _ options) eqn:AD.
  { injection E as <-. split; auto. apply existsb_exists in AD as (x & I & AD).
    assert (n <> 0) by (intros ->; discriminate). apply all_decided_sound in AD.
    apply (MOVE x (n - 1)); auto. lia. }
  destruct n as [|n']; [discriminate|]. destruct (chosen options (moves st)) as [[x rest]|] eqn:CH; [|discriminate].
  apply chosen_in in CH. destruct (replies _ _ _ _ _) as [s1|] eqn:RP; [|discriminate]. injection E as <-.
  apply (replies_sound (walk fuel) IH) in RP as [R V1]; auto.
  assert (RE : reaches p (S n') own other) by (apply (MOVE x n'); auto).
  split; auto. destruct V1 as [V1 V2]. split; simpl; auto. apply proven_add; auto.
Qed.

Theorem accepts_sound n own other (p_moves : bool) l b : accepts n own other p_moves l = true ->
  shown W H p own other b -> ~ line b q -> in_time n b -> reach W H win p n (if p_moves then p else q) b.
Proof.
  unfold accepts. intros E S NQ T. destruct p_moves.
  - destruct (walk _ n own other _) as [st|] eqn:R; [|discriminate].
    apply walk_sound in R as [R _]; [apply R; auto|apply valid_start].
  - destruct (replies _ n own other _) as [st|] eqn:R; [|discriminate].
    apply (replies_sound _ (walk_sound _)) in R as [R _]; [apply R; auto|apply valid_start].
Qed.
End Walk.
