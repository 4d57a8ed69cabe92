// ompc_costs.h: what copies, page-locking and launches cost on a machine, and when page-locking pays.
//
// The numbers are built in, as `ompc doctor --calibrate` measured them on an H200 with its host on 2026-11-21, or those that `ompc doctor --calibrate` has measured and
// ompc_calibration.h reads. They steer only how data is moved: wrong ones make a program slower, never wrong.

#ifndef OMPC_COSTS_H
#define OMPC_COSTS_H

#include <cstddef>

namespace ompc {

struct MachineCosts {
    // Copies of many bytes: to the device ("in") and home ("out"), from pageable and from page-locked memory; and any copy
    // with the wait for it, however small.
    double pageable_in_bytes_per_second = 9.4e9, pageable_out_bytes_per_second = 18.6e9;
    double locked_in_bytes_per_second = 55e9, locked_out_bytes_per_second = 55e9;
    double copy_seconds = 5.3e-6;
    // Home to guarded pages that are not page-locked: through a buffer, and from there by the system, page by page.
    double guarded_out_bytes_per_second = 4.5e9;

    // cudaHostRegister of memory that has been touched; cudaMallocHost; the first touch of memory from the system.
    double lock_call_seconds = 41e-6, lock_seconds_per_byte = 27e-12;
    double allocate_call_seconds = 400e-6, allocate_seconds_per_byte = 303e-12;
    double touch_seconds_per_byte = 400e-12;

    // An empty kernel, when the host does not wait, and when it does; the context; a host access to a protected page with
    // the change of its protection; reading and writing in the device's memory.
    double launch_seconds = 3.0e-6, launch_and_wait_seconds = 7.9e-6;
    double context_seconds = 0.32;
    double guard_fault_seconds = 3.7e-6;
    double device_bytes_per_second = 4295e9;

    // For each pointer of a table that leads to a row too small to stay on the device: to find its block, to sort it among the
    // others, to pack and unpack it. Rodinia's backprop, twice 2.1 million rows of 68 bytes, on the host of an H100.
    double follow_seconds = 0.45e-6;
    // The same of one that leads to behind the row before, in one block.
    double follow_in_order_seconds = 0.02e-6;
};

using Cost = double MachineCosts::*;

// A number of the file of measurements: a whole number, `unit` of which make the member's value.
struct CostEntry {
    const char *key;
    Cost value;
    double unit;
};
constexpr double nanoseconds = 1e-9, nanoseconds_per_gigabyte = 1e-18;
constexpr CostEntry cost_entries[] = {
    {"pageable_in_bytes_per_second", &MachineCosts::pageable_in_bytes_per_second, 1},
    {"pageable_out_bytes_per_second", &MachineCosts::pageable_out_bytes_per_second, 1},
    {"locked_in_bytes_per_second", &MachineCosts::locked_in_bytes_per_second, 1},
    {"locked_out_bytes_per_second", &MachineCosts::locked_out_bytes_per_second, 1},
    {"copy_nanoseconds", &MachineCosts::copy_seconds, nanoseconds},
    {"lock_call_nanoseconds", &MachineCosts::lock_call_seconds, nanoseconds},
    {"lock_nanoseconds_per_gigabyte", &MachineCosts::lock_seconds_per_byte, nanoseconds_per_gigabyte},
    {"allocate_call_nanoseconds", &MachineCosts::allocate_call_seconds, nanoseconds},
    {"allocate_nanoseconds_per_gigabyte", &MachineCosts::allocate_seconds_per_byte, nanoseconds_per_gigabyte},
    {"touch_nanoseconds_per_gigabyte", &MachineCosts::touch_seconds_per_byte, nanoseconds_per_gigabyte},
    {"launch_nanoseconds", &MachineCosts::launch_seconds, nanoseconds},
    {"launch_and_wait_nanoseconds", &MachineCosts::launch_and_wait_seconds, nanoseconds},
    {"context_nanoseconds", &MachineCosts::context_seconds, nanoseconds},
    {"guard_fault_nanoseconds", &MachineCosts::guard_fault_seconds, nanoseconds},
    {"device_bytes_per_second", &MachineCosts::device_bytes_per_second, 1},
};

// What the pageable copies of so many bytes to the device and home take longer than page-locked ones, in seconds.
constexpr double lost_to_pageable(const MachineCosts &costs, double in, double out)
{
    return in * (1 / costs.pageable_in_bytes_per_second - 1 / costs.locked_in_bytes_per_second) +
           out * (1 / costs.pageable_out_bytes_per_second - 1 / costs.locked_out_bytes_per_second);
}

// What the same loses that bring bytes home to guarded pages.
constexpr double lost_to_guards(const MachineCosts &costs, double out)
{
    return out * (1 / costs.guarded_out_bytes_per_second - 1 / costs.locked_out_bytes_per_second);
}

// Would what pageable copies have lost so far have paid for page-locking `bytes` bytes in place?
constexpr bool locking_pays(const MachineCosts &costs, std::size_t bytes, double lost)
{
    return lost >= costs.lock_call_seconds + static_cast<double>(bytes) * costs.lock_seconds_per_byte;
}

} // namespace ompc

#endif
