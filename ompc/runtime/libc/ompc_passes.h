/* ompc_passes.h: functions of libc that hand the program's memory to the kernel, by a line each (private to ompc_heap.c).

       PASSES(readlink, "tw3")      a text, and so many bytes to be written as argument 3 says

   makes a function of that name which looks at its arguments, brings home what the kernel is about to see, and jumps to
   libc's: it needs no declaration, returns nothing itself, and leaves no frame, so that it serves for vfork and getcontext
   too. The letters stand for the arguments, in order:

       -       no address                             *     the block there, whatever the kernel does with it
       t       a text                                 a     a list of texts with NULL at its end
       r3 w3   memory that is read, written, of as many bytes as argument 3 says
       v3 V3   so many iovecs, whose memory is read, written; y3: and stays in use
       p4      four words, each of which may be an address
       x x2    memory that stays in use, at least a byte of it or as many as argument 2 says: its block is not guarded again
       b l     dlopen's flags, and dlmopen's namespace: no pages are guarded from now on where what is loaded finds libc's
               functions in front of the program's, or another libc

   and these for none: e the environment's texts, f everything (another process shares the memory), F what is printed by a
   format with these arguments, ! no pages are guarded from now on. */

#ifndef OMPC_PASSES_H
#define OMPC_PASSES_H

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"

#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

static void touched_text(const char *text)
{
    if (guards_reach((uintptr_t)text, 1))
        footprint((uintptr_t)text, strlen(text) + 1, 0); /* strlen faults, as it may */
}

static void touched_vector(const struct iovec *vector, size_t count, int writes)
{
    for (size_t i = 0; i < count && guards_on; i++)
        footprint((uintptr_t)vector[i].iov_base, vector[i].iov_len, writes);
}

static void touched_texts(char *const *list)
{
    for (; guards_on && list != NULL && *list != NULL; list++)
        touched_text(*list);
}

/* Whatever an address that may be one leads to. */
static void anything(uintptr_t word)
{
    void *base;
    size_t bytes;
    if (guards_reach(word, 1) && ompc_block_find((const void *)word, &base, &bytes))
        footprint((uintptr_t)base, bytes, 1);
}

static void everything(void)
{
    footprint(guarded_low, guarded_high - guarded_low, 1);
}

/* ---- calls -------------------------------------------------------------------------------------------------------- */

#define QUIET __attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))

/* Laid out by PASSES below. */
typedef struct {
    const char *name, *passes;
    void *next, *at_once; /* libc's; and again, where nothing needs to be looked at before there are guards */
} passing_t;

#if defined __x86_64__
enum { IN_REGISTERS = 6, BEHIND = 216 }; /* on the stack: from the saved registers to the other arguments */
#elif defined __aarch64__
enum { IN_REGISTERS = 8, BEHIND = 240 };
#else
#error "only x86-64 and AArch64 are known"
#endif

QUIET static uintptr_t argument(const uintptr_t *registers, int i)
{
    return i < IN_REGISTERS ? registers[i] : *(const uintptr_t *)((const char *)registers + BEHIND + 8 * (i - IN_REGISTERS));
}

static void exempted_vector(const struct iovec *vector, size_t count)
{
    for (size_t i = 0; i < count; i++)
        exempted(vector[i].iov_base, vector[i].iov_len);
}

/* One argument. `size`: the number behind the letter. */
static void passed(char how, uintptr_t word, int size, const uintptr_t *registers)
{
    const size_t bytes = size > 0 ? argument(registers, size - 1) : 1;
    switch (how) {
    case '*':
        anything(word);
        break;
    case 't':
        touched_text((const char *)word);
        break;
    case 'a':
        touched_texts((char *const *)word);
        break;
    case 'r':
    case 'w':
        footprint(word, bytes, how == 'w');
        break;
    case 'v':
    case 'V':
        touched_vector((const struct iovec *)word, bytes, how == 'V');
        break;
    case 'y':
        exempted_vector((const struct iovec *)word, bytes);
        break;
    case 'p':
        for (int i = 0; i < size && word != 0; i++)
            anything(((const uintptr_t *)word)[i]);
        anything(word);
        break;
    case 'x':
        exempted((const void *)word, bytes);
        break;
    case 'b':
        if (((int)word & RTLD_DEEPBIND) != 0) {
            libc_frees = 1;
            guards_end("dlopen with RTLD_DEEPBIND");
        }
        break;
    case 'l':
        if ((Lmid_t)word != LM_ID_BASE)
            guards_end("dlmopen");
        break;
    }
}

