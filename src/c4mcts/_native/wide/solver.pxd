include "../solver.pxd"
