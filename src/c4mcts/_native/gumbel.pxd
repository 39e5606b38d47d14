"""Gumbel AlphaZero: sequential halving at the root, and below it visits in proportion to an improved policy.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022), and mctx, whose
gumbel_muzero_policy this follows: values are stretched to 0 .. 1 among the children of a node. Where exact outcomes are
backed up, children that are proven lost are left out of everything, other proven ones have their exact value, and
children that can't be better than what is certain get no more visits.
"""

from libc.stdint cimport uint32_t, uint64_t

from .numbers cimport Generator
from .pool cimport Tree

cdef void improve_policy(Tree tree, uint32_t node, double* weights) noexcept nogil
cdef void mix_logits(Tree tree, const double* noise, double* logits) noexcept nogil
cdef void score_moves(Tree tree, const double* logits, double* scores) noexcept nogil
cdef uint32_t select_gumbel(
    Tree tree, const double* logits, uint32_t node, uint64_t planned, Generator* generator,
) noexcept nogil
