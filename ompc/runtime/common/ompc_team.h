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

// barrier_follows: all threads reach the loop, or the program would never pass the barrier at its end.
// may_come_late: with `nowait` a thread may come to the loop only after it has seen what another one did behind it.
enum Gather { barrier_follows, may_come_late };

constexpr double patience_seconds = 2; // for a thread that may come late
constexpr Cause apart{32, "OMPC457"}, differing{64, "OMPC458"};

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

    // The answer of `body`, called by one thread; 0, without a call, when the threads do not agree.
    template <class Body>
    int once(Body body)
    {
        if (omp_get_num_threads == nullptr || omp_get_num_threads() == 1)
            return body();
        if (surrounded()) { // by other teams, which may be changing what the loop uses
            report_refusal(region_, nested, "it is inside an active parallel region");
            return 0;
        }
        if (omp_get_cancellation != nullptr && omp_get_cancellation() != 0) { // `cancel parallel` takes threads away
            report_refusal(region_, apart, "cancellation is on, so that a thread of its team may never come");
            return 0;
        }
        if (gather_ == may_come_late && !all_come())
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

    static bool surrounded()
    {
        for (int level = omp_get_level() - 1; level > 0; level--)
            if (omp_get_team_size(level) > 1)
                return true;
        return false;
    }

    // True in all threads once all have come; false in all, now and ever after, when one has not come in time.
    bool all_come()
    {
        std::atomic<int> &meeting = region_.meeting;
        if (meeting == dissolved)
            return false;
        int expected = open;
        if (++region_.arrived == omp_get_num_threads())
            meeting.compare_exchange_strong(expected, gathered);
        const double until = now() + patience_seconds;
        for (unsigned turns = 0; meeting == open; turns++) {
            if (turns > 1000)
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            expected = open;
            if (now() > until && meeting.compare_exchange_strong(expected, dissolved))
                report_refusal(region_, apart, "a thread of its team is waited for by others that are past it");
        }
        return meeting == gathered;
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
    std::vector<Agreed> agreed_;
    std::atomic<const Agreed *> differs_{nullptr};
};

} // namespace ompc

#endif
