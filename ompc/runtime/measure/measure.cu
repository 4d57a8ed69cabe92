// measure.cu: what copies, page-locking and launches cost on this machine, for `ompc doctor --calibrate`.
//
//     measure BYTES       the largest buffer
//
// Prints the entries of ompc_costs.h as ompc_calibration.h reads them, and lines that begin with "#" about what is being
// measured. Status 1: there is no device; standard error says why. The device is that of ompc_measured.h, which there is
// for each target. Times are the best of several, as what else goes on in the machine only adds to them.

#include "ompc_costs.h"
#include "ompc_measured.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr std::size_t kilobyte = 1024, megabyte = 1024 * kilobyte;

template <class Work>
double seconds(Work work)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begun).count();
}

template <class Work>
double best(int times, Work work)
{
    double least = seconds(work);
    while (--times > 0)
        least = std::min(least, seconds(work));
    return least;
}

// A step that CUDA refuses ends the program.
void must(bool done, const char *what)
{
    if (done)
        return;
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
}

// Pages that the system has given to nobody yet.
char *fresh_pages(std::size_t bytes)
{
    void *const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(pages != MAP_FAILED, "allocating host memory");
    return static_cast<char *>(pages);
}

// Time per byte between two sizes, so that what a call costs in any case does not count.
double per_byte(double small_seconds, std::size_t small, double large_seconds, std::size_t large)
{
    const double difference = large_seconds - small_seconds;
    return difference > 0 ? difference / static_cast<double>(large - small) : large_seconds / static_cast<double>(large);
}

double per_call(double small_seconds, std::size_t small, double byte_seconds)
{
    return std::max(1e-9, small_seconds - static_cast<double>(small) * byte_seconds);
}

struct Rates {
    double in, out;
};

// Bytes per second at several sizes; of the two largest, for large copies.
Rates copies(const char *kind, char *host, char *device, std::size_t most)
{
    std::vector<std::size_t> sizes = {4 * kilobyte, 64 * kilobyte, megabyte};
    for (std::size_t bytes = 16 * megabyte; bytes <= most; bytes *= 16)
        sizes.push_back(bytes);
    if (sizes.back() < most)
        sizes.push_back(most);
    std::vector<double> in, out;
    for (const std::size_t bytes : sizes) {
        const int times = bytes <= megabyte ? 50 : 5;
        in.push_back(best(times, [&] { must(measured::copy_in(device, host, bytes), "a copy to the device"); }));
        out.push_back(best(times, [&] { must(measured::copy_out(host, device, bytes), "a copy from the device"); }));
        const double gigabytes = static_cast<double>(bytes) / 1e9;
        std::printf("# %-11s %8zu KB: %7.2f GB/s to the device, %7.2f GB/s home\n", kind, bytes / kilobyte,
                    gigabytes / in.back(), gigabytes / out.back());
    }
    const std::size_t n = sizes.size(), a = sizes[n - 2], b = sizes[n - 1];
    return {1 / per_byte(in[n - 2], a, in[n - 1], b), 1 / per_byte(out[n - 2], a, out[n - 1], b)};
}

void measure_copies(ompc::MachineCosts &costs, std::size_t most)
{
    char *const device = measured::allocate(most);
    must(device != nullptr, "allocating device memory");
    char *const pageable = fresh_pages(most);
    std::memset(pageable, 1, most);
    const Rates slow = copies("pageable", pageable, device, most);
    must(measured::lock(pageable, most), "cudaHostRegister");
    const Rates fast = copies("page-locked", pageable, device, most);
    costs.copy_seconds = best(200, [&] { must(measured::copy_in(device, pageable, 8), "a copy"); });
    measured::unlock(pageable);
    munmap(pageable, most);
    measured::release(device);
    costs.pageable_in_bytes_per_second = slow.in;
    costs.pageable_out_bytes_per_second = slow.out;
    costs.locked_in_bytes_per_second = fast.in;
    costs.locked_out_bytes_per_second = fast.out;
}

double lock_seconds(std::size_t bytes)
{
    char *const pages = fresh_pages(bytes);
    std::memset(pages, 1, bytes);
    const double taken = seconds([&] { must(measured::lock(pages, bytes), "cudaHostRegister"); });
    measured::unlock(pages);
    munmap(pages, bytes);
    return taken;
}

double allocate_seconds(std::size_t bytes)
{
    char *pages = nullptr;
    const double taken = seconds([&] {
        pages = measured::allocate_host(bytes);
        must(pages != nullptr, "cudaMallocHost");
    });
    measured::release_host(pages);
    return taken;
}

double touch_seconds(std::size_t bytes)
{
    char *const pages = fresh_pages(bytes);
    const double taken = seconds([&] { std::memset(pages, 1, bytes); });
    munmap(pages, bytes);
    return taken;
}

