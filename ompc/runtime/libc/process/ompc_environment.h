// ompc_environment.h: variables of the environment as text, numbers, and what is on or off.

#ifndef OMPC_ENVIRONMENT_H
#define OMPC_ENVIRONMENT_H

#include <cstdlib>
#include <cstring>
#include <string>

namespace ompc {

inline bool is_set(const char *variable)
{
    const char *const value = std::getenv(variable);
    return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

inline std::string text_of(const char *variable)
{
    const char *const value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

// The number of this process among those that MPI's launcher has started; "0" where none has. In the order in which they are
// asked: a job step of Slurm may itself start Open MPI's or MPICH's launcher.
inline std::string rank_of_process()
{
    for (const char *const variable : {"OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "PALS_RANKID",
                                       "FLUX_TASK_RANK", "SLURM_PROCID"})
        if (const char *const value = std::getenv(variable))
            return value;
    return "0";
}

// The name of a file, in which %r stands for the rank: processes of one program write a file each.
inline std::string file_of(const char *variable)
{
    std::string name = text_of(variable);
    for (std::size_t at = name.find("%r"); at != std::string::npos; at = name.find("%r", at))
        name.replace(at, 2, rank_of_process());
    return name;
}

// A word of OpenMP's: its case and the spaces around it do not matter.
inline std::string word_of(const char *variable)
{
    std::string word = text_of(variable);
    constexpr const char *white = " \t\n\v\f\r"; // to libgomp, too
    const std::size_t first = word.find_first_not_of(white), last = word.find_last_not_of(white);
    word = first == std::string::npos ? "" : word.substr(first, last - first + 1);
    for (char &letter : word)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    return word;
}

// A whole number, as C writes it; `otherwise` for what is none, which ompc_spelling.cc tells.
inline unsigned long long number_of(const char *variable, unsigned long long otherwise)
{
    const char *const text = std::getenv(variable);
    char *end = nullptr;
    if (text == nullptr || *text < '0' || *text > '9')
        return otherwise;
    const unsigned long long number = std::strtoull(text, &end, 0);
    return *end == '\0' ? number : otherwise;
}

// -1 for what is none.
inline double positive_number(const std::string &text)
{
    char *end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' && number >= 0 ? number : -1;
}

} // namespace ompc

#endif
