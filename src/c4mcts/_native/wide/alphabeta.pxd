include "../alphabeta.pxd"
