//! Classes of regions, by what their time is spent on: a class, and a part of it.
//!
//! The class follows from the tables of MPI's functions and of OpenMP's constructs, and if neither knows a region's
//! name, from its role. So does the class of a call that completes requests of other things than messages. A user's
//! rules by names take precedence: `ats_documents::classes`.

use serde::{Deserialize, Serialize};

use crate::definitions::{Paradigm, RegionRole};
use crate::mpi::{Flow, Form, Function, Kind};
use crate::named;
use crate::openmp::Construct;

named! {
    /// A purpose that time is spent on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    pub enum Class {
        /// Moving data between processes, with the waits for it.
        Communication = "communication",
        /// Waiting for each other without data.
        Synchronisation = "synchronisation",
        /// Managing parallel execution: setting up, dividing, starting and ending it.
        Control = "control",
        /// Input and output.
        Io = "io",
        /// The work itself.
        Computation = "computation",
    }
}

/// The class of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionClass<'a> {
    /// The class.
    pub class: Class,
    /// The part of the class: a word of the table, or the user's own; may be empty.
    pub sub: &'a str,
    /// The inner regions that belong to it, too.
    pub reach: Reach,
}

/// The inner regions that belong to a class besides a region's own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// None: the content of an OpenMP construct is the program's.
    Itself,
    /// Regions inside without a class of their own: whatever a call of MPI calls in turn is part of that call.
    Unclassed,
    /// All regions inside, including calls of MPI, unless another rule of the user covers them: for a user's rule.
    All,
}

/// `control/init`, or `control` where it has no part.
impl std::fmt::Display for RegionClass<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.class.name())?;
        if self.sub.is_empty() { Ok(()) } else { write!(f, "/{}", self.sub) }
    }
}

const fn whole(class: Class, sub: &'static str) -> RegionClass<'static> {
    RegionClass { class, sub, reach: Reach::Unclassed }
}

const fn itself(class: Class, sub: &'static str) -> RegionClass<'static> {
    RegionClass { class, sub, reach: Reach::Itself }
}

impl RegionClass<'static> {
    /// Calls that complete blocking receives, and probes.
    pub const RECEIVE: Self = whole(Class::Communication, "receive");

    /// Other calls for messages.
    const POINT_TO_POINT: Self = whole(Class::Communication, "point_to_point");

    /// Barriers of MPI.
    pub const MPI_BARRIER: Self = whole(Class::Synchronisation, "mpi_barrier");

    /// The start of a team's threads, and their end.
    pub const FORK_JOIN: Self = itself(Class::Control, "fork_join");

    /// The class of a region by its name, else by its role; `None` if it has none: then it is the work itself, or a
    /// part of the region around it.
    ///
    /// ```
    /// use ats_model::definitions::{Paradigm, RegionRole};
    /// use ats_model::region_class::RegionClass;
    /// let class = |name| RegionClass::for_region(name, RegionRole::Unknown, Paradigm::Unknown).map(|class| class.to_string());
    /// assert_eq!(class("MPI_Recv").as_deref(), Some("communication/receive"));
    /// assert_eq!(class("!$omp critical @heat.c:17").as_deref(), Some("synchronisation/critical"));
    /// assert_eq!(class("main"), None);
    /// ```
    pub fn for_region(name: &str, role: RegionRole, paradigm: Paradigm) -> Option<Self> {
        if let Some(function) = Function::of_spelling(name) {
            return of_mpi(function, role);
        }
        if let Some(construct) = Construct::of_region(name.trim_end_matches('_')) {
            return of_openmp(construct);
        }
        of_role(role, paradigm)
    }
}

/// The group of an MPI call by its name and role, or the OpenMP construct of a region without its place in the source;
/// `None` for anything else.
///
/// ```
/// use ats_model::definitions::RegionRole;
/// use ats_model::region_class::group;
/// let group = |region| group(region, RegionRole::Function);
/// assert_eq!(group("MPI_Waitall"), Some("MPI point-to-point"));
/// assert_eq!(group("!$omp for @heat.c:17"), Some("!$omp for"));
/// assert_eq!(group("main"), None);
/// ```
pub fn group(region: &str, role: RegionRole) -> Option<&'static str> {
    use RegionRole::{Barrier, CollAllToAll, CollAllToOne, CollOneToAll, CollOther, Rma};
    let Some(function) = Function::of_spelling(region) else {
        return Construct::of_region(region.trim_end_matches('_')).map(Construct::region);
    };
    let role_of_call = match function.kind() {
        Kind::Completion { .. } => role,
        _ => function.role(),
    };
    Some(match (of_mpi(function, role)?.class, role_of_call) {
        (Class::Io, _) => "MPI I/O",
        (Class::Control, _) => "MPI management",
        (_, Barrier | CollOneToAll | CollAllToOne | CollAllToAll | CollOther) => "MPI collective",
        (_, Rma) => "MPI one-sided",
        _ => "MPI point-to-point",
    })
}

