include "../sharing.pxd"
