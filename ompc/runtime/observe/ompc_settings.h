// ompc_settings.h: what the environment asks of a translated program, and its clock.
//
// OMPC_OFFLOAD=always (every loop that can goes to the device), never (none does), profit (those that are worth it: the default,
// but of the emulator, where it is `always`), mandatory (a loop that cannot ends the program), OMPC_DISABLE=1 (never),
// OMP_TARGET_OFFLOAD=mandatory, disabled (never), default (OpenMP 5.2, 21.2.8; case does not matter), OMPC_SUMMARY=1 (ompc_summary.cc), OMPC_LOG=1 to 5 and OMPC_LOG_FILE (ompc_log.h), OMPC_PROFILE=FILE (a
// ledger of all regions, written when the program ends), OMPC_TRACE=FILE (what it did when, for Perfetto), OMPC_NVTX=1
// (ranges for NVIDIA's tools), OMPC_PRINT_MEMORY=bytes (for what the iterations of one launch print),
// OMPC_LANES=1, 2, ... 32 (lanes of an iteration whose loops are shared), OMPC_COPIES=0, 1, ... 32 (most copies that a block has),
// OMPC_TUNE=... (shapes of launches, ompc_tuning.h), OMPC_SLICE=bytes (of arrays for each slice of a launch, ompc_slices.h),
// OMPC_DEVICES=all, auto, 2 or 0,2,3 (which devices loops are spread over, ompc_parts.h),
// OMPC_FUSION=0 (loops that one kernel would do are launched one by one),
// OMPC_WAIT=1 (the host waits for each launch, and for its copies before its kernel),
// OMPC_VERIFY=1 and OMPC_VERIFY_TOLERANCE=number (ompc_verify.h),
// OMPC_REGIONS=... (which launches go to the device at all, ompc_selection.h).

#ifndef OMPC_SETTINGS_H
#define OMPC_SETTINGS_H

#include "ompc_defaults.h"
#include "ompc_environment.h"
#include "ompc_libc.h"

#include <string>
#include <unistd.h>

// Defined where `ompc cc` has linked object files that create threads of their own.
extern "C" const char ompc_program_creates_threads[] __attribute__((weak));

namespace ompc {

// A level of OMPC_LOG; 0 for what is none. A file alone asks for the first.
inline int log_level(const std::string &asked, const std::string &file)
{
    if (asked.empty())
        return file.empty() ? 0 : 1;
    return asked.size() == 1 && asked[0] >= '0' && asked[0] <= '5' ? asked[0] - '0' : 0;
}

// Of OMPC_DEVICES: all, auto, 2 or 0,2,3.
inline bool is_list_of_devices(const std::string &text)
{
    if (text == "all" || text == "auto")
        return true;
    return !text.empty() && text != "0" && text.find_first_not_of("0123456789,") == std::string::npos &&
           text.find(",,") == std::string::npos && text.front() != ',' && text.back() != ',';
}

// A file by its whole name, wherever the program goes.
inline std::string whole_name(const std::string &file)
{
    char here[4096];
    if (file.empty() || file[0] == '/' || ompc_libc_getcwd(here, sizeof here) == nullptr)
        return file;
    return std::string(here) + "/" + file;
}

// Read once.
struct Settings {
    std::string offload = text_of("OMPC_OFFLOAD");
    std::string target_offload = word_of("OMP_TARGET_OFFLOAD");
    bool unwanted = is_set("OMPC_DISABLE") || offload == "never" || target_offload == "disabled"; // the user says so
    bool disabled = unwanted || ompc_program_creates_threads != nullptr;
    bool mandatory = !unwanted && (offload == "mandatory" || target_offload == "mandatory"); // no loop may stay on the host
    bool summary = is_set("OMPC_SUMMARY");
    bool verify = is_set("OMPC_VERIFY"); // ompc_verify.h
    double verify_tolerance = positive_number(text_of("OMPC_VERIFY_TOLERANCE")); // negative: what is usual
    bool weighs = !verify && !mandatory && (offload == "profit" || (OMPC_WEIGHS_BY_DEFAULT && offload != "always")); // is each launch worth it?
    std::string log_asked = text_of("OMPC_LOG"), log_file = whole_name(file_of("OMPC_LOG_FILE"));
    int log = log_level(log_asked, log_file);
    std::size_t print_bytes = number_of("OMPC_PRINT_MEMORY", std::size_t{64} << 20);
    unsigned lanes = static_cast<unsigned>(number_of("OMPC_LANES", 0));
    int copies = static_cast<int>(number_of("OMPC_COPIES", ~0ull)); // -1: as many as pay
    std::string tune = text_of("OMPC_TUNE"); // ompc_tuning.h
    std::size_t slice_bytes = number_of("OMPC_SLICE", std::size_t{32} << 20); // 0: no slices
    std::string devices = text_of("OMPC_DEVICES"); // none: one
    bool waits = is_set("OMPC_WAIT");
    bool apart = text_of("OMPC_FUSION") == "0"; // each loop is launched by itself
    std::string regions = text_of("OMPC_REGIONS");
    std::string profile = file_of("OMPC_PROFILE"), trace = file_of("OMPC_TRACE");
    bool counting = !profile.empty() || !trace.empty();
    bool profiling = counting || log >= 3 || is_set("OMPC_NVTX"); // else nothing is counted, timed or shown
};

inline const Settings &settings()
{
    static const Settings *const read_once = new Settings; // never destroyed: launches may follow static destruction
    return *read_once;
}

// Seconds. The program's own clock_gettime would wait for the kernels, and so would what libstdc++ calls where it is linked
// statically.
inline double now()
{
    timespec time{};
    ompc_libc_clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Gives the processor to others; less than a second.
inline void sleep_for(double seconds)
{
    const timespec time{0, static_cast<long>(seconds * 1e9)};
    ompc_libc_nanosleep(&time, nullptr);
}
inline void rest()
{
    sleep_for(20e-6);
}

} // namespace ompc

#endif
