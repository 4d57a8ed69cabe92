// ompc_printf_buffer.h: the buffer of device printf (ompc_device_printf.h), as both sides know it.

#ifndef OMPC_PRINTF_BUFFER_H
#define OMPC_PRINTF_BUFFER_H

#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace ompc {

// One for each device file, in device memory. What is printed is noted in `words`: of each print the iteration, the call's
// number in the file and how many values follow, each in a word of its own. All zero between launches that print.
struct Messages {
    unsigned left; // bits of why threads have left
    unsigned long long *words, room, used;
};

constexpr unsigned ends_program = 1, prints_too_much = 2;

// A print as the host gets it.
struct Message {
    unsigned long long iteration;
    unsigned site;
    const unsigned long long *words;

    template <class T>
    T get(unsigned k) const
    {
        T value;
        std::memcpy(&value, words + k, sizeof value);
        return value;
    }
};

// Prints one, by the program's own call.
using Printer = void (*)(const Message &);

inline const char *chosen(std::initializer_list<const char *> texts, int k)
{
    return texts.begin()[k];
}

} // namespace ompc

#endif
