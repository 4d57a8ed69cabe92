// ompc_faults.h: while a kernel runs, a memory fault of its thread ends the kernel with an explanation.
//
// The handlers are installed for the kernel only; faults of other threads go to the handlers that were there before.

#ifndef OMPC_FAULTS_H
#define OMPC_FAULTS_H

#include "ompc_scheduler.h"
#include "ompc_host.h"

#include <csignal>
#include <pthread.h>
#include <signal.h>

namespace ompc {
namespace emulate {

class FaultWatch {
public:
    FaultWatch()
    {
        watched_thread() = pthread_self();
        stack_t alternate{};
        alternate.ss_sp = signal_stack();
        alternate.ss_size = signal_stack_bytes;
        ompc_libc_sigaltstack(&alternate, &stack_before_);
        struct sigaction action = {};
        action.sa_sigaction = handle;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        for (int i = 0; i < signals; i++)
            ompc_system_sigaction(numbers[i], &action, &before()[i]);
    }
    ~FaultWatch()
    {
        for (int i = 0; i < signals; i++)
            ompc_system_sigaction(numbers[i], &before()[i], nullptr);
        if ((stack_before_.ss_flags & SS_DISABLE) != 0)
            stack_before_.ss_size = signal_stack_bytes; // ignored, but checked by some systems
        ompc_libc_sigaltstack(&stack_before_, nullptr);
    }
    FaultWatch(const FaultWatch &) = delete;
    FaultWatch &operator=(const FaultWatch &) = delete;

    // Where the kernel faulted; nullptr with `faulted` false when it did not.
    static const void *&address()
    {
        static const void *where = nullptr;
        return where;
    }

private:
    static constexpr int signals = 2;
    static constexpr int numbers[signals] = {SIGSEGV, SIGBUS};
    static constexpr std::size_t signal_stack_bytes = std::size_t{64} << 10;

    static void *signal_stack()
    {
        alignas(16) static char stack[signal_stack_bytes];
        return stack;
    }
    static pthread_t &watched_thread()
    {
        static pthread_t thread;
        return thread;
    }
    static struct sigaction *before()
    {
        static struct sigaction actions[signals];
        return actions;
    }

    static void handle(int signal, siginfo_t *info, void *context)
    {
        if (pthread_equal(pthread_self(), watched_thread()) != 0 && the_grid.lane != nullptr) {
            address() = info->si_addr;
            scheduler().abandon(faulted);
        }
        const struct sigaction &previous = before()[signal == numbers[0] ? 0 : 1];
        if ((previous.sa_flags & SA_SIGINFO) != 0)
            previous.sa_sigaction(signal, info, context);
        else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
            previous.sa_handler(signal);
        else
            ompc_system_sigaction(signal, &previous, nullptr); // the access is repeated, and ends the program
    }

    stack_t stack_before_{};

public:
    static constexpr const char *faulted = "fault"; // what Grid::run returns then
};

} // namespace emulate
} // namespace ompc

#endif
