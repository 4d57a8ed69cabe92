// ompc_team.cc: how the threads of a team wait for each other before one of them launches (ompc_team.h).

#include "ompc_team.h"

#include "ompc_failure.h"
#include "ompc_ledger.h"
#include "ompc_log.h"
#include "ompc_region.h"
#include "ompc_settings.h"
#include "ompc_verify.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern "C" {
int omp_get_max_threads(void) __attribute__((weak));
int omp_get_thread_limit(void) __attribute__((weak));
int omp_get_dynamic(void) __attribute__((weak));
int omp_get_max_active_levels(void) __attribute__((weak));
#ifndef OMPC_LIBRARY
int omp_get_teams_thread_limit(void) __attribute__((weak));
#endif
}

// Of one program's units of the device, which all have it.
#define OMPC_CALLED_FROM_C extern "C" __attribute__((weak, used))

namespace ompc {

constexpr double spinning_seconds = 1e-3; // a thread that waits for no longer than this is not put to sleep
constexpr double patience_seconds = 0.5;  // of the first wait in the program that is in vain
constexpr double patience_of_parts = 0.05; // at loops without a directive, of which the program has promised nothing
constexpr Cause apart{128, "OMPC457"}, differing{256, "OMPC458"};

// What a team has been told of a region, for one size: that it stays on the host, so many times for each thread, with about so many
// iterations.
struct TeamRest {
    struct alignas(64) Left {
        unsigned times = 0;
    };
    double iterations = 0;
    unsigned cause = 0; // why, for the summary
    std::vector<Left> of_threads; // by their numbers
};

// What each thread has in a variable.
struct Team::Table {
    void *own;
    std::size_t bytes;
    void **place; // the launcher's
    AfterLaunch after;
    std::vector<void *> of_threads; // by their numbers
    std::vector<char> memory;
    Table *next;
};

// What a thread has of a loop that the program divides among the threads. `step` 0: every so many iterations, as many as `trips` says.
struct PartOfThread {
    BoundInLauncher first, end;
    int step;
    Trips trips;
};

// Of a region: threads may come, all have, or one has not.
enum { open_meeting, gathered, dissolved };

bool &leads_team()
{
    static thread_local bool leads = false;
    return leads;
}

Team::Meeting Team::stay_home()
{
    region_.tally.on_host(said_disabled);
    must_not_stay(region_, "OMPC424", why_not_used());
    if (logs(log_refusals))
        note_host(region_, said_disabled, why_not_used());
    return nobody;
}

Team::Meeting Team::come()
{
    forget_turn();
    if (settings().disabled)
        return stay_home(); // nobody waits
    if (omp_get_num_threads == nullptr)
        return without_team;
    if (omp_get_num_threads() == 1)
        return alone;
    if (surrounded()) { // by other teams, which may be changing what the loop uses
        report_refusal(region_, nested, "it is inside an active parallel region");
        return nobody;
    }
    if (omp_get_cancellation != nullptr && omp_get_cancellation() != 0) { // `cancel parallel` takes threads away
        report_refusal(region_, apart, "cancellation is on, so that a thread of its team may never come");
        return nobody;
    }
    return all_come() ? all : nobody;
}

bool Team::may_be_alone() const
{
    if (apart_ == nullptr || omp_get_level == nullptr || omp_get_level() == 0)
        return true;
    report_refusal(region_, differing, (std::string("its team has one thread, and `") + apart_ + "` may be that thread's own").c_str());
    return false;
}

bool Team::surrounded()
{
    for (int level = omp_get_level() - 1; level > 0; level--)
        if (omp_get_team_size(level) > 1)
            return true;
    return false;
}

// True in all threads once all have come; false in all when one has not come in time.
bool Team::all_come()
{
    std::atomic<int> &meeting = region_.meeting;
    if (meeting == dissolved)
        return false; // now and ever after
    Team *nobody_yet = nullptr;
    region_.first.compare_exchange_strong(nobody_yet, this);
    const bool is_last = ++region_.arrived == omp_get_num_threads();
    int expected = open_meeting;
    if (is_last) {
        region_.gathered_at = now();
        meeting.compare_exchange_strong(expected, gathered);
    }
    const int before = errno;
    wait_for_others();
    errno = before;
    return meeting == gathered;
}

// Threads that do not come to one loop seldom come to another: each wait in vain leaves a sixteenth of the patience.
void Team::wait_for_others()
{
    static std::atomic<double> patience{patience_seconds};
    std::atomic<int> &meeting = region_.meeting;
    const double begun = now(), until = begun + (parts_ == nullptr ? patience.load() : std::min(patience.load(), patience_of_parts));
    for (unsigned turns = 0; meeting == open_meeting; turns++) {
        const double here = now();
        if (here > begun + spinning_seconds)
            rest();
        else if (turns > 1000)
            std::this_thread::yield();
        int expected = open_meeting;
        if (here > until && meeting.compare_exchange_strong(expected, dissolved)) {
            patience = std::max(patience / 16, spinning_seconds);
            report_refusal(region_, apart, "a thread of its team did not come to it in time");
        }
    }
}

// In an inner region there may be several teams at a time, of which each would count.
bool Team::is_resting() const
{
    TeamRest &rest = region_.rests[size_of(iterations_)];
    const bool has_team = omp_get_num_threads != nullptr && omp_get_level() == 1;
    if (!has_team || static_cast<std::size_t>(omp_get_num_threads()) != rest.of_threads.size() || !are_similar(iterations_, rest.iterations))
        return false; // for all of them
    unsigned &left = rest.of_threads[static_cast<std::size_t>(omp_get_thread_num())].times;
    if (left == 0)
        return false;
    left--;
    if (region_.joint == 0 && omp_get_thread_num() == 0) // one of them counts for all
        region_.tally.on_host(rest.cause);
    forget_turn();
    return true;
}

// The device is nearer than it was: no team rests any longer, or it would take home what has been moved there.
static void wake_teams()
{
    static std::atomic<unsigned> known{0};
    const unsigned asked = RegionCosts::asked_again();
    if (known.exchange(asked) == asked)
        return;
    const Locked guard(ledger().lock);
    for (Region *region = ledger().first; region != nullptr; region = region->next)
        for (unsigned size = 0; region->rests != nullptr && size < sizes_apart; size++)
            for (TeamRest::Left &left : region->rests[size].of_threads)
                left.times = 0;
}

// Called by one thread, while the others wait.
void Team::leave_for_a_while() const
{
    wake_teams(); // all threads are here: none of them is at a loop for which others of them rest
    const unsigned cause = region_.kept_as.load(std::memory_order_relaxed);
    const bool may_rest = region_.answer == 0 && cause != 0 && iterations_ >= 0 && omp_get_level() == 1;
    const unsigned times = may_rest ? region_.costs.skips_of_team() : 0;
    if (region_.rests == nullptr) {
        if (times == 0)
            return;
        region_.rests = new TeamRest[sizes_apart]; // for good
    }
    TeamRest &rest = region_.rests[size_of(iterations_)];
    rest.iterations = iterations_;
    rest.cause = cause;
    rest.of_threads.assign(static_cast<std::size_t>(omp_get_num_threads()), TeamRest::Left{times});
}

static std::size_t threads_here()
{
    return omp_get_num_threads == nullptr ? 1 : static_cast<std::size_t>(omp_get_num_threads());
}

Team::~Team()
{
    delete[] agreed_;
    delete[] parts_;
    while (tables_ != nullptr)
        delete std::exchange(tables_, tables_->next);
}

void Team::agree_on(std::initializer_list<Agreed> all)
{
    delete[] agreed_;
    agreed_ = new Agreed[all.size()];
    agreed_count_ = all.size();
    std::copy(all.begin(), all.end(), agreed_);
}

void Team::has_each(const void *own, std::size_t bytes, void *&table, AfterLaunch after)
{
    *last_ = new Table{const_cast<void *>(own), bytes, &table, after, std::vector<void *>(threads_here()), {}, nullptr};
    last_ = &(*last_)->next;
}

void Team::compare(const Team &other)
{
    for (std::size_t i = 0; i < agreed_count_; i++)
        if (std::memcmp(agreed_[i].address, other.agreed_[i].address, agreed_[i].bytes) != 0)
            differs_ = &agreed_[i];
    const std::size_t number = omp_get_thread_num == nullptr ? 0 : static_cast<std::size_t>(omp_get_thread_num());
    if (parts_ != nullptr)
        parts_[number] = *other.own_;
    const Table *theirs = other.tables_;
    for (Table *table = tables_; table != nullptr; table = table->next, theirs = theirs->next)
        table->of_threads[number] = theirs->own;
}

void Team::divide(const BoundInLauncher &first, const BoundInLauncher &end, int step, Trips trips)
{
    const std::size_t number = omp_get_thread_num == nullptr ? 0 : static_cast<std::size_t>(omp_get_thread_num());
    parts_ = new PartOfThread[threads_here()];
    own_ = &(parts_[number] = PartOfThread{first, end, step, trips});
}

// Is each of them one behind the one before it, are there as many as an iteration's turn is long, and is the end the same?
static bool follow_by_one(const std::vector<PartOfThread> &parts)
{
    for (std::size_t k = 0; k < parts.size(); k++)
        if (parts[k].first.value != parts[0].first.value + k || parts[k].end.value != parts[0].end.value || parts[k].trips != parts.size())
            return false;
    return true;
}

// Does each of them begin where the one before it ends?
static bool follow_by_blocks(const std::vector<PartOfThread> &parts)
{
    for (std::size_t k = 1; k < parts.size(); k++) {
        const PartOfThread &before = parts[k - 1];
        const auto step = static_cast<unsigned long long>(static_cast<long long>(before.step)); // modulo 2^64, as all of this
        if (parts[k].first.value != before.first.value + step * before.trips)
            return false;
    }
    return true;
}

// Called by one thread, while the others wait. Empty parts may lie anywhere: where all are, the launching thread's is the whole.
bool Team::unite()
{
    const bool turns = own_->step == 0;
    std::vector<PartOfThread> parts;
    for (std::size_t k = 0; k < threads_here(); k++)
        if (turns || parts_[k].trips != 0)
            parts.push_back(parts_[k]);
    const bool down = own_->step < 0;
    std::sort(parts.begin(), parts.end(), [&](const PartOfThread &a, const PartOfThread &b) {
        const BoundInLauncher &x = down ? b.first : a.first, &y = down ? a.first : b.first;
        return x.has_sign ? static_cast<long long>(x.value) < static_cast<long long>(y.value) : x.value < y.value;
    });
    if (parts.empty())
        return true;
    if (!(turns ? follow_by_one(parts) : follow_by_blocks(parts))) {
        region_.meeting = dissolved; // nobody waits for the others again
        report_refusal(region_, differing, "the parts of its threads do not make one range");
        return false;
    }
    std::memcpy(own_->first.at, &parts.front().first.value, own_->first.bytes); // little-endian, as all devices' hosts are
    std::memcpy(own_->end.at, &parts.back().end.value, own_->end.bytes);
    return true;
}

// Called by one thread, while the others wait: what is theirs may be read and written.
void Team::fill_tables()
{
    for (Table *table = tables_; table != nullptr; table = table->next) {
        table->memory.resize(table->bytes * table->of_threads.size());
        for (std::size_t k = 0; k < table->of_threads.size(); k++)
            std::memcpy(table->memory.data() + k * table->bytes, table->of_threads[k], table->bytes);
        *table->place = table->memory.data();
    }
}

void Team::return_tables() const
{
    for (const Table *table = tables_; table != nullptr; table = table->next)
        for (std::size_t k = 0; table->after == returned && k < table->of_threads.size(); k++)
            std::memcpy(table->of_threads[k], table->memory.data() + k * table->bytes, table->bytes);
}

double Team::seconds()
{
    return now();
}

bool Team::begin_to_lead()
{
    region_.arrived = 0;
    region_.first = nullptr;
    region_.meeting = region_.meeting == dissolved ? dissolved : open_meeting;
    if (differs_ != nullptr) {
        report_refusal(region_, differing, (std::string("the threads of its team have different values of `") + differs_.load()->name + "`").c_str());
        return false;
    }
    leads_team() = true;
    return true;
}

int Team::for_all(int answer)
{
    const int turn = answer == 0 ? std::exchange(turn_of_thread(), 0) : 0;
    if (turn == left_out)
        return 1;
    if (turn != 0)
        verification().is_of_team(turn, omp_get_num_threads());
    return turn != 0 ? -turn : answer;
}

int Team::taken(int answer)
{
    if (answer >= 0)
        return answer;
    turn_of_thread() = -answer;
    return 0;
}

void Team::end_to_lead()
{
    leads_team() = false;
}

} // namespace ompc

