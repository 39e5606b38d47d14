"""Everything is in planes.pxd, so that puct can inline it."""
