#![allow(
    unsafe_code,
    reason = "reads the stack of the thread, and unwind tables that the dynamic linker has loaded"
)]
//! The calls that lead to a call of MPI or a construct of OpenMP, from the outermost function of the thread on. A thread that
//! works for a team begins in the call that started it.
//!
//! Frames are found by the unwind tables of the program (`.eh_frame`), so that no code needs frame pointers. That takes
//! microseconds. But for given registers, the result depends only on the words of the stack that it reads: return
//! addresses and saved registers. So a thread remembers calls with these words, and a call that comes with the same
//! registers and finds the same words is the same call; in a program in Python, one that comes from the same frames there.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Mutex;

use ats_model::event::RegionRef;
use ats_trace::parts::{LocalCall, LocalContext};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::call_site::{self, Caller};
use crate::code::Code;
use crate::lock::lock;
use crate::place::Places;
use crate::{outlined, python};

/// The most frames of a call, or of a sample, so that a deep recursion is not followed to its beginning at each call.
pub(crate) const DEPTH: usize = 128;

/// The bytes that must be free on a stack for its frames to be found: several times what that takes.
pub(crate) const ROOM: usize = 64 << 10;

/// A power of two; a loop with more calls than that unwinds each of them again.
const SLOTS: usize = 256;

/// The calls that a thread has made lately.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    slots: Vec<Option<Seen>>,
    /// The addresses of the thread's stack, once they are looked up.
    stack: Option<(usize, usize)>,
}

/// A call that enters a region, as registers and the thread tell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) caller: Caller,
    pub(crate) region: RegionRef,
    /// The address in the program that the call comes from, if that is not the caller's: of constructs of OpenMP.
    pub(crate) place: usize,
    /// The call that started the team that the thread works for, in which its stack begins.
    pub(crate) started: Option<u32>,
}

/// A call, as it was found.
#[derive(Debug)]
struct Seen {
    entry: Entry,
    /// Whether its frames depend on the frame pointer, which the code may use for other things.
    needs_frame: bool,
    /// The words of the stack that its frames were found by, with their addresses.
    words: Vec<(usize, usize)>,
    /// The frames in Python that it came from.
    python: Vec<python::Frame>,
    call: u32,
}

impl Seen {
    /// Whether it is this call, as far as registers tell.
    #[inline]
    fn is_like(&self, entry: &Entry) -> bool {
        let key = |&Entry { caller: Caller { address, stack, .. }, region, place, started }: &Entry| {
            (address, stack, region, place, started)
        };
        key(&self.entry) == key(entry) && (self.entry.caller.frame == entry.caller.frame || !self.needs_frame)
    }

    /// Whether its words and frames are what they were.
    #[inline]
    fn is_unchanged(&self) -> bool {
        // SAFETY: the words lie on the stack of this thread, beyond the caller's stack pointer, which is the same.
        self.words.iter().all(|&(at, word)| unsafe { ptr::read_volatile(at as *const usize) } == word)
            && python::interpreter()
                .is_none_or(|python| python.frames().take(DEPTH).eq(self.python.iter().copied()))
    }
}

impl Recent {
    /// The number of a call in its process; `None` if the caller is not known.
    #[inline]
    pub(crate) fn call(&mut self, entry: Entry) -> Option<u32> {
        if entry.caller.address == 0 {
            return None;
        }
        Some(match self.slots.get(slot(&entry)) {
            Some(Some(seen)) if seen.is_like(&entry) && seen.is_unchanged() => seen.call,
            _ => self.find(entry),
        })
    }

