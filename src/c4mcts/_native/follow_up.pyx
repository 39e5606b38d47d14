"""The rule that ends the branches of a proof; the functions are in follow_up.pxd."""
