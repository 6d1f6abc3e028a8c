// bridge.rs - what the C code under test calls instead of atomic instructions and futexes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address that C uses with an atomic operation gets a loom atomic of its own at its first use in
// an execution, with the value that is in memory then. Plain accesses to the harness's memory come
// from the compiler's instrumentation (-fsanitize=thread without its library) and are checked for
// races with a loom cell for each 4 bytes.

use std::alloc::{alloc_zeroed, Layout};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::rc::Rc;

use loom::sync::atomic::{fence, AtomicU32, AtomicU64, AtomicU8, Ordering};

use crate::state::{record, step, with, Atom, Block, ALIGN, CURRENT, TRACING};

const CELL: usize = 4; // bytes that one race-checking cell stands for
const STALE_TURNS: u32 = 3;

// --- atomics ---

const ORDERS: [(Ordering, &str); 4] = [
    (Ordering::Relaxed, "_rlx"),
    (Ordering::Acquire, "_acq"),
    (Ordering::Release, "_rel"),
    (Ordering::AcqRel, "_acqrel"),
];
const OPERATIONS: [&str; 4] = ["xchg", "add", "sub", "or"];

fn check_alive(address: usize) {
    let dead = with(|s| {
        let hit = |b: &&Block| address.wrapping_sub(b.start) < b.size;
        s.blocks.iter().find(hit).is_some_and(|b| b.freed)
    });
    if dead {
        record("access after free", address, 0, "", [0, 0]);
        panic!("use after free");
    }
}

unsafe fn from_memory(address: usize, size: u32) -> u64 {
    match size {
        1 => u64::from(*(address as *const u8)),
        4 => u64::from(*(address as *const u32)),
        8 => *(address as *const u64),
        _ => panic!("atomic object of {size} bytes"),
    }
}

unsafe fn to_memory(address: usize, size: u32, value: u64) {
    match size {
        1 => *(address as *mut u8) = value as u8,
        4 => *(address as *mut u32) = value as u32,
        _ => *(address as *mut u64) = value,
    }
}

fn atom(address: usize, size: u32) -> Rc<Atom> {
    check_alive(address);
    if let Some(a) = with(|s| s.atoms.get(&address).cloned()) {
        return a;
    }
    let value = unsafe { from_memory(address, size) };
    let a = Rc::new(match size {
        1 => Atom::A8(AtomicU8::new(value as u8)),
        4 => Atom::A32(AtomicU32::new(value as u32)),
        _ => Atom::A64(AtomicU64::new(value)),
    });
    with(|s| {
        s.atoms.insert(address, a.clone());
        let marks = (0..s.marked).map(|_| Rc::new(AtomicU32::new(0))).collect();
        s.marks.insert(address, marks);
    });
    a
}

/// loom remembers one last access to an object, so that a thread's own load hides the loads of
/// others from its next write, and orders with that write before those loads are not tried. In a
/// thorough case each object has a mark for each thread, which its loads and others' writes touch.
fn touch(address: usize, write: bool) {
    let me = CURRENT.get();
    for t in (0..with(|s| s.marked)).filter(|t| (*t == me) != write) {
        let mark = with(|s| s.marks[&address][t].clone());
        step(|| mark.fetch_add(0, Ordering::Relaxed));
    }
}

fn load(a: &Atom, order: Ordering) -> u64 {
    match a {
        Atom::A8(a) => u64::from(a.load(order)),
        Atom::A32(a) => u64::from(a.load(order)),
        Atom::A64(a) => a.load(order),
    }
}

unsafe extern "C" fn c_load(address: usize, size: u32, order: u32) -> u64 {
    let (order, name) = ORDERS[order as usize];
    let a = atom(address, size);
    touch(address, false);
    let value = step(|| load(&a, order));
    if value != from_memory(address, size) {
        with(|s| s.stale[CURRENT.get()] = true);
    }
    record("load", address, size, name, [value, 0]);
    value
}

unsafe extern "C" fn c_store(address: usize, size: u32, order: u32, value: u64) {
    let (order, name) = ORDERS[order as usize];
    let a = atom(address, size);
    touch(address, true);
    step(|| match &*a {
        Atom::A8(a) => a.store(value as u8, order),
        Atom::A32(a) => a.store(value as u32, order),
        Atom::A64(a) => a.store(value, order),
    });
    to_memory(address, size, value);
    record("store", address, size, name, [value, 0]);
    wrote();
}

