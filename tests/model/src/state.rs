// state.rs - what an execution under way has: atomic objects, cells, memory, events, names
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of an execution are coroutines of one OS thread: nothing here needs a lock, but
// nothing may stay borrowed across a loom operation.

use std::alloc::{dealloc, Layout};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU32, AtomicU64, AtomicU8};
use loom::thread::Thread;

const FIRST_CELLS: usize = 1024; // cells of the first execution; the later ones get what was used
const MORE_CELLS: usize = 256; // at most so far, and so many: some descriptors
pub const ALIGN: usize = 128;

/// Addresses as keys: their low bits are enough.
#[derive(Default)]
pub struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!()
    }
    fn write_usize(&mut self, n: usize) {
        self.0 = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}

type Map<T> = HashMap<usize, T, BuildHasherDefault<AddressHasher>>;

pub enum Atom {
    A8(AtomicU8),
    A32(AtomicU32),
    A64(AtomicU64),
}

pub struct Block {
    pub start: usize,
    pub size: usize,
    pub freed: bool,
}

pub struct Event {
    thread: usize,
    what: &'static str,
    address: usize,
    size: u32,
    order: &'static str,
    value: u64,
    other: u64,
}

#[derive(Default)]
pub struct State {
    pub atoms: Map<Rc<Atom>>,
    pub cells: Map<Rc<UnsafeCell<()>>>,
    pub spare: Vec<Rc<UnsafeCell<()>>>,
    pub sleepers: Map<VecDeque<(Thread, Rc<Cell<bool>>)>>,
    pub idlers: Vec<(Thread, Rc<Cell<bool>>)>, // waiting in c_idle
    pub writes: u64,                           // done in this execution
    pub seen: [u64; 5],                        // writes when a thread was last idle
    pub own: [u64; 5],                         // a thread's writes
    pub napped: [u64; 5],                      // the others' when it last slept for a while
    pub stale: [bool; 5],                      // it read an old value since then
    pub turns: [u32; 5],                       // in which it did so, in a row
    pub threads: Vec<Thread>,                  // [0]: thread 0
    pub parked: [bool; 5],                     // a context that nobody runs
    pub blocks: Vec<Block>, // [0]: the harness's world; then what the code allocates
    pub events: Vec<Event>,
    pub names: Vec<(usize, usize, &'static str, i32)>, // address, size, name, number or -1
    pub fences: Option<Rc<AtomicU32>>,
    pub marked: usize, // threads in a thorough case, else 0
    pub marks: Map<Vec<Rc<AtomicU32>>>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::default());
    pub static CURRENT: Cell<usize> = const { Cell::new(0) };
    pub static TRACING: Cell<bool> = const { Cell::new(false) };
    static CELLS: Cell<usize> = const { Cell::new(FIRST_CELLS) };
}

/// Runs a loom operation, which may run other threads in between, and becomes this thread again.
pub fn step<T>(f: impl FnOnce() -> T) -> T {
    let me = CURRENT.get();
    let result = f();
    CURRENT.set(me);
    result
}

pub fn with<T>(f: impl FnOnce(&mut State) -> T) -> T {
    STATE.with(|s| f(&mut s.borrow_mut()))
}

pub fn record(what: &'static str, address: usize, size: u32, order: &'static str, v: [u64; 2]) {
    let [value, other] = v;
    let event = Event { thread: CURRENT.get(), what, address, size, order, value, other };
    with(|s| s.events.push(event));
}

// --- an execution ---

/// Starts an execution on thread 0; world is the harness's shared memory.
pub fn begin(world: usize, size: usize, marked: usize) {
    CURRENT.set(0);
    let me = loom::thread::current();
    // Made here, since what happens in setup happens before everything the threads do.
    let cells = (0..CELLS.get()).map(|_| Rc::new(UnsafeCell::new(())));
    let fences = Some(Rc::new(AtomicU32::new(0)));
    with(|s| {
        s.spare.extend(cells);
        s.fences = fences;
        s.marked = marked;
        s.threads.push(me);
        s.blocks.push(Block { start: world, size, freed: false });
    });
}

/// Ends an execution: all threads have been joined.
pub fn end() {
    with(|s| {
        let before = if CELLS.get() == FIRST_CELLS { 0 } else { CELLS.get() };
        CELLS.set(before.max(s.cells.len() + MORE_CELLS));
        for block in s.blocks.drain(..).skip(1) {
            let layout = Layout::from_size_align(block.size, ALIGN).unwrap();
            unsafe { dealloc(block.start as *mut u8, layout) };
        }
        s.atoms.clear();
        s.marks.clear();
        s.cells.clear();
        s.spare.clear();
        s.sleepers.clear();
        s.idlers.clear();
        s.writes = 0;
        s.seen = [0; 5];
        s.own = [0; 5];
        s.napped = [0; 5];
        s.stale = [false; 5];
        s.turns = [0; 5];
        s.threads.clear();
        s.parked = [false; 5];
        s.events.clear();
        s.names.clear();
        s.fences = None;
    });
}

/// A new case begins.
pub fn forget() {
    CELLS.set(FIRST_CELLS);
}

pub fn become_thread(index: usize) {
    CURRENT.set(index);
}

/// The next one of the case, which has been made.
pub fn add_thread(thread: Thread) {
    with(|s| s.threads.push(thread));
}

pub fn join(handle: loom::thread::JoinHandle<()>) {
    step(|| handle.join().unwrap());
}

// --- a failure ---

fn describe(s: &State, address: usize) -> String {
    let named = s.names.iter().rev().find(|(start, size, ..)| address.wrapping_sub(*start) < *size);
    if let Some((start, _, name, number)) = named {
        let number = if *number < 0 { String::new() } else { format!("#{number}") };
        return match address - start {
            0 => format!("{name}{number}"),
            offset => format!("{name}{number}+{offset:#x}"),
        };
    }
    for (i, block) in s.blocks.iter().enumerate() {
        if address.wrapping_sub(block.start) < block.size {
            let name = if i == 0 { "world".into() } else { format!("block{i}") };
            return format!("{name}+{:#x}", address - block.start);
        }
    }
    format!("{address:#x}")
}

fn value_text(s: &State, value: u64) -> String {
    let pointer = s.blocks.iter().any(|b| (value as usize).wrapping_sub(b.start) < b.size);
    if pointer {
        format!("&{}", describe(s, value as usize))
    } else {
        format!("{value:#x}")
    }
}

/// The last operations of the execution under way, one a line.
pub fn trace(most: usize) -> String {
    STATE.with(|s| {
        let Ok(s) = s.try_borrow() else { return String::new() };
        let mut text = String::new();
        let skipped = s.events.len().saturating_sub(most);
        for e in &s.events[skipped..] {
            let indent = 26 * e.thread;
            let _ = write!(text, "{:4} {:indent$}T{} {}{}", "", "", e.thread, e.what, e.order);
            if e.address != 0 {
                let _ = write!(text, " {}", describe(&s, e.address));
            }
            let value = value_text(&s, e.value);
            let _ = match e.what {
                "load" => writeln!(text, " -> {value}"),
                "store" => writeln!(text, " = {value}"),
                "cas" | "xchg" | "add" | "sub" | "or" => {
                    writeln!(text, " {} -> {value}", value_text(&s, e.other))
                }
                "read" | "write" => writeln!(text, " ({} bytes)", e.size),
                "wait" => writeln!(text, " for {value}, is {}", value_text(&s, e.other)),
                "wake" | "go on" => writeln!(text, " {value}"),
                _ => writeln!(text),
            };
        }
        text
    })
}

pub fn set_tracing(on: bool) {
    TRACING.set(on);
}
