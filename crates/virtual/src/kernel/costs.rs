//! The costs of operations in virtual time: how long work takes that is described by its amount.

use ats_work::Amount;
use ats_work::amount::{
    Allocations, Bound, Branches, Chase, MemoryWork, Multiplications, Pages, Placed, Readings, Triad,
    Updates, Writes,
};

/// The costs of operations of an ideal processor, in seconds, and the sizes of its caches, in bytes.
///
/// A load misses a cache if the lines of its cycle do not fit in, and takes as long as the first level that they fit into
/// says. The defaults are those of a server's processor of about 2020 at 4 GHz, rounded: they tell properties from their
/// twins as clearly as real machines do, and are nobody's measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// An operation that waits for the one before: four steps.
    pub operation: f64,
    /// An operation that waits for none: one step.
    pub independent: f64,
    /// A load that finds its line in the first cache.
    pub l1_hit: f64,
    /// A load that finds its line in the second cache.
    pub l2_hit: f64,
    /// A load that finds its line in the third cache.
    pub l3_hit: f64,
    /// A load from memory.
    pub miss: f64,
    /// A load whose address has no translation at hand, besides the load itself.
    pub tlb_miss: f64,
    /// An atomic update of a word in a line that no other thread updates.
    pub update: f64,
    /// An update of a word in a line that other threads update at the same time: it has to come from one of them.
    pub transfer: f64,
    /// A branch that goes as predicted.
    pub branch: f64,
    /// A branch that goes another way than predicted, besides the branch itself.
    pub mispredicted: f64,
    /// An operation on a subnormal number.
    pub subnormal: f64,
    /// A sine or cosine.
    pub sine: f64,
    /// The first store into a page.
    pub fault: f64,
    /// A call that writes.
    pub write: f64,
    /// A byte of a write, of a column without gaps in a message, or of an array that does not fit into a cache.
    pub byte: f64,
    /// A byte of memory that is on another node than the thread that loads it.
    pub remote: f64,
    /// An element of a column with gaps that a process packs into its message or unpacks; without gaps its bytes are copied.
    pub packed: f64,
    /// An allocation, with its release.
    pub allocation: f64,
    /// The first cache.
    pub l1: f64,
    /// The second cache.
    pub l2: f64,
    /// The third cache.
    pub l3: f64,
    /// The memory whose translations are at hand, in small pages.
    pub tlb: f64,
    /// A cycle of the processor, in which it completes an instruction. With it, a trace has counters of the work; it changes no
    /// time.
    pub cycle: f64,
}

/// A key of [`Costs`] in words.
#[derive(Clone, Copy, Debug)]
pub struct CostKey {
    /// The word.
    pub name: &'static str,
    /// Whether its value is a number of bytes; else it is a time.
    pub is_bytes: bool,
    /// The field.
    pub field: fn(&mut Costs) -> &mut f64,
}

/// Lists the keys: word, kind of value, field and default.
macro_rules! costs {
    ($($name:literal $is_bytes:literal $field:ident $default:literal;)*) => {
        impl Default for Costs {
            fn default() -> Self {
                Costs { $($field: $default),* }
            }
        }

        impl Costs {
            /// The keys of all fields, in the order of these.
            pub const KEYS: &[CostKey] =
                &[$(CostKey { name: $name, is_bytes: $is_bytes, field: |costs| &mut costs.$field }),*];
        }
    };
}

costs! {
    "operation" false operation 1e-9;
    "independent" false independent 0.25e-9;
    "l1-hit" false l1_hit 1e-9;
    "l2-hit" false l2_hit 4e-9;
    "l3-hit" false l3_hit 20e-9;
    "miss" false miss 80e-9;
    "tlb-miss" false tlb_miss 10e-9;
    "update" false update 5e-9;
    "transfer" false transfer 50e-9;
    "branch" false branch 1e-9;
    "mispredicted" false mispredicted 5e-9;
    "subnormal" false subnormal 40e-9;
    "sine" false sine 10e-9;
    "fault" false fault 500e-9;
    "write" false write 200e-9;
    "byte" false byte 0.1e-9;
    "remote" false remote 0.2e-9;
    "packed" false packed 5e-9;
    "allocation" false allocation 50e-9;
    "l1" true l1 32_768.0;
    "l2" true l2 1_048_576.0;
    "l3" true l3 33_554_432.0;
    "tlb" true tlb 6_291_456.0;
    "cycle" false cycle 0.0;
}

/// Bytes of a line of a cache, the least that a load brings there.
const LINE_BYTES: u64 = 64;

