// ompc_team.h: one launch for all threads of a team, for a worksharing loop inside a parallel region.
//
//     ompc::Team team(region, ompc::barrier_follows);
//     team.agree(ompc::value("n", n), ompc::contents("c", c, 0, sizeof(double[3])));
//     return team.once([&]() -> int { ... });
//
// Every thread of the team calls the launcher, as every thread reaches a worksharing loop (OpenMP 5.2, 11). once() waits for
// all of them, compares what they pass, lets one of them launch and gives all of them its answer. A team of one, or no team,
// launches at once.

#ifndef OMPC_TEAM_H
#define OMPC_TEAM_H

#include "ompc_region.h"

#include <chrono>
#include <cmath>
#include <initializer_list>
#include <thread>
#include <vector>

extern "C" {
int omp_get_num_threads(void) __attribute__((weak)); // absent when the program is linked without OpenMP
int omp_get_level(void) __attribute__((weak));
int omp_get_team_size(int level) __attribute__((weak));
int omp_get_cancellation(void) __attribute__((weak));
}

namespace ompc {

// Bytes that must be the same in all threads.
struct Agreed {
    const char *name;
    const void *address;
    std::size_t bytes;
};

template <class T>
Agreed value(const char *name, const T &x)
{
    return {name, &x, sizeof x};
}
// `bytes` of an object, from `offset` on.
inline Agreed contents(const char *name, const void *object, std::size_t offset, std::size_t bytes)
{
    return {name, static_cast<const char *>(object) + offset, bytes};
}

// The loop itself makes no thread wait at its start, so one may come only when it has seen what another one did in it or, with
// `nowait`, behind it. Threads that are here wait for the others for a limited time; then all run the loop on the host.
// barrier_follows: no thread comes to its next loop before all have been here: the next launch is tried again.
// may_come_late: with `nowait` it may come to this one again, so that nothing says which of its visits another one's belongs to.
enum Gather { barrier_follows, may_come_late };

constexpr double spinning_seconds = 1e-3; // a thread that waits for no longer than this is not put to sleep
constexpr double patience_seconds = 2;    // of the first wait that was in vain; each further one is half as long
constexpr Cause apart{128, "OMPC457"}, differing{256, "OMPC458"};

// True in the thread that launches for its team, while the others wait.
inline bool &leads_team()
{
    static thread_local bool leads = false;
    return leads;
}

class Team {
public:
    Team(Region &region, Gather gather) : region_(region), gather_(gather) {}
    Team(const Team &) = delete;
    Team &operator=(const Team &) = delete;

    // What the threads must agree on; the pointers must be valid until once() returns.
    template <class... Items>
    void agree(Items... items)
    {
        agreed_ = {items...};
    }

    // Iterations may rely on `variable` being another one in each thread, of which a team of one shows nothing.
    void keeps_apart(const char *variable)
    {
        apart_ = variable;
    }

    // The answer of `body`, called by one thread; 0, without a call, when the threads do not agree.
    template <class Body>
    int once(Body body)
    {
        if (settings().disabled)
            return 0; // nobody waits, and nothing is said
        if (omp_get_num_threads == nullptr)
            return body();
        if (omp_get_num_threads() == 1)
            return alone(body);
        if (surrounded()) { // by other teams, which may be changing what the loop uses
            report_refusal(region_, nested, "it is inside an active parallel region");
            return 0;
        }
        if (omp_get_cancellation != nullptr && omp_get_cancellation() != 0) { // `cancel parallel` takes threads away
            report_refusal(region_, apart, "cancellation is on, so that a thread of its team may never come");
            return 0;
        }
        if (!all_come())
            return 0;
        Team *first = nullptr;
        int answer = 0;
#ifdef _OPENMP
#pragma omp single copyprivate(first)
        first = this;
        first->compare(*this);
#pragma omp barrier
#pragma omp single copyprivate(answer)
        answer = first->lead(body);
#else
        static_assert(sizeof(Body) == 0, "compile with -fopenmp");
#endif
        return answer;
    }

private:
    enum Meeting { open, gathered, dissolved };

    // A team of one: no loop may be passed while tasks wait for the barrier at its end.
    template <class Body>
    int alone(Body body) const
    {
        int answer = 0;
        if (apart_ != nullptr && omp_get_level != nullptr && omp_get_level() > 0)
            report_refusal(region_, differing, (std::string("its team has one thread, and `") + apart_ + "` may be that thread's own").c_str());
        else
            answer = body();
        if (gather_ == barrier_follows) {
#ifdef _OPENMP
#pragma omp barrier
#endif
        }
        return answer;
    }

    static bool surrounded()
    {
        for (int level = omp_get_level() - 1; level > 0; level--)
            if (omp_get_team_size(level) > 1)
                return true;
        return false;
    }

    // True in all threads once all have come; false in all when one has not come in time.
    bool all_come()
    {
        std::atomic<int> &meeting = region_.meeting;
        if (gather_ == may_come_late && meeting == dissolved)
            return false; // now and ever after
        const int round = region_.round;
        const bool is_last = ++region_.arrived == omp_get_num_threads();
        int expected = open;
        if (is_last)
            meeting.compare_exchange_strong(expected, gathered);
        wait_for_others(round);
        const bool all = meeting == gathered && region_.round == round;
        if (is_last && !all && gather_ == barrier_follows) {
            region_.arrived = 0;
            region_.round = round + 1; // first: whoever has not seen the last meeting dissolved must not wait in the next one
            meeting = open;
        }
        return all;
    }

    void wait_for_others(int round)
    {
        std::atomic<int> &meeting = region_.meeting;
        const double begun = now(), until = begun + std::ldexp(patience_seconds, -round);
        for (unsigned turns = 0; meeting == open && region_.round == round; turns++) {
            const double here = now();
            if (here > begun + spinning_seconds)
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            else if (turns > 1000)
                std::this_thread::yield();
            int expected = open;
            if (here > until && region_.round == round && meeting.compare_exchange_strong(expected, dissolved))
                report_refusal(region_, apart, "a thread of its team did not come to it in time");
        }
    }

    void compare(const Team &other)
    {
        for (std::size_t i = 0; i < agreed_.size(); i++)
            if (std::memcmp(agreed_[i].address, other.agreed_[i].address, agreed_[i].bytes) != 0)
                differs_ = &agreed_[i];
    }

    template <class Body>
    int lead(Body body)
    {
        region_.arrived = 0;
        region_.meeting = region_.meeting == dissolved ? dissolved : open;
        if (differs_ != nullptr) {
            report_refusal(region_, differing, (std::string("the threads of its team have different values of `") + differs_.load()->name + "`").c_str());
            return 0;
        }
        leads_team() = true;
        const int answer = body();
        leads_team() = false;
        return answer;
    }

    Region &region_;
    Gather gather_;
    const char *apart_ = nullptr;
    std::vector<Agreed> agreed_;
    std::atomic<const Agreed *> differs_{nullptr};
};

} // namespace ompc

#endif
