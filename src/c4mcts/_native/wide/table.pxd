include "../table.pxd"
