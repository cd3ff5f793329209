//! Counters of the operating system and of the hardware that a recorder can read for each thread: their names, units and
//! sources, as rows of one table.

use crate::listed;
use crate::metric::{Base, MetricDefinition, ValueProperty, ValueType};
use crate::mistakes::nearest;

listed! {
    /// A counter of the machine. All count from the begin of a thread.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum MachineCounter {
        /// Faults of pages, whether they read a disk or not.
        PageFaults,
        /// Faults of pages that read no disk.
        MinorFaults,
        /// Faults of pages that read a disk.
        MajorFaults,
        /// Times that the thread gave the processor back or lost it.
        ContextSwitches,
        /// Times that it gave the processor back, to sleep or to wait.
        VoluntarySwitches,
        /// Times that it lost the processor while it could go on.
        InvoluntarySwitches,
        /// Time on a processor, in the program.
        UserTime,
        /// Time on a processor, in the kernel.
        SystemTime,
        /// Time on a processor, in the program and in the kernel.
        TaskClock,
        /// Calls that read: of files, pipes and sockets.
        ReadCalls,
        /// Calls that write.
        WriteCalls,
        /// Bytes that these calls read, from a disk or not.
        BytesRead,
        /// Bytes that these calls write.
        BytesWritten,
        /// Calls that return memory of the heap.
        Allocations,
        /// Calls that take it back.
        Frees,
        /// Bytes that were asked for.
        AllocatedBytes,
        /// Instructions of the program that were completed.
        Instructions,
        /// Cycles of the processor in the program.
        Cycles,
        /// Branches of the program that were completed.
        Branches,
        /// Those of them that the processor took for others.
        BranchMisses,
        /// Loads that ask the first cache of data.
        FirstCacheLoads,
        /// Those of them that it does not have.
        FirstCacheMisses,
        /// Loads that ask the last cache.
        LastCacheLoads,
        /// Those of them that it does not have.
        LastCacheLoadMisses,
        /// Accesses of any kind to the cache that the kernel takes for the last.
        CacheReferences,
        /// Those of them that it does not have.
        CacheMisses,
        /// Loads whose page the table of translations does not have.
        TranslationMisses,
    }
}

/// The part of the system that tells counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterSource {
    /// `getrusage` of the thread.
    Usage,
    /// The thread's own clock of processor time.
    Clock,
    /// The file [`CounterSource::IO_FILE`].
    Io,
    /// The functions of the C library that allocate memory.
    Allocations,
    /// The hardware, through the kernel's perf events.
    Hardware(HardwareEvent),
}

/// An event of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardwareEvent {
    /// Its type, as `perf_event_open(2)` numbers them.
    pub kind: u32,
    /// The event among those of the type.
    pub config: u64,
    /// Whether valgrind's cachegrind simulates it.
    pub is_simulated: bool,
}

impl CounterSource {
    /// The file that tells a thread what it has read and written.
    pub const IO_FILE: &str = "/proc/thread-self/io";

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            CounterSource::Usage => "getrusage",
            CounterSource::Clock => "CLOCK_THREAD_CPUTIME_ID",
            CounterSource::Io => Self::IO_FILE,
            CounterSource::Allocations => "malloc and its relatives",
            CounterSource::Hardware(_) => "perf_event_open",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    source: CounterSource,
    unit: &'static str,
    /// The power of 10 that a value is multiplied with.
    exponent: i64,
}

/// A row of a counter in units of 1.
const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    source: CounterSource,
    unit: &'static str,
) -> Row {
    Row { name, aliases, about, source, unit, exponent: 0 }
}

/// A generic event of the hardware, by its number; `PERF_TYPE_HARDWARE`.
const fn generic(config: u64, is_simulated: bool) -> CounterSource {
    CounterSource::Hardware(HardwareEvent { kind: 0, config, is_simulated })
}

/// Loads of a cache, by its number, or those that miss; `PERF_TYPE_HW_CACHE`.
const fn loads(cache: u64, miss: bool, is_simulated: bool) -> CounterSource {
    CounterSource::Hardware(HardwareEvent { kind: 3, config: cache | (miss as u64) << 16, is_simulated })
}

