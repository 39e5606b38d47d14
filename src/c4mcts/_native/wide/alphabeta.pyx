include "../alphabeta.pyx"
