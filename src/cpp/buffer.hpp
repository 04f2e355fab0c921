// Memory that is asked for again and again: it grows, never shrinks by itself, and is not filled with zeros,
// because filling costs more than the work on it when n is large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace concordant {

// An array of values without initial values. Growing loses what it held.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "no constructor or destructor of the values is called");

public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    ~Buffer() { std::free(data_); }

    // Room for `size` values. If there is not enough memory, throws and leaves the buffer empty.
    T* reserve(std::size_t size) {
        if (size > capacity_) {
            release();
            data_ = allocate(size);
            capacity_ = size;
        }
        return data_;
    }
    void release() {
        std::free(std::exchange(data_, nullptr));
        capacity_ = 0;
    }
    T* data() { return data_; }
    const T* data() const { return data_; }

private:
    static T* allocate(std::size_t size) {
        if (size > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
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

    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace concordant
