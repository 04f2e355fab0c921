// What one compiler has and another lacks. All other files are standard C++20.
#pragma once

// Inline this function always. It is written instead of `inline`.
#ifdef _MSC_VER
#define CONCORDANT_ALWAYS_INLINE __forceinline
#else
#define CONCORDANT_ALWAYS_INLINE [[gnu::always_inline]] inline
#endif

// Compile this function for processors with AVX2, which call it if has_avx2 is true.
#if defined(__GNUC__) && defined(__x86_64__)
#include <cpuid.h>
#define CONCORDANT_FOR_AVX2 [[gnu::target("avx2")]]
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

#ifdef CONCORDANT_FOR_AVX2
// Does the processor have the instructions, and does the system keep their registers? (The compilers' own
// question needs a part of their library that not all of them bring.)
inline bool find_avx2() {
    unsigned a, b, c, d, kept, rest;
    constexpr unsigned xsave_and_avx = 3U << 27, registers = 6, avx2 = 1U << 5;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & xsave_and_avx) != xsave_and_avx) return false;
    asm("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
    return (kept & registers) == registers && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & avx2) != 0;
}
inline const bool has_avx2 = find_avx2();
#endif

}  // namespace concordant
