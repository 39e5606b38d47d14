/* Integers of 128 bits as two words, with the operators that the solver needs, in C++: for compilers that have no
   unsigned __int128, with which they agree. */
#ifndef C4MCTS_TWO_WORDS_H
#define C4MCTS_TWO_WORDS_H

#include "portable.h"

class c4_cells {
public:
    c4_cells() = default; /* without a value, as an integer */
    constexpr c4_cells(uint64_t low) : low(low), high(0) {}
    constexpr c4_cells(uint64_t low, uint64_t high) : low(low), high(high) {}

    explicit constexpr operator bool() const { return (low | high) != 0; }
    template <typename Integer> explicit constexpr operator Integer() const { return (Integer)low; }

    friend constexpr c4_cells operator~(c4_cells a) { return c4_cells(~a.low, ~a.high); }
    friend constexpr c4_cells operator&(c4_cells a, c4_cells b) { return c4_cells(a.low & b.low, a.high & b.high); }
    friend constexpr c4_cells operator|(c4_cells a, c4_cells b) { return c4_cells(a.low | b.low, a.high | b.high); }
    friend constexpr c4_cells operator^(c4_cells a, c4_cells b) { return c4_cells(a.low ^ b.low, a.high ^ b.high); }

    friend constexpr c4_cells operator+(c4_cells a, c4_cells b)
    {
        return c4_cells(a.low + b.low, a.high + b.high + (a.low + b.low < a.low));
    }

    friend constexpr c4_cells operator-(c4_cells a, c4_cells b)
    {
        return c4_cells(a.low - b.low, a.high - b.high - (a.low < b.low));
    }

    friend c4_cells operator*(c4_cells a, c4_cells b)
    {
        return c4_cells(a.low * b.low, c4_mulhi(a.low, b.low) + a.low * b.high + a.high * b.low);
    }

    /* Shifts by n bits, from 0 to 127. */
    friend constexpr c4_cells operator<<(c4_cells a, int n)
    {
        return n >= 64 ? c4_cells(0, a.low << (n - 64))
             : n > 0   ? c4_cells(a.low << n, a.high << n | a.low >> (64 - n))
                       : a;
    }

    friend constexpr c4_cells operator>>(c4_cells a, int n)
    {
        return n >= 64 ? c4_cells(a.high >> (n - 64), 0)
             : n > 0   ? c4_cells(a.low >> n | a.high << (64 - n), a.high >> n)
                       : a;
    }

    friend constexpr bool operator==(c4_cells a, c4_cells b) { return a.low == b.low && a.high == b.high; }
    friend constexpr bool operator!=(c4_cells a, c4_cells b) { return !(a == b); }

    friend constexpr bool operator<(c4_cells a, c4_cells b)
    {
        return a.high < b.high || (a.high == b.high && a.low < b.low);
    }

    friend constexpr bool operator>(c4_cells a, c4_cells b) { return b < a; }

    c4_cells &operator&=(c4_cells b) { return *this = *this & b; }
    c4_cells &operator|=(c4_cells b) { return *this = *this | b; }
    c4_cells &operator^=(c4_cells b) { return *this = *this ^ b; }

private:
    uint64_t low, high;
};

#endif