OMPC_CALLED_FROM_C int ompc_threads_here(void)
{
    return omp_get_num_threads == nullptr ? 1 : omp_get_num_threads();
}

// OpenMP 5.2, 10.1.1: only within a region, with dynamic adjustment or above the limit may there be fewer.
OMPC_CALLED_FROM_C int ompc_threads_of(int asked)
{
    if (omp_get_level == nullptr || omp_get_max_threads == nullptr)
        return 1;
    const int wanted = asked > 0 ? asked : omp_get_max_threads();
    const bool known = omp_get_level() == 0 && (omp_get_dynamic == nullptr || omp_get_dynamic() == 0) &&
                       (omp_get_max_active_levels == nullptr || omp_get_max_active_levels() > 0) &&
                       (omp_get_thread_limit == nullptr || wanted <= omp_get_thread_limit());
    return known ? wanted : 0;
}

// A part counts at least as often as it has counters, as these are set and read, too; there are several times as many as a large
// device has blocks for at once, in no more memory than that.
OMPC_CALLED_FROM_C int ompc_parts_of(unsigned long iterations, int threads, int counters)
{
    constexpr unsigned long most_parts = 1 << 12, most_counters = 1 << 25;
    const unsigned long each = static_cast<unsigned long>(std::max(counters, 64)), team = static_cast<unsigned long>(std::max(threads, 1));
    const unsigned long wanted = std::min({iterations / each, most_parts, most_counters / each}) / team;
    return static_cast<int>(std::max(wanted, 1ul));
}

namespace ompc {

// 0: there is none. OpenMP 5.1 has it: a library that names it, even weakly, cannot be loaded into a process with an older
// OpenMP library in it, such as PyTorch's.
static int teams_thread_limit()
{
#ifdef OMPC_LIBRARY
    static int (*const omp_get_teams_thread_limit)(void) = reinterpret_cast<int (*)(void)>(dlsym(RTLD_DEFAULT, "omp_get_teams_thread_limit"));
#endif
    return omp_get_teams_thread_limit == nullptr ? 0 : omp_get_teams_thread_limit();
}

} // namespace ompc

// Whether the environment's limit for teams counts here is the library's choice.
OMPC_CALLED_FROM_C int ompc_threads_of_teams(int asked, int limit)
{
    if (ompc::teams_thread_limit() > 0)
        return 0;
    const int wanted = ompc_threads_of(asked);
    return limit > 0 && limit < wanted ? limit : wanted;
}
