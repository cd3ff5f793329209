//! The constructs of OpenMP, and the established names of their regions.
//!
//! A recorder appends the place of a construct: `!$omp barrier @heat.c:17`. The virtual engine knows no source lines
//! and omits it; [`without_place`] makes both comparable.

use crate::definitions::RegionRole;
use crate::listed;

/// The property of a process whose runtime ended before it: when, in ticks of the trace's clock.
pub const ENDED: &str = "ATS::OPENMP_ENDED";

listed! {
    /// An OpenMP construct or a part of one that is a region of its own, as Score-P and OPARI2 divide them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[allow(missing_docs, reason = "each variant is the construct of its name")]
    pub enum Construct {
        Parallel,
        For,
        Sections,
        Section,
        Single,
        /// The body of a single, on the thread that executes it.
        SingleBlock,
        Master,
        Critical,
        /// The body of a critical: the lock is held.
        CriticalBlock,
        Ordered,
        /// The body of an ordered: it is this iteration's turn.
        OrderedBlock,
        Atomic,
        Reduction,
        Barrier,
        /// The barrier at the end of a parallel region, a loop, sections or a single.
        ImplicitBarrier,
        CreateTask,
        Task,
        TaskWait,
        TaskGroup,
        Flush,
        SetLock,
        UnsetLock,
        TestLock,
        SetNestLock,
        UnsetNestLock,
        TestNestLock,
    }
}

impl Construct {
    /// The name of its region, without the place in the source.
    pub const fn region(self) -> &'static str {
        use Construct::*;
        match self {
            Parallel => "!$omp parallel",
            For => "!$omp for",
            Sections => "!$omp sections",
            Section => "!$omp section",
            Single => "!$omp single",
            SingleBlock => "!$omp single sblock",
            Master => "!$omp master",
            Critical => "!$omp critical",
            CriticalBlock => "!$omp critical sblock",
            Ordered => "!$omp ordered",
            OrderedBlock => "!$omp ordered sblock",
            Atomic => "!$omp atomic",
            Reduction => "!$omp reduction",
            Barrier => "!$omp barrier",
            ImplicitBarrier => "!$omp implicit barrier",
            CreateTask => "!$omp create task",
            Task => "!$omp task",
            TaskWait => "!$omp taskwait",
            TaskGroup => "!$omp taskgroup",
            Flush => "!$omp flush",
            SetLock => "omp_set_lock",
            UnsetLock => "omp_unset_lock",
            TestLock => "omp_test_lock",
            SetNestLock => "omp_set_nest_lock",
            UnsetNestLock => "omp_unset_nest_lock",
            TestNestLock => "omp_test_nest_lock",
        }
    }

    /// The construct of a region's name, with or without a place.
    pub fn of_region(name: &str) -> Option<Self> {
        let name = without_place(name);
        Self::ALL.into_iter().find(|construct| construct.region() == name)
    }

    /// Whether compilers of C and Fortran tell the OpenMP runtime of it, and so tools that listen to the runtime. An atomic
    /// is an instruction to clang and gcc.
    pub const fn is_told_by_compilers(self) -> bool {
        !matches!(self, Construct::Atomic)
    }

    /// The role of its region.
    pub const fn role(self) -> RegionRole {
        use Construct::*;
        match self {
            Parallel => RegionRole::Parallel,
            For => RegionRole::Loop,
            Sections => RegionRole::Sections,
            Section => RegionRole::Section,
            Single => RegionRole::Single,
            SingleBlock => RegionRole::SingleSblock,
            Master => RegionRole::Master,
            Critical => RegionRole::Critical,
            CriticalBlock => RegionRole::CriticalSblock,
            Ordered => RegionRole::Ordered,
            OrderedBlock => RegionRole::OrderedSblock,
            Atomic | Reduction => RegionRole::Atomic,
            Barrier => RegionRole::Barrier,
            ImplicitBarrier => RegionRole::ImplicitBarrier,
            CreateTask => RegionRole::TaskCreate,
            Task => RegionRole::Task,
            TaskWait | TaskGroup => RegionRole::TaskWait,
            Flush => RegionRole::Flush,
            SetLock | UnsetLock | TestLock | SetNestLock | UnsetNestLock | TestNestLock => {
                RegionRole::Wrapper
            }
        }
    }
}

/// A region's name without the place that a recorder appends to a construct's: `!$omp barrier @heat.c:17` is
/// `!$omp barrier`. Names of anything else stay as they are.
///
/// ```
/// use ats_model::openmp::without_place;
/// assert_eq!(without_place("!$omp barrier @heat.c:17"), "!$omp barrier");
/// assert_eq!(without_place("user @ home"), "user @ home");
/// ```
pub fn without_place(region: &str) -> &str {
    split(region).map_or(region, |(construct, _)| construct)
}

/// The file and line where an OpenMP construct stands, if its region is named after them.
///
/// ```
/// use ats_model::openmp::place;
/// assert_eq!(place("!$omp barrier @heat.c:17"), Some(("heat.c", 17)));
/// assert_eq!(place("!$omp barrier @heat+0x1150"), None);
/// ```
pub fn place(region: &str) -> Option<(&str, u32)> {
    let (file, line) = split(region)?.1.rsplit_once(':')?;
    line.parse().ok().filter(|line| *line > 0).map(|line| (file, line))
}

/// The construct, and where it stands.
fn split(region: &str) -> Option<(&str, &str)> {
    region.split_once(" @").filter(|_| region.starts_with("!$omp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructs_are_known_by_their_regions() {
        for construct in Construct::ALL {
            assert_eq!(Construct::of_region(construct.region()), Some(construct));
        }
        assert_eq!(Construct::of_region("!$omp critical sblock @a.c:3"), Some(Construct::CriticalBlock));
        assert_eq!(Construct::of_region("main"), None);
    }
}
