// Work without the lock of the interpreter, which signals such as Ctrl-C can end.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <utility>

#include "../interrupt.hpp"

namespace concordant::bind {

namespace nb = nanobind;

// Run the handlers of the signals that have arrived; true if one raised an exception, which is then set.
// A handler may call this library, so that its work has its own watch.
inline bool signal_raised() {
    const nb::gil_scoped_acquire locked;
    const Watch of_work = std::exchange(watch, Watch{});
    const bool raised = PyErr_CheckSignals() != 0;
    watch = of_work;
    return raised;
}

class Unlocked {
public:
    Unlocked() : state_(PyEval_SaveThread()) {
        watch.asked = signal_raised;
        watch.next_question = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    }
    ~Unlocked() {
        watch.asked = nullptr;
        PyEval_RestoreThread(state_);
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    PyThreadState* state_;
};

// If work was interrupted, the Python exception is already set.
inline void leave_the_exception_of_the_handler() {
    nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
        try {
            std::rethrow_exception(failure);
        } catch (const Interrupted&) {
        }
    });
}

}  // namespace concordant::bind