// The least of several tries of `taken` for a small and a large size, as time per call and per byte.
void measure_sizes(const char *what, double (*taken)(std::size_t), std::size_t most, double *call_seconds, double &byte_seconds)
{
    const std::size_t small = 64 * kilobyte;
    double few = taken(small), many = taken(most);
    for (int k = 0; k < 20; k++)
        few = std::min(few, taken(small));
    for (int k = 0; k < 3; k++)
        many = std::min(many, taken(most));
    byte_seconds = per_byte(few, small, many, most);
    std::printf("# %s: %.1f us for 64 KB, %.2f ms for %zu MB\n", what, few * 1e6, many * 1e3, most / megabyte);
    if (call_seconds != nullptr)
        *call_seconds = per_call(few, small, byte_seconds);
}

void measure_launches(ompc::MachineCosts &costs)
{
    constexpr int launches = 1000;
    measured::launch();
    must(measured::wait(), "a kernel");
    const double together = best(5, [] {
        for (int k = 0; k < launches; k++)
            measured::launch();
        must(measured::wait(), "a kernel");
    });
    const double apart = best(5, [] {
        for (int k = 0; k < launches; k++) {
            measured::launch();
            must(measured::wait(), "a kernel");
        }
    });
    costs.launch_seconds = together / launches;
    costs.launch_and_wait_seconds = apart / launches;
    std::printf("# an empty kernel: %.2f us, %.2f us with a wait for each\n", costs.launch_seconds * 1e6,
                costs.launch_and_wait_seconds * 1e6);
}

void measure_device_memory(ompc::MachineCosts &costs, std::size_t most)
{
    char *const from = measured::allocate(most), *const to = measured::allocate(most);
    must(from != nullptr && to != nullptr, "allocating device memory");
    constexpr int rounds = 10;
    const double taken = best(3, [&] {
        for (int k = 0; k < rounds; k++)
            measured::copy_within(to, from, most);
        must(measured::wait(), "a copy on the device");
    });
    measured::release(from);
    measured::release(to);
    costs.device_bytes_per_second = 2.0 * rounds * static_cast<double>(most) / taken;
    std::printf("# device memory: %.0f GB/s\n", costs.device_bytes_per_second / 1e9);
}

constexpr std::size_t guard_window = 256 * kilobyte;

void open_window(int, siginfo_t *info, void *)
{
    const auto address = reinterpret_cast<std::size_t>(info->si_addr) / guard_window * guard_window;
    mprotect(reinterpret_cast<void *>(address), guard_window, PROT_READ | PROT_WRITE);
}

// A fault, its handler, and the change of a window's protection.
void measure_guards(ompc::MachineCosts &costs)
{
    constexpr std::size_t windows = 64;
    char *const pages = fresh_pages((windows + 1) * guard_window);
    char *const first = pages + (guard_window - reinterpret_cast<std::size_t>(pages) % guard_window) % guard_window;
    std::memset(first, 1, windows * guard_window);
    struct sigaction action = {}, before = {};
    action.sa_sigaction = open_window;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before);
    double least = 1;
    for (int k = 0; k < 10; k++) {
        must(mprotect(first, windows * guard_window, PROT_NONE) == 0, "protecting pages");
        const double taken = seconds([&] {
            for (std::size_t w = 0; w < windows; w++)
                *const_cast<volatile char *>(first + w * guard_window + 5) = 2;
        });
        least = std::min(least, taken / windows);
    }
    sigaction(SIGSEGV, &before, nullptr);
    munmap(pages, (windows + 1) * guard_window);
    costs.guard_fault_seconds = least;
    std::printf("# an access to protected pages: %.2f us\n", least * 1e6);
}

} // namespace

int main(int argc, char **argv)
{
    const std::size_t asked = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 256 * megabyte;
    const std::size_t most = std::max(2 * megabyte, asked);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    ompc::MachineCosts costs;
    std::string device, driver;
    const char *why = nullptr;
    costs.context_seconds = seconds([&] { why = measured::start(device, driver); });
    if (why != nullptr) {
        std::fprintf(stderr, "%s\n", why);
        return 1;
    }
    std::printf("device = %s\ndriver = %s\n# the first use of the device: %.2f s\n", device.c_str(), driver.c_str(),
                costs.context_seconds);
    measure_copies(costs, most);
    measure_sizes("page-locking in place", lock_seconds, most, &costs.lock_call_seconds, costs.lock_seconds_per_byte);
    measure_sizes("page-locked memory", allocate_seconds, most, &costs.allocate_call_seconds, costs.allocate_seconds_per_byte);
    measure_sizes("memory's first touch", touch_seconds, most, nullptr, costs.touch_seconds_per_byte);
    measure_launches(costs);
    measure_device_memory(costs, most);
    measure_guards(costs);
    for (const ompc::CostEntry &entry : ompc::cost_entries)
        std::printf("%s = %.0f\n", entry.key, std::max(1.0, std::round(costs.*entry.value / entry.unit)));
    return 0;
}
