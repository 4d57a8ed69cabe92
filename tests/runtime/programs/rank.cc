// The device that a process takes out of argv[1] ones.
#include "ompc_rank.h"

#include <cstdio>

int main(int, char **argv)
{
    std::printf("%d\n", ompc::device_of_process(std::atoi(argv[1])));
    return 0;
}
