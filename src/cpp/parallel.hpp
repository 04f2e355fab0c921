// Work on many parts with several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "interrupt.hpp"

namespace concordant {

// Call work(begin, end) on parts of [0, count) from `workers` threads. It is not determined which thread
// takes which part, so that work must write only the results of its part. An exception in a thread stops the
// others and reaches the caller.
template <class Work>
void in_parallel(std::size_t count, unsigned workers, const Work& work) {
    if (workers <= 1 || count <= 1) {
        work(std::size_t{0}, count);
        return;
    }
    const std::size_t part = std::max<std::size_t>(1, count / (std::size_t{workers} * 16));
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stopped{false};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto run = [&] {
        watch.stopped = &stopped;
        try {
            for (std::size_t begin; (begin = next.fetch_add(part)) < count;) {
                work(begin, std::min(begin + part, count));
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            stopped = true;
            next = count;
        }
        watch.stopped = nullptr;
    };
    const std::size_t helpers = std::min<std::size_t>(workers, count) - 1;
    std::vector<std::thread> threads;
    try {
        threads.reserve(helpers);
        for (std::size_t t = 0; t < helpers; ++t) threads.emplace_back(run);
    } catch (const std::exception&) {
        // The system provides no more threads or memory: the running threads do all the work.
    }
    run();
    for (auto& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace concordant
