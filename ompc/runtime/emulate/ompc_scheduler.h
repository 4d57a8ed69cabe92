// ompc_scheduler.h: runs the blocks and lanes of a kernel, in an order that OMPC_SEED permutes.
//
// Lanes are started one after another on one stack, as plain calls. One that waits, for the block or its warp, keeps the
// stack, and the next lane starts on another. Waiting that can never end is an error of the kernel. Nobody waits for a lane
// that has ended early.

#ifndef OMPC_SCHEDULER_H
#define OMPC_SCHEDULER_H

#include "ompc_fiber.h"
#include "ompc_grid.h"
#include "ompc_libc.h"
#include "ompc_seed.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

// The section of __shared__ variables; absent when the program has none.
extern "C" char __start_ompc_shared[] __attribute__((weak));
extern "C" char __stop_ompc_shared[] __attribute__((weak));

namespace ompc {
namespace emulate {

// A permutation of 0..n-1 that the seed and `salt` choose; seed 0: in order.
class Order {
public:
    explicit Order(unsigned long long n = 1, unsigned long long salt = 0) : n_(n)
    {
        if (seed() == 0 || n < 2 || n >> 32 != 0) // so that at() cannot overflow
            return;
        unsigned long long h = (seed() + 0x9E3779B97F4A7C15u * (salt + 1)) * 0xBF58476D1CE4E5B9u;
        h ^= h >> 29;
        first_ = h % n;
        for (step_ = (h >> 7) % n | 1; std::gcd(step_, n) != 1; step_ += 2) {
        }
        step_ %= n;
    }
    unsigned long long at(unsigned long long i) const { return (i * step_ + first_) % n_; }

private:
    unsigned long long n_, step_ = 1, first_ = 0;
};

// One kernel at a time; its blocks and lanes see the_grid.
class Scheduler {
public:
    // Runs call(closure) for every lane. Returns what is wrong with the kernel, or "".
    std::string run(const dim3 &grid, const dim3 &block, unsigned shared, void (*call)(const void *), const void *closure)
    {
        memory_.reset(new unsigned char[shared]); // no more, so that sanitizers see what is beyond
        the_grid.memory = memory_.get();
        shared_ = shared;
        the_grid.grid_dim = grid;
        the_grid.block_dim = block;
        call_ = call;
        closure_ = closure;
        launches_++;
        problem_.clear();
        const unsigned long long blocks = static_cast<unsigned long long>(grid.x) * grid.y * grid.z;
        const Order order(blocks, launches_);
        make_lanes();
        for (unsigned long long i = 0; i < blocks && problem_.empty(); i++)
            run_block(order.at(i));
        the_grid.lane = nullptr;
        return problem_;
    }

    // Is there address space for the stacks of so many lanes? A program that may not have more than some (`ulimit -v`,
    // setrlimit) keeps half of what is left.
    bool has_room(unsigned threads) const
    {
        struct rlimit limit;
        if (threads <= fibers_.size() || ompc_libc_getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
            return true;
        const rlim_t left = limit.rlim_cur - std::min<rlim_t>(limit.rlim_cur, address_space());
        return (threads - fibers_.size()) * (fiber_stack_bytes + fiber_guard_bytes) <= left / 2;
    }

    // The calling lane waits for all lanes of the block. Does one of them say `vote`?
    bool meet_block(bool vote = false)
    {
        votes_ |= vote;
        at_barrier_++;
        pass_barrier();
        wait();
        return passed_;
    }

    // The calling lane waits for those of its warp that `mask` names, and gets what the lane `source` sent.
    unsigned long long meet_warp(unsigned mask, unsigned long long value, int source)
    {
        Lane *const self = the_grid.lane;
        self->mask = mask;
        self->sent = value;
        self->source = source;
        const unsigned warp = self->rank / warp_lanes;
        arrived_[warp] |= 1u << self->rank % warp_lanes;
        if (complete(warp, mask))
            exchange(warp, mask);
        wait();
        return self->received;
    }

    // Abandons the running lane: the kernel has gone wrong. Does not return.
    void abandon(const std::string &problem)
    {
        problem_ = problem;
        Fiber::go(*fiber_, scheduler_);
    }

    const Fiber *running_fiber() const { return fiber_; }

private:
    // In bytes; all there is, if the system does not say.
    static rlim_t address_space()
    {
        char line[64];
        FILE *const file = ompc_libc_fopen("/proc/self/statm", "r");
        const bool is_said = file != nullptr && ompc_libc_fgets(line, sizeof line, file) != nullptr;
        if (file != nullptr)
            ompc_libc_fclose(file);
        return is_said ? std::strtoull(line, nullptr, 10) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) : RLIM_INFINITY;
    }

    void make_lanes()
    {
        const dim3 &block = the_grid.block_dim;
        const unsigned threads = block.x * block.y * block.z;
        lanes_.assign(threads, Lane{});
        for (unsigned rank = 0; rank < threads; rank++) {
            lanes_[rank].rank = rank;
            lanes_[rank].thread = {rank % block.x, rank / block.x % block.y, rank / block.x / block.y};
        }
        arrived_.assign((threads - 1) / warp_lanes + 1, 0);
        ended_.assign(arrived_.size(), 0);
    }

