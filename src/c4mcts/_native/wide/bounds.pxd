include "../bounds.pxd"
