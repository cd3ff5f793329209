//! Work described by its amount instead of its time: a number of operations, however long they take.
//!
//! The report names this as the other way to specify work (section 3.1.1).

use thiserror::Error;

use crate::machine;

/// An amount of work.
///
/// The same loop does it in programs of any language. It looks at no clock, and its state is the thread's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Floating-point operations: a multiplication and an addition in turn.
    Flops(u64),
    /// Integer operations: a multiplication and an exclusive or in turn.
    IntOps(u64),
    /// Loads and stores that walk through memory.
    Memory(MemoryWork),
    /// Loads that each give the place of the next one.
    Chase(Chase),
    /// An array that is computed of two others.
    Triad(Triad),
    /// Additions to a word of memory.
    Updates(Updates),
    /// Loads of an array that threads share.
    Readings(Readings),
    /// Branches that go by random bits.
    Branches(Branches),
    /// Multiplications of floating-point numbers.
    Multiplications(Multiplications),
    /// Additions of floating-point numbers, each to the sum of the others.
    Additions(u64),
    /// Conversions of an integer to a floating-point number, each of the last one's bits.
    Conversions(u64),
    /// Evaluations of the sine and as many of the cosine.
    Sines(u64),
    /// First or later stores into pages.
    Pages(Pages),
    /// Writes to a file.
    Writes(Writes),
    /// Pieces of memory that are allocated, touched and freed.
    Allocations(Allocations),
    /// Integer operations of a thread that is bound to a core.
    Bound(Bound),
    /// First stores into pages on a node of memory, or loads from them on the same or another one.
    Placed(Placed),
}

impl Amount {
    /// Its name in checksums.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Amount::Flops(_) => "do_flops",
            Amount::IntOps(_) => "do_int_ops",
            Amount::Memory(_) => "do_memory",
            Amount::Chase(_) => "chase",
            Amount::Triad(_) => "triad",
            Amount::Updates(_) => "updates",
            Amount::Readings(_) => "readings",
            Amount::Branches(_) => "branches",
            Amount::Multiplications(_) => "multiplications",
            Amount::Additions(_) => "additions",
            Amount::Conversions(_) => "conversions",
            Amount::Sines(_) => "sines",
            Amount::Pages(_) => "pages",
            Amount::Writes(_) => "writes",
            Amount::Allocations(_) => "allocations",
            Amount::Bound(_) => "bound",
            Amount::Placed(_) => "placed",
        }
    }

    /// The result of `use_them` with its numbers. They are on the stack: work is none that allocates memory, unless it is told to.
    pub(crate) fn with_parts<R>(&self, use_them: impl FnOnce(&[u64]) -> R) -> R {
        match *self {
            Amount::Flops(n)
            | Amount::IntOps(n)
            | Amount::Additions(n)
            | Amount::Conversions(n)
            | Amount::Sines(n) => use_them(&[n]),
            Amount::Memory(MemoryWork { loads, stores, working_set_bytes, stride_bytes }) => {
                use_them(&[loads, stores, working_set_bytes, stride_bytes])
            }
            Amount::Chase(Chase { lines, stride_bytes, rounds, huge_pages }) => {
                use_them(&[lines, stride_bytes, rounds, huge_pages.into()])
            }
            Amount::Triad(Triad { elements, rounds, streams }) => use_them(&[elements, rounds, streams]),
            Amount::Updates(Updates { number, place, places, padded, atomic }) => {
                use_them(&[number, place, places, padded.into(), atomic.into()])
            }
            Amount::Readings(Readings { bytes, copied }) => use_them(&[bytes, copied.into()]),
            Amount::Branches(Branches { number, share, seed }) => use_them(&[number, share.to_bits(), seed]),
            Amount::Multiplications(Multiplications { number, independent, subnormal }) => {
                use_them(&[number, independent.into(), subnormal.into()])
            }
            Amount::Pages(Pages { number, fresh }) => use_them(&[number, fresh.into()]),
            Amount::Writes(Writes { calls, bytes, to }) => use_them(&[calls, bytes, to as u64]),
            Amount::Allocations(Allocations { number, bytes }) => use_them(&[number, bytes]),
            Amount::Bound(Bound { operations, place, places, cores }) => {
                use_them(&[operations, place, places, cores])
            }
            Amount::Placed(Placed { pages, rounds, place, home, node }) => {
                use_them(&[pages, rounds, place, home, node])
            }
        }
    }

    /// Whether its result depends on nothing but its numbers. Memory keeps what the thread stored before, and sines
    /// differ with the library in the last digit.
    pub(crate) fn has_result(&self) -> bool {
        !matches!(self, Amount::Memory(_) | Amount::Sines(_))
    }
}

