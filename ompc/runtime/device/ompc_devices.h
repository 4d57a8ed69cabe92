// ompc_devices.h: which devices a program's loops are spread over: OMPC_DEVICES.
//
//     all, auto    all that there are and that reach each other's memory       2       the first two
//     0,2,3        these, of which the first one does what is not spread       unset   one, as ompc_rank.h chooses it

#ifndef OMPC_DEVICES_H
#define OMPC_DEVICES_H

#include "ompc_settings.h"
#include "ompc_stream_ids.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace ompc {

// The devices asked for, out of so many; one that is not known, and what is more than fits, is left out. None: it is not asked for.
inline std::vector<unsigned> chosen_devices(unsigned count)
{
    const std::string &text = settings().devices;
    std::vector<unsigned> chosen;
    if (!is_list_of_devices(text))
        return chosen;
    const bool is_list = text.find(',') != std::string::npos, all = !is_list && (text == "all" || text == "auto");
    const unsigned long first = is_list ? 0 : all ? count : std::strtoul(text.c_str(), nullptr, 10);
    for (unsigned device = 0; device < std::min<unsigned long>(first, count); device++)
        chosen.push_back(device);
    for (const char *at = text.c_str(); is_list && *at != '\0';) {
        char *end = nullptr;
        const unsigned long device = std::strtoul(at, &end, 10);
        if (device < count && std::find(chosen.begin(), chosen.end(), device) == chosen.end())
            chosen.push_back(static_cast<unsigned>(device));
        at = *end == ',' ? end + 1 : end;
    }
    chosen.resize(std::min<std::size_t>(chosen.size(), most_devices));
    return chosen;
}

} // namespace ompc

#endif
