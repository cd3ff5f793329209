//! The syntax of each kind of launcher, as data.

use std::ffi::{OsStr, OsString};

use crate::mpi::Mpi;

/// A kind of launcher.
#[derive(Debug, PartialEq)]
pub struct Template {
    /// The name that its makers use.
    pub name: &'static str,
    /// The names it is installed under, the most specific first.
    pub commands: &'static [&'static str],
    /// The marks of its `--version` output.
    marks: &'static [&'static str],
    /// The library whose programs it starts; none where it serves any.
    pub mpi: Option<Mpi>,
    /// The flag before the number of ranks.
    pub ranks_flag: &'static str,
    /// The arguments that it is always given.
    pub always: &'static [&'static str],
    /// The variables of its own environment.
    pub own_environment: &'static [(&'static str, &'static str)],
    /// The syntax for variables of the ranks.
    pub environment: EnvironmentSyntax,
    /// Its flags that take one value, in a command line that is not ours.
    pub(super) flags_with_value: &'static [&'static str],
    /// Its flags that take two.
    pub(super) flags_with_two_values: &'static [&'static str],
}

/// The syntax that hands variables to the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvironmentSyntax {
    /// `-x NAME=VALUE` for each.
    Export,
    /// `-genv NAME VALUE` for each.
    Global,
    /// `--export=ALL,NAME=VALUE,…` for all of them.
    List,
}

impl EnvironmentSyntax {
    /// The arguments that hand over these variables.
    pub fn arguments(self, variables: &[(String, OsString)]) -> Vec<OsString> {
        match self {
            EnvironmentSyntax::Export => {
                assignments(variables).flat_map(|assignment| ["-x".into(), assignment]).collect()
            }
            EnvironmentSyntax::Global => variables
                .iter()
                .flat_map(|(name, value)| ["-genv".into(), name.into(), value.clone()])
                .collect(),
            EnvironmentSyntax::List if variables.is_empty() => Vec::new(),
            EnvironmentSyntax::List => {
                let all = std::iter::once("--export=ALL".into()).chain(assignments(variables));
                vec![all.collect::<Vec<OsString>>().join(OsStr::new(","))]
            }
        }
    }
}

/// Each variable as `NAME=VALUE`.
pub(super) fn assignments(variables: &[(String, OsString)]) -> impl Iterator<Item = OsString> {
    variables.iter().map(|(name, value)| assignment(name, value))
}

/// A variable as `NAME=VALUE`.
pub(super) fn assignment(name: &str, value: &OsStr) -> OsString {
    [OsStr::new(name), value].join(OsStr::new("="))
}

impl Template {
    /// Every kind.
    pub const ALL: &[Template] = &[
        Template {
            name: "Open MPI",
            commands: &["mpirun.openmpi", "mpirun", "mpiexec"],
            marks: &["Open MPI", "OpenRTE", "PRRTE"],
            mpi: Some(Mpi::OpenMpi),
            ranks_flag: "-n",
            always: &["--oversubscribe", "--bind-to", "none"],
            own_environment: &[
                ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
                ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                // As --oversubscribe, also for command lines that somebody else wrote.
                ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
            ],
            environment: EnvironmentSyntax::Export,
            flags_with_value: &[
                "-n",
                "-np",
                "--np",
                "-c",
                "-N",
                "-npernode",
                "--npernode",
                "-x",
                "-H",
                "-host",
                "--host",
                "-hostfile",
                "--hostfile",
                "-machinefile",
                "--machinefile",
                "-wdir",
                "--wdir",
                "-wd",
                "--wd",
                "--bind-to",
                "-bind-to",
                "--map-by",
                "-map-by",
                "--rank-by",
                "-rank-by",
                "--path",
                "-path",
                "--output-filename",
                "-output-filename",
                "--timeout",
                "-timeout",
                "--prefix",
                "-prefix",
                "--rankfile",
                "-rankfile",
                "-rf",
                "--personality",
                "--stdin",
                "-stdin",
                "--cpu-list",
                "--cpu-set",
            ],
            flags_with_two_values: &["--mca", "-mca", "--gmca", "-gmca", "--prtemca", "--pmixmca"],
        },
        Template {
            name: "MPICH",
            commands: &["mpirun.mpich", "mpiexec.hydra", "mpirun", "mpiexec"],
            marks: &["HYDRA", "MPICH"],
            mpi: Some(Mpi::Mpich),
            ranks_flag: "-n",
            always: &[],
            own_environment: &[],
            environment: EnvironmentSyntax::Global,
            flags_with_value: &[
                "-n",
                "-np",
                "-f",
                "-hosts",
                "-host",
                "-wdir",
                "-ppn",
                "-bind-to",
                "-map-by",
                "-genvlist",
                "-envlist",
                "-launcher",
                "-launcher-exec",
                "-rmk",
                "-configfile",
                "-membind",
                "-outfile-pattern",
                "-errfile-pattern",
                "-iface",
                "-path",
            ],
            flags_with_two_values: &["-genv", "-env"],
        },
        Template {
            name: "Slurm",
            commands: &["srun"],
            marks: &["slurm"],
            mpi: None,
            ranks_flag: "-n",
            always: &["--overcommit", "--cpu-bind=none"],
            own_environment: &[],
            environment: EnvironmentSyntax::List,
            flags_with_value: &[
                "-n",
                "-N",
                "-c",
                "-p",
                "-A",
                "-t",
                "-w",
                "-x",
                "-J",
                "-o",
                "-e",
                "-D",
                "-C",
                "-q",
                "--ntasks",
                "--nodes",
                "--cpus-per-task",
                "--partition",
                "--account",
                "--time",
                "--nodelist",
                "--job-name",
                "--output",
                "--error",
                "--chdir",
                "--constraint",
                "--qos",
                "--mem",
                "--mpi",
                "--ntasks-per-node",
                "--export",
                "--distribution",
                "--reservation",
                "--gres",
            ],
            flags_with_two_values: &[],
        },
    ];

    /// The kind that calls itself so.
    pub fn of_version(version: &str) -> Option<&'static Template> {
        Template::ALL.iter().find(|template| template.marks.iter().any(|mark| version.contains(mark)))
    }

    /// Whether it starts programs of this library.
    pub fn serves(&self, mpi: Mpi) -> bool {
        self.mpi.is_none_or(|own| own == mpi)
    }
}
