//! Traits of a region that the analysis needs, looked up once per region and never per event.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use ats_model::{
    CallSite, Definitions,
    definitions::{Paradigm, Region, RegionRole},
    event::{CollectiveOperation, RegionRef},
    mpi::{Arity, Form, Function, Kind, SendMode, Waiting},
    openmp::{self, Construct},
    region_class::{Class, RegionClass},
};
use rustc_hash::FxHashMap;

use crate::words::place::Base;

/// A region, as far as the analysis tells regions apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RegionTraits {
    pub(crate) call: CallKind,
    pub(crate) construct: ConstructKind,
    pub(crate) coverage: Coverage,
    /// Whether it is a call of MPI.
    pub(crate) is_mpi: bool,
    /// Whether its own time is spent in calls of MPI or in waiting for other threads.
    pub(crate) is_waiting: bool,
    /// Whether it is one in which a library acts on open requests.
    pub(crate) makes_progress: bool,
    /// Whether it makes or frees a communicator, together with all members of one.
    pub(crate) is_management: bool,
    /// The operation between all members that it is between neighbours.
    pub(crate) among_neighbors: Option<CollectiveOperation>,
    /// Whether it is an MPI call or an OpenMP construct, whose visits are counted.
    pub(crate) is_counted: bool,
    /// Whether it is the region that severities are relative to.
    pub(crate) is_basis: bool,
    /// Whether the place is known where it is called, or stands.
    pub(crate) has_place: bool,
    /// Whether calls in it may have functions between them and it: a construct, but for a task, whose functions are those of
    /// the thread that executes it.
    pub(crate) has_functions: bool,
    /// Whether it is a function that the compiler marks.
    pub(crate) is_function: bool,
    /// The region of its function, which events leave, if it stands for calls.
    pub(crate) function: Option<RegionRef>,
}

impl RegionTraits {
    fn new(region: &Region, basis: Option<&str>) -> Self {
        let function = Function::of_spelling(&region.name);
        // Not every recorder gives the paradigm.
        let is_mpi = region.paradigm == Paradigm::Mpi || function.is_some();
        let class = RegionClass::for_region(&region.name, region.role, region.paradigm);
        RegionTraits {
            call: function.map_or(CallKind::Plain, CallKind::from_function),
            construct: ConstructKind::from_region(region),
            coverage: function
                .map_or(Coverage::Full, |function| Coverage::from_function(function, &region.name)),
            is_mpi,
            is_waiting: is_mpi || class.is_some_and(|class| class.class == Class::Synchronisation),
            makes_progress: function.is_some_and(Function::makes_progress),
            is_management: function.is_some_and(is_management),
            among_neighbors: function.and_then(Function::among_neighbors),
            is_counted: matches!(region.paradigm, Paradigm::Mpi | Paradigm::OpenMp),
            is_basis: basis == Some(region.name.as_str()),
            has_place: place_of(region).is_some(),
            has_functions: region.paradigm == Paradigm::OpenMp
                && ConstructKind::from_region(region) != ConstructKind::Task,
            is_function: region.paradigm == Paradigm::Compiler,
            function: None,
        }
    }
}

fn is_management(function: Function) -> bool {
    matches!(function.kind(), Kind::Communicator(_)) && function.waiting() == Waiting::Analyzed
}

