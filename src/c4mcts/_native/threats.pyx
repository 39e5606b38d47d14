"""Everything is in the .pxd, to be compiled into the rooms that use it."""
