#pragma once
// Work that threads share. There are as many on every machine, so that sums are the same, too.

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

const int WORKERS = 2;

// Call work(0), work(1) and so on, at the same time.
template <typename Work>
inline void in_parallel(Work work) {
    std::vector<std::thread> threads;
    for (int worker = 1; worker < WORKERS; worker++) threads.emplace_back(work, worker);
    work(0);
    for (std::thread &thread : threads) thread.join();
}

// Where the part of a worker begins, and that of the worker before ends.
inline size_t begin_of(size_t size, int worker) { return size * worker / WORKERS; }

// Call visit(i, worker) for each i below a size, and after each block join(worker) for each worker.
template <typename Visit, typename Join>
inline void in_blocks(size_t size, Visit visit, Join join) {
    const size_t BLOCK = 65536;
    for (size_t start = 0; start < size; start += BLOCK) {
        size_t here = std::min(BLOCK, size - start);
        in_parallel([&](int worker) {
            for (size_t i = begin_of(here, worker); i < begin_of(here, worker + 1); i++) visit(start + i, worker);
        });
        in_parallel(join);
    }
}
