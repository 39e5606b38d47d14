(* The rule "follow up" as a program: it looks for a plan, and what it accepts is a plan as in Rule.v. *)
From Stdlib Require Import List Arith NArith Bool Lia.
Import ListNotations.
Require Import Statement Board Rule Bits Play.
Open Scope lazy_bool_scope. (* &&& and ||| evaluate their second argument only if it matters *)

Section Program.
Variables W H : nat.
Variable win : bool.
Variable spare : nat. (* how many cells must be empty when p wins *)
Variable early : N. (* the cells with as many above them *)
Variable p : player.
Let q := opponent p.
Variable G : geometry.
Hypothesis G_is : G = geometry_of W H.
Hypothesis early_is : set_of W H early (fun _ r => r + spare < H).

(* From this cell of a column up: the lower cells of pairs are added to theirs, the upper ones to ours. `empty`: the
   empty cells; `ends`: those with which p may complete a line. None: a cell without a pair is left. *)
Fixpoint pile (fuel : nat) (own empty ends x theirs ours : N) : option (N * N) :=
  match fuel with
  | 0 => None
  | S fuel =>
    if N.eqb (N.land x empty) 0 then Some (theirs, ours) else
    let up := N.shiftl x 1 in
    if N.eqb (N.land up empty) 0 then None else
    let theirs := N.lor theirs x in let ours := N.lor ours up in
    if negb (N.eqb (N.land up ends) 0) &&& has_line G (N.lor own up) then Some (theirs, ours)
    else pile fuel own empty ends (N.shiftl up 1) theirs ours
  end.

(* With the cells in t, below each of them all of its column too *)
Fixpoint smear (n : nat) (t : N) : N :=
  match n with 0 => t | S n => smear n (N.lor t (N.land (N.shiftr t 1) (board_cells G))) end.
Definition comes_late (own other ours : N) (l : N * list N) : bool :=
  let rest := N.ldiff (fst l) other in
  forallb (fun x => negb (N.eqb (N.land x other) 0) |||
    has_line G (N.lor own (N.land ours (smear H (N.lor rest (N.shiftl (N.ldiff rest x) 1)))))) (snd l).

(* Whether contested cells can be paired such that each of these lines has both cells of a pair *)
Fixpoint paired (fuel : nat) (shared : list (nat * N)) (dangers : list N) : bool :=
  match shared, fuel with
  | [], _ => match dangers with [] => true | _ => false end
  | _, 0 => false
  | x :: rest, S fuel => existsb (fun y =>
      paired fuel (filter (fun z => negb (fst z =? fst y)) rest)
        (filter (fun d => negb (subset (N.lor (snd x) (snd y)) d)) dangers)) rest
  end.
(* The lines that q can complete in time; None if one of them does not even have two contested cells *)
Fixpoint dangers (own other them ours all_shared : N) (l : list (N * list N)) : option (list N) :=
  match l with
  | [] => Some []
  | a :: l =>
    if subset (fst a) them &&& negb (comes_late own other ours a) then
      let both := N.land (fst a) all_shared in
      if N.eqb (N.land both (N.pred both)) 0 then None else
      match dangers own other them ours all_shared l with None => None | Some ds => Some (fst a :: ds) end
    else dangers own other them ours all_shared l
  end.
Definition holds (own other theirs ours : N) (shared : list (nat * N)) : bool :=
  (negb win ||| has_line G (N.lor own (N.land ours early))) &&&
  let them := N.lor other theirs in
  match (if has_line G them then dangers own other them ours (union (map snd shared)) (line_list G) else Some []) with
  | None => false
  | Some ds => paired 3 shared ds
  end.

(* A column that is not full: its number, its lowest empty cell, and what happens in it if this cell has a pair, and
   if
   it is contested. *)
Definition front : Type := nat * N * option (N * N) * option (N * N).
Definition fronts (own other : N) : list front :=
  let free := free_cells G own other in
  let empty := N.ldiff (board_cells G) (N.lor own other) in
  let ends := winning G own in
  flat_map (fun m => let x := N.land free (snd m) in if N.eqb x 0 then [] else
    [(fst m, x, pile (S H) own empty ends x 0 0, pile (S H) own empty ends (N.shiftl x 1) x 0)]) (columns G).
Fixpoint choose (own other : N) (l : list front) (theirs ours : N) (shared : list (nat * N)) : bool :=
  match l with
  | [] => holds own other theirs ours shared
  | (c, x, paired, contested) :: l =>
    match paired with
    | Some (t, o) => choose own other l (N.lor theirs t) (N.lor ours o) shared
    | None => false
    end |||
    match contested with
    | Some (t, o) => choose own other l (N.lor theirs t) (N.lor ours o) ((c, x) :: shared)
    | None => false
    end
  end.
Definition possible (f : front) : bool :=
  match f with (_, None, None) => false | _ => true end.
Definition open (f : front) : bool := (* two plans *)
  match f with (_, Some _, Some _) => true | _ => false end.
Definition follow (own other : N) : bool :=
  let l := fronts own other in
  forallb possible l &&& (length (filter open l) <=? 6) &&& choose own other l 0 0 [].

Section Sound.
Variables (own other : N) (b : board).
Hypothesis S : shown W H p own other b.

Lemma empty_is : set_of W H (N.ldiff (board_cells G) (N.lor own other)) (fun c r => length (b c) <= r).
Proof.
  rewrite G_is. apply (set_ext W H _ _ _ (set_minus W H _ _ _ _ (set_board W H) (taken_is W H p _ _ _ S))).
  intros. lia.
