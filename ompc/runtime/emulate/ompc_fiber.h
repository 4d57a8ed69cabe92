// ompc_fiber.h: stacks that take turns.
//
// A switch saves what the calling convention says a function must keep, which costs about as much as a call; ucontext,
// whose switch is two system calls, serves where there is no assembler version.

#ifndef OMPC_FIBER_H
#define OMPC_FIBER_H

#include "ompc_libc.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define OMPC_FIBER_SANITIZED
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define OMPC_FIBER_SANITIZED
#endif
#endif
#ifdef OMPC_FIBER_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

#if defined __x86_64__
extern "C" void ompc_fiber_switch(void **save_stack, void *stack);
__asm__(".text\n.weak ompc_fiber_switch\n.type ompc_fiber_switch,@function\n"
        "ompc_fiber_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n    ret\n"
        ".size ompc_fiber_switch, .-ompc_fiber_switch\n");
#elif defined __aarch64__
extern "C" void ompc_fiber_switch(void **save_stack, void *stack);
__asm__(".text\n.weak ompc_fiber_switch\n.type ompc_fiber_switch,%function\n"
        "ompc_fiber_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp]\n    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n    ret\n"
        ".size ompc_fiber_switch, .-ompc_fiber_switch\n");
#else
#include <ucontext.h>
#define OMPC_FIBER_UCONTEXT
#endif

namespace ompc {
namespace emulate {

constexpr std::size_t fiber_stack_bytes = std::size_t{1} << 20, fiber_guard_bytes = std::size_t{64} << 10;

// A stack with a guard zone below it, and where its execution stands. The default is the thread's own stack.
class Fiber {
public:
    Fiber() = default;
    Fiber(const Fiber &) = delete;
    Fiber &operator=(const Fiber &) = delete;

    // A new stack on which `entry` starts at the first switch to it; it must never return. There may be no memory for it.
    explicit Fiber(void (*entry)())
    {
        void *const memory = ompc_libc_mmap(nullptr, fiber_guard_bytes + fiber_stack_bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED || ompc_libc_mprotect(memory, fiber_guard_bytes, PROT_NONE) != 0)
            return;
        bottom_ = static_cast<char *>(memory) + fiber_guard_bytes;
        bytes_ = fiber_stack_bytes;
        prepare(entry);
    }

    bool is_made() const { return bottom_ != nullptr; }

    // Leaves `from`, the running one, and goes on where `to` was left.
    static void go(Fiber &from, Fiber &to)
    {
#ifdef OMPC_FIBER_SANITIZED
        void *fake_stack = nullptr;
        came_from() = &from;
        __sanitizer_start_switch_fiber(&fake_stack, to.bottom_, to.bytes_);
        transfer(from, to);
        arrive(fake_stack);
#else
        transfer(from, to);
#endif
    }

    // The first thing that an entry function calls.
    static void enter()
    {
#ifdef OMPC_FIBER_SANITIZED
        arrive(nullptr);
#endif
    }

    bool overflows_at(const void *address) const
    {
        const char *const p = static_cast<const char *>(address);
        return bottom_ != nullptr && p < bottom_ && p >= bottom_ - fiber_guard_bytes;
    }

private:
#ifdef OMPC_FIBER_SANITIZED
    static Fiber *&came_from()
    {
        static Fiber *fiber = nullptr;
        return fiber;
    }

    // Tells the sanitizer that the switch is done, and learns the bounds of the stack that was left.
    static void arrive(void *fake_stack)
    {
        const void *bottom = nullptr;
        std::size_t bytes = 0;
        Fiber *const from = came_from();
        __sanitizer_finish_switch_fiber(fake_stack, &bottom, &bytes);
        from->bottom_ = static_cast<char *>(const_cast<void *>(bottom));
        from->bytes_ = bytes;
    }
#endif

#ifdef OMPC_FIBER_UCONTEXT
    void prepare(void (*entry)())
    {
        getcontext(&context_);
        context_.uc_stack.ss_sp = bottom_;
        context_.uc_stack.ss_size = bytes_;
        makecontext(&context_, entry, 0);
    }
    static void transfer(Fiber &from, Fiber &to) { swapcontext(&from.context_, &to.context_); }
    ucontext_t context_;
#else
    // The stack looks as if `entry` had been about to be entered when the fiber was left.
    void prepare(void (*entry)())
    {
        auto *const top = reinterpret_cast<std::uintptr_t *>(bottom_ + bytes_);
#if defined __x86_64__
        std::uintptr_t *const frame = top - 8; // six registers and the return address; aligned as after a call
        frame[6] = reinterpret_cast<std::uintptr_t>(entry);
#else
        std::uintptr_t *const frame = top - 20;
        frame[11] = reinterpret_cast<std::uintptr_t>(entry); // x30
#endif
        stack_ = frame;
    }
    static void transfer(Fiber &from, Fiber &to) { ompc_fiber_switch(&from.stack_, to.stack_); }
    void *stack_ = nullptr;
#endif

    char *bottom_ = nullptr;
    std::size_t bytes_ = 0;
};

} // namespace emulate
} // namespace ompc

#endif
