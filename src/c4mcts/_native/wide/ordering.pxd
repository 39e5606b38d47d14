include "../ordering.pxd"
