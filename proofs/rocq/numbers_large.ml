(* Sets of cells as integers of any size, by the library Zarith *)
include Z
let most_bits = max_int
let minus a b = logand a (lognot b)
let shift_left a n = Z.shift_left a (Z.to_int n)
let shift_right a n = Z.shift_right a (Z.to_int n)
let pred a = if equal a zero then a else Z.pred a