    #[cold]
    fn find(&mut self, entry: Entry) -> u32 {
        let Entry { caller, region, started, .. } = entry;
        self.slots.resize_with(SLOTS, || None);
        let (low, high) = *self.stack.get_or_insert_with(own_stack);
        let mut stack = Unwound { addresses: vec![caller.address], ..Unwound::default() };
        // A program may have switched to a stack of its own, about which nothing is known, or have left little of it.
        if (low.saturating_add(ROOM)..high).contains(&caller.stack) {
            let read = |at: usize| {
                let is_there = at.is_multiple_of(size_of::<usize>()) && at >= caller.stack && at < high;
                // SAFETY: a word of this thread's stack, beyond the caller's stack pointer.
                is_there.then(|| unsafe { ptr::read_volatile(at as *const usize) })
            };
            unwinding::unwind(caller, read, &mut stack);
        }
        let python: Vec<_> =
            python::find().map(|python| python.frames().take(DEPTH).collect()).unwrap_or_default();
        let Unwound { addresses, words, needs_frame } = stack;
        let call = lock(&CALLS).get_or_insert_default().number(&addresses, &python, region, started);
        self.slots[slot(&entry)] = Some(Seen { entry, needs_frame, words, python, call });
        call
    }
}

/// The frames of a call, and how they were found.
#[derive(Debug, Default)]
struct Unwound {
    /// The return addresses, the innermost first.
    addresses: Vec<usize>,
    /// The words of the stack that they depend on, with their addresses.
    words: Vec<(usize, usize)>,
    /// Whether they depend on the frame pointer.
    needs_frame: bool,
}

/// Prepares the recording of stacks.
pub(crate) fn prepare() {
    if call_site::are_stacks_wanted() {
        unwinding::prepare();
    }
}

/// Neighbouring calls, and calls of one function at other depths, have slots of their own.
fn slot(&Entry { caller: Caller { address, stack, .. }, place, .. }: &Entry) -> usize {
    let code = address ^ place;
    (code >> 2 ^ code >> 10 ^ stack >> 4 ^ stack >> 12) % SLOTS
}

/// The lowest address of this thread's stack, and the one behind its highest.
pub(crate) fn own_stack() -> (usize, usize) {
    let mut attributes = MaybeUninit::uninit();
    let (mut low, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised if the first call succeeds, and used only then.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return (0, 0);
        }
        libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
    }
    (low.addr(), low.addr() + size)
}

/// The calls of a process, as a tree: each by the call of its function, and its place in the code.
#[derive(Default)]
struct Calls {
    calls: Vec<(Option<u32>, At)>,
    numbers: FxHashMap<(Option<u32>, At), u32>,
    /// The functions of the frames in Python, looked up while they are there.
    python: FxHashMap<python::Frame, LocalContext>,
    /// Those that samples were taken in.
    sampled: FxHashSet<u32>,
}

/// The place of a call in the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Code(Code),
    /// The same, in a sample.
    Sampled(Code),
    Python(python::Frame),
    /// None: a region of MPI is entered by the call around it.
    Region(RegionRef),
}

static CALLS: Mutex<Option<Calls>> = Mutex::new(None);

/// The number of the call that a sample was taken in, with the return addresses of the calls that lead there, the innermost
/// first. The first one follows the instruction that was interrupted.
pub(crate) fn sampled(addresses: &[usize]) -> Option<u32> {
    let mut calls = lock(&CALLS);
    let calls = calls.get_or_insert_default();
    let codes = addresses.iter().rev().filter_map(|&address| Code::of_call(address));
    let call = codes.fold(None, |parent, code| Some(calls.number_of((parent, At::Sampled(code)))))?;
    calls.sampled.insert(call);
    Some(call)
}

impl Calls {
    /// The number of the call with these return addresses and frames in Python, the innermost first, which enters a
    /// region, on a thread that works for a team that the call `started` has started.
    ///
    /// The interpreter and what it has called between two functions in Python are left out.
    fn number(
        &mut self,
        addresses: &[usize],
        python: &[python::Frame],
        region: RegionRef,
        started: Option<u32>,
    ) -> u32 {
        let (mut inner, mut outer) = (addresses, &[][..]);
        if let Some(interpreter) = python::interpreter()
            && !python.is_empty()
        {
            let is_its = |address: &usize| interpreter.module.contains(address);
            let first = addresses.iter().position(is_its).unwrap_or(addresses.len());
            let last = addresses.iter().rposition(is_its).map_or(addresses.len(), |last| last + 1);
            (inner, outer) = (&addresses[..first], &addresses[last..]);
            for &frame in python {
                self.python.entry(frame).or_insert_with(|| interpreter.context(frame));
            }
        }
        let code = |&address| Code::of_call(address).map(At::Code);
        let calls = inner.iter().filter_map(code).chain(python.iter().copied().map(At::Python));
        let calls: Vec<At> = calls.chain(outer.iter().filter_map(code)).collect();
        let begin = started.and_then(|call| self.calls[call as usize].0);
        let around = calls.into_iter().rev().fold(begin, |parent, at| Some(self.number_of((parent, at))));
        self.number_of((around, At::Region(region)))
    }

