include "../table.pyx"
