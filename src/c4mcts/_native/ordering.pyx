"""Everything is in ordering.pxd, so that the modules that use it can inline it."""
