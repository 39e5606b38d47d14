include "../solver.pyx"
