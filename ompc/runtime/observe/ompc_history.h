// ompc_history.h: what earlier runs of this program have shown: is it faster if the device is started early?
//
// To create a CUDA context takes a third of a second, even if another thread does it: a team of as many threads as there are
// processors misses the one on which CUDA starts, and at its end a process with a context takes a tenth of a second longer.
// Whether the loops of a program save more than that nobody knows at its first run, and estimates of what the host takes are
// wrong by ten times where it has vectors. So whole runs are measured, either way:
//
//     early    the context is created at once, before main, while the program reads its input; at the first run of a program with
//              deep loops, as soon as it has a megabyte of data (ompc/plan/program/loop_depth.py)
//     late     no context is created until a loop asks for the device, as it does when it has lost as much by waiting
//
// The next run of the same program, with the same arguments in the same folder, takes the way that was faster; where only one
// is known, the other one, but only while the start may matter: not for runs of more than five seconds. A late run that has
// taken as long as an early one does in all starts the device then, and asks all loops again. The first late run does so
// as soon as it is further behind than a late start could save: an early run is taken to be as far through its time as it is
// through its loops.
// A run that takes half as long again as those before, or is as much faster, has other data: what is known of the other
// way is forgotten.
//
//     history/<hash of the program's path and the machine's name>     in the cache of ompc: $XDG_CACHE_HOME/ompc, else ~/.cache/ompc
//         format = 2 <size of the program> <time of its last change>  another program has no history
//         <hash of the arguments, the folder and the team> <microseconds, early> <late> <loops of an early run>   0: not known
//
// Environment: OMPC_HISTORY=FOLDER, instead of that one; set and empty: there is no history. None either where loops are not asked
// whether they are worth a launch, and for shared libraries. A file that cannot be read or written is one that is not there.

#ifndef OMPC_HISTORY_H
#define OMPC_HISTORY_H

#include "ompc_libc.h"
#include "ompc_log.h"
#include "ompc_settings.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

extern "C" int omp_get_max_threads(void) __attribute__((weak));

namespace ompc {

class History {
public:
    // Reads the file of this program.
    History()
    {
#ifndef OMPC_LIBRARY
        if (settings().weighs && !settings().disabled && identify())
            read();
#endif
    }

    // When is the device to be started for a file of device code? `much_work`: it has deep loops.
    enum class Start { at_once, with_data, when_asked };
    Start start_for(bool much_work)
    {
        const Times known = times();
        early_ = known.early;
        if (!known.early && !known.late) {
            is_early_ = is_early_ || much_work;
            return much_work ? Start::with_data : Start::when_asked;
        }
        if (known.early != 0 && known.late != 0)
            is_early_ = known.early < known.late;
        else
            is_early_ = (std::max(known.early, known.late) < matters) == (known.late != 0);
        if (!std::exchange(is_said_, true) && logs(log_regions))
            note(nullptr, "the device is started %s, as earlier runs suggest", is_early_ ? "at once" : "when a loop asks for it");
        return is_early_ ? Start::at_once : Start::when_asked;
    }

    // A loop asks for the device.
    void asks() { asked_++; }

    // A late run has taken so long when a loop asks, and to create a context takes so long: is it slower than an early one?
    bool has_lost(double seconds, double context)
    {
        if (is_early_ || early_ == 0)
            return false;
        const Times known = times();
        const double early = static_cast<double>(early_) * 1e-6;
        first_ = first_ < 0 ? seconds : first_;
        bool lost = seconds > early;
        if (known.late == 0 && known.loops > 0) {
            const double share = std::min(1.0, static_cast<double>(asked_) / static_cast<double>(known.loops));
            const double by_now = first_ + std::max(0.0, early - first_) * share, saved_at_most = 1.5 * context;
            lost |= seconds > by_now + saved_at_most;
        }
        early_ = lost ? 0 : early_; // said once
        return lost;
    }

    // The run took so long. `is_started`: and has a context.
    void ends(double seconds, bool is_started)
    {
        Times known = times();
        if (file_.empty() || (!is_started && !known.early))
            return; // nobody has asked for the device yet
        Microseconds &own = is_early_ ? known.early : known.late, &other = is_early_ ? known.late : known.early;
        const auto took = std::max<Microseconds>(static_cast<Microseconds>(seconds * 1e6), 1);
        if (own > 0 && (2 * took > 3 * own || 3 * took < 2 * own))
            own = other = 0;
        own = own > 0 ? (own + took) / 2 : took;
        known.loops = is_early_ ? asked_ : known.loops;
        keep(known);
    }

private:
    using Hash = std::uint64_t;
    using Microseconds = long long;
    struct Times {
        Microseconds early = 0, late = 0;
        long long loops = 0; // that ask, in an early run
    };
    static constexpr std::size_t most_entries = 64;
    static constexpr Microseconds matters = 5000000; // for shorter runs, when the device is started

    // FNV-1a.
    static Hash hash(const std::string &text)
    {
        Hash value = 14695981039346656037u;
        for (const char letter : text)
            value = (value ^ static_cast<unsigned char>(letter)) * 1099511628211u;
        return value;
    }
    static std::string written(Hash value)
    {
        char text[17];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
        return text;
    }

