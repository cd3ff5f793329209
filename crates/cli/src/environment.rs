//! Environment variables for users, for `--help` and man pages; a test compares `docs/environment.md` with them.

/// A variable, or several with the same meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    /// Its names.
    pub(crate) names: &'static [&'static str],
    /// Meaning of its value.
    pub(crate) says: &'static str,
    /// Behaviour if it is not set.
    pub(crate) unset: &'static str,
}

const fn variable(names: &'static [&'static str], says: &'static str, unset: &'static str) -> Variable {
    Variable { names, says, unset }
}

/// Variables of the command.
pub(crate) const COMMAND: &[Variable] = &[
    variable(
        &["ATS_SUITE"],
        "folder of the suite's sources: programs, recorder and libats are built from them",
        "share/ats/suite beside the command's folder bin, else the folder that the command was built from, else the copy \
         in the command, which it unpacks into the user's cache",
    ),
    variable(
        &["ATS_RECORDER"],
        "the recorder, libats_recorder.so; ignored if it is linked with another MPI library than the program",
        "the recorder is looked for, and built if there is none",
    ),
    variable(
        &["MPICC"],
        "compiler of the MPI library to build for",
        "mpicc.openmpi or mpicc.mpich, else mpicc",
    ),
    variable(
        &["LIBOMP_DIR"],
        "folder of LLVM's OpenMP runtime, libomp.so",
        "the newest of /usr/lib/llvm-*/lib",
    ),
    variable(&["LIBCLANG_PATH"], "folder of libclang, which reads MPI's headers", "bindgen's default"),
    variable(&["CARGO"], "the Cargo to build with", "cargo"),
    variable(
        &["ATS_CALIBRATION"],
        "file with the calibration of work",
        "ats/calibration-HOST-CPU.json in the user's cache",
    ),
    variable(
        &["ATS_COMPLETE"],
        "shell that asks for completions; set by the scripts of ats completions",
        "no completions",
    ),
    variable(
        &["NO_COLOR", "CLICOLOR=0"],
        "no colours, unless --color always asks for them",
        "colours on a terminal",
    ),
    variable(&["CLICOLOR_FORCE"], "1: colours even without a terminal", "none without a terminal"),
    variable(
        &["OMPI_MCA_orte_tmpdir_base"],
        "folder for Open MPI 4's files of a running program",
        "a temporary folder for each run that ats starts; with a common one, a run that begins while another ends \
         sometimes fails",
    ),
    variable(
        &["XDG_CACHE_HOME", "HOME"],
        "the user's cache: calibrations, unpacked sources, and builds if the suite's folder is not writable",
        "$HOME/.cache; without either, nothing is kept",
    ),
];

/// Variables of generated programs.
pub(crate) const PROGRAMS: &[Variable] = &[
    variable(&["ATS_WITNESS"], "folder for the witness, as --witness", "none is written"),
    variable(&["ATS_EXPECTED_RANKS"], "required number of ranks, as --np", "any number"),
    variable(
        &["ATS_WORK"],
        "kind of work, for programs in C and Fortran without --work",
        "by ranks, threads and cores",
    ),
    variable(
        &["ATS_PREFIX"],
        "for make: the folder of ats install, with libats",
        "the folder of the command that has written the program, else pkg-config",
    ),
    variable(
        &["ATS_MPI"],
        "for make: the MPI library of libats for a program with ranks, openmpi or mpich",
        "the first of ats install",
    ),
    variable(
        &["OMP_NUM_THREADS"],
        "threads of a process, unless --threads is given",
        "its share of the machine's cores, and at least what the property needs",
    ),
    variable(
        &["OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED"],
        "left as they are",
        "as many levels as the program nests",
    ),
    variable(
        &["OMP_WAIT_POLICY", "KMP_BLOCKTIME", "KMP_LIBRARY"],
        "left as they are",
        "threads wait passively if they outnumber the cores",
    ),
];

/// Variables of the recorder.
pub(crate) const RECORDER: &[Variable] = &[
    variable(&["ATS_RECORDER_DIR"], "folder of the archive", "ats-trace"),
    variable(&["ATS_RECORDER_BUFFER"], "bytes of memory for events, per process", "1 GiB"),
    variable(
        &["ATS_RECORDER_STACKS"],
        "sites: the place in the program is recorded of each MPI call; full: and the functions that lead to it, and \
         to constructs of OpenMP; ats record sets it",
        "off",
    ),
    variable(
        &["ATS_RECORDER_SAMPLE"],
        "samples of each thread, per second of its processor time; ats record --sample sets it",
        "none",
    ),
    variable(
        &["ATS_RECORDER_METRICS"],
        "counters of the machine that are read at regions, with commas between their names; ats record \
         --metrics sets it",
        "none",
    ),
    variable(
        &["ATS_RECORDER_METRICS_AT"],
        "calls: counters are read at calls of MPI, too; ats record --metrics-at sets it",
        "regions",
    ),
    variable(
        &["OMP_TOOL", "OMP_TOOL_LIBRARIES"],
        "as in OpenMP: the recorder does nothing if tools are disabled",
        "the recorder is the tool",
    ),
];

/// The columns of help that is read anywhere.
const WIDTH: usize = 78;

/// A section of a command's help.
pub(crate) fn section(heading: &str, variables: &[Variable]) -> String {
    let mut text = format!("{heading}:\n");
    for Variable { names, says, unset } in variables {
        text += &format!("  {}\n", names.join(", "));
        text += &indented(&format!("{says}; unless set: {unset}"));
    }
    text
}

fn indented(words: &str) -> String {
    const INDENT: &str = "         ";
    let (mut text, mut column) = (String::new(), WIDTH);
    for word in words.split(' ') {
        if column + 1 + word.chars().count() > WIDTH {
            text += if text.is_empty() { INDENT } else { "\n         " };
            column = INDENT.len();
        }
        text.push(' ');
        text += word;
        column += 1 + word.chars().count();
    }
    text + "\n"
}
