#![allow(unsafe_code, reason = "handles signals of timers, and reads the stack of the interrupted thread")]
//! Timers of threads, and the taking of samples in the handler of their signal.

use std::cell::{RefCell, UnsafeCell};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use framehop::{FrameAddress, UnwindRegsNative};
use libc::{siginfo_t, ucontext_t};

use super::helper::{self, Work};
use super::modules::{self, Cache, Owner};
use super::signal;
use crate::lock::Shared;
use crate::samples::period_ns;
use crate::samples::sampler::{Sampler, WORDS};
use crate::stack::{self, DEPTH, ROOM};
use crate::track::{self, Track};
use crate::{claim, clock, library};

/// The threads that are sampled at a time.
const MOST: usize = 1024;

/// Buffer, memory and timer of a thread that is sampled. Other threads use it again.
struct Place {
    is_taken: AtomicBool,
    sampler: Sampler,
    /// Only the handler of the thread that has the place uses it.
    cache: UnsafeCell<Cache>,
    /// The addresses of the thread's stack.
    low: AtomicUsize,
    high: AtomicUsize,
    /// The number of the thread's timer plus 1; 0 if it has none.
    timer: AtomicUsize,
}

// SAFETY: the cache is used as it says.
unsafe impl Sync for Place {}

/// Filled from the first on.
static PLACES: [AtomicPtr<Place>; MOST] = [const { AtomicPtr::new(ptr::null_mut()) }; MOST];
/// The process that is sampled; 0 if none is.
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// Marks what our timers send with their signals: above the number of the place.
const MARK: usize = 0x4154_5300_0000;

fn place(number: usize) -> Option<&'static Place> {
    // SAFETY: null, or a place, which stays.
    unsafe { PLACES.get(number)?.load(Ordering::Acquire).as_ref() }
}

fn places() -> impl Iterator<Item = &'static Place> {
    (0..MOST).map_while(place)
}

/// Samples each thread of this process from its first event on, if that is wanted, and the first thread from now on, unless
/// nothing of the process may be recorded.
pub(crate) fn begin() {
    if period_ns().is_some() {
        track::followed_by(follow);
        if !claim::is_of_command() && library::on_first_thread() {
            follow(track::first());
        }
    }
}

/// Makes ready to sample this process; whether it could.
fn is_ready() -> bool {
    // SAFETY: it only asks the kernel.
    let process = unsafe { libc::getpid() };
    if PROCESS.load(Ordering::Relaxed) == process {
        return true;
    }
    // Otherwise another thread may be about to do the same.
    if !library::on_first_thread() {
        return false;
    }
    modules::renew();
    let is_ready = signal::handle(on_signal, end).is_some() && helper::begin();
    if is_ready {
        PROCESS.store(process, Ordering::Relaxed);
    } else {
        refuse("there is no free signal, or no thread to be had");
    }
    is_ready
}

/// Ends sampling for good.
fn end() {
    // No process has this number.
    PROCESS.store(0, Ordering::Relaxed);
    places().for_each(Place::end_timer);
}

/// A child was forked, which has no timers.
pub(crate) fn forked() {
    for place in places() {
        place.timer.store(0, Ordering::Relaxed);
        place.sampler.clear();
    }
    // Its place stays the parent's, so to speak: the lock of its track may be taken for ever.
    let _ = OWN.try_with(|own| own.try_borrow_mut().map(|mut own| std::mem::forget(own.take())));
}

/// Says once why threads are not sampled.
fn refuse(why: &str) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        ats_work::say(format_args!("ats-recorder: not all is sampled: {why}"));
    }
}

/// The place of a thread, until it ends.
struct Own {
    place: &'static Place,
    track: &'static Shared<Track>,
}

