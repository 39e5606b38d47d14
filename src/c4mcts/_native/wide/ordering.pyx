"""The weights are for 7 x 6, which the solver of 64 bits solves; this one never has any."""


cdef void use_weights(Ordering* ordering, network, const int16_t[:, ::1] weights):
    """See _native.ordering."""


cdef void read_move(
    int16_t* features, const Situation* situation, const Situation* child, const int16_t* replies,
    const int16_t* stage, int32_t logit,
) noexcept nogil:
    """See _native.ordering."""


cdef void find_logits(
    const Ordering* ordering, const Situation* situation, Situation** children, int begin, int end, int32_t* logits,
) noexcept nogil:
    """See _native.ordering."""


cdef void rank(
    const Ordering* ordering, const Situation* situation, Situation** children, int begin, int end,
    const int16_t* replies, const int16_t* stage,
) noexcept nogil:
    """See _native.ordering."""