/// The table. Names are those of getrusage(2), as in Score-P, of proc(5), or of perf, where they have them. Aliases of events of
/// the hardware are PAPI's names of what comes nearest: perf's events of caches count loads alone.
const ROWS: [(MachineCounter, Row); MachineCounter::ALL.len()] = [
    (
        MachineCounter::PageFaults,
        row("page_faults", &["page-faults", "faults"], "page faults", CounterSource::Usage, "occ"),
    ),
    (
        MachineCounter::MinorFaults,
        row("ru_minflt", &["minor-faults"], "page faults that read no disk", CounterSource::Usage, "occ"),
    ),
    (
        MachineCounter::MajorFaults,
        row("ru_majflt", &["major-faults"], "page faults that read a disk", CounterSource::Usage, "occ"),
    ),
    (
        MachineCounter::ContextSwitches,
        row("context_switches", &["context-switches", "cs"], "context switches", CounterSource::Usage, "occ"),
    ),
    (
        MachineCounter::VoluntarySwitches,
        row(
            "ru_nvcsw",
            &[],
            "context switches of a thread that sleeps or waits",
            CounterSource::Usage,
            "occ",
        ),
    ),
    (
        MachineCounter::InvoluntarySwitches,
        row("ru_nivcsw", &[], "context switches of a thread that could go on", CounterSource::Usage, "occ"),
    ),
    (
        MachineCounter::UserTime,
        Row {
            exponent: -6,
            ..row("ru_utime", &[], "processor time in the program", CounterSource::Usage, "s")
        },
    ),
    (
        MachineCounter::SystemTime,
        Row {
            exponent: -6,
            ..row("ru_stime", &[], "processor time in the kernel", CounterSource::Usage, "s")
        },
    ),
    (
        MachineCounter::TaskClock,
        Row {
            exponent: -9,
            ..row("task_clock", &["task-clock"], "processor time", CounterSource::Clock, "s")
        },
    ),
    (MachineCounter::ReadCalls, row("syscr", &[], "system calls that read", CounterSource::Io, "occ")),
    (MachineCounter::WriteCalls, row("syscw", &[], "system calls that write", CounterSource::Io, "occ")),
    (
        MachineCounter::BytesRead,
        row("rchar", &[], "bytes that system calls read", CounterSource::Io, "bytes"),
    ),
    (
        MachineCounter::BytesWritten,
        row("wchar", &[], "bytes that system calls write", CounterSource::Io, "bytes"),
    ),
    (
        MachineCounter::Allocations,
        row("allocations", &[], "calls that allocate memory", CounterSource::Allocations, "occ"),
    ),
    (MachineCounter::Frees, row("frees", &[], "calls that free memory", CounterSource::Allocations, "occ")),
    (
        MachineCounter::AllocatedBytes,
        row(
            "allocated_bytes",
            &[],
            "bytes of memory that are asked for",
            CounterSource::Allocations,
            "bytes",
        ),
    ),
    (
        MachineCounter::Instructions,
        row("instructions", &["PAPI_TOT_INS"], "instructions", generic(1, true), "occ"),
    ),
    (
        MachineCounter::Cycles,
        row("cycles", &["cpu-cycles", "PAPI_TOT_CYC"], "processor cycles", generic(0, false), "occ"),
    ),
    (
        MachineCounter::Branches,
        row("branches", &["branch-instructions", "PAPI_BR_INS"], "branches", generic(4, true), "occ"),
    ),
    (
        MachineCounter::BranchMisses,
        row(
            "branch-misses",
            &["PAPI_BR_MSP"],
            "branches that were predicted wrongly",
            generic(5, true),
            "occ",
        ),
    ),
    (
        MachineCounter::FirstCacheLoads,
        row(
            "L1-dcache-loads",
            &["PAPI_L1_DCA", "PAPI_LD_INS"],
            "loads from the first cache of data",
            loads(0, false, true),
            "occ",
        ),
    ),
    (
        MachineCounter::FirstCacheMisses,
        row(
            "L1-dcache-load-misses",
            &["PAPI_L1_DCM", "PAPI_L1_LDM"],
            "loads that the first cache of data does not have",
            loads(0, true, true),
            "occ",
        ),
    ),
    (
        MachineCounter::LastCacheLoads,
        row("LLC-loads", &[], "loads from the last cache", loads(2, false, true), "occ"),
    ),
    (
        MachineCounter::LastCacheLoadMisses,
        row("LLC-load-misses", &[], "loads that the last cache does not have", loads(2, true, true), "occ"),
    ),
    (
        MachineCounter::CacheReferences,
        row(
            "cache-references",
            &[],
            "accesses to the last cache, as the kernel has it for this processor",
            generic(2, true),
            "occ",
        ),
    ),
    (
        MachineCounter::CacheMisses,
        row("cache-misses", &[], "those of cache-references that miss", generic(3, true), "occ"),
    ),
    (
        MachineCounter::TranslationMisses,
        row(
            "dTLB-load-misses",
            &["PAPI_TLB_DM"],
            "loads whose page the TLB does not have",
            loads(3, true, false),
            "occ",
        ),
    ),
];

impl MachineCounter {
    const fn row(self) -> Row {
        ROWS[self as usize].1
    }