/// One read-modify-write; 0 xchg, 1 add, 2 sub, 3 or. Returns the old value.
unsafe extern "C" fn c_rmw(address: usize, size: u32, op: u32, order: u32, v: u64) -> u64 {
    let (order, name) = ORDERS[order as usize];
    let a = atom(address, size);
    macro_rules! run {
        ($a:expr, $t:ty) => {
            match op {
                0 => $a.swap(v as $t, order) as u64,
                1 => $a.fetch_add(v as $t, order) as u64,
                2 => $a.fetch_sub(v as $t, order) as u64,
                _ => $a.fetch_or(v as $t, order) as u64,
            }
        };
    }
    touch(address, true);
    let old = step(|| match &*a {
        Atom::A8(a) => run!(a, u8),
        Atom::A32(a) => run!(a, u32),
        Atom::A64(a) => run!(a, u64),
    });
    let new = [v, old.wrapping_add(v), old.wrapping_sub(v), old | v][op as usize];
    to_memory(address, size, new);
    record(OPERATIONS[op as usize], address, size, name, [old, v]);
    wrote();
    old
}

unsafe extern "C" fn c_cas(
    address: usize,
    size: u32,
    order: u32,
    expected: *mut c_void,
    desired: u64,
) -> bool {
    let (success, name) = ORDERS[order as usize];
    let failure = match success {
        Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
        _ => Ordering::Relaxed,
    };
    let a = atom(address, size);
    let old = from_memory(expected as usize, size);
    macro_rules! run {
        ($a:expr, $t:ty) => {
            match $a.compare_exchange(old as $t, desired as $t, success, failure) {
                Ok(v) => (true, v as u64),
                Err(v) => (false, v as u64),
            }
        };
    }
    touch(address, true);
    let (done, found) = step(|| match &*a {
        Atom::A8(a) => run!(a, u8),
        Atom::A32(a) => run!(a, u32),
        Atom::A64(a) => run!(a, u64),
    });
    record("cas", address, size, name, [found, desired]);
    if done {
        to_memory(address, size, desired);
        wrote();
    } else {
        to_memory(expected as usize, size, found);
    }
    done
}

/// loom orders fences by the operations around them only; the counter makes their order explored.
unsafe extern "C" fn c_fence_full() {
    let fences = with(|s| s.fences.clone()).unwrap();
    step(|| fences.fetch_add(1, Ordering::Relaxed));
    fence(Ordering::SeqCst);
    record("fence", 0, 0, "", [0, 0]);
}

// --- sleeping ---

/// The kernel's part of a futex: the comparison with the newest value and the sleep in one step,
/// but no order for other words (Linux has full fences there, a harness must not need them). With
/// a time limit it may end at any moment.
unsafe extern "C" fn c_futex_wait(address: usize, value: u32, timeout_ns: u64) {
    if !still_is(address, value) {
        return;
    }
    if timeout_ns != 0 {
        nap();
        return;
    }
    let woken = Rc::new(Cell::new(false));
    add_sleeper(address, &woken);
    while !woken.get() {
        step(loom::thread::park);
    }
    record("woken", address, 4, "", [0, 0]);
}

/// A sleep with a time limit: the others go on meanwhile. What the sleeper itself writes around it,
/// to be woken, is no reason to end, or two such sleepers keep each other awake for ever.
fn nap() {
    let me = CURRENT.get();
    loop {
        let changed = with(|s| {
            let others = s.writes - s.own[me];
            let stale = std::mem::take(&mut s.stale[me]);
            std::mem::replace(&mut s.napped[me], others) != others || stale
        });
        if changed {
            step(loom::thread::yield_now);
            return;
        }
        until_written();
    }
}

/// One of the words of a sleep for several; struct nth_futex_one in runtime/base/futex.h.
#[repr(C)]
pub struct One {
    value: u64,
    word: u64,
    flags: [u32; 2],
}

/// The kernel's sleep for several words: it looks at one after the other. Who changes one that has
/// been looked at already, and wakes, ends the sleep.
unsafe extern "C" fn c_futex_wait_any(all: *const One, n: u32, until: u64) {
    let woken = Rc::new(Cell::new(false));
    let mut changed = false;
    for one in std::slice::from_raw_parts(all, n as usize) {
        changed = !still_is(one.word as usize, one.value as u32);
        if changed {
            break;
        }
        add_sleeper(one.word as usize, &woken);
    }
    if !changed && until != 0 {
        nap();
        changed = true;
    }
    while !changed && !woken.get() {
        step(loom::thread::park);
    }
    forget_sleeper(&woken);
    record("woken", 0, 0, "", [0, 0]);
}

