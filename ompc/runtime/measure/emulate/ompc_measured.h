// ompc_measured.h (emulate): the host's memory in the place of a device's, so that measure.cu runs anywhere.

#ifndef OMPC_MEASURED_H
#define OMPC_MEASURED_H

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

namespace measured {

inline const char *start(std::string &device, std::string &driver)
{
    device = "ompc emulator"; // as ompc_device.h calls it
    driver = "none";
    return nullptr;
}

inline bool wait()
{
    return true;
}

inline void launch()
{
    static volatile int launches;
    launches = launches + 1;
}

inline char *allocate(std::size_t bytes)
{
    return static_cast<char *>(std::calloc(bytes, 1));
}
inline void release(char *device)
{
    std::free(device);
}

inline bool copy_in(char *device, const char *host, std::size_t bytes)
{
    std::memcpy(device, host, bytes);
    return true;
}
inline bool copy_out(char *host, const char *device, std::size_t bytes)
{
    std::memcpy(host, device, bytes);
    return true;
}
inline void copy_within(char *to, const char *from, std::size_t bytes)
{
    std::memcpy(to, from, bytes);
}

inline bool lock(char *, std::size_t)
{
    return true;
}
inline void unlock(char *) {}

inline char *allocate_host(std::size_t bytes)
{
    char *const pages = allocate(bytes);
    if (pages != nullptr)
        std::memset(pages, 0, bytes);
    return pages;
}
inline void release_host(char *pages)
{
    release(pages);
}

} // namespace measured

#endif
