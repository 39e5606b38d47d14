"""The solver for boards of 65 to 128 bits, width * (height + 1): the same text as that for 64; see cells.pxd."""
