"""The board as planes of numbers; all of it is in planes.pxd."""