/* What is no argument of its own: 1 if it was that. */
static int passed_besides(char how, const char *name, const uintptr_t *registers)
{
    enum { PRINTED = 16 };
    switch (how) {
    case 'e':
        touched_texts(environ);
        return 1;
    case 'f':
        everything();
        return 1;
    case 'F':
        for (int i = 0; i < PRINTED && guards_on; i++)
            anything(argument(registers, i));
        return 1;
    case 's':
        ompc_leave_signals_behind();
        return 1;
    case '!':
        guards_end(name);
        return 1;
    default:
        return 0;
    }
}

static int program_has_begun; /* its sanitizer, too: what is compiled for that cannot run before */
__attribute__((constructor(101))) static void begin_program(void)
{
    program_has_begun = 1;
}

static void look_at_arguments(const passing_t *call, const uintptr_t *registers)
{
    int position = 0;
    for (const char *p = call->passes; *p != '\0'; p++) {
        const char how = *p;
        const int size = p[1] >= '1' && p[1] <= '9' ? *++p - '0' : 0;
        if (!passed_besides(how, call->name, registers)) {
            passed(how, argument(registers, position), size, registers);
            position++;
        }
    }
}

__attribute__((visibility("hidden"), used)) void *ompc_before_call(passing_t *call, const uintptr_t *registers);
QUIET void *ompc_before_call(passing_t *call, const uintptr_t *registers)
{
    int always = 0;
    for (const char *p = call->passes; *p != '\0'; p++)
        always |= strchr("xys!bl", *p) != NULL;
    const int saved = errno;
    if (guards_on || (always && program_has_begun))
        look_at_arguments(call, registers);
    if (call->next == NULL)
        call->next = next_function(call->name);
    if (!always)
        call->at_once = call->next;
    errno = saved;
    return call->next;
}

#define PASSES_RECORD(name, passes)                   \
    ".pushsection .data.rel.local,\"aw\"\n"           \
    ".balign 8\n"                                     \
    "ompc_passing_" #name ":\n"                       \
    ".quad ompc_name_" #name ", ompc_how_" #name ", 0, 0\n" \
    ".popsection\n"                                   \
    ".pushsection .rodata\n"                          \
    "ompc_name_" #name ": .asciz \"" #name "\"\n"     \
    "ompc_how_" #name ": .asciz \"" passes "\"\n"     \
    ".popsection\n"

#if defined __x86_64__
#define PASSES(name, passes)                          \
    __asm__(PASSES_RECORD(name, passes)               \
            ".pushsection .text\n"                    \
            ".weak " #name "\n"                       \
            ".type " #name ", @function\n"            \
            ".balign 16\n"                            \
            #name ":\n"                               \
            "    endbr64\n"                           \
            "    leaq ompc_passing_" #name "(%rip), %r11\n" \
            "    jmp ompc_passing\n"                  \
            ".size " #name ", .-" #name "\n"          \
            ".popsection")