Qed.
Lemma cell_empty c r : c < W -> r <= H -> N.eqb (N.land (cell H c r) (N.ldiff (board_cells G) (N.lor own other))) 0
  = false -> r < H.
Proof.
  intros C R E. apply bit_of_nonzero in E as [i E]. rewrite N.land_spec, andb_true_iff, cell_bit in E.
  destruct E as [E1 E2]. apply N.eqb_eq in E1 as <-. apply empty_is in E2 as (c' & r' & _ & R' & E & _).
  apply spot_inj in E as [_ E]; lia.
Qed.

Lemma pile_sound ends c : c < W -> forall fuel r t0 o0 t o, length (b c) <= r <= H ->
  pile fuel own (N.ldiff (board_cells G) (N.lor own other)) ends (cell H c r) t0 o0 = Some (t, o) -> exists n,
    r + 2 * n <= H /\
    (r + 2 * n = H \/ (0 < n /\ four (fun c' r' => has b p c' r' \/ (c' = c /\ r' = r + 2 * n - 1)))) /\
    (forall i, N.testbit t i = true <-> N.testbit t0 i = true \/ exists j, j < n /\ i = spot H c (r + 2 * j)) /\
    (forall i, N.testbit o i = true <-> N.testbit o0 i = true \/ exists j, j < n /\ i = spot H c (r + 2 * j + 1)).
Proof.
  intros C. induction fuel as [|fuel IH]; intros r t0 o0 t o R E; [discriminate|]. cbn [pile] in E.
  destruct (N.eqb (N.land (cell H c r) (N.ldiff (board_cells G) (N.lor own other))) 0) eqn:E1.
  { injection E as <- <-. exists 0. assert (r = H).
    { destruct (Nat.eq_dec r H) as [|N]; auto. exfalso.
      assert (A : N.testbit (cell H c r) (spot H c r) = true) by (rewrite cell_bit; apply N.eqb_refl).
      apply (land_disjoint _ _ E1) in A. rewrite (proj2 (set_spot W H _ _ c r empty_is C ltac:(lia))) in A;
        [discriminate|].
      lia. }
    repeat split; try lia; auto; intros [A|(j & J & _)]; auto; lia. }
  apply cell_empty in E1; auto; [|lia]. rewrite cell_up in E.
  destruct (N.eqb (N.land (cell H c (Datatypes.S r)) (N.ldiff (board_cells G) (N.lor own other))) 0) eqn:E2;
    [discriminate|].
  apply cell_empty in E2; auto. rewrite cell_up in E.
  assert (B1 : forall i, N.testbit (N.lor t0 (cell H c r)) i = true <-> N.testbit t0 i = true \/ i = spot H c r).
  { intros i. rewrite N.lor_spec, orb_true_iff, cell_bit, N.eqb_eq. intuition. }
  assert (B2 : forall i, N.testbit (N.lor o0 (cell H c (Datatypes.S r))) i = true <->
      N.testbit o0 i = true \/ i = spot H c (Datatypes.S r)).
  { intros i. rewrite N.lor_spec, orb_true_iff, cell_bit, N.eqb_eq. intuition. }
  destruct (negb (N.eqb (N.land (cell H c (Datatypes.S r)) ends) 0) &&& has_line G (N.lor own (cell H c (Datatypes.S
    r)))) eqn:E3.
  - injection E as <- <-. apply lazy_and in E3 as [_ L]. exists 1. repeat split; try lia.
    + right. split; [lia|].
      apply (line_of_set W H G G_is _ _ (set_or W H _ _ _ _ (own_is _ _ _ _ _ _ S) (set_cell W H c _ C E2))) in L.
      revert L. apply four_mono. intros c' r' [A|[-> ->]]; auto. right. split; auto. lia.
    + intros A. apply B1 in A as [A| ->]; auto. right. exists 0. split; [lia|]. f_equal. lia.
    + intros [A|(j & J & ->)]; apply B1; auto. right. f_equal. lia.
    + intros A. apply B2 in A as [A| ->]; auto. right. exists 0. split; [lia|]. f_equal. lia.
    + intros [A|(j & J & ->)]; apply B2; auto. right. f_equal. lia.
  - apply IH in E as (n & N1 & N2 & N3 & N4); [|lia]. exists (Datatypes.S n). split; [lia|]. split; [|split].
    + destruct N2 as [N2|[N2 N5]]; [left; lia|right; split; [lia|]]. revert N5. apply four_mono.
      intros c' r' [A|[A1 A2]]; auto. right. split; auto. lia.
    + intros i. rewrite N3, B1. split.
      * intros [[A|A]|(j & J & A)]; [auto|right; exists 0|right; exists (Datatypes.S j)];
          (split; [lia|rewrite A; f_equal; lia]).
      * intros [A|([|j] & J & A)]; [auto|left; right; rewrite A; f_equal; lia|].
        right. exists j. split; [lia|rewrite A; f_equal; lia].
    + intros i. rewrite N4, B2. split.
      * intros [[A|A]|(j & J & A)]; [auto|right; exists 0|right; exists (Datatypes.S j)];
          (split; [lia|rewrite A; f_equal; lia]).
      * intros [A|([|j] & J & A)]; [auto|left; right; rewrite A; f_equal; lia|].
        right. exists j. split; [lia|rewrite A; f_equal; lia].
Qed.

(* A plan: the number of pairs in each column, and whether its lowest empty cell is contested *)
Section Plan.
Variables (PR : nat -> nat) (CT : nat -> bool).
Definition first c := length (b c) + (if CT c then 1 else 0).
Definition fits c := first c + 2 * PR c <= H /\ (first c + 2 * PR c = H \/
  (0 < PR c /\ four (fun c' r' => has b p c' r' \/ (c' = c /\ r' = first c + 2 * PR c - 1)))).
Definition their_cell c r := (CT c = true /\ r = length (b c)) \/ (exists j, j < PR c /\ r = first c + 2 * j).
Definition our_cell c r := exists j, j < PR c /\ r = first c + 2 * j + 1.
End Plan.

Definition front_fits (f : front) := let '(c, x, one, two) := f in c < W /\ length (b c) < H /\
  x = cell H c (length (b c)) /\
  (forall t o, one = Some (t, o) -> exists n, forall PR CT, PR c = n -> CT c = false -> fits PR CT c /\
    (forall i, N.testbit t i = true <-> exists r, i = spot H c r /\ their_cell PR CT c r) /\
    (forall i, N.testbit o i = true <-> exists r, i = spot H c r /\ our_cell PR CT c r)) /\
  (forall t o, two = Some (t, o) -> exists n, forall PR CT, PR c = n -> CT c = true -> fits PR CT c /\
    (forall i, N.testbit t i = true <-> exists r, i = spot H c r /\ their_cell PR CT c r) /\
    (forall i, N.testbit o i = true <-> exists r, i = spot H c r /\ our_cell PR CT c r)).
Definition number (f : front) := fst (fst (fst f)).

Lemma set_unique s t P : set_of W H s P -> set_of W H t P -> s = t.
Proof.
  intros A B. apply N.bits_inj. intros i. destruct (N.testbit s i) eqn:E.
  - symmetry. apply B, A. auto.
  - destruct (N.testbit t i) eqn:F; auto. apply B, A in F. congruence.
Qed.
Lemma lowest_cell c : c < W -> length (b c) < H -> N.land (free_cells G own other) (column H c) = cell H c (length
  (b c)).
Proof.
  intros C R. apply (set_unique _ _ _ (lowest_is W H p G G_is _ _ _ c S C)).
  apply (set_ext W H _ _ _ (set_cell W H c _ C R)). intros c' r' _ _. intuition; subst; auto.
Qed.

Lemma fronts_fit f : In f (fronts own other) -> front_fits f.
Proof.
  unfold fronts. intros I. apply in_flat_map in I as ((c & m) & I & J). rewrite G_is in I.
    apply in_columns in I as [C ->].
  cbn [fst snd] in J. destruct (N.eqb (N.land (free_cells G own other) (column H c)) 0) eqn:E; [destruct J|].
  apply (lowest_legal W H p G G_is _ _ _ _ S C) in E as [_ L]. destruct J as [<-|[]]. rewrite lowest_cell by auto.
  split; [auto|]. split; [auto|]. split; [auto|]. split; intros t o P.
  - apply pile_sound in P as (n & N1 & N2 & N3 & N4); [|lia..]. exists n. intros PR CT <- CF.
    unfold fits, their_cell, our_cell, first. rewrite CF, Nat.add_0_r. split; [auto|]. split; intros i.
    + rewrite N3. split.
      * intros [A|(j & J & ->)]; [discriminate|]. eexists. split; [reflexivity|]. right. exists j; auto.
      * intros (r & -> & [[A _]|(j & J & ->)]); [discriminate|]. right. exists j; auto.
    + rewrite N4. split.
      * intros [A|(j & J & ->)]; [discriminate|]. eexists. split; [reflexivity|]. exists j; auto.
      * intros (r & -> & (j & J & ->)). right. exists j; auto.
  - rewrite cell_up in P. apply pile_sound in P as (n & N1 & N2 & N3 & N4); [|lia..]. exists n. intros PR CT <- CF.
    unfold fits, their_cell, our_cell, first. rewrite CF, Nat.add_1_r. split; [auto|]. split; intros i.
    + rewrite N3, cell_bit, N.eqb_eq. split.
      * intros [<-|(j & J & ->)]; eexists; (split; [reflexivity|]); auto. right. exists j; auto.
      * intros (r & -> & [[_ ->]|(j & J & ->)]); auto. right. exists j; auto.
    + rewrite N4. split.
      * intros [A|(j & J & ->)]; [discriminate|]. eexists. split; [reflexivity|]. exists j; auto.
      * intros (r & -> & (j & J & ->)). right. exists j; auto.
Qed.
Lemma fronts_all c : c < W -> length (b c) < H -> In c (map number (fronts own other)).
Proof.
  intros C L. unfold fronts. set (F := fun m : nat * N => _). assert (I : In (c, column H c) (columns G)).
  { rewrite G_is. apply in_columns. auto. }
  assert (exists f, In f (F (c, column H c)) /\ number f = c) as (f & I' & <-).
  { unfold F. cbn [fst snd]. rewrite (proj2 (lowest_legal W H p G G_is _ _ _ c S C)) by (split; auto).
    eexists. split; [left; reflexivity|reflexivity]. }
  apply in_map. apply in_flat_map. eauto.
Qed.
Lemma fronts_nodup : NoDup (map number (fronts own other)).
Proof.
  unfold fronts. set (F := fun m : nat * N => _). assert (A : NoDup (map fst (columns G))).
  { rewrite G_is. simpl. rewrite map_map. simpl. rewrite map_id. apply seq_NoDup. }
  assert (B : forall m f, In f (F m) -> number f = fst m).
  { unfold F. intros m f I. destruct (N.eqb _ 0); [destruct I|]. destruct I as [<-|[]]. auto. }
  assert (B' : forall m, F m = [] \/ exists f, F m = [f]).
  { unfold F. intros m. destruct (N.eqb _ 0); eauto. }
  induction (columns G) as [|m l IH]; simpl; [constructor|]. inversion A as [|? ? A1 A2]. subst.
  rewrite map_app. destruct (B' m) as [E|[f E]]; rewrite E; simpl; auto. constructor; auto.
  intros I. apply A1. apply in_map_iff in I as (g & E' & I). apply in_flat_map in I as (m' & I & J).
  rewrite <- (B m f) by (rewrite E; simpl; auto). rewrite <- E', (B m' g J). apply in_map. auto.
Qed.

Lemma choose_sound : forall l theirs ours shared, (forall f, In f l -> front_fits f) -> NoDup (map number l) ->
  NoDup (map fst shared) -> (forall x, In x shared -> ~ In (fst x) (map number l)) ->
  choose own other l theirs ours shared = true -> exists PR CT theirs' ours' shared',
    holds own other theirs' ours' shared' = true /\
    (forall c, In c (map number l) -> fits PR CT c) /\
    (forall c, ~ In c (map number l) -> PR c = 0 /\ CT c = false) /\
    (forall i, N.testbit theirs' i = true <-> N.testbit theirs i = true \/
      exists c r, In c (map number l) /\ i = spot H c r /\ their_cell PR CT c r) /\
    (forall i, N.testbit ours' i = true <-> N.testbit ours i = true \/
      exists c r, In c (map number l) /\ i = spot H c r /\ our_cell PR CT c r) /\
    NoDup (map fst shared') /\
    (forall c x, In (c, x) shared' <-> In (c, x) shared \/ (In c (map number l) /\ CT c = true /\
      x = cell H c (length (b c)))).
Proof.
  induction l as [|f l IH]; intros theirs ours shared A ND SD SN E.
  - exists (fun _ => 0), (fun _ => false), theirs, ours, shared. simpl in *. repeat split; auto; try tauto.
    + intros [B|(c & r & [] & _)]; auto.
    + intros [B|(c & r & [] & _)]; auto.
  - destruct f as [[[c x] one] two]. simpl map in *. change (number (c, x, one, two)) with c in *.
    inversion ND as [|? ? ND1 ND2]; subst. destruct (A _ (or_introl eq_refl)) as (C & L & X & F1 & F2).
    cbn [choose] in E. apply lazy_or in E.
    assert (K : forall k t o, (exists n, forall PR CT, PR c = n -> CT c = k -> fits PR CT c /\
        (forall i, N.testbit t i = true <-> exists r, i = spot H c r /\ their_cell PR CT c r) /\
        (forall i, N.testbit o i = true <-> exists r, i = spot H c r /\ our_cell PR CT c r)) ->
      choose own other l (N.lor theirs t) (N.lor ours o) (if k then (c, x) :: shared else shared) = true ->
      exists PR CT theirs' ours' shared',
    holds own other theirs' ours' shared' = true /\
    (forall c0, In c0 (c :: map number l) -> fits PR CT c0) /\
    (forall c0, ~ In c0 (c :: map number l) -> PR c0 = 0 /\ CT c0 = false) /\
    (forall i, N.testbit theirs' i = true <-> N.testbit theirs i = true \/
      exists c0 r, In c0 (c :: map number l) /\ i = spot H c0 r /\ their_cell PR CT c0 r) /\
    (forall i, N.testbit ours' i = true <-> N.testbit ours i = true \/
      exists c0 r, In c0 (c :: map number l) /\ i = spot H c0 r /\ our_cell PR CT c0 r) /\
    NoDup (map fst shared') /\
    (forall c0 x, In (c0, x) shared' <-> In (c0, x) shared \/ (In c0 (c :: map number l) /\ CT c0 = true /\
      x = cell H c0 (length (b c0))))).
    { intros k t o (n & F) E'. apply IH in E' as (PR & CT & t' & o' & s' & E1 & E2 & E3 & E4 & E5 & E6 & E7).
      - set (PR' := fun c0 => if c0 =? c then n else PR c0). set (CT' := fun c0 => if c0 =? c then k else CT c0).
        assert (SAME : forall c0, In c0 (map number l) -> PR' c0 = PR c0 /\ CT' c0 = CT c0).
        { intros c0 I. unfold PR', CT'. destruct (Nat.eqb_spec c0 c) as [->|]; [contradiction|auto]. }
        assert (NEW : PR' c = n /\ CT' c = k) by (unfold PR', CT'; rewrite Nat.eqb_refl; auto).
        destruct NEW as [NEW1 NEW2]. destruct (F PR' CT' NEW1 NEW2) as (G1 & G2 & G3).
        assert (ST : forall c0 r, In c0 (map number l) -> (their_cell PR' CT' c0 r <-> their_cell PR CT c0 r)).
        { intros c0 r I. destruct (SAME c0 I) as [S1 S2]. unfold their_cell, first. rewrite S1, S2. tauto. }
        assert (SO : forall c0 r, In c0 (map number l) -> (our_cell PR' CT' c0 r <-> our_cell PR CT c0 r)).
        { intros c0 r I. destruct (SAME c0 I) as [S1 S2]. unfold our_cell, first. rewrite S1, S2. tauto. }
        exists PR', CT', t', o', s'. split; [auto|]. split; [|split; [|split; [|split; [|split]]]]; auto.
        + intros c0 [<-|I]; auto. destruct (SAME c0 I) as [S1 S2]. unfold fits, first. rewrite S1, S2. apply E2; auto.
        + intros c0 N. simpl in N. unfold PR', CT'. destruct (Nat.eqb_spec c0 c); [exfalso; apply N; auto|].
            apply E3. tauto.
        + intros i. rewrite E4, N.lor_spec, orb_true_iff, G2. split.
          * intros [[B|(r & -> & B)]|(c0 & r & I & -> & B)]; auto; right.
            -- exists c, r. simpl; auto.
            -- exists c0, r. simpl. rewrite ST; auto.
          * intros [B|(c0 & r & [<-|I] & -> & B)]; auto; [left; right; exists r; auto|].
            right. exists c0, r. rewrite <- ST; auto.
        + intros i. rewrite E5, N.lor_spec, orb_true_iff, G3. split.
          * intros [[B|(r & -> & B)]|(c0 & r & I & -> & B)]; auto; right.
            -- exists c, r. simpl; auto.
            -- exists c0, r. simpl. rewrite SO; auto.
          * intros [B|(c0 & r & [<-|I] & -> & B)]; auto; [left; right; exists r; auto|].
            right. exists c0, r. rewrite <- SO; auto.
        + intros c0 y. rewrite E7. split.
          * intros [B|(I & B & D)]; [|right; destruct (SAME c0 I) as [_ S2]; rewrite S2; simpl; auto].
            destruct k; auto. destruct B as [B|B]; auto. injection B as <- <-. right. simpl. auto.
          * intros [B|([<-|I] & B & D)]; [left; destruct k; simpl; auto| |].
            -- rewrite NEW2 in B. left. rewrite B. left. congruence.
            -- destruct (SAME c0 I) as [_ S2]. rewrite S2 in B. auto.
      - intros f I. apply A. simpl; auto.
      - auto.
      - destruct k; auto. simpl. constructor; auto. intros I. apply in_map_iff in I as (z & Z & I).
        apply (SN z I). left. auto.
      - intros z I N. destruct k.
        + destruct I as [<-|I]; [contradiction|]. apply (SN z I). simpl; auto.
        + apply (SN z I). simpl; auto. }
    destruct E as [E|E].
    + destruct one as [[t o]|]; [|discriminate]. apply (K false t o); auto.
    + destruct two as [[t o]|]; [|discriminate]. apply (K true t o); auto.
Qed.

Lemma paired_sound : forall fuel shared ds, NoDup (map fst shared) -> paired fuel shared ds = true ->
  exists mate : nat -> option nat,
    (forall c m, mate c = Some m -> m <> c /\ mate m = Some c /\ In c (map fst shared)) /\
    (forall c, In c (map fst shared) -> mate c <> None) /\
    (forall d, In d ds -> exists c x m y, mate c = Some m /\ In (c, x) shared /\ In (m, y) shared /\
       subset (N.lor x y) d = true).
Proof.
  induction fuel as [|fuel IH]; intros [|[c x] rest] ds ND E.
  - exists (fun _ => None). repeat split; try discriminate; auto. intros d I. simpl in E. destruct ds;
      [destruct I|discriminate].
  - discriminate.
  - exists (fun _ => None). repeat split; try discriminate; auto. intros d I. simpl in E. destruct ds;
      [destruct I|discriminate].
  - cbn [paired] in E. apply existsb_exists in E as ((m & y) & I & E). cbn [fst snd] in E. simpl in ND.
    inversion ND as [|? ? ND1 ND2]; subst.
    assert (FI : forall z, In z (filter (fun z => negb (fst z =? m)) rest) <-> In z rest /\ fst z <> m).
    { intros z. rewrite filter_In, negb_true_iff, Nat.eqb_neq. tauto. }
    apply IH in E as (mate & M1 & M2 & M3).
    + assert (CM : c <> m) by (intros ->; apply ND1; apply (in_map fst _ (m, y)); auto).
      assert (MN : mate m = None).
      { destruct (mate m) eqn:E; auto. apply M1 in E as (_ & _ & E). apply in_map_iff in E as (z & <- & E).
        apply FI in E as [_ E]. congruence. }
      assert (CN : mate c = None).
      { destruct (mate c) eqn:E; auto. apply M1 in E as (_ & _ & E). apply in_map_iff in E as (z & <- & E).
        apply FI in E as [E _]. destruct ND1. apply in_map. auto. }
      exists (fun a => if a =? c then Some m else if a =? m then Some c else mate a). split; [|split].
      * intros a a'. destruct (Nat.eqb_spec a c) as [->|N1].
        { intros [= <-]. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec m c); [congruence|]. simpl; auto. }
        destruct (Nat.eqb_spec a m) as [->|N2].
        { intros [= <-]. rewrite Nat.eqb_refl. repeat split; auto. simpl. right. apply (in_map fst _ (m, y)). auto. }
        intros E. destruct (M1 _ _ E) as (B1 & B2 & B3). split; [auto|]. split.
        -- destruct (Nat.eqb_spec a' c); [congruence|]. destruct (Nat.eqb_spec a' m); [congruence|auto].
        -- simpl. right. apply in_map_iff in B3 as (z & <- & B3). apply FI in B3 as [B3 _]. apply in_map. auto.
      * intros a J. destruct (Nat.eqb_spec a c); [discriminate|]. destruct (Nat.eqb_spec a m); [discriminate|].
        apply M2. simpl in J. destruct J as [J|J]; [congruence|]. apply in_map_iff in J as (z & <- & J).
          apply in_map, FI. auto.
      * intros d J. destruct (subset (N.lor x y) d) eqn:SB.
        -- exists c, x, m, y. rewrite Nat.eqb_refl. simpl. auto.
        -- destruct (M3 d) as (c1 & x1 & m1 & y1 & D1 & D2 & D3 & D4); [apply filter_In; rewrite SB; auto|].
           exists c1, x1, m1, y1. apply FI in D2 as [D2 _], D3 as [D3 _]. simpl.
           destruct (Nat.eqb_spec c1 c); [congruence|]. destruct (Nat.eqb_spec c1 m); [congruence|]. auto.
    + clear - ND2. induction rest as [|z rest IHr]; simpl; [constructor|]. simpl in ND2.
        inversion ND2 as [|? ? A1 A2]; subst.
      destruct (negb (fst z =? m)); simpl; auto. constructor; auto. intros I. apply A1.
      apply in_map_iff in I as (z' & E & I). apply filter_In in I as [I _]. rewrite <- E. apply in_map. auto.
Qed.

Lemma dangers_complete them ours all_shared : forall l ds, dangers own other them ours all_shared l = Some ds ->
  forall a, In a l -> subset (fst a) them = true -> comes_late own other ours a = false -> In (fst a) ds.
Proof.
  induction l as [|a l IH]; intros ds E a' I SB LT; [destruct I|]. cbn [dangers] in E. destruct I as [<-|I].
  - rewrite SB, LT in E. cbn in E. destruct (N.eqb _ 0); [discriminate|].
    destruct (dangers own other them ours all_shared l); [|discriminate]. injection E as <-. simpl; auto.
  - destruct (subset (fst a) them &&& negb (comes_late own other ours a)); [|apply (IH _ E); auto].
    cbv zeta in E. destruct (N.eqb _ 0); [discriminate|].
    destruct (dangers own other them ours all_shared l) as [ds'|]; [|discriminate]. injection E as <-. simpl.
    right. apply (IH _ eq_refl); auto.
Qed.
Lemma smear_sound : forall n t c r, c < W -> r <= H -> N.testbit (smear n t) (spot H c r) = true ->
  exists r', r <= r' <= H /\ N.testbit t (spot H c r') = true.
Proof.
  induction n as [|n IH]; intros t c r C R E; [exists r; auto|]. cbn [smear] in E. apply IH in E as (r' & R' & E);
    auto.
  rewrite N.lor_spec, orb_true_iff, N.land_spec, andb_true_iff, N.shiftr_spec' in E. destruct E as [E|[E1 E2]];
    [exists r'; auto|].
  rewrite G_is in E2. apply (set_board W H) in E2 as (c0 & r0 & _ & R0 & E & _). apply spot_inj in E as [_ <-];
    [|lia..].
  exists (Datatypes.S r'). split; [lia|]. rewrite <- spot_up, <- N.add_1_r. auto.
Qed.

Lemma holds_sound PR CT theirs ours shared :
  (forall c, c < W -> fits PR CT c) ->
  (forall i, N.testbit theirs i = true <-> exists c r, c < W /\ i = spot H c r /\ their_cell PR CT c r) ->
  (forall i, N.testbit ours i = true <-> exists c r, c < W /\ i = spot H c r /\ our_cell PR CT c r) ->
  NoDup (map fst shared) ->
  (forall c x, In (c, x) shared <-> c < W /\ CT c = true /\ length (b c) < H /\ x = cell H c (length (b c))) ->
  holds own other theirs ours shared = true -> exists P, good W H win spare p b P.
Proof.
  intros FT TS OS ND SH E. unfold holds in E. apply lazy_and in E as [WN E].
  cbv zeta in E. destruct (if has_line G _ then _ else _) as [ds|] eqn:DS; [|discriminate].
  apply paired_sound in E as (mate & M1 & M2 & M3); auto.
  assert (CS : forall c, In c (map fst shared) <-> c < W /\ CT c = true /\ length (b c) < H).
  { intros c. rewrite in_map_iff. split.
    - intros ((c' & x) & <- & I). apply SH in I. simpl. tauto.
    - intros I. exists (c, cell H c (length (b c))). split; auto. apply SH. tauto. }
  set (P := {| pairs := PR; mate := mate |}). exists P.
  assert (CTH : forall c, c < W -> CT c = true -> length (b c) < H).
  { intros c C K. destruct (FT c C) as [A _]. unfold first in A. rewrite K in A. lia. }
  assert (ST : forall c, c < W -> start b P c = first CT c).
  { intros c C. unfold start, first. simpl. destruct (mate c) as [m|] eqn:E.
    - apply M1 in E as (_ & _ & E). apply CS in E as (_ & -> & _). auto.
    - destruct (CT c) eqn:K; auto. destruct (M2 c); auto. apply CS. auto. }
  assert (TP : forall c, c < W -> top b P c = first CT c + 2 * PR c) by (intros c C; unfold top; rewrite ST; auto).
  assert (OB : forall c r, c < W -> our_cell PR CT c r -> r < H).
  { intros c r C (j & J & ->). destruct (FT c C) as [A _]. lia. }
  assert (TB : forall c r, c < W -> their_cell PR CT c r -> r < H).
  { intros c r C [[K ->]|(j & J & ->)]; auto. destruct (FT c C) as [A _]. lia. }
  assert (OSET : set_of W H ours (fun c r => our_cell PR CT c r)).
  { intros i. rewrite OS. split; intros (c & r & A); exists c, r; [|tauto]. destruct A as (A1 & A2 & A3).
    repeat split; auto. apply (OB c); auto. }
  assert (TSET : set_of W H theirs (fun c r => their_cell PR CT c r)).
  { intros i. rewrite TS. split; intros (c & r & A); exists c, r; [|tauto]. destruct A as (A1 & A2 & A3).
    repeat split; auto. apply (TB c); auto. }
  assert (UP : forall c r, c < W -> our_cell PR CT c r -> upper W b P c r).
  { intros c r C (j & J & ->). split; auto. exists j. rewrite ST; auto. }
  split.
  - intros c C. rewrite TP by auto. apply FT. auto.
  - intros c C. rewrite TP by auto. destruct (FT c C) as [_ [A|A]]; auto. right. unfold won. rewrite TP by auto. auto.
  - intros c m C E. simpl in E. destruct (M1 c m E) as (A1 & A2 & A3). repeat split; auto.
    apply M1 in A2 as (_ & _ & A2). apply CS in A2. tauto.
  - intros f d column row SP L. destruct (Bool.bool_dec (has_line G (N.lor other theirs)) true) as [ML|ML].
    + (* the line is in the list *)
      assert (B : forall c r, on_line d column row c r -> c < W /\ r < H).
      { intros c r I. destruct (L c r I) as [A|[(C & i & J & ->)|(C & K & _ & ->)]].
        - apply (has_on_board W H p own other b q); auto.
        - split; auto. rewrite ST by auto. destruct (FT c C) as [A _]. simpl in J. lia.
        - split; auto. destruct (mate c) as [m|] eqn:E; [|simpl in K; congruence].
          apply M1 in E as (_ & _ & E). apply CS in E. tauto. }
      assert (IN := in_lines W H d column row B). cbv zeta in IN.
      set (cells := map (fun x => cell H (fst x) (snd x)) (cells_on_line d column row)) in *.
      assert (SUB : subset (union cells) (N.lor other theirs) = true).
      { apply subset_spec. intros i I. apply in_line_mask in I as (c & r & I & ->). destruct (B c r I) as [C R].
        rewrite N.lor_spec, orb_true_iff. destruct (L c r I) as [A|[(_ & i & J & ->)|(_ & K & _ & ->)]].
        - left. apply (set_spot W H _ _ _ _ (other_is _ _ _ _ _ _ S)); auto.
        - right. apply (set_spot W H _ _ _ _ TSET); auto. right. exists i. rewrite ST; auto.
        - right. apply (set_spot W H _ _ _ _ TSET); auto. left. split; auto.
          destruct (mate c) as [m|] eqn:E; [|simpl in K; congruence]. apply M1 in E as (_ & _ & E). apply CS in E.
            tauto. }
      destruct (comes_late own other ours (union cells, cells)) eqn:LT.
      * (* it comes too late *)
        intros lc lr I NQ. unfold comes_late in LT. cbn [fst snd] in LT. rewrite forallb_forall in LT.
        destruct (B lc lr I) as [LC LR].
        assert (IC : In (cell H lc lr) cells).
        { unfold cells. destruct I as (k & K & -> & ->). apply in_map_iff.
          exists (line_column d column k, line_row d row k). split; auto. apply in_map_iff. exists k. split; auto.
          simpl. lia. }
        specialize (LT _ IC). apply lazy_or in LT. destruct LT as [LT|LT].
        { exfalso. apply negb_true_iff in LT. apply bit_of_nonzero in LT as [i LT].
          rewrite N.land_spec, andb_true_iff, cell_bit, N.eqb_eq in LT. destruct LT as [<- LT].
          apply NQ. apply (set_spot W H _ _ _ _ (other_is _ _ _ _ _ _ S)); auto. }
        apply (has_line_in_set W H G G_is) in LT.
        2: { intros i A. rewrite N.lor_spec, orb_true_iff, N.land_spec, andb_true_iff in A. destruct A as [A|[A _]].
          - apply (own_is _ _ _ _ _ _ S) in A as (c & r & C & R & EQ & _). exists c, r. auto.
          - apply OSET in A as (c & r & C & R & EQ & _). exists c, r. auto. }
        revert LT. apply four_mono. intros c r (C & R & A).
        rewrite N.lor_spec, orb_true_iff, N.land_spec, andb_true_iff in A. destruct A as [A|[A1 A2]].
        { left. apply (set_spot W H _ _ _ _ (own_is _ _ _ _ _ _ S)); auto. }
        right. apply (set_spot W H _ _ _ _ OSET) in A1; auto. split; [auto|].
        apply smear_sound in A2 as (r' & R' & A2); auto; [|lia].
        rewrite N.lor_spec, orb_true_iff, N.ldiff_spec, andb_true_iff in A2. destruct A2 as [[A2 _]|A2].
        -- apply in_line_mask in A2 as (c0 & r0 & I0 & E0). destruct (B c0 r0 I0) as [_ R0].
           apply spot_inj in E0 as [-> ->]; [|lia..]. exists r0. split; auto. left. lia.
        -- destruct (N.lt_ge_cases (spot H c r') 1) as [Z|Z]; [rewrite N.shiftl_spec_low in A2 by auto;
             discriminate|].
           rewrite N.shiftl_spec_high', !N.ldiff_spec, !andb_true_iff, cell_bit, !negb_true_iff, N.eqb_neq in A2 by
             auto.
           destruct A2 as [[A2 _] A3]. apply in_line_mask in A2 as (c0 & r0 & I0 & E0).
             destruct (B c0 r0 I0) as [_ R0].
           assert (E1 : spot H c r' = spot H c0 (Datatypes.S r0)) by (rewrite <- spot_up; lia).
           apply spot_inj in E1 as [-> ->]; [|lia..]. exists r0. split; auto.
           destruct (Nat.eq_dec r (Datatypes.S r0)) as [->|]; [right|left; lia]. split; auto.
           destruct (Nat.eq_dec c0 lc) as [->|]; auto. right. intros ->. apply A3. auto.
      * (* q can't get all of it *)
        exfalso. destruct (M3 (union cells)) as (c & x & m & y & D1 & D2 & D3 & D4).
        { rewrite ML in DS. apply (dangers_complete _ _ _ _ _ DS (union cells, cells)); auto.
          rewrite G_is. exact IN. }
        assert (GETS : forall c x, In (c, x) shared -> (forall i, N.testbit x i = true ->
          N.testbit (union cells) i = true) ->
          f c = true).
        { intros c0 x0 I0 A. apply SH in I0 as (C0 & K0 & L0 & ->).
          assert (A' : N.testbit (union cells) (spot H c0 (length (b c0))) = true) by (apply A; rewrite cell_bit;
            apply N.eqb_refl).
          apply in_line_mask in A' as (c1 & r1 & I1 & E1). destruct (B c1 r1 I1) as [_ R1].
          apply spot_inj in E1 as [<- <-]; [|lia..]. destruct (L _ _ I1) as [A1|[(_ & i & J & A1)|(_ & _ & A1 &
            _)]]; auto.
          - apply has_row in A1. lia.
          - rewrite ST in A1 by auto. unfold first in A1. rewrite K0 in A1. lia. }
        rewrite subset_spec in D4.
        assert (F1 : f c = true) by (apply (GETS c x D2); intros i I; apply D4; rewrite N.lor_spec, I; auto).
        assert (F2 : f m = true) by (apply (GETS m y D3); intros i I; apply D4; rewrite N.lor_spec, I, orb_true_r;
          auto).
        assert (C : c < W) by (apply SH in D2; tauto). specialize (SP c m C D1). rewrite F1, F2 in SP. discriminate.
    + exfalso. apply ML. apply (line_starts W H G G_is d column row). intros c r I.
      destruct (L c r I) as [A|[(C & i & J & ->)|(C & K & _ & ->)]].
      * destruct (has_on_board W H p own other b q c r S A) as [C R]. repeat split; auto.
        rewrite N.lor_spec, orb_true_iff. left. apply (set_spot W H _ _ _ _ (other_is _ _ _ _ _ _ S)); auto.
      * assert (A : their_cell PR CT c (start b P c + 2 * i)) by (right; exists i; rewrite ST; auto).
        repeat split; auto; [apply (TB c); auto|]. rewrite N.lor_spec, orb_true_iff. right.
        apply (set_spot W H _ _ _ _ TSET); auto. apply (TB c); auto.
      * assert (A : their_cell PR CT c (length (b c))).
        { left. split; auto. destruct (mate c) as [m|] eqn:E; [|simpl in K; congruence].
          apply M1 in E as (_ & _ & E). apply CS in E. tauto. }
        repeat split; auto; [apply (TB c); auto|]. rewrite N.lor_spec, orb_true_iff. right.
        apply (set_spot W H _ _ _ _ TSET); auto. apply (TB c); auto.
  - intros WIN. rewrite WIN in WN. simpl in WN.
    assert (USET : set_of W H (N.land ours early) (fun c r => upper W b P c r /\ r + spare < H)).
    { apply set_and; auto.
      intros i. rewrite (OSET i). split; intros (c & r & C & R & E & A); exists c, r; repeat split; auto.
      - apply UP; auto.
      - destruct A as (_ & j & J & ->). exists j. rewrite <- ST; auto. }
    apply (line_of_set W H G G_is _ _ (set_or W H _ _ _ _ (own_is _ _ _ _ _ _ S) USET)) in WN. exact WN.
Qed.

Theorem follow_sound : follow own other = true -> exists P, good W H win spare p b P.
Proof.
  unfold follow. rewrite lazy_and. intros [_ E].
  apply choose_sound in E as (PR & CT & t & o & s & E1 & E2 & E3 & E4 & E5 & E6 & E7).
  - assert (FC : forall c, In c (map number (fronts own other)) -> c < W /\ length (b c) < H).
    { intros c I. apply in_map_iff in I as ([[[c' x] one] two] & <- & I). apply fronts_fit in I as (C & L & _).
        auto. }
    assert (FULL : forall c, c < W -> ~ In c (map number (fronts own other)) -> length (b c) = H).
    { intros c C N. assert (LW := low_is _ _ _ _ _ _ S c). destruct (Nat.lt_ge_cases (length (b c)) H); [|lia].
      destruct N. apply fronts_all; auto. }
    apply (holds_sound PR CT t o s); auto.
    + intros c C. destruct (in_dec Nat.eq_dec c (map number (fronts own other))) as [I|N]; auto.
      destruct (E3 c N) as [Z1 Z2]. unfold fits, first. rewrite Z1, Z2, (FULL c C N). lia.
    + intros i. rewrite E4. split.
      * intros [A|(c & r & I & A)]; [discriminate|]. exists c, r. split; auto. apply FC. auto.
      * intros (c & r & C & -> & A). right. exists c, r. repeat split; auto.
        destruct (in_dec Nat.eq_dec c (map number (fronts own other))) as [I|N]; auto.
        destruct (E3 c N) as [Z1 Z2]. destruct A as [[A _]|(j & J & _)]; [congruence|lia].
    + intros i. rewrite E5. split.
      * intros [A|(c & r & I & A)]; [discriminate|]. exists c, r. split; auto. apply FC. auto.
      * intros (c & r & C & -> & A). right. exists c, r. repeat split; auto.
        destruct (in_dec Nat.eq_dec c (map number (fronts own other))) as [I|N]; auto.
        destruct (E3 c N) as [Z1 Z2]. destruct A as (j & J & _). lia.
    + intros c x. rewrite E7. split.
      * intros [[]|(I & K & X)]. destruct (FC c I). auto.
      * intros (C & K & L & X). right. repeat split; auto. apply fronts_all; auto.
  - apply fronts_fit.
  - apply fronts_nodup.
  - constructor.
  - intros x [].
Qed.
End Sound.
End Program.
