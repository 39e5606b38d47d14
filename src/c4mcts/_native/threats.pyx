"""Everything is in threats.pxd, so that the modules that use it can inline it."""
