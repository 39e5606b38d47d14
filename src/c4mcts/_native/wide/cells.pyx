include "../cells.pyx"
