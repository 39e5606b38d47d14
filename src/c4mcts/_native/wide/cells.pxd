include "../cells.pxd"
