// Memory that is asked for again and again: grows, never shrinks, and is not filled with zeros, because filling costs
// more than the work on it when n is large.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace concordant {

// A hint that this will be read soon.
inline void prefetch(const void* memory) {
#ifdef __GNUC__
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

template <class T>
class Buffer {
public:
    T* reserve(std::size_t size) {
        if (size > capacity_) {
            data_.reset();
            data_.reset(allocate(size));
            capacity_ = size;
        }
        return data_.get();
    }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }

private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };

    static T* allocate(std::size_t size) {
        const std::size_t bytes = size * sizeof(T);
        void* memory = nullptr;
#ifdef __linux__
        // Fresh memory comes page by page, at a cost for each: large pages for large buffers.
        constexpr std::size_t large_page = std::size_t{1} << 21;
        if (bytes >= 2 * large_page) {
            const std::size_t whole = (bytes + large_page - 1) / large_page * large_page;
            memory = std::aligned_alloc(large_page, whole);
            if (memory != nullptr) madvise(memory, whole, MADV_HUGEPAGE);
        }
#endif
        if (memory == nullptr) memory = std::malloc(bytes);
        if (memory == nullptr) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }

    std::unique_ptr<T, Free> data_;
    std::size_t capacity_ = 0;
};

}  // namespace concordant
