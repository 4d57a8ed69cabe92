// Guards: blocks from operator new and std::vector; page-locked arrays without a device.
#include "ompc_host.h"

#include <cstddef>
#include <cstdio>
#include <vector>

static bool is_block(const void *p, const void *base, std::size_t bytes)
{
    void *found = nullptr;
    std::size_t size = 0;
    return ompc_block_find(p, &found, &size) != 0 && found == base && size == bytes;
}

int main()
{
    auto *const x = new double[100];
    std::vector<int> v(5000);
    auto *const pinned = static_cast<char *>(ompc_malloc_host(300));
    const bool known = is_block(x + 99, x, 800) && is_block(&v[4999], v.data(), 20000) && is_block(pinned + 299, pinned, 300);
    delete[] x;
    std::puts(known ? "ok" : "a block is not known");
    std::fflush(stdout);
    volatile std::size_t huge = std::size_t{1} << 62;
    return ompc_malloc_host(huge) != nullptr;
}
