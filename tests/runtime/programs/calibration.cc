// Prints the costs that a program would use, one "key = value" a line; the device is called as the first argument says.

#include "ompc_calibration.h"

#include <clocale>

int main(int argc, char **argv)
{
    std::setlocale(LC_ALL, argc > 2 ? argv[2] : "C");
    ompc::ledger().device = argc > 1 ? argv[1] : "";
    for (const ompc::CostEntry &entry : ompc::cost_entries)
        std::printf("%s = %.0f\n", entry.key, ompc::machine_costs().*entry.value / entry.unit);
    return 0;
}