/// Kinds of calls, by the rules for the messages that they complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum CallKind {
    /// Waits for late senders and for late receivers.
    #[default]
    Plain,
    /// `MPI_Sendrecv`, buffered and ready sends: never waits for a late receiver.
    NoLateReceiver,
    /// `MPI_Ssend`, `MPI_Issend`: not over before the receive is posted, and plain otherwise.
    Synchronous,
    /// `MPI_Waitall`, `MPI_Waitany`, `MPI_Waitsome`: completes requests in whatever order, and plain otherwise.
    AnyOrder,
    /// The `MPI_Test` family, and `MPI_Request_free` if a recorder may test there: never waits.
    Test,
    /// `MPI_Probe`: finds a message that a receive takes.
    Probe,
    /// `MPI_Mprobe`: finds a message, and takes it away for a matched receive.
    MatchedProbe,
    /// `MPI_Mrecv`, `MPI_Imrecv`: plain otherwise.
    MatchedReceive,
    /// `MPI_Init`, `MPI_Init_thread`.
    Init,
    /// The call of `MPI_Finalize`.
    Finalize,
    /// A record outside every call of MPI: when its call was entered and left is not known.
    Lost,
    /// A call with times that are wrong: it keeps its place among others, and no wait for it is counted.
    Mistimed,
}

impl CallKind {
    /// Whether it is known when the call was entered and left.
    pub(crate) fn has_times(self) -> bool {
        !matches!(self, CallKind::Lost | CallKind::Mistimed)
    }

    /// Whether the call may have waited for a message. Waits in `MPI_Finalize` are a wait state of their own.
    pub(crate) fn may_wait_for_sender(self) -> bool {
        self.has_times() && !matches!(self, CallKind::Test | CallKind::Finalize)
    }

    /// Whether a send that completes in the call may have waited for its receiver.
    pub(crate) fn may_wait_for_receiver(self) -> bool {
        matches!(self, CallKind::Plain | CallKind::Synchronous | CallKind::AnyOrder)
    }

    /// The kind of a function of MPI.
    fn from_function(function: Function) -> Self {
        match function {
            Function::Probe => return CallKind::Probe,
            Function::Mprobe => return CallKind::MatchedProbe,
            Function::Mrecv | Function::Imrecv => return CallKind::MatchedReceive,
            _ => {}
        }
        match function.kind() {
            Kind::Initialize => CallKind::Init,
            Kind::Finalize => CallKind::Finalize,
            Kind::Send(SendMode::Synchronous) => CallKind::Synchronous,
            // What a non-blocking one starts says nothing of sends in standard mode.
            Kind::Send(SendMode::Buffered | SendMode::Ready) => CallKind::NoLateReceiver,
            Kind::Completion { tests: true, .. } => CallKind::Test,
            Kind::Completion { of: Arity::Any | Arity::Some | Arity::All, .. } => CallKind::AnyOrder,
            _ if function == Function::Request_free => CallKind::Test,
            _ if !function.may_wait_for_receiver() => CallKind::NoLateReceiver,
            _ => CallKind::Plain,
        }
    }
}

/// Whether the analysis knows the cause of waits in a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// Yes, or the call waits for nothing.
    #[default]
    Full,
    /// Known if the call has a record. Without one it did nothing, or something on an intercommunicator.
    Recorded,
    /// Known if the call has a record. Without one the recorder knows functions with large counts by name alone.
    LargeCounts,
    /// Known if the call has a record: it makes or frees a communicator.
    Management,
    /// Known if the call completed a message. Otherwise it may have completed another request.
    Completion,
    /// Not known.
    None,
    /// Known if the call has a record. Otherwise the purpose of the request that it yields is not known either.
    Request,
    /// Yes, but its request may be completed without a record: a message in partitions.
    Prepared,
    /// Not known, and it yields an intercommunicator.
    Intercommunicator,
    /// Yes, and it yields an intercommunicator: `MPI_Comm_get_parent`.
    Parent,
}

