// stacks.rs - keeps the coroutines' stacks from one execution for the next
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loom makes new coroutines for each execution: a map, a guard page and an unmap each, which is
// half of its time. These functions stand before the C library's; what is no stack goes to the
// kernel.

use std::cell::RefCell;
use std::ffi::{c_int, c_long, c_void};

const MAP_STACK: c_int = 0x20000;
const MAX_KEPT: usize = 16;
#[cfg(target_arch = "x86_64")]
const NUMBERS: [c_long; 3] = [9, 10, 11]; // mmap, mprotect, munmap
#[cfg(target_arch = "aarch64")]
const NUMBERS: [c_long; 3] = [222, 226, 215];

extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

thread_local! {
    /// Stacks nobody uses, with their guard page.
    static KEPT: RefCell<Vec<(usize, usize)>> = const { RefCell::new(Vec::new()) };
    /// Stacks in use; true once it has its guard page.
    static USED: RefCell<Vec<(usize, usize, bool)>> = const { RefCell::new(Vec::new()) };
}

#[no_mangle]
unsafe extern "C" fn mmap(
    at: *mut c_void,
    size: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: i64,
) -> *mut c_void {
    if flags & MAP_STACK == 0 || !at.is_null() {
        return syscall(NUMBERS[0], at, size, protection, flags, file, offset) as *mut c_void;
    }
    let kept = KEPT.with_borrow_mut(|kept| {
        let found = kept.iter().position(|(_, s)| *s == size);
        found.map(|i| kept.swap_remove(i).0)
    });
    let start = kept
        .unwrap_or_else(|| syscall(NUMBERS[0], at, size, protection, flags, file, offset) as usize);
    USED.with_borrow_mut(|used| used.push((start, size, kept.is_some())));
    start as *mut c_void
}

#[no_mangle]
unsafe extern "C" fn mprotect(at: *mut c_void, size: usize, protection: c_int) -> c_int {
    let guarded = USED.with_borrow_mut(|used| {
        let stack = used.iter_mut().find(|(start, ..)| *start == at as usize);
        stack.is_some_and(|stack| std::mem::replace(&mut stack.2, true))
    });
    if guarded {
        return 0;
    }
    syscall(NUMBERS[1], at, size, protection) as c_int
}

#[no_mangle]
unsafe extern "C" fn munmap(at: *mut c_void, size: usize) -> c_int {
    let known = USED.with_borrow_mut(|used| {
        let found = used.iter().position(|&(start, s, _)| start == at as usize && s == size);
        found.map(|i| used.swap_remove(i))
    });
    let keep = KEPT.with_borrow_mut(|kept| {
        let keep = known.is_some_and(|(.., guarded)| guarded) && kept.len() < MAX_KEPT;
        if keep {
            kept.push((at as usize, size));
        }
        keep
    });
    if keep {
        return 0;
    }
    syscall(NUMBERS[2], at, size) as c_int
}
