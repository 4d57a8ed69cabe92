/* ompc_passes.h: functions of libc that hand the program's memory to the kernel, by a line each (private to the units of C).

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

#include "ompc_libc.h"

#include <stdint.h>
#include <sys/uio.h>

extern OMPC_OWN int ompc_program_has_begun; /* its sanitizer, too: what is compiled for that cannot run before */
OMPC_OWN void ompc_touched_text(const char *text);
OMPC_OWN void ompc_touched_texts(char *const *list);
OMPC_OWN void ompc_touched_vector(const struct iovec *vector, size_t count, int writes);
OMPC_OWN void ompc_exempted_vector(const struct iovec *vector, size_t count);
OMPC_OWN void ompc_anything(uintptr_t word); /* whatever an address that may be one leads to */
OMPC_OWN void ompc_everything(void);

/* The record of a call, as `passing_t` has it. */
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

#ifdef __x86_64__
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
#endif

#endif