    fn number_of(&mut self, call: (Option<u32>, At)) -> u32 {
        *self.numbers.entry(call).or_insert_with(|| {
            self.calls.push(call);
            self.calls.len() as u32 - 1
        })
    }
}

/// The contexts of this process, with their places in the source, the calls by their numbers, and the places of samples by
/// those.
pub(crate) fn contexts() -> (Vec<LocalContext>, Vec<Option<LocalCall>>, BTreeMap<u32, u32>) {
    let calls = lock(&CALLS);
    let Some(Calls { calls, python, sampled, .. }) = calls.as_ref() else { return Default::default() };
    let mut places = Places::default();
    let mut frames: FxHashMap<At, Vec<LocalContext>> = FxHashMap::default();
    let (mut contexts, mut numbers) = (Vec::new(), FxHashMap::default());
    let mut of_calls: Vec<Option<u32>> = Vec::with_capacity(calls.len());
    let mut entered = vec![None; calls.len()];
    for (number, (entered, &(parent, at))) in (0..).zip(entered.iter_mut().zip(calls)) {
        // A call comes after the call of its function.
        let outer = parent.and_then(|parent| of_calls[parent as usize]);
        if let At::Region(RegionRef(region)) = at {
            *entered = Some(LocalCall { region, context: outer });
        }
        let frames = frames.entry(at).or_insert_with(|| match at {
            At::Code(code) | At::Sampled(code) => places.frames(code),
            At::Region(_) => Vec::new(),
            At::Python(frame) => python
                .get(&frame)
                .filter(|context| !python::is_below_programs(&context.file))
                .cloned()
                .into_iter()
                .collect(),
        });
        // A sample has a function in any case.
        let nowhere = (outer.is_none() && frames.is_empty() && sampled.contains(&number)).then(nowhere);
        of_calls.push(frames.iter().chain(&nowhere).fold(outer, |parent, frame| {
            let around = parent.map(|parent: u32| &contexts[parent as usize]);
            let outlined = around.filter(|_| !matches!(at, At::Sampled(_)));
            let context = outlined
                .and_then(|around| outlined::within(frame, around))
                .unwrap_or_else(|| LocalContext { parent, ..frame.clone() });
            Some(*numbers.entry(context).or_insert_with_key(|context: &LocalContext| {
                contexts.push(context.clone());
                contexts.len() as u32 - 1
            }))
        }));
    }
    let place = |&number: &u32| Some((number, of_calls[number as usize]?));
    (contexts, entered, sampled.iter().filter_map(place).collect())
}

