#pragma once
// Random numbers that are the same on every machine.

#include <cstdint>
#include <utility>
#include <vector>

// xorshift of Marsaglia (2003), with 64 bits.
struct Random {
    uint64_t state = 88172645463325252;

    uint64_t draw() {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^= state << 17;
    }

    template <typename T>
    void shuffle(std::vector<T> &items) {
        for (size_t i = items.size(); i > 1; i--) std::swap(items[i - 1], items[draw() % i]);
    }
};
