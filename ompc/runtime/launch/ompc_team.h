// ompc_team.h: one launch for all threads of a team, for a worksharing loop inside a parallel region.
//
//     ompc::Team team(region, ompc::barrier_follows);
//     team.agree(ompc::value("n", n), ompc::contents("c", c, 0, sizeof(double[3])));
//     return team.once([&]() -> int { ... });
//
// Every thread of the team calls the launcher, as every thread reaches a worksharing loop (OpenMP 5.2, 11). once() waits for
// all of them, compares what they pass, lets the first of them launch and gives all of them its answer. A team of one, or no
// team, launches at once. How they wait for each other is in ompc_team.cc. Tasks of the team are done by the first barrier, before
// the launch: no other thread runs code of the program's beside it.
//
// A loop that stays on the host for a while is left to its team for so long: all threads are told so when they have met, and
// each counts for itself how often it has come since. They do so equally often, as every thread of a team comes to a worksharing
// loop or none; so all of them meet again at the same time, and until then nobody waits. The counts belong to the numbers of
// threads, since the threads may be others in the next region; a team of another size meets at once.

#ifndef OMPC_TEAM_H
#define OMPC_TEAM_H

#include "ompc_region.h"
#include "ompc_trips.h"

#include <atomic>
#include <cstddef>
#include <initializer_list>

extern "C" {
int omp_get_num_threads(void) __attribute__((weak)); // absent when the program is linked without OpenMP
int omp_get_thread_num(void) __attribute__((weak));
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

// What becomes of the table of what each thread has in a variable (Team::has_each): nothing, or each of them gets back what is
// there for it.
enum AfterLaunch { only_read, returned };

// True in the thread that launches for its team, while the others wait.
bool &leads_team();

// A bound in a launcher, an integer: where it is, and its value, with its sign in all higher bits.
struct BoundInLauncher {
    void *at;
    std::size_t bytes;
    unsigned long long value;
    bool has_sign;
};

template <class Bound>
BoundInLauncher bound_in_launcher(Bound &bound)
{
    return {&bound, sizeof bound, static_cast<unsigned long long>(bound), Bound(-1) < Bound(0)};
}

struct PartOfThread;

// The loop itself makes no thread wait at its start, so one may come only when it has seen what another one did in it or, with
// `nowait`, behind it. Threads that are here wait for the others for a limited time, once; then all run the loop on the host,
// now and whenever they come to it again.
// barrier_follows: no thread comes to its next loop before all have been here. may_come_late: with `nowait` it may.
enum Gather { barrier_follows, may_come_late };

class Team {
public:
    Team(Region &region, Gather gather) : region_(region), gather_(gather) {}
    Team(const Team &) = delete;
    Team &operator=(const Team &) = delete;
    ~Team();

    // Has the team been told that the loop, with about so many iterations, stays on the host for now? That number is the same in
    // all threads; what an iteration does need not be.
    template <class Trips>
    bool rests(Trips iterations)
    {
        iterations_ = static_cast<double>(iterations);
        return region_.rests != nullptr && is_resting();
    }

    // What the threads must agree on; the pointers must be valid until once() returns.
    template <class... Items>
    void agree(Items... items)
    {
        agree_on({items...});
    }

    // The kernel uses what each thread has in a variable of `bytes` at `own`. Within once(), `table` leads to what they have, one
    // behind the other by their numbers.
    void has_each(const void *own, std::size_t bytes, void *&table, AfterLaunch after);

    // Iterations may rely on `variable` being another one in each thread, of which a team of one shows nothing.
    void keeps_apart(const char *variable)
    {
        apart_ = variable;
    }

    // The threads divide the loop themselves: this one has `for (i = first; i < end; i += step)`, by its relation and with a step
    // that is negative where it counts down. Within once(), `first` and `end` are those of all blocks, if these follow one another
    // and make one range; else nobody launches.
    template <class First, class End>
    void has_block(First &first, End &end, int step, const char *relation)
    {
        divide(bound_in_launcher(first), bound_in_launcher(end), step, trips(first, end, step < 0 ? -step : step, relation));
    }

    // This thread has `for (i = first; i < end; i += turns)`; together, where there are as many threads, each begins one further on
    // than another, and they have one end, they have all from the first one on.
    template <class First, class End, class Turns>
    void takes_turns(First &first, End &end, Turns turns)
    {
        divide(bound_in_launcher(first), bound_in_launcher(end), 0, static_cast<Trips>(turns));
    }

    // The answer of `body`, called by one thread; 0, without a call, when the threads do not agree.
    template <class Body>
    int once(Body body)
    {
        int answer = 0;
        switch (come()) {
        case nobody:
            break;
        case without_team:
            compare(*this);
            answer = with_tables(body);
            break;
        case alone:
            compare(*this);
            answer = may_be_alone() ? with_tables(body) : 0;
            if (gather_ == barrier_follows) { // no loop may be passed while tasks wait for the barrier at its end
#ifdef _OPENMP
#pragma omp barrier
#endif
            }
            break;
        case all: {
#ifdef _OPENMP
            Team *const first = region_.first;
            first->compare(*this);
#pragma omp barrier
            double begun = 0, ended = 0; // what the leader does, between the meetings
            if (first == this) {
                begun = seconds();
                region_.answer = lead(body);
                leave_for_a_while();
                ended = seconds();
            }
#pragma omp barrier
            if (first == this)
                region_.costs.meeting_took(begun - region_.gathered_at + (seconds() - ended));
            answer = taken(region_.answer); // which is another one when all have come to the loop again
#else
            static_assert(sizeof(Body) == 0, "compile with -fopenmp");
#endif
        }
        }
        return answer;
    }

private:
    // Who launches the loop: no thread; this one, since the program has no teams, or since it is its team; one for all.
    enum Meeting { nobody, without_team, alone, all };

    Meeting come(); // all threads of a team come to the same
    Meeting stay_home();
    bool may_be_alone() const;
    void compare(const Team &other);
    bool is_resting() const;
    void leave_for_a_while() const;
    bool begin_to_lead();
    static void end_to_lead();
    static double seconds();

    template <class Body>
    int lead(Body body)
    {
        if (!begin_to_lead())
            return 0;
        const int answer = for_all(with_tables(body));
        end_to_lead();
        return answer;
    }

    template <class Body>
    int with_tables(Body body)
    {
        if (parts_ != nullptr && !unite())
            return 0;
        fill_tables();
        const int answer = body();
        if (answer != 0)
            return_tables();
        return answer;
    }

    void agree_on(std::initializer_list<Agreed> all);
    void divide(const BoundInLauncher &first, const BoundInLauncher &end, int step, Trips trips);
    bool unite();
    void fill_tables();
    void return_tables() const;
    // Of an answer 0 the turn for which all threads run the loop (ompc_verify.h), on its way from the one that has asked.
    static int for_all(int answer);
    static int taken(int answer);

    static bool surrounded();
    bool all_come();
    void wait_for_others();

    Region &region_;
    Gather gather_;
    const char *apart_ = nullptr;
    double iterations_ = -1; // of the loop; -1: not known
    Agreed *agreed_ = nullptr;
    std::size_t agreed_count_ = 0;
    PartOfThread *parts_ = nullptr, *own_ = nullptr; // those of the team by the numbers of the threads, and this one's among them
    struct Table;
    Table *tables_ = nullptr, **last_ = &tables_; // a list, in the order in which they were given
    std::atomic<const Agreed *> differs_{nullptr};
};

} // namespace ompc

#endif
