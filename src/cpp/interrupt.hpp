// Long work looks now and then whether it is still wanted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

#include "compiler.hpp"

namespace concordant {

// Ends work that is no longer wanted. Whoever asked for the work knows the reason.
struct Interrupted {};

// What a thread looks at. `asked` says whether the user wants to stop; only the thread that was called may
// ask. `stopped` is set when another thread of the same work has failed or was asked to stop.
struct Watch {
    bool (*asked)() = nullptr;
    const std::atomic<bool>* stopped = nullptr;
    std::chrono::steady_clock::time_point next_question{};
};
inline thread_local Watch watch;

// Throws Interrupted if the work is not wanted any more. It asks 50 times a second at most, because asking
// needs the lock of the interpreter.
inline void checkpoint() {
    if (watch.stopped != nullptr && watch.stopped->load(std::memory_order_relaxed)) throw Interrupted{};
    if (watch.asked == nullptr) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < watch.next_question) return;
    watch.next_question = now + std::chrono::milliseconds(20);
    if (watch.asked()) throw Interrupted{};
}

constexpr std::size_t many_items = std::size_t{1} << 16;  // so many take a few milliseconds

// Looks between two steps over a ranking. Looking at the clock takes as long as a step over a short one.
inline void checkpoint_if_long(std::size_t size) {
    if (size >= many_items) checkpoint();
}

// Counts small pieces of work, and looks when there were enough.
class Pace {
public:
    void after(std::size_t items) {
        done_ += items;
        if (done_ < many_items) return;
        done_ = 0;
        checkpoint();
    }

private:
    std::size_t done_ = 0;
};

// Call body(k) for k = 0 .. size - 1, and look now and then. The inner loop is as fast as a plain one.
template <class Body>
CONCORDANT_ALWAYS_INLINE void with_pauses(std::size_t size, Body body) {
    constexpr std::size_t block = std::size_t{1} << 18;
    for (std::size_t start = 0; start < size; start += block) {
        if (start > 0) checkpoint();
        const std::size_t end = size - start < block ? size : start + block;
        for (std::size_t k = start; k < end; ++k) body(k);
    }
}

}  // namespace concordant
