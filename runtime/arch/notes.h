/* notes.h - the end of each assembler file: notes that tell the linker what the code keeps to
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         The linker marks a library only if each of its objects is marked, even an object
 *             without a function for this machine. A loader that finds no mark turns the protection
 *             off for the whole process, or refuses the library.
 * Landing     IBT, BTI: each function that can be called by address begins with endbr64, or bti c,
 *             whatever the compiler's flags are. A CPU that does not look for it skips it.
 * Shadow      SHSTK, GCS: a switch of stacks does not switch the CPU's own stack of return
 *             addresses. So no switch is made where such a stack is in force (nth_os_shadow_stack).
 *             Nano-threads are refused there, and all other code returns to its caller. So the mark
 *             is true.
 * Not marked  aarch64's PAC: return addresses are saved unsigned
 * Tested by   tests/packaging/check_build.py, tests/lit/nth/shadow_stack.c
 */
#if defined(__x86_64__) && defined(__LP64__)
        .section .note.gnu.property, "a", @note
        .p2align 3
        .long   4, 16, 5                /* length of name and value; NT_GNU_PROPERTY_TYPE_0 */
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0     /* X86_FEATURE_1_AND, 4 bytes: IBT, SHSTK; padding */
#elif defined(__aarch64__) && defined(__LP64__)
        .section .note.gnu.property, "a", %note
        .p2align 3
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000000, 4, 5, 0     /* AARCH64_FEATURE_1_AND, 4 bytes: BTI, GCS; padding */
#endif
#if defined(__arm__) || defined(__aarch64__)
        .section .note.GNU-stack, "", %progbits
#else
        .section .note.GNU-stack, "", @progbits
#endif
