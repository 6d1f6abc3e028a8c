// main.rs - runs the cases of a harness (a shared library) in every way loom can think of
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nanogomp-model HARNESS.so [--case NAME] [--trace]
// Exit status: 0 every execution of every case was right; 1 one was not: its kind is the first word
// after "FAILED", and the operations that led there follow; 2 usage.

mod bridge;
mod stacks;
mod state;

use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// One case of a harness; struct nth_model_case in model.h.
#[repr(C)]
struct Case {
    name: *const c_char,
    threads: u32,
    preemptions: c_int, // at most so many in an execution; < 0: no bound
    world: *mut c_void,
    world_size: usize,
    setup: extern "C" fn(),
    thread: [Option<extern "C" fn()>; 4],
    finish: Option<extern "C" fn()>,
    most: u64, // stop after so many executions; 0: look at all
    thorough: bool,
}

extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
    fn _exit(status: c_int) -> !;
}
const RTLD_NOW: c_int = 2;
const STACK_WORDS: usize = 0x1000;
const MAX_BRANCHES: usize = 4000;
const LIMIT_STEP: usize = 100; // executions between two looks at the limit

static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

unsafe fn symbol(library: *mut c_void, name: &str) -> *mut c_void {
    let text = CString::new(name).unwrap();
    let found = dlsym(library, text.as_ptr());
    assert!(!found.is_null(), "the harness has no {name}");
    found
}

/// Loads a harness, gives it the bridge, returns its cases.
unsafe fn load(file: &str) -> Vec<&'static Case> {
    let path = CString::new(file).unwrap();
    let library = dlopen(path.as_ptr(), RTLD_NOW);
    if library.is_null() {
        eprintln!("{}", CStr::from_ptr(dlerror()).to_string_lossy());
        std::process::exit(2);
    }
    *(symbol(library, "nth_model_bridge") as *mut *const bridge::Bridge) = &bridge::BRIDGE;
    let mut at = symbol(library, "nth_model_cases") as *const Case;
    let mut cases = Vec::new();
    while !(*at).name.is_null() {
        cases.push(&*at);
        at = at.add(1);
    }
    cases
}

fn execute(case: &'static Case) {
    EXECUTIONS.fetch_add(1, Ordering::Relaxed);
    let marked = if case.thorough { case.threads as usize } else { 0 };
    state::begin(case.world as usize, case.world_size, marked);
    unsafe { std::ptr::write_bytes(case.world as *mut u8, 0, case.world_size) };
    (case.setup)();
    let body = |i: usize| case.thread[i].or(case.thread[0]).unwrap();
    let handles: Vec<_> = (1..case.threads as usize)
        .map(|i| {
            let run = body(i);
            let thread = loom::thread::Builder::new().stack_size(STACK_WORDS);
            let handle = thread.spawn(move || {
                state::become_thread(i);
                run();
            });
            let handle = handle.unwrap();
            state::add_thread(handle.thread().clone());
            handle
        })
        .collect();
    state::become_thread(0);
    body(0)();
    for handle in handles {
        state::join(handle);
    }
    if let Some(finish) = case.finish {
        finish();
    }
    state::end();
}

/// A word for what went wrong, from the text of the panic.
fn kind(message: &str) -> &'static str {
    const KINDS: [(&str, &str); 5] = [
        ("deadlock", "deadlock"),
        ("Causality violation", "race"),
        ("check:", "check"),
        ("free", "memory"),
        ("maximum number of branches", "endless"),
    ];
    let found = KINDS.iter().find(|(text, _)| message.contains(text));
    found.map_or("internal", |(_, kind)| kind)
}

/// The first failure ends the process: the C frames below cannot be unwound.
fn end_at_first_panic(lines: usize) {
    std::panic::set_hook(Box::new(move |info| {
        let message = info.to_string();
        println!("FAILED {} in execution {}", kind(&message), EXECUTIONS.load(Ordering::Relaxed));
        println!("{message}");
        print!("{}", state::trace(lines));
        let _ = std::io::stdout().flush();
        unsafe { _exit(1) }
    }));
}

fn check(case: &'static Case) {
    let name = unsafe { CStr::from_ptr(case.name) }.to_string_lossy();
    print!("{name}: ");
    let _ = std::io::stdout().flush();
    EXECUTIONS.store(0, Ordering::Relaxed);
    state::forget();
    let start = Instant::now();
    let mut builder = loom::model::Builder::new();
    builder.max_threads = case.threads as usize;
    builder.max_branches = MAX_BRANCHES;
    builder.preemption_bound = usize::try_from(case.preemptions).ok();
    if case.most > 0 {
        builder.checkpoint_interval = LIMIT_STEP;
        builder.max_permutations = usize::try_from(case.most).ok();
    }
    let address = case as *const Case as usize; // loom wants Send
    builder.check(move || execute(unsafe { &*(address as *const Case) }));
    let count = EXECUTIONS.load(Ordering::Relaxed);
    let stopped = case.most > 0 && count + LIMIT_STEP as u64 > case.most;
    let bound = match case.preemptions {
        _ if stopped => "the first ones".to_string(),
        n if n < 0 => "all".to_string(),
        1 => "at most 1 preemption".to_string(),
        n => format!("at most {n} preemptions"),
    };
    println!("{count} executions ({bound}), {:.2} s", start.elapsed().as_secs_f64());
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut file, mut only, mut trace) = (None, None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--case" => only = arguments.next(),
            "--trace" => trace = true,
            _ => file = Some(argument),
        }
    }
    let Some(file) = file else {
        eprintln!("usage: nanogomp-model HARNESS.so [--case NAME] [--trace]");
        std::process::exit(2);
    };
    end_at_first_panic(if trace { usize::MAX } else { 60 });
    state::set_tracing(trace);
    for case in unsafe { load(&file) } {
        let name = unsafe { CStr::from_ptr(case.name) }.to_string_lossy();
        if only.as_ref().map_or(true, |wanted| name == *wanted) {
            check(case);
        }
    }
}