/// The class of a call; that of one that completes requests depends on its role.
fn of_mpi(function: Function, role: RegionRole) -> Option<RegionClass<'static>> {
    let is_blocking = function.form() == Form::Blocking;
    let class = match function.kind() {
        Kind::Receive | Kind::SendReceive if is_blocking => RegionClass::RECEIVE,
        Kind::Probe => RegionClass::RECEIVE,
        Kind::Completion { .. } => of_completion(role),
        Kind::Send(_) | Kind::Receive | Kind::SendReceive | Kind::Start | Kind::Request => {
            RegionClass::POINT_TO_POINT
        }
        Kind::Collective(collective) if collective.flow == Flow::Barrier => RegionClass::MPI_BARRIER,
        Kind::Collective(_) | Kind::Neighborhood(_) => whole(Class::Communication, "collective"),
        Kind::OneSided => whole(Class::Communication, "one_sided"),
        Kind::WindowSynchronisation => whole(Class::Synchronisation, "window"),
        Kind::FileAccess => whole(Class::Io, "mpi"),
        Kind::Initialize => whole(Class::Control, "init"),
        Kind::Finalize => whole(Class::Control, "finalize"),
        Kind::Communicator(_) | Kind::Group | Kind::Topology => whole(Class::Control, "communicator"),
        Kind::Window => whole(Class::Control, "window"),
        Kind::File => whole(Class::Control, "file"),
        Kind::Process => whole(Class::Control, "process"),
        Kind::Status
        | Kind::Buffer
        | Kind::Datatype
        | Kind::Operator
        | Kind::Environment
        | Kind::Error
        | Kind::Info
        | Kind::Session => whole(Class::Control, "mpi"),
        // No recorder records them: they are part of what calls them.
        Kind::Value | Kind::Tool | Kind::Conversion => return None,
    };
    Some(class)
}

/// The class of a call that completes requests: of what they stand for, if the recorder tells that by its role.
fn of_completion(role: RegionRole) -> RegionClass<'static> {
    use RegionRole::*;
    let of_requests = match role {
        Barrier | CollOneToAll | CollAllToOne | CollAllToAll | CollOther | Rma | FileIo => {
            of_role(role, Paradigm::Mpi)
        }
        _ => None,
    };
    of_requests.unwrap_or(RegionClass::POINT_TO_POINT)
}

/// The class of a construct. Bodies have none, nor have constructs whose body is not a region, such as a loop: their
/// time is the program's.
fn of_openmp(construct: Construct) -> Option<RegionClass<'static>> {
    use Construct::*;
    let class = match construct {
        Parallel | For | Section | SingleBlock | Master | CriticalBlock | OrderedBlock | Task => return None,
        Sections => itself(Class::Control, "sections"),
        Single => itself(Class::Control, "single"),
        CreateTask => itself(Class::Control, "create_task"),
        Critical => itself(Class::Synchronisation, "critical"),
        Ordered => itself(Class::Synchronisation, "ordered"),
        Atomic => itself(Class::Synchronisation, "atomic"),
        Reduction => itself(Class::Synchronisation, "reduction"),
        Barrier => itself(Class::Synchronisation, "barrier"),
        ImplicitBarrier => itself(Class::Synchronisation, "implicit_barrier"),
        TaskWait => itself(Class::Synchronisation, "taskwait"),
        TaskGroup => itself(Class::Synchronisation, "taskgroup"),
        Flush => itself(Class::Synchronisation, "flush"),
        SetLock | UnsetLock | TestLock | SetNestLock | UnsetNestLock | TestNestLock => {
            itself(Class::Synchronisation, "lock")
        }
    };
    Some(class)
}

/// The class of a region that neither table knows by name.
fn of_role(role: RegionRole, paradigm: Paradigm) -> Option<RegionClass<'static>> {
    use RegionRole::*;
    let class = match role {
        Unknown | Function | Wrapper | Code | Artificial => return None,
        Loop | Parallel | Section | Workshare | SingleSblock | Master | CriticalSblock | OrderedSblock
        | Task => return None,
        Sections => itself(Class::Control, "sections"),
        Single => itself(Class::Control, "single"),
        TaskCreate => itself(Class::Control, "create_task"),
        Critical => itself(Class::Synchronisation, "critical"),
        Ordered => itself(Class::Synchronisation, "ordered"),
        Atomic => itself(Class::Synchronisation, "atomic"),
        Barrier if paradigm == Paradigm::Mpi => RegionClass::MPI_BARRIER,
        Barrier => itself(Class::Synchronisation, "barrier"),
        ImplicitBarrier => itself(Class::Synchronisation, "implicit_barrier"),
        TaskWait => itself(Class::Synchronisation, "taskwait"),
        Flush => itself(Class::Synchronisation, "flush"),
        PointToPoint => RegionClass::POINT_TO_POINT,
        CollOneToAll | CollAllToOne | CollAllToAll | CollOther => whole(Class::Communication, "collective"),
        Rma => whole(Class::Communication, "one_sided"),
        DataTransfer => whole(Class::Communication, "data_transfer"),
        FileIo if paradigm == Paradigm::Mpi => whole(Class::Io, "mpi"),
        FileIo => whole(Class::Io, "file"),
    };
    Some(class)
}

#[cfg(test)]
mod tests;