impl Coverage {
    fn from_function(function: Function, name: &str) -> Self {
        match (function.waiting(), function.kind()) {
            (Waiting::NotAnalyzed(_), _) if function.yields_request() => Coverage::Request,
            (Waiting::NotAnalyzed(_), _) if function.yields_intercommunicator() => {
                Coverage::Intercommunicator
            }
            (Waiting::NotAnalyzed(_), _) => Coverage::None,
            (Waiting::Never, _) if function.form() == Form::Partitioned => Coverage::Prepared,
            (Waiting::Never, _) if function.yields_intercommunicator() => Coverage::Parent,
            (Waiting::Never, _) | (_, Kind::Initialize | Kind::Finalize) => Coverage::Full,
            (Waiting::Analyzed, Kind::Communicator(_)) => Coverage::Management,
            (Waiting::Analyzed, Kind::Completion { .. }) => Coverage::Completion,
            (Waiting::Analyzed, Kind::Collective(_)) if function.yields_request() => Coverage::Request,
            (Waiting::Analyzed, _) if Function::has_large_counts(name) => Coverage::LargeCounts,
            (Waiting::Analyzed, _) => Coverage::Recorded,
        }
    }
}

/// The kind of a region in OpenMP, as far as the analysis tells constructs apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ConstructKind {
    /// No construct, or one without waits.
    #[default]
    Plain,
    Parallel,
    Barrier,
    ImplicitBarrier,
    Critical,
    SetLock,
    SetNestLock,
    /// Has a lock without a wait that a metric counts: `omp_test_lock`, ordered, atomic.
    OtherLock,
    Task,
}

impl ConstructKind {
    /// The kind of a region by its name, if that is one of OpenMP's, else by its role: a recorder may give a construct
    /// that only resembles a barrier (`!$omp taskwait`) the role of one.
    fn from_region(region: &Region) -> Self {
        let named = Construct::of_region(region.name.trim_end_matches('_'));
        match (region.paradigm, named, region.role) {
            (Paradigm::Mpi, ..) => ConstructKind::Plain,
            (_, Some(construct), _) => Self::of_construct(construct),
            (Paradigm::OpenMp, None, RegionRole::Parallel) => ConstructKind::Parallel,
            (Paradigm::OpenMp, None, RegionRole::Barrier) => ConstructKind::Barrier,
            (Paradigm::OpenMp, None, RegionRole::ImplicitBarrier) => ConstructKind::ImplicitBarrier,
            (Paradigm::OpenMp, None, RegionRole::Critical) => ConstructKind::Critical,
            (Paradigm::OpenMp, None, RegionRole::Atomic | RegionRole::Ordered) => ConstructKind::OtherLock,
            (Paradigm::OpenMp, None, RegionRole::Task) => ConstructKind::Task,
            _ => ConstructKind::Plain,
        }
    }

    fn of_construct(construct: Construct) -> Self {
        match construct {
            Construct::Parallel => ConstructKind::Parallel,
            Construct::Barrier => ConstructKind::Barrier,
            Construct::ImplicitBarrier => ConstructKind::ImplicitBarrier,
            Construct::Critical => ConstructKind::Critical,
            Construct::SetLock => ConstructKind::SetLock,
            Construct::SetNestLock => ConstructKind::SetNestLock,
            Construct::TestLock
            | Construct::TestNestLock
            | Construct::Atomic
            | Construct::Reduction
            | Construct::Ordered => ConstructKind::OtherLock,
            Construct::Task => ConstructKind::Task,
            _ => ConstructKind::Plain,
        }
    }
}

/// The place where a region is called; of a parallel region, where it stands, in an unknown function.
fn place_of(region: &Region) -> Option<CallSite> {
    let stands_at = || {
        let is_parallel = ConstructKind::from_region(region) == ConstructKind::Parallel;
        let (file, line) = openmp::place(&region.name).filter(|_| is_parallel)?;
        let file = if region.file.is_empty() { file.to_owned() } else { region.file.clone() };
        Some(CallSite { function: String::new(), file, line })
    };
    region.call_site.clone().or_else(stands_at)
}