/// The kernel's look at the newest value of a futex word, which may be the lower half of an object.
fn still_is(address: usize, value: u32) -> bool {
    let relaxed = Ordering::Relaxed;
    let (Ok(found) | Err(found)) = match &*atom(address, 4) {
        Atom::A32(a) => step(|| a.compare_exchange(value, value, relaxed, relaxed)),
        Atom::A64(a) => Ok(step(|| a.fetch_or(0, relaxed)) as u32),
        Atom::A8(_) => panic!("a futex word has 4 bytes"),
    };
    record("wait", address, 4, "", [u64::from(value), u64::from(found)]);
    found == value
}

fn add_sleeper(address: usize, woken: &Rc<Cell<bool>>) {
    let entry = (loom::thread::current(), woken.clone());
    with(|s| s.sleepers.entry(address).or_default().push_back(entry));
}

fn forget_sleeper(woken: &Rc<Cell<bool>>) {
    with(|s| {
        for queue in s.sleepers.values_mut() {
            queue.retain(|(_, other)| !Rc::ptr_eq(other, woken));
        }
    });
}

/// Wakes in the order of falling asleep. The read-modify-write of nothing tells loom that the
/// result depends on the order of wait and wake. (Not of half an object: the operation that
/// changed it tells loom, and its owner may store a new value meanwhile.)
unsafe extern "C" fn c_futex_wake(address: usize, count: c_int) {
    if let Some(a) = with(|s| s.atoms.get(&address).cloned()) {
        if let Atom::A32(a) = &*a {
            step(|| a.fetch_or(0, Ordering::Relaxed));
        }
    }
    record("wake", address, 4, "", [count as u64, 0]);
    for _ in 0..count {
        let next = with(|s| s.sleepers.get_mut(&address).and_then(|q| q.pop_front()));
        let Some((thread, woken)) = next else { break };
        woken.set(true);
        forget_sleeper(&woken);
        thread.unpark();
    }
}

fn until_written() {
    let woken = Rc::new(Cell::new(false));
    let entry = (loom::thread::current(), woken.clone());
    with(|s| s.idlers.push(entry));
    while !woken.get() {
        step(loom::thread::park);
    }
}

/// One turn of a loop that waits without sleeping: goes on once something was written since the
/// last turn, or when the turn read an old value, which loom then does not give again. (loom's
/// yield lets two such loops take turns for ever while the third thread could run.)
unsafe extern "C" fn c_idle() {
    let me = CURRENT.get();
    let changed = with(|s| {
        let stale = std::mem::take(&mut s.stale[me]);
        std::mem::replace(&mut s.seen[me], s.writes) != s.writes || stale
    });
    if changed {
        step(loom::thread::yield_now);
        return;
    }
    until_written();
    with(|s| s.seen[me] = s.writes);
}

/// One turn of a loop that may sleep elsewhere in it. When it reads old values turn after turn,
/// loom is told to give newer ones.
unsafe extern "C" fn c_turn() {
    let me = CURRENT.get();
    let stuck = with(|s| {
        s.turns[me] = if std::mem::take(&mut s.stale[me]) { s.turns[me] + 1 } else { 0 };
        s.turns[me] >= STALE_TURNS
    });
    if stuck {
        step(loom::thread::yield_now);
    }
}

/// To be called after each write.
fn wrote() {
    let idlers = with(|s| {
        s.writes += 1;
        s.own[CURRENT.get()] += 1;
        std::mem::take(&mut s.idlers)
    });
    for (thread, woken) in idlers {
        woken.set(true);
        thread.unpark();
    }
}

// --- contexts ---

// A context that OS threads take turns to run is a thread of the model: who switches to it lets it
// go on and waits itself. What the OS thread did before the switch so happens before what it does
// after it.

/// The thread begins as one that nobody runs.
unsafe extern "C" fn c_park(thread: u32) {
    with(|s| s.parked[thread as usize] = true);
}

/// Until somebody lets the calling thread, which is parked, go on.
unsafe extern "C" fn c_await() {
    let me = CURRENT.get();
    while with(|s| s.parked[me]) {
        step(loom::thread::park);
    }
}

unsafe extern "C" fn c_go_on(thread: u32) {
    record("go on", 0, 0, "", [u64::from(thread), 0]);
    let thread = thread as usize;
    assert!(with(|s| s.parked[thread]), "check: goes on with a context that is being run");
    with(|s| s.parked[thread] = false);
    with(|s| s.threads[thread].clone()).unpark();
}

// --- plain memory ---

