//! Hardware and kernel counters, by the names that PAPI, `perf` and Score-P give them.

use crate::machine_counter::MachineCounter;

/// The quantity that a metric counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counted {
    /// Instructions that were completed.
    Instructions,
    /// Cycles of the processor.
    Cycles,
    /// Accesses to the cache of a level, which is counted from 1.
    CacheAccesses(u8),
    /// Accesses to it that miss.
    CacheMisses(u8),
    /// Time of the processor in the program.
    User,
    /// Time of the processor in the kernel.
    System,
    /// Faults of pages, whether these are in memory already or not.
    PageFaults,
    /// Those of them that read a page from a disk.
    MajorFaults,
    /// Those that do without.
    MinorFaults,
    /// Number of times that the process was swapped out of memory.
    Swaps,
}

/// The part of a quantity that a metric covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Accesses to data alone.
    Data,
    /// Accesses to instructions alone.
    Instructions,
    /// Loads of data alone.
    Loads,
    /// Stores of data alone.
    Stores,
}

/// The quantity that a metric counts, and the part it covers; `None` if the name is unknown.
///
/// The last cache that `perf` counts (`LLC-loads`, `cache-misses`) has no level here: machines have two, three or four.
///
/// ```
/// use ats_model::hardware::{Counted, Extent, counted};
/// assert_eq!(counted("PAPI_TOT_INS"), Some((Counted::Instructions, Extent::Whole)));
/// assert_eq!(counted("PAPI_L2_DCM"), Some((Counted::CacheMisses(2), Extent::Data)));
/// assert_eq!(counted("bytes_sent"), None);
/// ```
pub fn counted(metric: &str) -> Option<(Counted, Extent)> {
    use Extent::{Instructions, Loads, Stores, Whole};
    if let Some(known) = MachineCounter::known(metric).and_then(whole) {
        return Some((known, Whole));
    }
    let known = match metric {
        "user" | "user_time" => (Counted::User, Whole),
        "system" | "system_time" => (Counted::System, Whole),
        "major_faults" => (Counted::MajorFaults, Whole),
        "minor_faults" => (Counted::MinorFaults, Whole),
        "swaps" | "ru_nswap" => (Counted::Swaps, Whole),
        "L1-dcache-loads" => (Counted::CacheAccesses(1), Loads),
        "L1-dcache-stores" => (Counted::CacheAccesses(1), Stores),
        "L1-dcache-load-misses" => (Counted::CacheMisses(1), Loads),
        "L1-dcache-store-misses" => (Counted::CacheMisses(1), Stores),
        "L1-icache-load-misses" => (Counted::CacheMisses(1), Instructions),
        _ => return of_papi(metric),
    };
    Some(known)
}

/// Whether a name is that of a counter of events or bytes: one that a recorder of ours has, or one of PAPI's.
pub fn is_counter(metric: &str) -> bool {
    MachineCounter::known(metric).is_some_and(|counter| counter.unit() != "s") || metric.starts_with("PAPI_")
}

/// The quantity that a counter has all of, by whatever name.
fn whole(counter: MachineCounter) -> Option<Counted> {
    match counter {
        MachineCounter::Instructions => Some(Counted::Instructions),
        MachineCounter::Cycles => Some(Counted::Cycles),
        MachineCounter::UserTime => Some(Counted::User),
        MachineCounter::SystemTime => Some(Counted::System),
        MachineCounter::PageFaults => Some(Counted::PageFaults),
        MachineCounter::MajorFaults => Some(Counted::MajorFaults),
        MachineCounter::MinorFaults => Some(Counted::MinorFaults),
        _ => None,
    }
}

/// Of `PAPI_L1_DCA`, `PAPI_L2_TCM` …: level; data, instructions or both; accesses or misses.
fn of_papi(metric: &str) -> Option<(Counted, Extent)> {
    let (level, what) = metric.strip_prefix("PAPI_L")?.split_once('_')?;
    let level = level.parse().ok()?;
    let (kind, counted) = match what.split_at_checked(1)? {
        (kind, "CA") => (kind, Counted::CacheAccesses(level)),
        (kind, "CM") => (kind, Counted::CacheMisses(level)),
        _ => return None,
    };
    match kind {
        "T" => Some((counted, Extent::Whole)),
        "D" => Some((counted, Extent::Data)),
        "I" => Some((counted, Extent::Instructions)),
        _ => None,
    }
}

/// The length of a unit of time in seconds; `None` if it is not a unit of time.
pub fn seconds(unit: &str) -> Option<f64> {
    match unit {
        "s" => Some(1.0),
        "ms" => Some(1e-3),
        "us" | "µs" => Some(1e-6),
        "ns" => Some(1e-9),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, Extent, counted, is_counter};

    #[test]
    fn counters_of_events_are_known_by_their_names() {
        for (metric, known) in
            [("PAPI_FP_OPS", true), ("branches", true), ("ru_utime", false), ("time", false)]
        {
            assert_eq!(is_counter(metric), known, "{metric}");
        }
    }

    #[test]
    fn names_of_other_counters_are_none() {
        for metric in
            ["", "PAPI_", "PAPI_L", "PAPI_L1", "PAPI_L1_", "PAPI_L1_LDM", "PAPI_L1_XCM", "PAPI_Lx_DCM"]
        {
            assert_eq!(counted(metric), None, "{metric}");
        }
        assert_eq!(counted("PAPI_L1_é"), None);
        assert_eq!(counted("PAPI_L3_TCA"), Some((Counted::CacheAccesses(3), Extent::Whole)));
        assert_eq!(counted("PAPI_L1_ICM"), Some((Counted::CacheMisses(1), Extent::Instructions)));
        assert_eq!(counted("ru_majflt"), Some((Counted::MajorFaults, Extent::Whole)));
    }
}
