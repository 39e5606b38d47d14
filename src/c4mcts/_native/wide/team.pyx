include "../team.pyx"