    /// Its name, in lists and in traces.
    ///
    /// ```
    /// use ats_model::machine_counter::MachineCounter;
    /// assert_eq!(MachineCounter::named("syscw"), Ok(MachineCounter::WriteCalls));
    /// assert_eq!(MachineCounter::named("PAPI_TOT_INS"), MachineCounter::named("instructions"));
    /// assert!(MachineCounter::named("sysw").unwrap_err().contains("syscw"));
    /// ```
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Other names that options take: perf's and PAPI's.
    pub const fn aliases(self) -> &'static [&'static str] {
        self.row().aliases
    }

    /// A line about it, for lists.
    pub const fn about(self) -> &'static str {
        self.row().about
    }

    /// The unit of its values: `occ`, `bytes` or `s`.
    pub const fn unit(self) -> &'static str {
        self.row().unit
    }

    /// The part of the system that tells it.
    pub const fn source(self) -> CounterSource {
        self.row().source
    }

    /// The event of the hardware that it counts, if it is one.
    pub const fn hardware(self) -> Option<HardwareEvent> {
        match self.source() {
            CounterSource::Hardware(event) => Some(event),
            _ => None,
        }
    }

    /// Its definition as a metric of a trace.
    pub fn definition(self) -> MetricDefinition {
        let Row { name, unit, exponent, .. } = self.row();
        MetricDefinition {
            name: name.to_owned(),
            unit: unit.to_owned(),
            property: ValueProperty::Accumulated,
            value_type: ValueType::Uint64,
            base: Base::Decimal,
            exponent,
        }
    }

    /// All its names, its own first.
    fn names(self) -> impl Iterator<Item = &'static str> {
        [self.name()].into_iter().chain(self.aliases().iter().copied())
    }

    /// The counter of a name, if there is one.
    pub fn known(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|counter| counter.names().any(|known| known == name))
    }

    /// The name of a counter among those that are there: the wanted name, or else another one of the same counter. Where
    /// there are several, it is the first in the order of the table.
    ///
    /// ```
    /// use ats_model::machine_counter::MachineCounter;
    /// let recorded = ["instructions", "PAPI_L1_LDM", "PAPI_L1_DCM"];
    /// let name = |wanted| MachineCounter::name_among(wanted, |name| recorded.contains(&name));
    /// assert_eq!(name("PAPI_TOT_INS"), Some("instructions"));
    /// assert_eq!(name("PAPI_L1_LDM"), Some("PAPI_L1_LDM"));
    /// assert_eq!(name("L1-dcache-load-misses"), Some("PAPI_L1_DCM"));
    /// assert_eq!(name("cycles"), None);
    /// ```
    pub fn name_among(wanted: &str, is_there: impl Fn(&str) -> bool) -> Option<&str> {
        if is_there(wanted) {
            return Some(wanted);
        }
        Self::known(wanted)?.names().find(|name| is_there(name))
    }

    /// The counter of a name.
    ///
    /// # Errors
    /// There is none; in words, with the name that is most like it, or with all.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::known(name).ok_or_else(|| {
            let fix = nearest(name, Self::ALL.into_iter().flat_map(Self::names)).map_or_else(
                || format!("there are {}", Self::ALL.map(Self::name).join(", ")),
                |nearest| format!("did you mean {nearest}?"),
            );
            format!("there is no counter `{name}`; {fix}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (counter, row) in MachineCounter::ALL.into_iter().zip(ROWS) {
            assert_eq!(row.0, counter);
            assert_eq!(counter.definition().name, counter.name());
            for name in [counter.name()].iter().chain(counter.aliases()) {
                assert_eq!(MachineCounter::named(name), Ok(counter));
            }
        }
        assert!(MachineCounter::named("page-fault").unwrap_err().ends_with("did you mean page_faults?"));
        assert!(MachineCounter::named("PAPI_BR_MPS").unwrap_err().ends_with("did you mean PAPI_BR_MSP?"));
        assert!(
            MachineCounter::named("nothing_of_these")
                .unwrap_err()
                .contains("there are page_faults, ru_minflt")
        );
    }

    /// As `linux/perf_event.h` numbers them.
    #[test]
    fn events_of_the_hardware_are_the_kernels() {
        let event =
            |name| MachineCounter::named(name).unwrap().hardware().map(|event| (event.kind, event.config));
        assert_eq!(event("PAPI_TOT_INS"), Some((0, 1)));
        assert_eq!(event("branch-misses"), Some((0, 5)));
        assert_eq!(event("L1-dcache-load-misses"), Some((3, 0x1_0000)));
        assert_eq!(event("PAPI_TLB_DM"), Some((3, 0x1_0003)));
        assert_eq!(event("ru_stime"), None);
    }
}
