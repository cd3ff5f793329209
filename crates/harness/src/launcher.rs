//! Information from the launcher in the environment, before and independently of MPI.

/// Variables of a launcher for the place of a process.
struct Variables {
    launcher: &'static str,
    ranks: &'static str,
    rank: &'static str,
    ranks_here: &'static str,
}

/// The more specific first: inside a Slurm step or under PMI another launcher may have started the processes.
const KNOWN: [Variables; 3] = [
    Variables {
        launcher: "Open MPI's mpirun",
        ranks: "OMPI_COMM_WORLD_SIZE",
        rank: "OMPI_COMM_WORLD_RANK",
        ranks_here: "OMPI_COMM_WORLD_LOCAL_SIZE",
    },
    Variables {
        launcher: "MPICH's mpirun, or one like it",
        ranks: "PMI_SIZE",
        rank: "PMI_RANK",
        ranks_here: "MPI_LOCALNRANKS",
    },
    Variables {
        launcher: "srun",
        ranks: "SLURM_STEP_NUM_TASKS",
        rank: "SLURM_PROCID",
        ranks_here: "SLURM_NTASKS_PER_NODE",
    },
];

/// The launcher, and the place it gave this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Launcher {
    /// The name of the launcher.
    pub(crate) name: &'static str,
    /// The number of processes it started.
    pub(crate) ranks: usize,
    /// The rank of this process.
    pub(crate) rank: usize,
    /// The number of processes on this machine; all, if the launcher does not set it.
    pub(crate) ranks_here: usize,
}

impl Launcher {
    /// The number of processes it started on this machine; 1 without a launcher.
    pub(crate) fn ranks_here(launcher: Option<Self>) -> usize {
        launcher.map_or(1, |launcher| launcher.ranks_here)
    }

    /// The one that started this process; none if it was started by hand.
    pub(crate) fn find() -> Option<Self> {
        Self::find_in(|name| std::env::var(name).ok())
    }

    fn find_in(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let number = |name: &str| variable(name)?.parse().ok();
        KNOWN.iter().find_map(|known| {
            let ranks = number(known.ranks)?;
            Some(Launcher {
                name: known.launcher,
                ranks,
                rank: number(known.rank)?,
                ranks_here: number(known.ranks_here).unwrap_or(ranks),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launcher(variables: &[(&str, &str)]) -> Option<Launcher> {
        Launcher::find_in(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_launcher_that_started_the_process_counts() {
        let srun = [("SLURM_STEP_NUM_TASKS", "2"), ("SLURM_PROCID", "1")];
        let mpirun = [("OMPI_COMM_WORLD_SIZE", "8"), ("OMPI_COMM_WORLD_RANK", "5")];
        let here = [("OMPI_COMM_WORLD_LOCAL_SIZE", "4")];
        let inside_srun = launcher(&[&srun[..], &mpirun[..], &here[..]].concat()).unwrap();
        assert_eq!((inside_srun.ranks, inside_srun.rank, inside_srun.ranks_here), (8, 5, 4));
        let alone = launcher(&srun).unwrap();
        assert_eq!((alone.name, alone.ranks, alone.rank, alone.ranks_here), ("srun", 2, 1, 2));
    }

    #[test]
    fn by_hand_there_is_none() {
        assert_eq!(launcher(&[]), None);
        assert_eq!(launcher(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4")]), None);
        assert_eq!(launcher(&[("PMI_SIZE", "many"), ("PMI_RANK", "0")]), None);
    }
}
