// What one compiler has and another lacks. All other files are standard C++20.
#pragma once

// Inline this function always. It is written instead of `inline`.
#ifdef _MSC_VER
#define CONCORDANT_ALWAYS_INLINE __forceinline
#else
#define CONCORDANT_ALWAYS_INLINE [[gnu::always_inline]] inline
#endif

namespace concordant {

// A hint that this will be read soon. GCC takes a function that only prefetches for one without effect, and
// may drop calls of it before it inlines them; so it has to be inlined first.
CONCORDANT_ALWAYS_INLINE void prefetch(const void* memory) {
#ifdef __GNUC__  // clang has it too
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

}  // namespace concordant
