"""Everything is in bounds.pxd, so that the modules that use it can inline it."""
