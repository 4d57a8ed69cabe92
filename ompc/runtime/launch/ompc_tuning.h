// ompc_tuning.h: shapes of launches that `ompc tune` has measured, or that the source asks for.
//
//     static const ompc::Tuned tuned[] = {ompc::on("NVIDIA H200", 24).block(64, 4).rows(8)};
//     launch.tuned(tuned);                     on such a device, about 2^24 iterations; else what the sizes ask for
//
// Every shape is right, so that this decides about time alone. A table has an entry for a device and a size class, the
// whole part of the binary logarithm of the number of iterations of the grid; the entry of the nearest class counts, if it
// is one of the neighbours. One of ompc::anywhere() holds for all devices and sizes.
//
// OMPC_TUNE=ID@FILE#24:block=64x4,rows=8;... chooses for launches of that class of the loop with that id in that file; without
// #24, for all others of the loop; * instead, for all other loops. `schedule=0` takes the kernel for any launch, `schedule=1` the
// first other one wherever it can be launched.

#ifndef OMPC_TUNING_H
#define OMPC_TUNING_H

#include "ompc_choices.h"
#include "ompc_log.h"
#include "ompc_settings.h"
#include "ompc_trips.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ompc {

inline int size_class_of(Trips trips)
{
    int log2 = 0;
    while ((trips >>= 1) != 0)
        log2++;
    return log2;
}

// The choices of the first entry of the nearest size class.
inline Choices choices_of(const Tuned *table, std::size_t entries, const char *device, int size_class)
{
    const Tuned *best = nullptr;
    int nearest = 2;
    for (const Tuned *entry = table; entry != table + entries; entry++) {
        const int distance = entry->size_class == any_size ? 0 : std::abs(entry->size_class - size_class);
        if (distance < nearest && (entry->device == nullptr || std::strcmp(entry->device, device) == 0)) {
            best = entry;
            nearest = distance;
        }
    }
    return best == nullptr ? Choices{} : best->choices;
}

// One `block=64x4` of the environment's; false: it is none.
inline bool read_choice(const char *text, const char *end, Choices &choices)
{
    using Number = unsigned Choices::*; // nvcc would put a name that follows into parentheses, and g++ would warn
    using OrNone = int Choices::*;
    struct Key {
        const char *name;
        Number value;
    };
    struct KeyOrNone {
        const char *name;
        OrNone value;
    };
    constexpr Key keys[] = {{"fills=", &Choices::fills}, {"rows=", &Choices::rows}, {"lanes=", &Choices::lanes}};
    constexpr KeyOrNone from_zero[] = {{"tile=", &Choices::tile}, {"schedule=", &Choices::schedule}};
    char *rest = nullptr;
    for (const Key &key : keys)
        if (std::strncmp(text, key.name, std::strlen(key.name)) == 0) {
            choices.*key.value = static_cast<unsigned>(std::strtoul(text + std::strlen(key.name), &rest, 10));
            return rest == end && choices.*key.value != 0;
        }
    for (const KeyOrNone &key : from_zero)
        if (std::strncmp(text, key.name, std::strlen(key.name)) == 0) {
            const char *const number = text + std::strlen(key.name);
            choices.*key.value = static_cast<int>(std::strtol(number, &rest, 10));
            return rest == end && rest != number && choices.*key.value >= 0;
        }
    if (std::strncmp(text, "block=", 6) != 0)
        return false;
    choices.width = static_cast<unsigned>(std::strtoul(text + 6, &rest, 10));
    choices.height = *rest == 'x' ? static_cast<unsigned>(std::strtoul(rest + 1, &rest, 10)) : 1;
    const unsigned long long threads = static_cast<unsigned long long>(choices.width) * choices.height;
    return rest == end && threads >= 32 && threads <= 256 && threads % 32 == 0;
}

// What stands behind `key` in a list that semicolons divide; nullptr: it is not there.
inline const char *behind(const char *list, const std::string &key)
{
    for (const char *at = list; *at != '\0'; at += at[0] == ';') {
        if (std::strncmp(at, key.c_str(), key.size()) == 0)
            return at + key.size();
        at += std::strcspn(at, ";");
    }
    return nullptr;
}

// Does OMPC_TUNE name a loop? What it chooses for all goes for joint launches, too.
inline bool tunes_single_loops()
{
    for (const char *at = settings().tune.c_str(); *at != '\0'; at += at[0] == ';') {
        if (std::strncmp(at, "*:", 2) != 0)
            return true;
        at += std::strcspn(at, ";");
    }
    return false;
}

// What OMPC_TUNE chooses for a loop; says what it does not understand.
inline Choices choices_of_environment(const char *id, const char *file, int size_class)
{
    const std::string key = std::string(id) + "@" + file;
    const char *at = behind(settings().tune.c_str(), key + "#" + std::to_string(size_class) + ":");
    if (at == nullptr)
        at = behind(settings().tune.c_str(), key + ":");
    if (at == nullptr)
        at = behind(settings().tune.c_str(), "*:");
    Choices choices;
    if (at == nullptr)
        return choices;
    while (*at != '\0' && *at != ';') {
        const char *const end = at + std::strcspn(at, ",;");
        if (!read_choice(at, end, choices)) {
            tell(nullptr, "OMPC_TUNE is not followed for %s: %.*s is not understood", id, static_cast<int>(end - at), at);
            return {};
        }
        at = end + (*end == ',');
    }
    return choices;
}

} // namespace ompc

#endif
