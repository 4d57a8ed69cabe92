// ompc_rounding.h: does this thread compute floating-point numbers as kernels do, which round to the nearest and trap nothing?
//
// What fesetround, feenableexcept and their like have set is in a register of the thread. That small numbers become zero
// (-ffast-math) is not asked for.

#ifndef OMPC_ROUNDING_H
#define OMPC_ROUNDING_H

namespace ompc {

// What is unusual, in words; null: nothing.
inline const char *unusual_arithmetic()
{
#if defined __x86_64__
    constexpr unsigned rounding = 3u << 13, invalid = 1u << 7, by_zero = 1u << 9, overflow = 1u << 10; // the last three: masked
    const unsigned word = __builtin_ia32_stmxcsr(), masked = invalid | by_zero | overflow;
    const bool rounds = (word & rounding) != 0, traps = (word & masked) != masked;
#elif defined __aarch64__
    unsigned long word;
    __asm__("mrs %0, fpcr" : "=r"(word));
    const bool rounds = (word >> 22 & 3) != 0, traps = (word >> 8 & 7) != 0;
#else
    const bool rounds = false, traps = false;
#endif
    return rounds ? "numbers are not rounded to the nearest" : traps ? "floating-point exceptions are trapped" : nullptr;
}

} // namespace ompc

#endif