    void run_block(unsigned long long index)
    {
        const dim3 &grid = the_grid.grid_dim;
        the_grid.block_index = {static_cast<unsigned>(index % grid.x), static_cast<unsigned>(index / grid.x % grid.y),
                                static_cast<unsigned>(index / grid.x / grid.y)};
        lane_order_ = Order(lanes_.size(), index + launches_);
        started_ = finished_ = at_barrier_ = ended_lanes_ = 0;
        votes_ = false;
        if (any_ended_)
            make_lanes();
        any_ended_ = false;
        if (__start_ompc_shared != nullptr)
            std::memset(__start_ompc_shared, poison_byte, static_cast<std::size_t>(__stop_ompc_shared - __start_ompc_shared));
        std::memset(memory_.get(), poison_byte, shared_);
        while (problem_.empty() && (started_ < lanes_.size() || !ready_.empty()))
            resume();
        if (problem_.empty() && finished_ != lanes_.size())
            problem_ = stuck();
    }

    // Starts lanes on a fresh stack, or goes on with one that need not wait any more.
    void resume()
    {
        if (started_ < lanes_.size()) {
            fiber_ = idle_fiber();
            if (!fiber_->is_made()) {
                problem_ = "there is no memory for the stack of a thread";
                return;
            }
        } else {
            the_grid.lane = ready_.front();
            ready_.pop_front();
            fiber_ = the_grid.lane->fiber;
        }
        Fiber::go(scheduler_, *fiber_);
    }

    Fiber *idle_fiber()
    {
        if (idle_.empty()) {
            fibers_.push_back(std::make_unique<Fiber>(start_lanes));
            idle_.push_back(fibers_.back().get());
        }
        Fiber *const fiber = idle_.back();
        idle_.pop_back();
        return fiber;
    }

    static void start_lanes();
    void start_lanes_here()
    {
        for (;;) {
            while (started_ < lanes_.size()) {
                the_grid.lane = &lanes_[lane_order_.at(started_++)];
                the_grid.lane->fiber = fiber_;
                try {
                    call_(closure_);
                } catch (const ThreadEnded &) {
                    end_lane();
                }
                finished_++;
            }
            idle_.push_back(fiber_);
            Fiber::go(*fiber_, scheduler_);
        }
    }

    void wait() { Fiber::go(*fiber_, scheduler_); }

    // All lanes that have not ended go on once they have come to the barrier.
    void pass_barrier()
    {
        if (at_barrier_ == 0 || at_barrier_ + ended_lanes_ != lanes_.size())
            return;
        at_barrier_ = 0;
        passed_ = votes_;
        votes_ = false;
        for (std::size_t i = 0; i < lanes_.size(); i++)
            if (!lanes_[lane_order_.at(i)].ended)
                ready_.push_back(&lanes_[lane_order_.at(i)]);
    }

    // The running lane has ended early: those that wait for it do so no more.
    void end_lane()
    {
        const unsigned warp = the_grid.lane->rank / warp_lanes;
        the_grid.lane->ended = any_ended_ = true;
        ended_lanes_++;
        ended_[warp] |= 1u << the_grid.lane->rank % warp_lanes;
        pass_barrier();
        for (unsigned i = 0; i < warp_lanes; i++)
            if ((arrived_[warp] >> i & 1u) != 0 && complete(warp, lanes_[warp * warp_lanes + i].mask))
                exchange(warp, lanes_[warp * warp_lanes + i].mask);
    }

    // The lanes of `mask` that the block has, and that have not ended.
    unsigned present(unsigned warp, unsigned mask) const
    {
        const std::size_t left = lanes_.size() - warp * warp_lanes;
        return (left >= warp_lanes ? mask : mask & ((1u << left) - 1)) & ~ended_[warp];
    }

    bool complete(unsigned warp, unsigned mask) const
    {
        const unsigned wanted = present(warp, mask);
        if ((arrived_[warp] & wanted) != wanted)
            return false;
        for (unsigned i = 0; i < warp_lanes; i++)
            if ((wanted >> i & 1u) != 0 && lanes_[warp * warp_lanes + i].mask != mask)
                return false;
        return true;
    }

    void exchange(unsigned warp, unsigned mask)
    {
        Lane *const first = &lanes_[warp * warp_lanes];
        const unsigned wanted = present(warp, mask);
        for (unsigned i = 0; i < warp_lanes; i++)
            if ((wanted >> i & 1u) != 0) {
                const unsigned source = static_cast<unsigned>(first[i].source) % warp_lanes;
                first[i].received = (wanted >> source & 1u) != 0 ? first[source].sent : first[i].sent;
                ready_.push_back(&first[i]);
            }
        arrived_[warp] &= ~wanted;
    }

    std::string stuck() const
    {
        const std::size_t all = lanes_.size();
        if (at_barrier_ != 0)
            return "only " + std::to_string(at_barrier_) + " of the " + std::to_string(all) + " threads of a block reach a barrier";
        return "a warp operation is not reached by all the lanes that it names";
    }

    void (*call_)(const void *) = nullptr;
    const void *closure_ = nullptr;
    unsigned long long launches_ = 0;
    std::size_t started_ = 0, finished_ = 0, at_barrier_ = 0, ended_lanes_ = 0;
    bool votes_ = false, passed_ = false, any_ended_ = false;
    std::vector<Lane> lanes_;
    std::vector<unsigned> arrived_, ended_; // per warp: the lanes that wait in it, those that have ended
    Order lane_order_;
    std::deque<Lane *> ready_;
    Fiber scheduler_, *fiber_ = nullptr;
    std::deque<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber *> idle_;
    std::string problem_;
    std::unique_ptr<unsigned char[]> memory_;
    unsigned shared_ = 0;
};

inline Scheduler &scheduler()
{
    static Scheduler *const of_the_device = new Scheduler; // never destroyed: launches may follow static destruction
    return *of_the_device;
}

} // namespace emulate
} // namespace ompc

#endif
