//! Metrics that are the time of a class of calls and constructs.

use ats_documents::profile::ProfiledRegion;
use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::mpi::{Collective, Flow, Function, Kind};

/// A metric, that which it is a part of, its title and its description.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// The classes, outer ones first: as Scalasca 2.6 derives them for its reports (`remapping.spec`). The class of a
/// region does not decide all: the management of teams, in parallel regions, is [`OPENMP`], too.
pub(crate) const CLASSES: [Row; 31] = [
    ("execution", "time", "Execution", "Execution time (does not include time allocated for idle threads)"),
    (COMPUTATION, "execution", "Computation", "Time spent on computation"),
    ("mpi", "execution", "MPI", "Time spent in MPI calls"),
    ("mpi_management", "mpi", "Management", "Time spent in MPI management operations"),
    (
        "mpi_init_exit",
        "mpi_management",
        "Init/Finalize",
        "Time spent in MPI initialization/finalization calls",
    ),
    ("mpi_mgmt_comm", "mpi_management", "Communicator", "Time spent in MPI communicator management calls"),
    ("mpi_mgmt_file", "mpi_management", "File", "Time spent in MPI file management calls"),
    ("mpi_mgmt_win", "mpi_management", "Window", "Time spent in MPI window management calls"),
    ("mpi_synchronization", "mpi", "Synchronization", "Time spent in MPI synchronization calls"),
    ("mpi_sync_collective", "mpi_synchronization", "Collective", "Time spent in MPI barriers"),
    (
        "mpi_rma_synchronization",
        "mpi_synchronization",
        "One-sided",
        "Time spent in MPI one-sided synchronization calls",
    ),
    (
        "mpi_rma_sync_active",
        "mpi_rma_synchronization",
        "Active Target",
        "Time spent in MPI one-sided active target synchronization calls",
    ),
    (
        "mpi_rma_sync_passive",
        "mpi_rma_synchronization",
        "Passive Target",
        "Time spent in MPI one-sided passive target synchronization calls",
    ),
    ("mpi_communication", "mpi", "Communication", "Time spent in MPI communication calls"),
    (
        "mpi_point2point",
        "mpi_communication",
        "Point-to-point",
        "Time spent in MPI point-to-point communication",
    ),
    ("mpi_collective", "mpi_communication", "Collective", "Time spent in MPI collective communication"),
    ("mpi_rma_communication", "mpi_communication", "One-sided", "Time spent in MPI one-sided communication"),
    ("mpi_io", "mpi", "File I/O", "Time spent in MPI file I/O calls"),
    ("mpi_io_individual", "mpi_io", "Individual", "Time spent in individual MPI file I/O calls"),
    ("mpi_io_collective", "mpi_io", "Collective", "Time spent in collective MPI file I/O calls"),
    (OPENMP, "execution", "OpenMP", "Time spent in the OpenMP run-time system and API"),
    ("omp_synchronization", OPENMP, "Synchronization", "Time spent on OpenMP synchronization"),
    ("omp_barrier", "omp_synchronization", "Barrier", "Time spent in OpenMP barrier synchronization"),
    ("omp_ebarrier", "omp_barrier", "Explicit", "Time spent in explicit OpenMP barrier synchronization"),
    ("omp_ibarrier", "omp_barrier", "Implicit", "Time spent in implicit OpenMP barrier synchronization"),
    ("omp_critical", "omp_synchronization", "Critical", "Time spent waiting at OpenMP critical sections"),
    ("omp_lock_api", "omp_synchronization", "Lock API", "Time spent in OpenMP lock API calls"),
    ("omp_ordered", "omp_synchronization", "Ordered", "Time spent waiting at OpenMP ordered regions"),
    ("omp_taskwait", "omp_synchronization", "Task Wait", "Time spent waiting in OpenMP taskwait directives"),
    ("omp_flush", OPENMP, "Flush", "Time spent in OpenMP flush directives"),
    ("overhead", "time", "Overhead", "Time spent performing tasks related to trace generation"),
];

/// The class of a name.
pub(crate) fn class(metric: &str) -> Option<&'static Row> {
    CLASSES.iter().find(|row| row.0 == metric)
}

/// The class of the activity of OpenMP's runtime.
const OPENMP: &str = "omp_time";

/// The class of regions that have no other.
const COMPUTATION: &str = "comp";

/// The smallest class of a region, by its name and role.
pub(crate) fn smallest(region: &ProfiledRegion) -> &'static str {
    match (Function::of_spelling(&region.name), region.paradigm) {
        (Some(function), _) => of_function(function),
        (None, Paradigm::Mpi) => "mpi",
        (None, Paradigm::OpenMp) => of_construct(region),
        _ if ["TRACE BUFFER FLUSH", "TRACING"].contains(&region.name.as_str()) => "overhead",
        _ => COMPUTATION,
    }
}

fn of_function(function: Function) -> &'static str {
    let name = function.name();
    let action = name.splitn(3, '_').nth(2).unwrap_or_default();
    let is_passive = ["flush", "lock", "unlock", "sync"].iter().any(|word| action.starts_with(word));
    match function.kind() {
        _ if name.ends_with("_errhandler") || !function.is_recorded() => "mpi",
        Kind::Send(_) | Kind::Receive | Kind::SendReceive | Kind::Probe | Kind::Completion { .. } => {
            "mpi_point2point"
        }
        Kind::Collective(Collective { flow: Flow::Barrier, .. }) => "mpi_sync_collective",
        Kind::Collective(_) | Kind::Neighborhood(_) => "mpi_collective",
        Kind::OneSided => "mpi_rma_communication",
        Kind::Initialize | Kind::Finalize => "mpi_init_exit",
        Kind::Communicator(_) | Kind::Topology | Kind::Process => "mpi_mgmt_comm",
        Kind::Window => "mpi_mgmt_win",
        Kind::WindowSynchronisation if is_passive => "mpi_rma_sync_passive",
        Kind::WindowSynchronisation => "mpi_rma_sync_active",
        Kind::File => "mpi_mgmt_file",
        Kind::FileAccess if action == "sync" => "mpi_mgmt_file",
        Kind::FileAccess if name.contains("_all") || name.contains("_ordered") => "mpi_io_collective",
        Kind::FileAccess => "mpi_io_individual",
        _ if matches!(function, Function::Initialized | Function::Finalized) => "mpi_init_exit",
        _ if function == Function::Comm_group => "mpi_mgmt_comm",
        _ => "mpi",
    }
}

fn of_construct(region: &ProfiledRegion) -> &'static str {
    match region.role {
        RegionRole::Barrier => "omp_ebarrier",
        RegionRole::ImplicitBarrier => "omp_ibarrier",
        RegionRole::Atomic | RegionRole::Critical => "omp_critical",
        RegionRole::Ordered => "omp_ordered",
        RegionRole::TaskWait => "omp_taskwait",
        RegionRole::Flush => "omp_flush",
        _ => {
            let is_lock =
                region.name.starts_with("omp_") && region.name.trim_end_matches('_').ends_with("_lock");
            if is_lock { "omp_lock_api" } else { COMPUTATION }
        }
    }
}
