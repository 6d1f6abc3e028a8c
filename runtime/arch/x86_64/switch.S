/* switch.S - nth_switch() and what belongs to it on x86-64, by the System V ABI
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The saved frame, from its stack pointer on: MXCSR, x87 control word, r15, r14, r13, r12, rbx,
 * rbp, return address. It is the same for all saved contexts, so the unwind rules hold on both
 * sides of the exchange of stack pointers. gdb's commands know it (tools/gdb/nanogomp.py).
 */
#if defined(__x86_64__) && defined(__LP64__)

        .text

/* void nth_switch(void **save [rdi], void *to [rsi], uintptr_t pointer [rdx]) */
        .globl  nth_switch
        .hidden nth_switch
        .type   nth_switch, @function
        .p2align 4
nth_switch:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movl    (%rsp), %r8d
        movzwl  4(%rsp), %r9d
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        testq   %rdx, %rdx
        je      1f
        cmpb    $0, nth_switch_direct(%rip)
        je      6f
        wrfsbase %rdx
1:      xorl    (%rsp), %r8d
        testl   $0xffc0, %r8d           /* without the status bits */
        jne     4f
2:      cmpw    4(%rsp), %r9w
        jne     5f
3:      addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r15
        popq    %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r14
        popq    %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r13
        popq    %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r12
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        ret
        .cfi_adjust_cfa_offset 56
        .cfi_rel_offset %rbp, 48
        .cfi_rel_offset %rbx, 40
        .cfi_rel_offset %r12, 32
        .cfi_rel_offset %r13, 24
        .cfi_rel_offset %r14, 16
        .cfi_rel_offset %r15, 8
4:      ldmxcsr (%rsp)
        jmp     2b
5:      fnclex                          /* what was raised under the other mask is no trap here */
        fldcw   4(%rsp)
        jmp     3b
6:      movl    $158, %eax              /* arch_prctl; clobbers rax, rcx, r11 */
        movl    $0x1002, %edi           /* ARCH_SET_FS */
        movq    %rdx, %rsi
        syscall
        jmp     1b
        .cfi_endproc
        .size   nth_switch, . - nth_switch

/* The first frame of a stack: f in rbx, its argument in r12. */
        .type   begin, @function
        .p2align 4
begin:
        .cfi_startproc
        .cfi_undefined %rip
        movq    %r12, %rdi
        xorl    %ebp, %ebp
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   begin, . - begin

/* uint64_t nth_switch_control(void) */
        .globl  nth_switch_control
        .hidden nth_switch_control
        .type   nth_switch_control, @function
        .p2align 4
nth_switch_control:
        .cfi_startproc
        endbr64
        stmxcsr -8(%rsp)                /* the red zone: nobody writes there */
        fnstcw  -4(%rsp)
        movzwl  -4(%rsp), %eax
        movl    -8(%rsp), %ecx
        shlq    $32, %rax
        orq     %rcx, %rax
        ret
        .cfi_endproc
        .size   nth_switch_control, . - nth_switch_control

/* uintptr_t nth_switch_pointer(void): the word at the pointer is the pointer */
        .globl  nth_switch_pointer
        .hidden nth_switch_pointer
        .type   nth_switch_pointer, @function
        .p2align 4
nth_switch_pointer:
        .cfi_startproc
        endbr64
        movq    %fs:0, %rax
        ret
        .cfi_endproc
        .size   nth_switch_pointer, . - nth_switch_pointer

/* void *nth_switch_make(void *top [rdi], void (*f)(void *) [rsi], void *arg [rdx],
 *                       uint64_t control [rcx]) */
        .globl  nth_switch_make
        .hidden nth_switch_make
        .type   nth_switch_make, @function
        .p2align 4
nth_switch_make:
        .cfi_startproc
        endbr64
        leaq    -80(%rdi), %rax         /* the frame and 16: aligned at `begin` */
        movq    %rcx, (%rax)
        movq    $0, 8(%rax)             /* r15 */
        movq    $0, 16(%rax)            /* r14 */
        movq    $0, 24(%rax)            /* r13 */
        movq    %rdx, 32(%rax)          /* r12 */
        movq    %rsi, 40(%rax)          /* rbx */
        movq    $0, 48(%rax)            /* rbp */
        leaq    begin(%rip), %rcx
        movq    %rcx, 56(%rax)
        movq    $0, 64(%rax)
        ret
        .cfi_endproc
        .size   nth_switch_make, . - nth_switch_make

#endif

#include "runtime/arch/notes.h"
