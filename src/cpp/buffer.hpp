// Memory that is asked for again and again: grows, never shrinks, and is not filled with zeros, because filling costs
// more than the work on it when n is large.
#pragma once

#include <cstddef>
#include <memory>

namespace concordant {

template <class T>
class Buffer {
public:
    T* reserve(std::size_t size) {
        if (size > capacity_) {
            data_ = std::make_unique_for_overwrite<T[]>(size);
            capacity_ = size;
        }
        return data_.get();
    }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }

private:
    std::unique_ptr<T[]> data_;
    std::size_t capacity_ = 0;
};

}  // namespace concordant
