include "../book.pyx"
