/* ompc_passes.c: what functions that are made by a line each do first (ompc_passes.h). */

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_passes.h"
#include "ompc_signals.h"

#include <errno.h>
#include <string.h>

#ifdef OMPC_REPLACES_SYSTEM_CALLS
void ompc_touched_text(const char *text)
{
    if (guards_reach((uintptr_t)text, 1))
        footprint((uintptr_t)text, strlen(text) + 1, 0); /* strlen faults, as it may */
}

void ompc_touched_vector(const struct iovec *vector, size_t count, int writes)
{
    for (size_t i = 0; i < count && guards_are_on(); i++)
        footprint((uintptr_t)vector[i].iov_base, vector[i].iov_len, writes);
}

void ompc_touched_texts(char *const *list)
{
    for (; guards_are_on() && list != NULL && *list != NULL; list++)
        ompc_touched_text(*list);
}

void ompc_anything(uintptr_t word)
{
    void *base;
    size_t bytes;
    if (guards_reach(word, 1) && ompc_block_find((const void *)word, &base, &bytes))
        footprint((uintptr_t)base, bytes, 1);
}

void ompc_everything(void)
{
    footprint(ompc_guarded_low, ompc_guarded_high - ompc_guarded_low, 1);
}

/* ---- calls -------------------------------------------------------------------------------------------------------- */

/* Laid out by PASSES. */
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

void ompc_exempted_vector(const struct iovec *vector, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ompc_exempted(vector[i].iov_base, vector[i].iov_len);
}

/* One argument. `size`: the number behind the letter. */
static void passed(char how, uintptr_t word, int size, const uintptr_t *registers)
{
    const size_t bytes = size > 0 ? argument(registers, size - 1) : 1;
    switch (how) {
    case '*':
        ompc_anything(word);
        break;
    case 't':
        ompc_touched_text((const char *)word);
        break;
    case 'a':
        ompc_touched_texts((char *const *)word);
        break;
    case 'r':
    case 'w':
        footprint(word, bytes, how == 'w');
        break;
    case 'v':
    case 'V':
        ompc_touched_vector((const struct iovec *)word, bytes, how == 'V');
        break;
    case 'y':
        ompc_exempted_vector((const struct iovec *)word, bytes);
        break;
    case 'p':
        for (int i = 0; i < size && word != 0; i++)
            ompc_anything(((const uintptr_t *)word)[i]);
        ompc_anything(word);
        break;
    case 'x':
        ompc_exempted((const void *)word, bytes);
        break;
    case 'b':
        if (((int)word & RTLD_DEEPBIND) != 0) {
            ompc_libc_frees = 1;
            ompc_guards_end("dlopen with RTLD_DEEPBIND");
        }
        break;
    case 'l':
        if ((Lmid_t)word != LM_ID_BASE)
            ompc_guards_end("dlmopen");
        break;
    }
}

/* What is no argument of its own: 1 if it was that. */
static int passed_besides(char how, const char *name, const uintptr_t *registers)
{
    enum { PRINTED = 16 };
    switch (how) {
    case 'e':
        ompc_touched_texts(environ);
        return 1;
    case 'f':
        ompc_everything();
        return 1;
    case 'F':
        for (int i = 0; i < PRINTED && guards_are_on(); i++)
            ompc_anything(argument(registers, i));
        return 1;
    case 's':
        ompc_leave_signals_behind();
        return 1;
    case '!':
        ompc_guards_end(name);
        return 1;
    default:
        return 0;
    }
}

int ompc_program_has_begun;

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
    if (guards_are_on() || (always && ompc_program_has_begun))
        look_at_arguments(call, registers);
    if (call->next == NULL)
        call->next = next_function(call->name);
    if (!always)
        call->at_once = call->next;
    errno = saved;
    return call->next;
}

#if defined __x86_64__
/* Saves what may hold arguments. */
__asm__(".pushsection .text\n"
        ".globl ompc_passing\n.hidden ompc_passing\n"
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
__asm__(".pushsection .text\n"
        ".globl ompc_passing\n.hidden ompc_passing\n"
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
