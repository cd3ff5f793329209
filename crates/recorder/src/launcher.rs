//! The variables that the launcher of an MPI program sets for its processes before they initialise MPI.

/// Variables with the number of processes, and with the rank among them: of Open MPI's launcher, of those that speak
/// PMI, as MPICH's, and of Slurm's.
const PROCESSES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];
const RANK: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"];
/// Variables that processes have which `MPI_Comm_spawn` has started: of Open MPI, and of PMI.
const SPAWNED: [&str; 2] = ["OMPI_PARENT_PORT", "PMI_SPAWNED"];

/// The number of processes that this one was launched with, itself included.
pub(crate) fn processes() -> u32 {
    number_in(&PROCESSES).unwrap_or(1)
}

/// The rank among them.
pub(crate) fn rank() -> u32 {
    number_in(&RANK).unwrap_or(0)
}

/// Whether other processes of MPI have started it, as far as the launcher tells.
pub(crate) fn is_spawned() -> bool {
    SPAWNED.iter().any(|name| std::env::var(name).is_ok_and(|value| value != "0"))
}

fn number_in(variables: &[&str]) -> Option<u32> {
    variables.iter().find_map(|name| std::env::var(name).ok()?.parse().ok())
}