    static std::string folder()
    {
        const char *const named = std::getenv("OMPC_HISTORY");
        if (named != nullptr)
            return named;
        const char *const cache = std::getenv("XDG_CACHE_HOME"), *const home = std::getenv("HOME");
        if (cache != nullptr && *cache == '/')
            return std::string(cache) + "/ompc/history";
        return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.cache/ompc/history";
    }

    // Which program this is, and what it was asked. False: it has no history.
    bool identify()
    {
        folder_ = whole_name(folder());
        char path[4096], here[4096];
        struct stat program{};
        utsname machine{};
        const ssize_t bytes = ompc_libc_readlink("/proc/self/exe", path, sizeof path);
        std::FILE *const words = ompc_libc_fopen("/proc/self/cmdline", "r");
        std::string arguments;
        char piece[512] = {};
        for (; words != nullptr && ompc_libc_fgets(piece, sizeof piece, words) != nullptr; std::memset(piece, 0, sizeof piece))
            arguments.append(piece, sizeof piece); // with the zeros between them
        if (words != nullptr)
            ompc_libc_fclose(words);
        if (folder_.empty() || bytes <= 0 || arguments.empty() || ompc_libc_stat("/proc/self/exe", &program) != 0 || ompc_libc_uname(&machine) != 0 ||
            ompc_libc_getcwd(here, sizeof here) == nullptr)
            return false;
        const int team = omp_get_max_threads == nullptr ? 1 : omp_get_max_threads();
        arguments_ = hash(arguments + here + '\0' + std::to_string(team));
        header_ = "format = 2 " + std::to_string(program.st_size) + " " + std::to_string(program.st_mtim.tv_sec) + "." +
                  std::to_string(program.st_mtim.tv_nsec);
        file_ = folder_ + "/" + written(hash(std::string(path, static_cast<std::size_t>(bytes)) + '\0' + machine.nodename));
        return true;
    }

    Times times() const
    {
        for (const auto &[arguments, found] : entries_)
            if (arguments == arguments_)
                return found;
        return {};
    }
    void keep(const Times &times)
    {
        for (std::size_t i = 0; i < entries_.size(); i++)
            if (entries_[i].first == arguments_)
                entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i--));
        entries_.emplace_back(arguments_, times);
        if (entries_.size() > most_entries)
            entries_.erase(entries_.begin());
        write();
    }

    void read()
    {
        std::FILE *const file = ompc_libc_fopen(file_.c_str(), "r");
        if (file == nullptr)
            return;
        char line[256];
        bool is_this = ompc_libc_fgets(line, sizeof line, file) != nullptr && header_ + "\n" == line;
        while (is_this && ompc_libc_fgets(line, sizeof line, file) != nullptr) {
            char *first = nullptr, *second = nullptr, *third = nullptr, *end = nullptr;
            const Hash arguments = std::strtoull(line, &first, 16);
            const Microseconds early = std::strtoll(first, &second, 10), late = std::strtoll(second, &third, 10);
            const long long loops = std::strtoll(third, &end, 10);
            const bool is_understood = first - line == 16 && *first == ' ' && *second == ' ' && *third == ' ' && *end == '\n';
            if (is_understood && early >= 0 && late >= 0 && loops >= 0)
                entries_.push_back({arguments, {early, late, loops}});
        }
        ompc_libc_fclose(file);
    }

    // Whole, or not at all: other runs of the program may end now.
    void write() const
    {
        for (std::size_t at = folder_.find('/', 1); at != std::string::npos; at = folder_.find('/', at + 1))
            static_cast<void>(ompc_libc_mkdir(folder_.substr(0, at).c_str(), 0777));
        static_cast<void>(ompc_libc_mkdir(folder_.c_str(), 0777));
        const std::string fresh = file_ + "." + std::to_string(getpid());
        std::string text = header_ + "\n";
        for (const auto &[arguments, found] : entries_)
            text += written(arguments) + " " + std::to_string(found.early) + " " + std::to_string(found.late) + " " +
                    std::to_string(found.loops) + "\n";
        const int file = ompc_libc_open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file < 0)
            return;
        const bool is_whole = ompc_libc_write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
        ompc_libc_close(file);
        if (!is_whole || ompc_libc_rename(fresh.c_str(), file_.c_str()) != 0)
            static_cast<void>(ompc_libc_unlink(fresh.c_str()));
    }

    std::string folder_, file_, header_;
    Hash arguments_ = 0;
    bool is_said_ = false, is_early_ = false; // early: this run
    long long asked_ = 0;                     // loops that asked so far
    double first_ = -1;                       // when the first one did
    Microseconds early_ = 0;                  // what an early run takes, until a late one has taken longer; 0: not known
    std::vector<std::pair<Hash, Times>> entries_; // the oldest first
};

inline History &history()
{
    static History *const of_program = new History; // never destroyed: the program's end asks it
    return *of_program;
}

} // namespace ompc

#endif