/// Bytes of a small page.
const PAGE_BYTES: u64 = 4096;

impl Costs {
    /// Seconds of work: threads that are bound to one core share its time.
    pub fn seconds(&self, amount: &Amount) -> f64 {
        let sharers = if let Amount::Bound(bound) = amount { bound.sharers() } else { 1 };
        sharers as f64 * self.processor_seconds(amount)
    }

    /// Seconds of work on the processor.
    pub(crate) fn processor_seconds(&self, amount: &Amount) -> f64 {
        match *amount {
            Amount::Flops(n) | Amount::IntOps(n) | Amount::Additions(n) => n as f64 * self.operation,
            Amount::Bound(Bound { operations, .. }) => operations as f64 * self.operation,
            // A conversion takes two steps more than an addition, on all processors that list both.
            Amount::Conversions(n) => n as f64 * 1.5 * self.operation,
            Amount::Sines(n) => 2.0 * n as f64 * self.sine,
            Amount::Memory(MemoryWork { loads, stores, .. }) => (loads + stores) as f64 * self.l1_hit,
            Amount::Chase(chase) => (chase.lines * chase.rounds) as f64 * self.load(&chase),
            Amount::Triad(Triad { elements, rounds, streams }) => {
                let bytes = 3.0 * 8.0 * elements as f64;
                let each = 2.0 * self.independent
                    + if bytes > self.l1 { 24.0 * self.byte * streams as f64 } else { 0.0 };
                (elements * rounds) as f64 * each
            }
            Amount::Updates(Updates { number, places, padded, atomic, .. }) => {
                let alone = if atomic { self.update } else { self.independent };
                number as f64 * if padded || places < 2 { alone } else { self.transfer }
            }
            Amount::Readings(Readings { bytes, copied }) => {
                // A copy loads and stores each byte besides.
                let bytes = if copied { 3 * bytes } else { bytes };
                bytes as f64 * self.byte
            }
            Amount::Branches(Branches { number, share, .. }) => {
                let share = share.clamp(0.0, 1.0);
                number as f64 * (self.branch + share.min(1.0 - share) * self.mispredicted)
            }
            Amount::Multiplications(Multiplications { number, independent, subnormal }) => {
                let usual = if independent { self.independent } else { self.operation };
                number as f64 * if subnormal { self.subnormal } else { usual }
            }
            Amount::Pages(Pages { number, fresh }) => {
                number as f64 * if fresh { self.fault } else { self.l1_hit }
            }
            Amount::Writes(Writes { calls, bytes, .. }) => {
                calls as f64 * (self.write + bytes as f64 * self.byte)
            }
            Amount::Allocations(Allocations { number, .. }) => number as f64 * self.allocation,
            Amount::Placed(Placed { pages, rounds: 0, .. }) => pages as f64 * self.fault,
            Amount::Placed(work) => {
                let byte = if work.is_remote() { self.remote } else { self.byte };
                (work.rounds * work.pages * PAGE_BYTES) as f64 * byte
            }
        }
    }

    /// Seconds of packing elements of so many bytes into a message, or of unpacking them.
    pub(crate) fn packing(&self, elements: usize, bytes: usize, has_gaps: bool) -> f64 {
        elements as f64 * if has_gaps { self.packed } else { bytes as f64 * self.byte }
    }

    /// Loads of data, and those of them that the first cache does not have.
    pub(crate) fn loads(&self, amount: &Amount) -> (u64, u64) {
        match *amount {
            Amount::Chase(chase) => {
                let loads = chase.lines * chase.rounds;
                let bytes = (chase.lines * LINE_BYTES) as f64;
                (loads, if bytes > self.l1 { loads } else { 0 })
            }
            Amount::Memory(MemoryWork { loads, .. }) => (loads, 0),
            _ => (0, 0),
        }
    }

    /// Seconds of a load of a chase.
    fn load(&self, chase: &Chase) -> f64 {
        let bytes = (chase.lines * LINE_BYTES) as f64;
        let levels = [(self.l1, self.l1_hit), (self.l2, self.l2_hit), (self.l3, self.l3_hit)];
        let level = levels.into_iter().find(|(size, _)| bytes <= *size);
        let pages = (chase.lines * chase.stride_bytes).div_ceil(PAGE_BYTES).min(chase.lines) * PAGE_BYTES;
        let is_translated = chase.huge_pages || pages as f64 <= self.tlb;
        level.map_or(self.miss, |(_, hit)| hit) + if is_translated { 0.0 } else { self.tlb_miss }
    }
}
