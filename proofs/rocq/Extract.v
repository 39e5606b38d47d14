(* The checker as a program in OCaml. Numbers of type N, the sets of cells, are of the module Numbers;
   those of type nat,
   which count discs, columns and bytes, are OCaml's integers. *)
From Stdlib Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlString NArith.
Require Import File.
Extract Inductive positive => "Numbers.t"
  [ "(fun p -> Numbers.(succ (shift_left p one)))" "(fun p -> Numbers.(shift_left p one))" "Numbers.one" ]
  "(fun f1 f0 f p -> Numbers.(if equal p one then f () else (if is_odd p then f1 else f0) (shift_right p one)))".
Extract Inductive N => "Numbers.t" [ "Numbers.zero" "(fun p -> p)" ]
  "(fun f0 f n -> if Numbers.(equal n zero) then f0 () else f n)".
Extract Inlined Constant N.eqb => "Numbers.equal".
Extract Inlined Constant N.land => "Numbers.logand".
Extract Inlined Constant N.lor => "Numbers.logor".
Extract Inlined Constant N.ldiff => "Numbers.minus".
Extract Inlined Constant N.shiftl => "Numbers.shift_left".
Extract Inlined Constant N.shiftr => "Numbers.shift_right".
Extract Inlined Constant N.pred => "Numbers.pred".
Extract Inlined Constant N.succ_pos => "Numbers.succ".
Extract Inlined Constant N.mul => "Numbers.mul".
Extract Inlined Constant N.of_nat => "Numbers.of_int".
Extraction "checker.ml" read check limit discs.
