// ompc_history_file.h: where it is kept how long earlier runs of this program took, and its loops (ompc_history.h):
//
//     history/<hash of the program's path and the machine's name>     in the cache of ompc: $XDG_CACHE_HOME/ompc, else ~/.cache/ompc
//         format = 7 <size of the program> <time of its last change>  another program has no history
//         <hash of the arguments, the folder and the team> <early> <late> <host> <loops> <largest> <gain> <measured>
//         loop <hash of a loop and the team, plus its size> <host> <operations> <factor> <launch>
//
// Environment: OMPC_HISTORY=FOLDER, instead of that one; set and empty: there is no history. A file that cannot be read or written
// is one that is not there.

#ifndef OMPC_HISTORY_FILE_H
#define OMPC_HISTORY_FILE_H

#include "ompc_libc.h"
#include "ompc_settings.h"

#include <algorithm>
#include <array>
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

using Microseconds = long long;

// What is known of the runs of a program with the same arguments; 0: not known.
struct KnownRuns {
    Microseconds early = 0, late = 0, host = 0; // how long they took, each way
    long long loops = 0;                        // that asked for the device, in the last run that used it
    Microseconds largest = 0;                   // of their launches: as long as the host is expected to take for it, or at least for all loops
    Microseconds gain = 0;                      // what loops lost by waiting for the device, or gained with it, as expected
    Microseconds measured = 0;                  // what the host takes for the loops of that run which it has run so far

    bool has_device() const { return early != 0 || late != 0; }
    bool is_empty() const { return !has_device() && host == 0; }
};

// What is known of a loop, with as many threads, whatever the arguments are.
struct KnownLoop {
    long long host = 0;       // femtoseconds of an operation there; 0: not known
    long long operations = 0; // that it has had there at most
    long long factor = 0;     // thousandths: how many times as long as estimated kernels take; 0: not known
    long long launch = 0;     // nanoseconds for which a launch holds the program up at least; 0: not known
};

class HistoryFile {
public:
    using Hash = std::uint64_t;

    // Reads what is kept of this program. False: it has no history, and keeps none.
    bool open()
    {
        if (identify())
            read();
        return !file_.empty();
    }
    bool is_open() const { return !file_.empty(); }

    KnownRuns known() const
    {
        for (const auto &[arguments, found] : entries_)
            if (arguments == arguments_)
                return found;
        return {};
    }
    const KnownLoop *known(Hash loop) const
    {
        for (const auto &[key, found] : loops_)
            if (key == loop)
                return &found;
        return nullptr;
    }
    static Hash key(const char *id, const char *file)
    {
        return hash(std::string(file) + '\0' + id + '\0' + std::to_string(team()));
    }
    // To be written with the runs.
    void set(Hash loop, const KnownLoop &known)
    {
        for (auto &[key, found] : loops_)
            if (key == loop) {
                found = known;
                return;
            }
        loops_.emplace_back(loop, known);
        if (loops_.size() > most_loops)
            loops_.erase(loops_.begin());
    }
    void keep(const KnownRuns &known)
    {
        for (std::size_t i = 0; i < entries_.size(); i++)
            if (entries_[i].first == arguments_)
                entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i--));
        entries_.emplace_back(arguments_, known);
        if (entries_.size() > most_entries)
            entries_.erase(entries_.begin());
        write();
    }

private:
    static constexpr std::size_t most_entries = 64, most_loops = 2048;
    static constexpr std::array numbers{&KnownRuns::early, &KnownRuns::late, &KnownRuns::host, &KnownRuns::loops, &KnownRuns::largest, &KnownRuns::gain, &KnownRuns::measured};
    static constexpr std::array of_loops{&KnownLoop::host, &KnownLoop::operations, &KnownLoop::factor, &KnownLoop::launch};
    static constexpr const char *loop_word = "loop ";

    static int team() { return omp_get_max_threads == nullptr ? 1 : omp_get_max_threads(); }

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
        arguments_ = hash(arguments + here + '\0' + std::to_string(team()));
        header_ = "format = 7 " + std::to_string(program.st_size) + " " + std::to_string(program.st_mtim.tv_sec) + "." +
                  std::to_string(program.st_mtim.tv_nsec);
        file_ = folder_ + "/" + written(hash(std::string(path, static_cast<std::size_t>(bytes)) + '\0' + machine.nodename));
        return true;
    }

    void read()
    {
        std::FILE *const file = ompc_libc_fopen(file_.c_str(), "r");
        if (file == nullptr)
            return;
        char line[256];
        bool is_this = ompc_libc_fgets(line, sizeof line, file) != nullptr && header_ + "\n" == line;
        while (is_this && ompc_libc_fgets(line, sizeof line, file) != nullptr) {
            const std::size_t word = std::strlen(loop_word);
            if (std::strncmp(line, loop_word, word) == 0)
                add_line(loops_, line + word, of_loops);
            else
                add_line(entries_, line, numbers);
        }
        ompc_libc_fclose(file);
    }

    // A hash and numbers that are not negative, or nothing.
    template <class Known, class Numbers>
    static void add_line(std::vector<std::pair<Hash, Known>> &to, const char *line, const Numbers &members)
    {
        char *end = nullptr;
        const Hash key = std::strtoull(line, &end, 16);
        bool is_understood = end - line == 16;
        Known found;
        for (const auto number : members) {
            is_understood = is_understood && *end == ' ';
            found.*number = is_understood ? std::strtoll(end, &end, 10) : 0;
            is_understood = is_understood && found.*number >= 0;
        }
        if (is_understood && *end == '\n')
            to.push_back({key, found});
    }
    template <class Known, class Numbers>
    static void append(std::string &text, const char *word, const std::vector<std::pair<Hash, Known>> &from, const Numbers &members)
    {
        for (const auto &[key, found] : from) {
            text += word + written(key);
            for (const auto number : members)
                text += " " + std::to_string(found.*number);
            text += "\n";
        }
    }

    // Whole, or not at all: other runs of the program may end now.
    void write() const
    {
        for (std::size_t at = folder_.find('/', 1); at != std::string::npos; at = folder_.find('/', at + 1))
            static_cast<void>(ompc_libc_mkdir(folder_.substr(0, at).c_str(), 0777));
        static_cast<void>(ompc_libc_mkdir(folder_.c_str(), 0777));
        const std::string fresh = file_ + "." + std::to_string(getpid());
        std::string text = header_ + "\n";
        append(text, "", entries_, numbers);
        append(text, loop_word, loops_, of_loops);
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
    std::vector<std::pair<Hash, KnownRuns>> entries_; // the oldest first
    std::vector<std::pair<Hash, KnownLoop>> loops_;
};

} // namespace ompc

#endif
