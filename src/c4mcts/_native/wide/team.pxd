include "../team.pxd"
