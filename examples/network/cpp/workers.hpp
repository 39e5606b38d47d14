#pragma once
// Work that threads share. There are as many on every machine, so that sums are the same, too.

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