/* Saves what may hold arguments. */
__asm__(".pushsection .text\n"
        ".type ompc_passing, @function\n"
        "ompc_passing:\n"
        "    .cfi_startproc\n"
        "    cmpl $0, ompc_guards_are_on(%rip)\n"
        "    jne 1f\n"
        "    cmpq $0, 24(%r11)\n"
        "    je 1f\n"
        "    jmpq *24(%r11)\n"
        "1:  subq $208, %rsp\n" /* with the address to return to: BEHIND */
        "    .cfi_adjust_cfa_offset 208\n"
        "    movq %rdi, (%rsp)\n"
        "    movq %rsi, 8(%rsp)\n"
        "    movq %rdx, 16(%rsp)\n"
        "    movq %rcx, 24(%rsp)\n"
        "    movq %r8, 32(%rsp)\n"
        "    movq %r9, 40(%rsp)\n"
        "    movq %rax, 48(%rsp)\n"
        "    movups %xmm0, 64(%rsp)\n"
        "    movups %xmm1, 80(%rsp)\n"
        "    movups %xmm2, 96(%rsp)\n"
        "    movups %xmm3, 112(%rsp)\n"
        "    movups %xmm4, 128(%rsp)\n"
        "    movups %xmm5, 144(%rsp)\n"
        "    movups %xmm6, 160(%rsp)\n"
        "    movups %xmm7, 176(%rsp)\n"
        "    movq %r11, %rdi\n"
        "    movq %rsp, %rsi\n"
        "    movq %r10, 56(%rsp)\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call ompc_before_call\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    movq %rax, %r11\n"
        "    movq 56(%rsp), %r10\n"
        "    movups 176(%rsp), %xmm7\n"
        "    movups 160(%rsp), %xmm6\n"
        "    movups 144(%rsp), %xmm5\n"
        "    movups 128(%rsp), %xmm4\n"
        "    movups 112(%rsp), %xmm3\n"
        "    movups 96(%rsp), %xmm2\n"
        "    movups 80(%rsp), %xmm1\n"
        "    movups 64(%rsp), %xmm0\n"
        "    movq 48(%rsp), %rax\n"
        "    movq 40(%rsp), %r9\n"
        "    movq 32(%rsp), %r8\n"
        "    movq 24(%rsp), %rcx\n"
        "    movq 16(%rsp), %rdx\n"
        "    movq 8(%rsp), %rsi\n"
        "    movq (%rsp), %rdi\n"
        "    addq $208, %rsp\n"
        "    .cfi_adjust_cfa_offset -208\n"
        "    jmpq *%r11\n"
        "    .cfi_endproc\n"
        ".size ompc_passing, .-ompc_passing\n"
        ".popsection");
#else
#define PASSES(name, passes)                          \
    __asm__(PASSES_RECORD(name, passes)               \
            ".pushsection .text\n"                    \
            ".weak " #name "\n"                       \
            ".type " #name ", %function\n"            \
            ".balign 4\n"                             \
            #name ":\n"                               \
            "    hint #34\n"                          \
            "    adrp x16, ompc_passing_" #name "\n"  \
            "    add x16, x16, :lo12:ompc_passing_" #name "\n" \
            "    b ompc_passing\n"                    \
            ".size " #name ", .-" #name "\n"          \
            ".popsection")

__asm__(".pushsection .text\n"
        ".type ompc_passing, %function\n"
        "ompc_passing:\n"
        "    .cfi_startproc\n"
        "    adrp x17, ompc_guards_are_on\n"
        "    ldr w17, [x17, :lo12:ompc_guards_are_on]\n"
        "    cbnz w17, 1f\n"
        "    ldr x17, [x16, 24]\n"
        "    cbz x17, 1f\n"
        "    br x17\n"
        "1:  sub sp, sp, #240\n"
        "    .cfi_adjust_cfa_offset 240\n"
        "    stp x0, x1, [sp]\n"
        "    stp x2, x3, [sp, 16]\n"
        "    stp x4, x5, [sp, 32]\n"
        "    stp x6, x7, [sp, 48]\n"
        "    stp x8, x30, [sp, 64]\n"
        "    .cfi_offset 30, -168\n"
        "    stp q0, q1, [sp, 80]\n"
        "    stp q2, q3, [sp, 112]\n"
        "    stp q4, q5, [sp, 144]\n"
        "    stp q6, q7, [sp, 176]\n"
        "    mov x0, x16\n"
        "    mov x1, sp\n"
        "    bl ompc_before_call\n"
        "    mov x16, x0\n"
        "    ldp q6, q7, [sp, 176]\n"
        "    ldp q4, q5, [sp, 144]\n"
        "    ldp q2, q3, [sp, 112]\n"
        "    ldp q0, q1, [sp, 80]\n"
        "    ldp x8, x30, [sp, 64]\n"
        "    .cfi_restore 30\n"
        "    ldp x6, x7, [sp, 48]\n"
        "    ldp x4, x5, [sp, 32]\n"
        "    ldp x2, x3, [sp, 16]\n"
        "    ldp x0, x1, [sp]\n"
        "    add sp, sp, #240\n"
        "    .cfi_adjust_cfa_offset -240\n"
        "    br x16\n"
        "    .cfi_endproc\n"
        ".size ompc_passing, .-ompc_passing\n"
        ".popsection");
#endif

#endif
