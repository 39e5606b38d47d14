(* Sets of cells as OCaml's integers, for boards of at most 62 bits. The only results that may need more, cells that
   `winning` shifts to the left, are cut by & with a set of cells, so bits that are lost make no difference. *)
type t = int
let most_bits = 62
let zero = 0 and one = 1
let equal (a : t) b = a = b
let logand a b = a land b
let logor a b = a lor b
let minus a b = a land lnot b
let shift_left a n = a lsl n
let shift_right a n = a lsr n
let is_odd a = a land 1 = 1
let succ a = a + 1
let pred a = if a = 0 then 0 else a - 1
let mul a b = a * b
let of_int n : t = n