/// Loads of 8 bytes, one from each line of a random cycle of lines: none can begin before the last one has ended.
///
/// The cycle is made by the thread's first chase of this shape, be it of no rounds: do that outside of what is
/// measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chase {
    /// The number of lines.
    pub lines: u64,
    /// Bytes from one line to the next: those of a line of the cache, or a little more than a page.
    pub stride_bytes: u64,
    /// Times that it goes through all lines.
    pub rounds: u64,
    /// Whether the system is asked for huge pages, so that few translations of addresses are needed; else for none.
    pub huge_pages: bool,
}

/// Each element of an array is the sum of one of another array and a multiple of one of a third: two floating-point
/// operations, two loads and a store of 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triad {
    /// Elements of each array.
    pub elements: u64,
    /// Times that all are computed.
    pub rounds: u64,
    /// Threads that do so at the same time, each with arrays of its own. They share the memory's bytes per second. A process
    /// with several of them that may use one core is unfit, as for [`Bound`].
    pub streams: u64,
}

/// Additions of 1 to a word that all threads of the process can reach; each stores the sum.
///
/// Unless they are atomic, the sum is in a register meanwhile: a load after each store would take so long by itself that
/// nothing is seen of a line that is away. A process with several words in a line that may use one core is unfit, as for
/// [`Bound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updates {
    /// Their number.
    pub number: u64,
    /// The number of the word, from 0.
    pub place: u64,
    /// Words in use at the same time: usually one for each thread.
    pub places: u64,
    /// Whether each word has a line of the cache for itself; else each line has as many of them as there are, up to eight.
    pub padded: bool,
    /// Whether they are atomic, so that several threads may add to one word.
    pub atomic: bool,
}

/// Loads of all words of an array, each once, which all threads of the process share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readings {
    /// Bytes of the array, in whole words.
    pub bytes: u64,
    /// Whether the thread makes a copy of it first and loads that.
    pub copied: bool,
}

/// Branches that go one way or the other by random bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branches {
    /// The number of bits.
    pub number: u64,
    /// The share of bits that are set, from 0 to 1.
    pub share: f64,
    /// The sequence of bits: another one for each seed, the same in every run.
    pub seed: u64,
}

/// Multiplications of floating-point numbers by 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplications {
    /// Their number.
    pub number: u64,
    /// Whether several numbers are multiplied in turn, so that none has to wait for the last product; else it is one.
    pub independent: bool,
    /// Whether the numbers are subnormal, less than 2.2e-308.
    pub subnormal: bool,
}

/// A store into each of some small pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pages {
    /// Their number.
    pub number: u64,
    /// Whether they are mapped anew, so that each is a fault; else they are those of before, as far as there are any.
    pub fresh: bool,
}

/// Writes to a file, each to its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writes {
    /// The number of calls.
    pub calls: u64,
    /// Bytes of each.
    pub bytes: u64,
    /// The file.
    pub to: Target,
}

/// A file to write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The null device: the call into the kernel alone.
    Null,
    /// A temporary file of the thread.
    Scratch,
}

/// Pieces of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocations {
    /// Their number, one after the other.
    pub number: u64,
    /// Bytes of each, at least one.
    pub bytes: u64,
}

