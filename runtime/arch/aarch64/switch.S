/* switch.S - nth_switch() and what belongs to it on aarch64, by its procedure call standard
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The saved frame, from its stack pointer on: x29, x30, x19 to x28, d8 to d15, FPCR, padding; 176
 * bytes. It is the same for all saved contexts, so the unwind rules hold on both sides of the
 * exchange of stack pointers.
 *
 * The thread pointer is tpidr_el0, which a program may write; a read that follows sees it without a
 * barrier.
 */
#if defined(__aarch64__) && defined(__LP64__)

        .text

/* void nth_switch(void **save [x0], void *to [x1], uintptr_t pointer [x2]) */
        .globl  nth_switch
        .hidden nth_switch
        .type   nth_switch, %function
        .p2align 4
nth_switch:
        .cfi_startproc
        hint    #34                     /* bti c */
        stp     x29, x30, [sp, #-176]!
        .cfi_def_cfa_offset 176
        .cfi_offset x29, -176
        .cfi_offset x30, -168
        stp     x19, x20, [sp, #16]
        .cfi_offset x19, -160
        .cfi_offset x20, -152
        stp     x21, x22, [sp, #32]
        .cfi_offset x21, -144
        .cfi_offset x22, -136
        stp     x23, x24, [sp, #48]
        .cfi_offset x23, -128
        .cfi_offset x24, -120
        stp     x25, x26, [sp, #64]
        .cfi_offset x25, -112
        .cfi_offset x26, -104
        stp     x27, x28, [sp, #80]
        .cfi_offset x27, -96
        .cfi_offset x28, -88
        stp     d8, d9, [sp, #96]
        .cfi_offset d8, -80
        .cfi_offset d9, -72
        stp     d10, d11, [sp, #112]
        .cfi_offset d10, -64
        .cfi_offset d11, -56
        stp     d12, d13, [sp, #128]
        .cfi_offset d12, -48
        .cfi_offset d13, -40
        stp     d14, d15, [sp, #144]
        .cfi_offset d14, -32
        .cfi_offset d15, -24
        mrs     x9, fpcr
        str     x9, [sp, #160]
        mov     x10, sp
        str     x10, [x0]
        mov     sp, x1
        cbz     x2, 1f
        msr     tpidr_el0, x2
1:      ldr     x10, [sp, #160]
        cmp     x9, x10
        b.eq    2f
        msr     fpcr, x10
2:      ldp     d14, d15, [sp, #144]
        ldp     d12, d13, [sp, #128]
        ldp     d10, d11, [sp, #112]
        ldp     d8, d9, [sp, #96]
        ldp     x27, x28, [sp, #80]
        ldp     x25, x26, [sp, #64]
        ldp     x23, x24, [sp, #48]
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #176
        .cfi_def_cfa_offset 0
        .cfi_restore x29
        .cfi_restore x30
        .cfi_restore x19
        .cfi_restore x20
        .cfi_restore x21
        .cfi_restore x22
        .cfi_restore x23
        .cfi_restore x24
        .cfi_restore x25
        .cfi_restore x26
        .cfi_restore x27
        .cfi_restore x28
        .cfi_restore d8
        .cfi_restore d9
        .cfi_restore d10
        .cfi_restore d11
        .cfi_restore d12
        .cfi_restore d13
        .cfi_restore d14
        .cfi_restore d15
        ret
        .cfi_endproc
        .size   nth_switch, . - nth_switch

/* The first frame of a stack: f in x19, its argument in x20. It starts after the nop, since an
 * unwinder looks before the return address. */
        .type   begin, %function
        .p2align 4
begin:
        .cfi_startproc
        .cfi_undefined x30
        nop
        mov     x0, x20
        mov     x29, xzr
        mov     x30, xzr
        blr     x19
        brk     #1
        .cfi_endproc
        .size   begin, . - begin

/* uint64_t nth_switch_control(void) */
        .globl  nth_switch_control
        .hidden nth_switch_control
        .type   nth_switch_control, %function
        .p2align 4
nth_switch_control:
        .cfi_startproc
        hint    #34                     /* bti c */
        mrs     x0, fpcr
        ret
        .cfi_endproc
        .size   nth_switch_control, . - nth_switch_control

/* uintptr_t nth_switch_pointer(void) */
        .globl  nth_switch_pointer
        .hidden nth_switch_pointer
        .type   nth_switch_pointer, %function
        .p2align 4
nth_switch_pointer:
        .cfi_startproc
        hint    #34                     /* bti c */
        mrs     x0, tpidr_el0
        ret
        .cfi_endproc
        .size   nth_switch_pointer, . - nth_switch_pointer

/* void *nth_switch_make(void *top [x0], void (*f)(void *) [x1], void *arg [x2],
 *                       uint64_t control [x3]) */
        .globl  nth_switch_make
        .hidden nth_switch_make
        .type   nth_switch_make, %function
        .p2align 4
nth_switch_make:
        .cfi_startproc
        hint    #34                     /* bti c */
        sub     x0, x0, #176
        adr     x9, begin + 4
        stp     xzr, x9, [x0]           /* x29, x30 */
        stp     x1, x2, [x0, #16]       /* x19, x20 */
        stp     xzr, xzr, [x0, #32]
        stp     xzr, xzr, [x0, #48]
        stp     xzr, xzr, [x0, #64]
        stp     xzr, xzr, [x0, #80]
        stp     xzr, xzr, [x0, #96]
        stp     xzr, xzr, [x0, #112]
        stp     xzr, xzr, [x0, #128]
        stp     xzr, xzr, [x0, #144]
        stp     x3, xzr, [x0, #160]
        ret
        .cfi_endproc
        .size   nth_switch_make, . - nth_switch_make

#endif

#include "runtime/arch/notes.h"
