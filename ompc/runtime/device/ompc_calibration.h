// ompc_calibration.h: the machine's own costs, from the file that `ompc doctor --calibrate` has written.
//
//     # comments and measurements as they were made
//     format = 1
//     device = NVIDIA H200
//     lock_call_nanoseconds = 51234
//     ...                                     each key of ompc_costs.h once, with a whole number above zero
//
// Environment: OMPC_CALIBRATION=FILE; set and empty: the built-in costs. If it is unset, the file of the device that is used,
// calibration/<name>.txt in ompc's folder in $XDG_CONFIG_HOME, else in ~/.config: each character of the device's name that is
// no letter and no digit is a "-" there. Whole numbers, since the program's locale changes how others are read.

#ifndef OMPC_CALIBRATION_H
#define OMPC_CALIBRATION_H

#include "ompc_costs.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ompc {

// The path of the file to read; empty: none. `required`: the user has named it.
inline std::string calibration_file(const char *device, bool &required)
{
    const char *const named = std::getenv("OMPC_CALIBRATION");
    required = named != nullptr;
    if (required)
        return named;
    std::string name = device;
    for (char &c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
            c = '-';
    const char *const config = std::getenv("XDG_CONFIG_HOME"), *const home = std::getenv("HOME");
    if (config != nullptr && *config == '/')
        return std::string(config) + "/ompc/calibration/" + name + ".txt";
    return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.config/ompc/calibration/" + name + ".txt";
}

// Reads one file into `costs`. Anything wrong is an exit with its reason, and `costs` is not to be used then.
class CalibrationReader {
public:
    explicit CalibrationReader(MachineCosts &costs) : costs_(costs) {}

    // Empty, or why the file is not usable.
    std::string read(std::FILE *file)
    {
        char line[512];
        for (int number = 1; ompc_libc_fgets(line, sizeof line, file) != nullptr; number++) {
            line[std::strcspn(line, "\r\n")] = '\0';
            if (*line != '\0' && *line != '#' && !entry(line))
                return "line " + std::to_string(number) + " is not understood: " + line;
        }
        if (!format_)
            return "it does not begin with \"format = 1\"";
        for (std::size_t k = 0; k < entries; k++)
            if (!found_[k])
                return std::string("it has no ") + cost_entries[k].key;
        return "";
    }

private:
    static constexpr std::size_t entries = sizeof cost_entries / sizeof *cost_entries;
    static constexpr unsigned long long largest = 1000000000000000ull; // bytes per second, nanoseconds: no machine has more

    // "key = value"; false: neither a number that is wanted nor one of the words about where the numbers come from.
    bool entry(char *line)
    {
        char *const equals = std::strstr(line, " = ");
        if (equals == nullptr)
            return false;
        const std::string key(line, equals);
        const char *const value = equals + 3;
        if (key == "format") {
            format_ = std::strcmp(value, "1") == 0;
            return format_;
        }
        if (key == "device" || key == "driver" || key == "host" || key == "date")
            return true;
        for (std::size_t k = 0; k < entries; k++)
            if (key == cost_entries[k].key)
                return number(k, value);
        return false;
    }

    bool number(std::size_t k, const char *value)
    {
        char *end = nullptr;
        errno = 0;
        const unsigned long long parsed = std::strtoull(value, &end, 10);
        if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || parsed == 0 || parsed > largest || found_[k])
            return false;
        found_[k] = true;
        costs_.*cost_entries[k].value = static_cast<double>(parsed) * cost_entries[k].unit;
        return true;
    }

    MachineCosts &costs_;
    bool found_[entries] = {};
    bool format_ = false;
};

// The costs for a device of this name; says why a file cannot be used.
inline MachineCosts read_calibration(const char *device)
{
    bool required = false;
    const std::string path = calibration_file(device, required);
    if (path.empty())
        return {};
    std::FILE *const file = ompc_libc_fopen(path.c_str(), "r");
    std::string why = file == nullptr && (required || errno != ENOENT) ? std::strerror(errno) : "";
    MachineCosts costs;
    if (file != nullptr) {
        why = CalibrationReader(costs).read(file);
        ompc_libc_fclose(file);
    }
    if (why.empty())
        return costs;
    tell(nullptr, "the measurements in %s are not used: %s [OMPC459]", path.c_str(), why.c_str());
    return {};
}

// Of the device that has been started; read once.
inline const MachineCosts &machine_costs()
{
    static const MachineCosts *const read_once = new MachineCosts(read_calibration(ledger().device));
    return *read_once;
}

} // namespace ompc

#endif
