// ompc_choices.h: tables of shapes that `ompc tune` has measured, or that the source asks for (ompc_tuning.h).

#ifndef OMPC_CHOICES_H
#define OMPC_CHOICES_H

#include <cstddef>

namespace ompc {

// What is chosen of a launch; 0: nothing.
struct Choices {
    unsigned width = 0, height = 0; // of a block, in threads
    unsigned fills = 0;             // at most so many times as many blocks as are resident at once
    unsigned rows = 0;              // of a thread
    unsigned lanes = 0;             // of an iteration
    int tile = -1;                  // points of a thread along y; 0: no tiles; -1: nothing
    int schedule = -1;              // of the launch's kernels: 0: the one for any launch; k: the k-th other one, wherever it can be
                                    // launched; -1: nothing

    bool leaves_out(int other) const { return schedule >= 0 && schedule != other; }
    bool wants(int other) const { return schedule == other; }
};

constexpr int size_classes = 64, any_size = -1;

// An entry of a table. A literal type: tables are made before the program runs.
struct Tuned {
    const char *device; // nullptr: any
    int size_class;
    Choices choices;

    constexpr Tuned block(unsigned width, unsigned height = 1) const
    {
        Tuned with = *this;
        with.choices.width = width;
        with.choices.height = height;
        return with;
    }
    constexpr Tuned fills(unsigned n) const
    {
        Tuned with = *this;
        with.choices.fills = n;
        return with;
    }
    constexpr Tuned rows(unsigned n) const
    {
        Tuned with = *this;
        with.choices.rows = n;
        return with;
    }
    constexpr Tuned lanes(unsigned n) const
    {
        Tuned with = *this;
        with.choices.lanes = n;
        return with;
    }
    constexpr Tuned tile(int points) const
    {
        Tuned with = *this;
        with.choices.tile = points;
        return with;
    }
    constexpr Tuned schedule(int number) const
    {
        Tuned with = *this;
        with.choices.schedule = number;
        return with;
    }
};

constexpr Tuned on(const char *device, int size_class)
{
    return {device, size_class, {}};
}
constexpr Tuned anywhere()
{
    return {nullptr, any_size, {}};
}

} // namespace ompc

#endif
