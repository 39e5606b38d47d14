include "../book.pxd"