thread_local! {
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

impl Drop for Own {
    fn drop(&mut self) {
        let Own { place, track } = self;
        place.end_timer();
        track.lock().samples.detach(&place.sampler);
        place.sampler.clear();
        place.is_taken.store(false, Ordering::Release);
    }
}

/// Samples this thread from now on, into its track.
fn follow(track: &'static Shared<Track>) {
    // At its very end a thread has no variables of its own any more, and nothing to sample.
    let is_followed = OWN.try_with(|own| own.try_borrow().is_ok_and(|own| own.is_some()));
    if is_followed != Ok(false) || !is_ready() {
        return;
    }
    let (low, high) = stack::own_stack();
    let here = (&raw const low).addr();
    // Preparations take some of the stack, and the handler does.
    if here < low.saturating_add(ROOM) || here >= high {
        return refuse("a thread has too small a stack, or one of its own");
    }
    let Some((number, place)) = free_place() else {
        return refuse("there are more threads than can be sampled");
    };
    place.low.store(low, Ordering::Relaxed);
    place.high.store(high, Ordering::Relaxed);
    track.lock().samples.attach(&place.sampler);
    OWN.with(|own| *own.borrow_mut() = Some(Own { place, track }));
    if !place.begin_timer(number) {
        refuse("the system has no more timers; raise its limit of pending signals (`ulimit -i`)");
    }
}

/// A place that was free, or a new one, and its number.
fn free_place() -> Option<(usize, &'static Place)> {
    let mut made = None;
    for (number, slot) in PLACES.iter().enumerate() {
        let place = match place(number) {
            Some(place) => place,
            None => {
                let new = made.take().or_else(Place::new)?;
                let new = Box::into_raw(new);
                match slot.compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
                    Ok(_) => {}
                    // SAFETY: it was made by `Box::into_raw`, and nobody else has seen it.
                    Err(_) => made = Some(unsafe { Box::from_raw(new) }),
                }
                place(number)?
            }
        };
        if !place.is_taken.swap(true, Ordering::AcqRel) {
            return Some((number, place));
        }
    }
    None
}

/// Memory for samples. Only what is used of it is taken from the system.
fn words() -> Option<&'static [AtomicU64]> {
    let bytes = WORDS * size_of::<AtomicU64>();
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: fresh memory of zeros, which are numbers, and which is never given back.
    unsafe {
        let memory = libc::mmap(ptr::null_mut(), bytes, access, kind, -1, 0);
        (memory != libc::MAP_FAILED).then(|| std::slice::from_raw_parts(memory.cast(), WORDS))
    }
}

impl Place {
    fn new() -> Option<Box<Self>> {
        Some(Box::new(Place {
            is_taken: AtomicBool::new(false),
            sampler: Sampler::new(words()?),
            cache: UnsafeCell::new(Cache::new_in()),
            low: AtomicUsize::new(0),
            high: AtomicUsize::new(0),
            timer: AtomicUsize::new(0),
        }))
    }

    /// Begins the timer of this thread; whether it could.
    fn begin_timer(&self, number: usize) -> bool {
        let (Some(signal), Some(period)) = (signal::chosen(), period_ns()) else { return false };
        let period = libc::timespec {
            tv_sec: (period / 1_000_000_000) as libc::time_t,
            tv_nsec: (period % 1_000_000_000) as libc::c_long,
        };
        let mut timer = ptr::null_mut();
        // SAFETY: one of zeros is valid; all are written before they are read.
        unsafe {
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = signal;
            event.sigev_notify_thread_id = libc::gettid();
            event.sigev_value.sival_ptr = ptr::without_provenance_mut(MARK + number);
            if libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &mut event, &mut timer) != 0 {
                return false;
            }
            self.timer.store(timer.addr() + 1, Ordering::Relaxed);
            set(timer, period);
        }
        true
    }

    fn end_timer(&self) {
        if let Some(timer) = self.timer.swap(0, Ordering::Relaxed).checked_sub(1) {
            // SAFETY: the timer was made, and nobody else has taken it out of its place.
            unsafe { libc::timer_delete(ptr::without_provenance_mut(timer)) };
        }
    }

    /// Lets the timer rest.
    fn rest(&self) {
        if let Some(timer) = self.timer.load(Ordering::Relaxed).checked_sub(1) {
            // SAFETY: the timer is this thread's, which is in its handler.
            unsafe { set(ptr::without_provenance_mut(timer), libc::timespec { tv_sec: 0, tv_nsec: 0 }) };
        }
    }
}

/// # Safety
/// The timer exists.
unsafe fn set(timer: libc::timer_t, period: libc::timespec) {
    let times = libc::itimerspec { it_interval: period, it_value: period };
    // SAFETY: as the caller promises; the times before are not asked for.
    unsafe { libc::timer_settime(timer, 0, &times, ptr::null_mut()) };
}

extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel hands in both, for a handler with `SA_SIGINFO`.
    let (info, context) = unsafe { (&*info, &*context.cast::<ucontext_t>()) };
    let is_of_timer = info.si_code == libc::SI_TIMER;
    // SAFETY: signals of timers have a value.
    let value = if is_of_timer { unsafe { info.si_value().sival_ptr.addr() } } else { 0 };
    let Some(place) = value.checked_sub(MARK).and_then(place) else {
        return signal::leave_to_default(signal);
    };
    if !track::is_recording() {
        return place.rest();
    }
    place.take(Registers::from_context(context));
}

/// The registers of the interrupted thread.
struct Registers {
    instruction: u64,
    stack: u64,
    frame: u64,
    #[cfg(target_arch = "aarch64")]
    link: u64,
}

impl Registers {
    #[cfg(target_arch = "x86_64")]
    fn from_context(context: &ucontext_t) -> Self {
        let register = |number: c_int| context.uc_mcontext.gregs[number as usize] as u64;
        Registers {
            instruction: register(libc::REG_RIP),
            stack: register(libc::REG_RSP),
            frame: register(libc::REG_RBP),
        }
    }

    #[cfg(target_arch = "aarch64")]
    fn from_context(context: &ucontext_t) -> Self {
        let machine = &context.uc_mcontext;
        Registers {
            instruction: machine.pc,
            stack: machine.sp,
            frame: machine.regs[29],
            link: machine.regs[30],
        }
    }

    fn to_unwind(&self) -> UnwindRegsNative {
        #[cfg(target_arch = "x86_64")]
        let first = self.instruction;
        #[cfg(target_arch = "aarch64")]
        let first = self.link;
        UnwindRegsNative::new(first, self.stack, self.frame)
    }
}

impl Place {
    /// Takes a sample of its thread, which is in its handler.
    fn take(&self, registers: Registers) {
        let ticks = clock::now();
        let mut addresses = [0; DEPTH];
        let is_of_program = modules::with_current(|modules| self.calls(modules, &registers, &mut addresses));
        let count = addresses.iter().position(|&address| address == 0).unwrap_or(DEPTH);
        if is_of_program == Some(true) && self.sampler.push(ticks, &addresses[..count]) {
            helper::ask(Work::Gather);
        }
    }

    /// The addresses that calls return to, the innermost first, behind the address of the instruction plus 1. Returns whether
    /// they are of the program, and not within the recorder.
    fn calls(&self, modules: &modules::Modules, registers: &Registers, addresses: &mut [u64; DEPTH]) -> bool {
        let (low, high) = (self.low.load(Ordering::Relaxed), self.high.load(Ordering::Relaxed));
        let stack = registers.stack as usize;
        // A program may have switched to a stack of its own, about which nothing is known.
        let is_known = (low.saturating_add(ROOM)..high).contains(&stack);
        let read = |at: u64| {
            let at = at as usize;
            let is_there = at.is_multiple_of(size_of::<u64>()) && at >= stack && at < high;
            // SAFETY: a word of this thread's stack, beyond the interrupted function's stack pointer.
            is_there.then(|| unsafe { ptr::read_volatile(at as *const u64) }).ok_or(())
        };
        // SAFETY: this is the only handler of the thread that has the place.
        let cache = unsafe { &mut *self.cache.get() };
        let mut unwinding = registers.to_unwind();
        let mut is_of_program = false;
        let mut address = FrameAddress::from_instruction_pointer(registers.instruction);
        for place in addresses.iter_mut() {
            match modules.owner(address.address_for_lookup() as usize) {
                Some(Owner::Recorder) => return false,
                Some(Owner::Program) => is_of_program = true,
                Some(Owner::Below) => {}
                None => helper::ask(Work::Renew),
            }
            *place = address.address_for_lookup() + 1;
            let next = is_known.then(|| modules.caller(address, &mut unwinding, cache, read)).flatten();
            match next.and_then(FrameAddress::from_return_address) {
                Some(next) => address = next,
                None => break,
            }
        }
        is_of_program
    }
}