/// Integer operations of a thread that is bound to a core meanwhile: a multiplication and an exclusive or in turn.
///
/// Cores are those of the machine that the process may be bound to, from the first on; where there are fewer, they are taken
/// again from the first on. A machine with one core, or one that binds no thread, is unfit: the program ends with
/// [`machine::UNFIT_EXIT_CODE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Their number.
    pub operations: u64,
    /// The number of the thread among those that do so at the same time.
    pub place: u64,
    /// The number of these threads.
    pub places: u64,
    /// Cores that they are spread over in turn, at least one.
    pub cores: u64,
}

impl Bound {
    /// The number of the core.
    pub fn core(&self) -> u64 {
        self.place % self.cores.max(1)
    }

    /// The number of threads on this core.
    pub fn sharers(&self) -> u64 {
        self.places.saturating_sub(self.core()).div_ceil(self.cores.max(1)).max(1)
    }
}

/// Small pages that lie where a thread has touched them first, and a thread that reads them, bound to the cores of a node of
/// memory each.
///
/// All threads of the process can reach them. Nodes are those with memory and cores that the process may be bound to, from the
/// first on; where there are fewer, they are taken again from the first on. A machine with one node, or one that does not tell
/// where pages are, is unfit: the program ends with [`machine::UNFIT_EXIT_CODE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The number of pages.
    pub pages: u64,
    /// Times that a word of each of their lines is loaded; with none, the pages are mapped anew and touched.
    pub rounds: u64,
    /// The number of these pages among those that the process has at the same time.
    pub place: u64,
    /// The node of the thread that touches them.
    pub home: u64,
    /// The node of the thread that reads them.
    pub node: u64,
}

/// The number of pages that are on another node than the thread that is to read them, counted where they are touched.
pub const REMOTE_PAGES: &str = "remote_pages";

impl Placed {
    /// Whether the pages are on another node than their reader.
    pub fn is_remote(&self) -> bool {
        self.home != self.node
    }
}

/// Loads and stores of 8 bytes each, walking through memory.
///
/// Load and store take turns at the same word as long as there are both; then the walk goes `stride_bytes` on, and
/// starts again where it leaves the working set. Both sizes count in whole words, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWork {
    /// The number of loads.
    pub loads: u64,
    /// The number of stores.
    pub stores: u64,
    /// The memory that the walk covers, in bytes.
    pub working_set_bytes: u64,
    /// The length of a step, in bytes.
    pub stride_bytes: u64,
}

impl MemoryWork {
    /// Checks that this machine can do it.
    ///
    /// # Errors
    /// The working set is larger than the machine's memory.
    pub fn check(&self) -> Result<(), MemoryWorkError> {
        let memory_bytes = machine::memory_bytes();
        if self.working_set_bytes > memory_bytes {
            return Err(MemoryWorkError { asked_bytes: self.working_set_bytes, memory_bytes });
        }
        Ok(())
    }
}

/// A working set that does not fit into the machine.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "a working set of {asked_bytes} bytes does not fit into this machine's {memory_bytes} bytes of memory; use less"
)]
pub struct MemoryWorkError {
    /// The memory asked for, in bytes.
    pub asked_bytes: u64,
    /// The memory of the machine, in bytes.
    pub memory_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_spread_over_cores_in_turn() {
        let sharers = |place, places, cores| Bound { operations: 1, place, places, cores }.sharers();
        assert_eq!((0..4).map(|place| sharers(place, 4, 1)).collect::<Vec<_>>(), [4; 4]);
        assert_eq!((0..5).map(|place| sharers(place, 5, 3)).collect::<Vec<_>>(), [2, 2, 1, 2, 2]);
        assert_eq!(sharers(0, 0, 0), 1);
    }

    #[test]
    fn a_working_set_larger_than_the_machine_is_refused() {
        let fits = MemoryWork { loads: 1, stores: 1, working_set_bytes: 4096, stride_bytes: 64 };
        assert_eq!(fits.check(), Ok(()));
        let refused = MemoryWork { working_set_bytes: u64::MAX, ..fits }.check().unwrap_err();
        assert_eq!(refused.asked_bytes, u64::MAX);
        assert!(refused.to_string().contains("does not fit into this machine's"), "{refused}");
    }
}