fn plain(address: usize, size: u32, write: bool) {
    let tracked = with(|s| s.blocks.iter().any(|b| address.wrapping_sub(b.start) < b.size));
    if !tracked {
        return;
    }
    check_alive(address);
    if TRACING.get() {
        record(if write { "write" } else { "read" }, address, size, "", [0, 0]);
    }
    for at in (address & !(CELL - 1)..address + size as usize).step_by(CELL) {
        let cell = with(|s| {
            let spare = &mut s.spare;
            let take = || spare.pop().expect("plain memory: raise FIRST_CELLS or MORE_CELLS");
            s.cells.entry(at).or_insert_with(take).clone()
        });
        if write {
            cell.with_mut(|_| ());
        } else {
            cell.with(|_| ());
        }
    }
}

unsafe extern "C" fn c_plain(address: usize, size: u32, write: bool) {
    plain(address, size, write);
}

/// Zeroed memory of this execution.
unsafe extern "C" fn c_alloc(size: usize) -> *mut c_void {
    let size = (size + ALIGN - 1) & !(ALIGN - 1);
    let start = alloc_zeroed(Layout::from_size_align(size, ALIGN).unwrap()) as usize;
    with(|s| s.blocks.push(Block { start, size, freed: false }));
    start as *mut c_void
}

/// Freed memory is kept until the execution ends: whoever touches it is caught.
unsafe extern "C" fn c_free(memory: *mut c_void) {
    let start = memory as usize;
    if start == 0 {
        return;
    }
    with(|s| {
        let block = s.blocks[1..].iter_mut().find(|b| b.start == start);
        let block = block.expect("free of what was not allocated");
        assert!(!block.freed, "double free");
        block.freed = true;
    });
}

unsafe extern "C" fn c_kept() -> u32 {
    with(|s| s.blocks[1..].iter().filter(|b| !b.freed).count()) as u32
}

// --- the harness ---

unsafe extern "C" fn c_thread() -> u32 {
    CURRENT.get() as u32
}

unsafe extern "C" fn c_name(address: usize, size: usize, name: *const c_char, number: c_int) {
    let name = CStr::from_ptr(name).to_str().unwrap();
    // The text lies in the harness's library, which is never closed.
    let name: &'static str = std::mem::transmute(name);
    with(|s| s.names.push((address, size, name, number)));
}

unsafe extern "C" fn c_fail(text: *const c_char, file: *const c_char, line: c_int) {
    let [text, file] = [text, file].map(|s| CStr::from_ptr(s).to_string_lossy());
    panic!("check: {text} ({file}:{line})");
}

/// The table that a harness gets; struct nth_model_bridge in bridge.h.
#[repr(C)]
pub struct Bridge {
    load: unsafe extern "C" fn(usize, u32, u32) -> u64,
    store: unsafe extern "C" fn(usize, u32, u32, u64),
    rmw: unsafe extern "C" fn(usize, u32, u32, u32, u64) -> u64,
    cas: unsafe extern "C" fn(usize, u32, u32, *mut c_void, u64) -> bool,
    fence_full: unsafe extern "C" fn(),
    futex_wait: unsafe extern "C" fn(usize, u32, u64),
    futex_wake: unsafe extern "C" fn(usize, c_int),
    futex_wait_any: unsafe extern "C" fn(*const One, u32, u64),
    park: unsafe extern "C" fn(u32),
    r#await: unsafe extern "C" fn(),
    go_on: unsafe extern "C" fn(u32),
    idle: unsafe extern "C" fn(),
    turn: unsafe extern "C" fn(),
    plain: unsafe extern "C" fn(usize, u32, bool),
    alloc: unsafe extern "C" fn(usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    kept: unsafe extern "C" fn() -> u32,
    thread: unsafe extern "C" fn() -> u32,
    name: unsafe extern "C" fn(usize, usize, *const c_char, c_int),
    fail: unsafe extern "C" fn(*const c_char, *const c_char, c_int),
}

pub static BRIDGE: Bridge = Bridge {
    load: c_load,
    store: c_store,
    rmw: c_rmw,
    cas: c_cas,
    fence_full: c_fence_full,
    futex_wait: c_futex_wait,
    futex_wake: c_futex_wake,
    futex_wait_any: c_futex_wait_any,
    park: c_park,
    r#await: c_await,
    go_on: c_go_on,
    idle: c_idle,
    turn: c_turn,
    plain: c_plain,
    alloc: c_alloc,
    free: c_free,
    kept: c_kept,
    thread: c_thread,
    name: c_name,
    fail: c_fail,
};
