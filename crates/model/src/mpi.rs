//! The functions of MPI 4.1 and their properties: one table, the source of all facts about calls in all crates.

mod bytes;
mod progress;
mod table;
mod waiting;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use bytes::{Member, Payload};
pub use progress::Progress;
pub use table::Function;
pub use waiting::{Unanalyzed, Waiting};

use crate::definitions::RegionRole;
use crate::event::CollectiveOperation;
use crate::listed;

/// The purpose of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sends a message.
    Send(SendMode),
    /// Receives a message.
    Receive,
    /// Sends a message and receives another one.
    SendReceive,
    /// Looks for a message, and leaves it where it is.
    Probe,
    /// Starts persistent requests, or parts of a partitioned one.
    Start,
    /// Completes requests.
    Completion {
        /// The number of requests.
        of: Arity,
        /// Does not wait for them.
        tests: bool,
    },
    /// Does something else with requests.
    Request,
    /// Reads or writes a status.
    Status,
    /// The buffers of buffered sends.
    Buffer,
    /// Datatypes, their attributes, and packing.
    Datatype,
    /// Moves data between all members of a communicator.
    Collective(Collective),
    /// Moves data between neighbours in a topology, as this operation does between all members.
    Neighborhood(CollectiveOperation),
    /// Operators of reductions.
    Operator,
    /// Process groups.
    Group,
    /// Communicators, with the operation that their making or freeing is to all members, if it is one.
    Communicator(Option<CollectiveOperation>),
    /// Asks for a topology.
    Topology,
    /// `MPI_Init` and `MPI_Init_thread`.
    Initialize,
    /// The call `MPI_Finalize`.
    Finalize,
    /// Asks or changes the environment.
    Environment,
    /// Yields a number, not whether it has worked: the time, sums of addresses.
    Value,
    /// Errors and their handlers.
    Error,
    /// Info objects.
    Info,
    /// Sessions (MPI 4.1, section 11.3).
    Session,
    /// Processes that come later, and ports.
    Process,
    /// Accesses the memory of another process.
    OneSided,
    /// Windows (MPI 4.1, chapter 12).
    Window,
    /// Begins, ends or completes accesses to a window (MPI 4.1, section 12.5).
    WindowSynchronisation,
    /// Files (MPI 4.1, chapter 14).
    File,
    /// Moves data to a file or from it (MPI 4.1, sections 14.4 and 14.6).
    FileAccess,
    /// For tools.
    Tool,
    /// Converts handles and statuses between languages.
    Conversion,
}

/// The relation of a send to its receive (MPI 4.1, section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SendMode {
    /// `MPI_Send`: the library decides.
    Standard,
    /// `MPI_Ssend`: not before the receive has started.
    Synchronous,
    /// `MPI_Bsend`: at once, through a buffer.
    Buffered,
    /// `MPI_Rsend`: only if the receive is posted already.
    Ready,
}

/// The number of its requests that a call completes (MPI 4.1, section 3.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arity {
    /// The only one.
    One,
    /// One of them.
    Any,
    /// Those that can be.
    Some,
    /// All of them.
    All,
}

listed! {
    /// The relation of an operation's function to the operation (MPI 4.1, section 2.4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Form {
        /// Returns when it is done.
        Blocking,
        /// Starts it: `MPI_Isend`.
        Nonblocking,
        /// Prepares it: `MPI_Send_init`.
        Persistent,
        /// Prepares it in parts: `MPI_Psend_init`.
        Partitioned,
    }
}

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Its number in OTF2.
    pub operation: CollectiveOperation,
    /// The direction of its data.
    pub flow: Flow,
}

impl Collective {
    const fn new(operation: CollectiveOperation, flow: Flow) -> Self {
        Collective { operation, flow }
    }

    /// The kind of a trace's operation; `None` for those that make and free handles, and for unknown ones.
    pub fn from_operation(operation: CollectiveOperation) -> Option<Self> {
        table::COLLECTIVES[operation as usize]
    }
}

/// The direction of data in a collective operation, which decides how members wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// No data: every member waits for all.
    Barrier,
    /// Every member waits for all that send.
    AllToAll,
    /// Every member exchanges with some, and waits for all if the library does.
    Irregular,
    /// Every member waits for the root.
    OneToAll,
    /// The root waits for all members.
    AllToOne,
    /// Every member waits for the lower ranks.
    Prefix,
    /// Every member waits for the neighbours that it receives from, in the topology of its communicator.
    Neighbors,
    /// No data: a communicator is made or freed, and every member waits for all if the library does.
    Management,
}

impl Flow {
    /// Whether the operation has a root.
    pub fn is_rooted(self) -> bool {
        matches!(self, Flow::OneToAll | Flow::AllToOne)
    }
}