impl Segment {
    /// Its region, named by its function and the places at its ends.
    fn definition(self, definitions: &Definitions) -> Region {
        let region = |region: RegionRef| &definitions.regions[region.0 as usize];
        let [from, to] = self.ends.map(|end| place_of(region(end?)));
        let of_both = || {
            let (from, to) = (from.as_ref()?, to.as_ref()?);
            let is_one = from.line > 0 && from.function == to.function && !from.function.is_empty();
            is_one.then_some((&from.function, to.line <= from.line && from.function != MAIN))
        };
        let around = |Around { function, may_leave }| (&region(function).name, may_leave);
        let function = self.function.map(around).or_else(of_both);
        let places = match (&from, &to) {
            (Some(from), Some(to)) => format!("between {} and {}", from.place(), to.place()),
            (Some(from), None) => format!("after {}", from.place()),
            (None, to) => format!("before {}", to.as_ref().map(CallSite::place).unwrap_or_default()),
        };
        let name = match function {
            Some((function, false)) => format!("{function} {places}"),
            Some((function, true)) => format!("{function} or its callers {places}"),
            None => format!("code {places}"),
        };
        let last_line = to.as_ref().filter(|to| from.as_ref().is_some_and(|from| from.file == to.file));
        let last_line = last_line.map_or(0, |to| to.line);
        let CallSite { file, line, .. } = from.or(to).unwrap_or_default();
        Region {
            name,
            file,
            line,
            last_line,
            role: RegionRole::Code,
            paradigm: Paradigm::Other,
            call_site: None,
        }
    }
}

/// The traits of every region of a trace, and the segments of code between them.
pub(crate) struct Regions {
    traits: Vec<RegionTraits>,
    /// Whether one of them is `MPI_Init`.
    have_init: bool,
    /// Whether one of them is a call of MPI.
    have_mpi: bool,
    segments: Mutex<Segments>,
}

/// Code between two regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Segment {
    /// The regions before and after it; none at the begin or the end of a location.
    pub(crate) ends: [Option<RegionRef>; 2],
    /// The function around it, if the calls that lead to the regions are known.
    pub(crate) function: Option<Around>,
}

/// The innermost function that contains both ends of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Around {
    pub(crate) function: RegionRef,
    /// Whether the location may have left the function meanwhile, and come back to it.
    pub(crate) may_leave: bool,
}

/// The outermost function of a program in C.
const MAIN: &str = "main";

/// The segments of code that locations have passed through; numbered as regions beyond those that are defined.
#[derive(Default)]
struct Segments {
    all: Vec<Segment>,
    numbers: FxHashMap<Segment, u32>,
}

impl Regions {
    pub(crate) fn new(definitions: &Definitions, basis: Option<&str>) -> Self {
        let mut traits: Vec<_> =
            definitions.regions.iter().map(|region| RegionTraits::new(region, basis)).collect();
        for (call, &function) in &definitions.calls {
            traits[call.0 as usize].function = Some(function);
        }
        let have_init = traits.iter().any(|traits| traits.call == CallKind::Init);
        let have_mpi = traits.iter().any(|traits| traits.is_mpi);
        Regions { traits, have_init, have_mpi, segments: Mutex::default() }
    }

    /// Whether one of them is a call of MPI.
    pub(crate) fn have_mpi(&self) -> bool {
        self.have_mpi
    }

    /// The region that a segment of code is.
    pub(crate) fn segment(&self, segment: Segment) -> RegionRef {
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        let Segments { all, numbers } = &mut *segments;
        let number = *numbers.entry(segment).or_insert_with(|| {
            all.push(segment);
            all.len() as u32 - 1
        });
        RegionRef(self.traits.len() as u32 + number)
    }

