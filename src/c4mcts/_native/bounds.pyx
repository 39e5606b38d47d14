"""Everything is in the .pxd, to be compiled into the solver."""