impl Function {
    /// Its name in C.
    pub const fn name(self) -> &'static str {
        table::NAMES[self as usize]
    }

    /// Its name in a library that had it before the standard: `MPIX_Barrier_init` in Open MPI 4.
    pub fn name_of_extension(self) -> String {
        self.name().replacen(PREFIX, EXTENSION, 1)
    }

    /// Whether programs of the suite look it up when they run, since a library before MPI 4 may lack it.
    pub fn is_looked_up(self) -> bool {
        match self.form() {
            Form::Persistent => self.collective().is_some(),
            Form::Partitioned => true,
            Form::Blocking | Form::Nonblocking => self == Function::Pready,
        }
    }

    fn row(self) -> &'static table::Row {
        &table::ROWS[self as usize]
    }

    /// Its purpose.
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Its relation to the operation.
    pub fn form(self) -> Form {
        self.row().form
    }

    /// The function that does the same in another way, if there is one.
    pub fn in_form(self, form: Form) -> Option<Self> {
        self.row().forms[form as usize]
    }

    /// The collective operation that it is, in whichever form.
    pub fn collective(self) -> Option<Collective> {
        match self.kind() {
            Kind::Collective(collective) => Some(collective),
            _ => None,
        }
    }

    /// The operation between all members that it is between neighbours, in whichever form. OTF2 has no number for it.
    pub fn among_neighbors(self) -> Option<CollectiveOperation> {
        match self.kind() {
            Kind::Neighborhood(operation) => Some(operation),
            _ => None,
        }
    }

    /// The operation of all members of a communicator that OTF2 records of it, in its blocking form.
    pub fn operation(self) -> Option<CollectiveOperation> {
        match self.kind() {
            Kind::Collective(collective) => Some(collective.operation),
            Kind::Communicator(operation) => operation,
            Kind::Initialize => Some(CollectiveOperation::CreateHandle),
            Kind::Finalize => Some(CollectiveOperation::DestroyHandle),
            _ => None,
        }
    }

    /// Whether it is recorded. Functions for tools and mere conversions and arithmetic are not.
    pub fn is_recorded(self) -> bool {
        !matches!(self.kind(), Kind::Tool | Kind::Value | Kind::Conversion)
    }

    /// Whether it may wait, in its own form, and whether that is analyzed.
    ///
    /// ```
    /// use ats_model::mpi::{Function, Unanalyzed, Waiting};
    /// assert_eq!(Function::Barrier.waiting(), Waiting::Analyzed);
    /// assert_eq!(Function::Ibarrier.waiting(), Waiting::Analyzed);
    /// assert_eq!(Function::Barrier_init.waiting(), Waiting::NotAnalyzed(Unanalyzed::NonBlockingCollectives));
    /// assert_eq!(Function::Comm_rank.waiting(), Waiting::Never);
    /// ```
    pub fn waiting(self) -> Waiting {
        let of_blocking = self.row().waiting;
        let Waiting::Analyzed = of_blocking else { return of_blocking };
        match (self.form(), self.kind()) {
            (Form::Persistent, Kind::Collective(_)) => {
                Waiting::NotAnalyzed(Unanalyzed::NonBlockingCollectives)
            }
            (Form::Nonblocking, Kind::Communicator(_)) => Waiting::NotAnalyzed(Unanalyzed::Communicators),
            (Form::Nonblocking, Kind::SendReceive) => Waiting::NotAnalyzed(Unanalyzed::SendReceives),
            (Form::Persistent | Form::Partitioned, _) => Waiting::Never,
            (Form::Blocking | Form::Nonblocking, _) => Waiting::Analyzed,
        }
    }

    /// Whether it yields a request that another call completes.
    pub fn yields_request(self) -> bool {
        self.form() != Form::Blocking || self == Function::Grequest_start
    }

    /// The role of a call that completes its requests; `None` if they are messages, or have no role.
    ///
    /// ```
    /// use ats_model::definitions::RegionRole;
    /// use ats_model::mpi::Function;
    /// assert_eq!(Function::File_iread.role_of_requests(), Some(RegionRole::FileIo));
    /// assert_eq!(Function::Isend.role_of_requests(), None);
    /// ```
    pub fn role_of_requests(self) -> Option<RegionRole> {
        let role = self.role();
        let has_one = !matches!(role, RegionRole::PointToPoint | RegionRole::Function);
        (self.yields_request() && has_one).then_some(role)
    }

    /// Whether it yields an intercommunicator.
    pub fn yields_intercommunicator(self) -> bool {
        use Function::*;
        matches!(
            self,
            Intercomm_create
                | Intercomm_create_from_groups
                | Comm_spawn
                | Comm_spawn_multiple
                | Comm_get_parent
                | Comm_accept
                | Comm_connect
                | Comm_join
        )
    }

    /// Whether it never waits for another process, as far as the metrics of messages go: it tests or probes.
    pub fn never_waits(self) -> bool {
        matches!(self.kind(), Kind::Completion { tests: true, .. } | Kind::Probe)
    }

    /// Whether a send that it completes may have waited for its receive. Scalasca counts no late receiver in
    /// `MPI_Sendrecv`, and a buffered or ready send does not wait for one.
    pub fn may_wait_for_receiver(self) -> bool {
        let is_free =
            matches!(self.kind(), Kind::SendReceive | Kind::Send(SendMode::Buffered | SendMode::Ready));
        !(is_free && self.form() == Form::Blocking || self.never_waits())
    }

    /// The role of its region, as Score-P has it.
    pub fn role(self) -> RegionRole {
        match self.kind() {
            Kind::Send(_) | Kind::Receive | Kind::SendReceive | Kind::Probe => RegionRole::PointToPoint,
            Kind::Collective(Collective { flow, .. }) => match flow {
                Flow::Barrier => RegionRole::Barrier,
                Flow::OneToAll => RegionRole::CollOneToAll,
                Flow::AllToOne => RegionRole::CollAllToOne,
                Flow::AllToAll | Flow::Irregular => RegionRole::CollAllToAll,
                Flow::Prefix | Flow::Neighbors | Flow::Management => RegionRole::CollOther,
            },
            Kind::Neighborhood(_) => RegionRole::CollOther,
            Kind::OneSided | Kind::Window | Kind::WindowSynchronisation => RegionRole::Rma,
            Kind::File | Kind::FileAccess => RegionRole::FileIo,
            _ => RegionRole::Function,
        }
    }

    /// The function of a name as the standard spells it in C.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::of_spelling(name).filter(|function| function.name() == name)
    }

    /// The function of a name as C, Fortran and the profiling interface spell it, also for large counts: `MPI_Recv`,
    /// `PMPI_Recv`, `mpi_recv_`, `MPI_RECV`, `MPI_Recv_c`; and with what TAU writes behind it: `MPI_Recv() [{a.c} {7}]`.
    ///
    /// ```
    /// use ats_model::mpi::Function;
    /// assert_eq!(Function::of_spelling("pmpi_recv__"), Some(Function::Recv));
    /// assert_eq!(Function::of_spelling("MPI_Recv()"), Some(Function::Recv));
    /// assert_eq!(Function::of_spelling("mpi_exchange_halo"), None);
    /// ```
    pub fn of_spelling(region: &str) -> Option<Self> {
        static SPELLINGS: LazyLock<FxHashMap<String, Function>> = LazyLock::new(|| {
            // Not as an array of names: that would need more stack than a coroutine has.
            Function::ALL.iter().map(|&function| (function.name().to_ascii_lowercase(), function)).collect()
        });
        let name = bare(region).trim_end_matches('_');
        let name = name.strip_prefix(['P', 'p']).unwrap_or(name);
        if !name.get(..PREFIX.len()).is_some_and(|prefix| prefix.eq_ignore_ascii_case(PREFIX)) {
            return None;
        }
        let name = name.to_ascii_lowercase();
        let known = |name: &str| SPELLINGS.get(name).copied();
        known(&name).or_else(|| known(name.strip_suffix(LARGE_COUNTS)?))
    }

    /// Whether a spelling of a function is that for large counts.
    ///
    /// ```
    /// use ats_model::mpi::Function;
    /// assert!(Function::has_large_counts("MPI_Recv_c") && Function::has_large_counts("mpi_recv_c_"));
    /// assert!(!Function::has_large_counts("MPI_Recv") && !Function::has_large_counts("solve_c"));
    /// ```
    pub fn has_large_counts(spelling: &str) -> bool {
        let name = bare(spelling).trim_end_matches('_').to_ascii_lowercase();
        name.ends_with(LARGE_COUNTS) && Self::of_spelling(&name).is_some()
    }
}