    /// The definitions, with all segments as regions.
    pub(crate) fn with_segments<'d>(&self, definitions: &'d Definitions) -> Cow<'d, Definitions> {
        let segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        if segments.all.is_empty() {
            return Cow::Borrowed(definitions);
        }
        let mut all = definitions.clone();
        all.regions.extend(segments.all.iter().map(|segment| segment.definition(definitions)));
        Cow::Owned(all)
    }

    /// The phase that a location begins in.
    pub(crate) fn first_phase(&self) -> Base {
        if self.have_init { Base::BEFORE_INIT } else { Base::NOTHING }
    }

    /// The traits of a region; those of a plain function if it is not defined.
    pub(crate) fn traits(&self, region: RegionRef) -> RegionTraits {
        self.traits.get(region.0 as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use ats_model::definitions::{Paradigm, Region, RegionRole};

    use super::{CallKind, ConstructKind, RegionTraits};

    #[test]
    fn a_construct_is_known_by_its_role_or_its_name() {
        let kind = |name: &str, role, paradigm| {
            ConstructKind::from_region(&Region { name: name.into(), role, paradigm, ..Region::default() })
        };
        let (unknown, openmp) = (RegionRole::Unknown, Paradigm::OpenMp);
        assert_eq!(kind("sync", RegionRole::ImplicitBarrier, openmp), ConstructKind::ImplicitBarrier);
        assert_eq!(kind("!$omp barrier @a.c:3", unknown, Paradigm::User), ConstructKind::Barrier);
        assert_eq!(kind("omp_set_lock_", RegionRole::Wrapper, openmp), ConstructKind::SetLock);
        assert_eq!(kind("omp_test_lock", RegionRole::Wrapper, openmp), ConstructKind::OtherLock);
        assert_eq!(kind("MPI_Barrier", RegionRole::Barrier, Paradigm::Mpi), ConstructKind::Plain);
        // As Score-P's OMPT adapter writes them.
        for waits_for_tasks in ["!$omp taskwait @a.c:3", "!$omp taskgroup @a.c:3"] {
            assert_eq!(kind(waits_for_tasks, RegionRole::Barrier, openmp), ConstructKind::Plain);
        }
        assert_eq!(kind("my_barrier", RegionRole::Barrier, Paradigm::User), ConstructKind::Plain);
    }

    fn traits(name: &str, paradigm: Paradigm) -> RegionTraits {
        RegionTraits::new(&Region { name: name.into(), paradigm, ..Region::default() }, None)
    }

    #[test]
    fn every_spelling_of_a_call_is_the_same_call() {
        let kind = |name: &str| traits(name, Paradigm::Mpi).call;
        for name in ["MPI_Init", "PMPI_Init", "mpi_init_", "mpi_init__", "MPI_INIT", "MPI_Init_thread"] {
            assert_eq!(kind(name), CallKind::Init, "{name}");
        }
        for name in ["MPI_Testsome", "pmpi_testany_", "MPI_Request_free"] {
            assert_eq!(kind(name), CallKind::Test, "{name}");
        }
        for name in ["MPI_Ssend", "mpi_issend_", "MPI_Ssend_c"] {
            assert_eq!(kind(name), CallKind::Synchronous, "{name}");
        }
        for name in ["MPI_Sendrecv", "mpi_sendrecv_replace_", "MPI_Bsend", "MPI_Ibsend", "MPI_Rsend_c"] {
            assert_eq!(kind(name), CallKind::NoLateReceiver, "{name}");
        }
        for name in ["MPI_Wait", "main", "p", "", "____", "MPI_Initialized", "MPI_Send"] {
            assert_eq!(kind(name), CallKind::Plain, "{name}");
        }
    }

    #[test]
    fn a_function_that_is_only_named_like_mpi_is_no_call() {
        let is_mpi = |name: &str, paradigm| traits(name, paradigm).is_mpi;
        assert!(is_mpi("MPI_Get_count", Paradigm::Mpi));
        for paradigm in [Paradigm::Unknown, Paradigm::User, Paradigm::Compiler] {
            for name in ["MPI_Recv", "PMPI_Allreduce", "mpi_waitall_"] {
                assert!(is_mpi(name, paradigm), "{name}");
            }
            for name in ["mpi_in_master_with_barrier", "mpi_exchange_halo", "MPI_", "mpi", "recv", ""] {
                assert!(!is_mpi(name, paradigm), "{name}");
            }
        }
    }
}
