#pragma once
// A set of positions.

#include <algorithm>
#include <vector>

#include "board.hpp"
#include "workers.hpp"

inline uint64_t hash(uint64_t key) {
    key *= 0xD6E8FEB86659FD93;
    return (key ^ key >> 32) * 0xD6E8FEB86659FD93;
}

// A set of keys, each with a number from 0 to 7.
class Keys {
  public:
    size_t size = 0;
    std::vector<Cells> places = std::vector<Cells>(1024);  // key | number << 56, or 0

    // The number of a key, or -1.
    int find(Cells key) const {
        Cells place = places[index_of(key)];
        return place ? int(place >> 56) : -1;
    }

    // Of two numbers of a key the larger one counts.
    void add(Cells key, int number) {
        size_t i = index_of(key);
        bool is_new = !places[i];
        places[i] = std::max(places[i], key | Cells(number) << 56);
        if (!is_new) return;
        if (++size * 2 < places.size()) return;
        std::vector<Cells> old(places.size() * 2);
        old.swap(places);
        for (Cells place : old)
            if (place) places[index_of(key_of(place))] = place;
    }

    static Cells key_of(Cells place) { return place & ((Cells(1) << 56) - 1); }

  private:
    size_t index_of(Cells key) const {
        size_t i = hash(key) & (places.size() - 1);
        while (places[i] && key_of(places[i]) != key) i = (i + 1) & (places.size() - 1);
        return i;
    }
};

// A set in parts, each of which one worker fills, with what all workers have noted for it.
struct SharedKeys {
    typedef std::vector<Cells> Notes[WORKERS];

    Keys parts[WORKERS];

    static int part_of(Cells key) { return (hash(key) >> 40) % WORKERS; }
    static void note(Notes &notes, Cells key, int number) { notes[part_of(key)].push_back(key | Cells(number) << 56); }
    int find(Cells key) const { return parts[part_of(key)].find(key); }

    void add(Notes &notes, int worker) {
        for (Cells place : notes[worker]) parts[worker].add(Keys::key_of(place), place >> 56);
        notes[worker].clear();
    }

    size_t size() const {
        size_t size = 0;
        for (const Keys &part : parts) size += part.size;
        return size;
    }
};