/// A name without the brackets and the place in the source that TAU writes behind it.
fn bare(name: &str) -> &str {
    let name = name.split_once(" [").map_or(name, |(name, _)| name).trim_end();
    name.strip_suffix("()").unwrap_or(name)
}

/// The name in the standard of a function that a library may have as an extension.
///
/// ```
/// assert_eq!(ats_model::mpi::standard_name("MPIX_Barrier_init"), "MPI_Barrier_init");
/// assert_eq!(ats_model::mpi::standard_name("MPI_Barrier"), "MPI_Barrier");
/// ```
pub fn standard_name(name: &str) -> String {
    name.strip_prefix(EXTENSION).map_or_else(|| name.to_owned(), full_name)
}

/// The exit code of a program whose MPI library lacks a function that it calls: `EX_UNAVAILABLE` of `sysexits.h`.
pub const LACKING_EXIT_CODE: i32 = 69;

/// A function's name in C, from the part after `MPI_`.
pub fn full_name(rest: &str) -> String {
    format!("{PREFIX}{rest}")
}

/// The prefix of the names of MPI's functions.
pub const PREFIX: &str = "MPI_";
/// The prefix of functions that a library has beyond the standard it keeps to.
pub const EXTENSION: &str = "MPIX_";
/// The suffix of the names of functions for large counts.
const LARGE_COUNTS: &str = "_c";

impl std::fmt::Display for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests;
