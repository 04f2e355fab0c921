// Numbers for keys, in the order in which the keys are first seen.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "../buffer.hpp"
#include "../compiler.hpp"
#include "../interrupt.hpp"

namespace concordant {

// The finaliser of splitmix64, which is a bijection: different values have different hashes.
inline std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct IntegerKeys {
    struct Memo {};
    const std::int64_t* values;

    std::uint64_t hash(std::size_t k) const { return mixed(static_cast<std::uint64_t>(values[k])); }
    static Memo memo(std::size_t) { return {}; }
    static void fetch(const Memo&) {}
    static bool equal(const Memo&, std::size_t) { return true; }  // the hashes are, so the values are
};

// Texts laid end to end; text k is bytes[offsets[k]] up to bytes[offsets[k + 1]].
struct TextKeys {
    struct Memo {
        std::int64_t begin, size;
    };
    const std::int64_t* offsets;
    const char* bytes;

    std::uint64_t hash(std::size_t k) const {
        auto [begin, left] = memo(k);
        const char* at = bytes + begin;
        auto found = static_cast<std::uint64_t>(left);
        for (; left >= 8; left -= 8, at += 8) found = add(found, at, 8);
        return left > 0 ? add(found, at, static_cast<std::size_t>(left)) : mixed(found);
    }
    Memo memo(std::size_t k) const { return {offsets[k], offsets[k + 1] - offsets[k]}; }
    void fetch(const Memo& known) const { prefetch(bytes + known.begin); }
    bool equal(const Memo& known, std::size_t k) const {
        const auto [begin, size] = memo(k);
        return size == known.size &&
               std::memcmp(bytes + begin, bytes + known.begin, static_cast<std::size_t>(size)) == 0;
    }

private:
    static std::uint64_t add(std::uint64_t found, const char* at, std::size_t count) {
        std::uint64_t part = 0;
        std::memcpy(&part, at, count);
        return mixed((found ^ part) + 0x9e3779b97f4a7c15u);
    }
};

// A hash table with open addressing that grows with the number of different keys: few groups stay in the
// cache. A slot holds what is needed to compare a key with it, so that this is fetched in time.
template <class Keys>
class GroupNumberer {
public:
    // Writes the number of each key, and where each number is first seen; returns how many there are.
    std::size_t number(const Keys& keys, std::size_t size, std::int64_t* codes, std::int64_t* first) {
        resize(std::size_t{1} << 12);
        std::size_t count = 0;
        constexpr std::size_t block = 32;  // slots that are fetched together
        std::array<std::uint64_t, block> hashes{};
        Pace pace;
        for (std::size_t start = 0; start < size; start += block) {
            const std::size_t n = std::min(block, size - start);
            pace.after(n);
            if (2 * (count + n) > mask_ + 1) grow();
            for (std::size_t k = 0; k < n; ++k) {
                hashes[k] = keys.hash(start + k);
                prefetch(slots_.data() + (hashes[k] & mask_));
            }
            for (std::size_t k = 0; k < n; ++k) {
                const Slot& slot = slots_.data()[hashes[k] & mask_];
                if (slot.number != 0) keys.fetch(slot.memo);
            }
            for (std::size_t k = 0; k < n; ++k) {
                Slot& slot = slot_of(keys, hashes[k], start + k);
                if (slot.number == 0) {
                    first[count] = static_cast<std::int64_t>(start + k);
                    slot = {hashes[k], static_cast<std::int64_t>(++count), keys.memo(start + k)};
                }
                codes[start + k] = slot.number - 1;
            }
        }
        return count;
    }

private:
    struct Slot {
        std::uint64_t hash;
        std::int64_t number;  // + 1; 0 for an empty slot
        [[no_unique_address]] typename Keys::Memo memo;
    };

    Slot& slot_of(const Keys& keys, std::uint64_t hash, std::size_t key) {
        for (std::size_t place = hash & mask_;; place = (place + 1) & mask_) {
            Slot& slot = slots_.data()[place];
            if (slot.number == 0 || (slot.hash == hash && keys.equal(slot.memo, key))) return slot;
        }
    }

    void resize(std::size_t capacity) {
        std::fill_n(slots_.reserve(capacity), capacity, Slot{});
        mask_ = capacity - 1;
    }

    void grow() {
        const std::size_t capacity = mask_ + 1;
        Buffer<Slot> old;
        std::swap(old, slots_);
        resize(4 * capacity);
        for (std::size_t k = 0; k < capacity; ++k) {
            const Slot& slot = old.data()[k];
            if (slot.number == 0) continue;
            std::size_t place = slot.hash & mask_;
            while (slots_.data()[place].number != 0) place = (place + 1) & mask_;
            slots_.data()[place] = slot;
        }
    }

    Buffer<Slot> slots_;
    std::size_t mask_ = 0;
};

}  // namespace concordant