/// The context of samples in unknown functions.
fn nowhere() -> LocalContext {
    LocalContext { function: "(unknown)".to_owned(), file: String::new(), line: 0, parent: None }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod unwinding {
    use super::{Caller, Unwound};

    pub(super) fn prepare() {}

    /// Nothing is known of the stack.
    pub(super) fn unwind(_caller: Caller, _read: impl Fn(usize) -> Option<usize>, _stack: &mut Unwound) {}
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod unwinding {
    //! Unwinding by the tables of the modules that are loaded.

    use std::ops::ControlFlow;
    use std::sync::Mutex;

    use framehop::{
        CacheNative, FrameAddress, MayAllocateDuringUnwind, UnwindRegsNative, Unwinder, UnwinderNative,
    };

    use super::{Caller, DEPTH, Unwound};
    use crate::lock::lock;
    use crate::{loaded, tables};

    type Tables = UnwinderNative<&'static [u8], MayAllocateDuringUnwind>;

    /// The unwind tables of the modules that were loaded when this many had been loaded and unloaded.
    struct Known {
        changes: (u64, u64),
        tables: Tables,
        cache: CacheNative<MayAllocateDuringUnwind>,
    }

    impl Known {
        fn none() -> Self {
            Known { changes: (0, 0), tables: Tables::new(), cache: CacheNative::new_in() }
        }
    }

    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

    /// Prepares what takes much of a stack, on the first thread.
    pub(super) fn prepare() {
        lock(&KNOWN).get_or_insert_with(Known::none);
    }

    /// Appends the return addresses of the frames around the caller's, and the words that they depend on: a frame pointer that
    /// a function has saved only if a function around it needs it.
    // Its frame is large, and not one of callers that do not come here.
    #[inline(never)]
    pub(super) fn unwind(caller: Caller, read: impl Fn(usize) -> Option<usize>, stack: &mut Unwound) {
        let read = |at: u64| read(at as usize).map(|word| word as u64).ok_or(());
        let mut known = lock(&KNOWN);
        let known = known.get_or_insert_with(Known::none);
        let mut work = |known: &mut Known| {
            let Unwound { addresses, words, needs_frame } = &mut *stack;
            let mut registers = registers(caller);
            // Where the frame pointer was saved; nowhere in the innermost frames.
            let mut saved = None;
            while addresses.len() < DEPTH {
                let Some(address) = FrameAddress::from_return_address(addresses[addresses.len() - 1] as u64)
                else {
                    break;
                };
                let Known { tables, cache, .. } = &mut *known;
                let mut elsewhere = with_another_frame(&registers);
                let other = tables.unwind_frame(address, &mut elsewhere, cache, &mut |at| read(at));
                let mut found = Vec::new();
                let mut noted = |at| read(at).inspect(|&word| found.push((at, word)));
                let next = tables.unwind_frame(address, &mut registers, cache, &mut noted);
                if other != next || elsewhere.sp() != registers.sp() {
                    match saved {
                        Some((at, word)) => words.push((at as usize, word as usize)),
                        None => *needs_frame = true,
                    }
                }
                let Ok(Some(next @ 2..)) = next else { break };
                addresses.push(next as usize);
                for (at, word) in found {
                    if word == frame(&registers) && word != next {
                        saved = Some((at, word));
                    } else {
                        words.push((at as usize, word as usize));
                    }
                }
            }
        };
        if let Some((changes, tables)) = pass(known, &mut work) {
            // The cache knows which tables its rules are of.
            (known.changes, known.tables) = (changes, tables);
            pass(known, &mut work);
        }
    }

    fn registers(Caller { address, stack, frame }: Caller) -> UnwindRegsNative {
        UnwindRegsNative::new(address as u64, stack as u64, frame as u64)
    }

    /// The frame pointer.
    fn frame(registers: &UnwindRegsNative) -> u64 {
        #[cfg(target_arch = "x86_64")]
        return registers.bp();
        #[cfg(target_arch = "aarch64")]
        registers.fp()
    }

    /// The same registers, but for the frame pointer.
    fn with_another_frame(registers: &UnwindRegsNative) -> UnwindRegsNative {
        let mut other = *registers;
        #[cfg(target_arch = "x86_64")]
        other.set_bp(registers.bp() ^ 1);
        #[cfg(target_arch = "aarch64")]
        other.set_fp(registers.fp() ^ 1);
        other
    }

    /// Unwinds by `work` if the tables are those of the loaded modules, and gathers all tables otherwise.
    fn pass(known: &mut Known, work: &mut dyn FnMut(&mut Known)) -> Option<((u64, u64), Tables)> {
        let mut fresh = None;
        loaded::each(|module| {
            let changes = module.changes();
            if known.changes == changes && fresh.is_none() {
                // While the linker iterates, no module is unloaded, nor its tables.
                work(known);
                return ControlFlow::Break(());
            }
            let (_, tables) = fresh.get_or_insert_with(|| (changes, Tables::new()));
            if let Some(of) = tables::Tables::from_module(module) {
                // SAFETY: they are read only while the module is loaded.
                let bytes = unsafe { of.bytes() };
                tables.add_module(of.module(bytes));
            }
            ControlFlow::Continue(())
        });
        fresh
    }
}
