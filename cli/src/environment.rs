//! The variables of the environment that a user may set, for `--help` and man pages; `docs/environment.md` is held to them by
//! a test.

/// A variable, or several that say the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    /// Its names.
    pub(crate) names: &'static [&'static str],
    /// What it says.
    pub(crate) says: &'static str,
    /// What holds where it is not set.
    pub(crate) unset: &'static str,
}

const fn variable(names: &'static [&'static str], says: &'static str, unset: &'static str) -> Variable {
    Variable { names, says, unset }
}

/// Of the command.
pub(crate) const COMMAND: &[Variable] = &[
    variable(
        &["ATS_SUITE"],
        "folder of the suite's sources: programs, recorder and `libats` are built from them",
        "`share/ats/suite` beside the command's folder `bin`, else the folder that the command was built from, else a copy \
         that it carries and unpacks into the user's cache",
    ),
    variable(
        &["ATS_RECORDER"],
        "the recorder, `libats_recorder.so`; passed over where it is linked with another MPI library than the program",
        "looked for, and built where there is none",
    ),
    variable(
        &["MPICC"],
        "the compiler of the MPI library to build for",
        "`mpicc.openmpi` or `mpicc.mpich`, else `mpicc`",
    ),
    variable(
        &["LIBOMP_DIR"],
        "folder of LLVM's OpenMP runtime, `libomp.so`",
        "the newest of `/usr/lib/llvm-*/lib`",
    ),
    variable(&["LIBCLANG_PATH"], "folder of libclang, which reads MPI's headers", "where bindgen looks"),
    variable(&["CARGO"], "the cargo that builds", "`cargo`"),
    variable(
        &["ATS_CALIBRATION"],
        "file in which the calibration of work is kept",
        "`ats/calibration-HOST-CPU.json` in the user's cache",
    ),
    variable(
        &["ATS_COMPLETE"],
        "the shell that asks what a line can be completed by; the scripts of `ats completions` set it",
        "nobody asks",
    ),
    variable(
        &["NO_COLOR", "CLICOLOR=0"],
        "no colours, unless `--color always` asks for them",
        "colours on a terminal",
    ),
    variable(&["CLICOLOR_FORCE"], "1: colours also where there is no terminal", "none there"),
    variable(
        &["OMPI_MCA_orte_tmpdir_base"],
        "where Open MPI 4 keeps what it has of a run while it runs",
        "a temporary folder for each run that `ats` starts: in one for all, a run that begins while another ends fails now \
         and then",
    ),
    variable(
        &["XDG_CACHE_HOME", "HOME"],
        "the user's cache: calibrations, the sources that the command carries, and what is built where the suite's folder \
         cannot be written to",
        "`$HOME/.cache`; without either, nothing is kept",
    ),
];

/// Of generated programs.
pub(crate) const PROGRAMS: &[Variable] = &[
    variable(&["ATS_WITNESS"], "folder for the witness, as `--witness`", "none is written"),
    variable(&["ATS_EXPECTED_RANKS"], "how many ranks there must be, as `--np`", "any number"),
    variable(
        &["ATS_WORK"],
        "kind of work, of programs in C and Fortran that give no `--work`",
        "by ranks, threads and cores",
    ),
    variable(
        &["ATS_PREFIX"],
        "for `make`: where `ats install` has put `libats`",
        "where the command is installed that has written the program, else pkg-config is asked",
    ),
    variable(
        &["ATS_MPI"],
        "for `make`: whose `libats` a program with ranks takes, `openmpi` or `mpich`",
        "the first that `ats install` was told",
    ),
    variable(
        &["OMP_NUM_THREADS"],
        "threads of a process, where `--threads` is not given",
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
        "threads wait passively where they outnumber the cores",
    ),
];

/// Of the recorder.
pub(crate) const RECORDER: &[Variable] = &[
    variable(&["ATS_RECORDER_DIR"], "folder of the archive", "`ats-trace`"),
    variable(&["ATS_RECORDER_BUFFER"], "bytes of memory for events, per process", "1 GiB"),
    variable(
        &["ATS_RECORDER_CALLSITES"],
        "`on` keeps calls of MPI apart by where they stand in the program; `ats record` sets it",
        "`off`",
    ),
    variable(
        &["OMP_TOOL", "OMP_TOOL_LIBRARIES"],
        "as OpenMP has them: the recorder stays out where tools are disabled",
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
        text += &indented(&format!("{says}; unless set: {unset}").replace('`', ""));
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn rows(variables: &[Variable]) -> String {
        let row = |Variable { names, says, unset }: &Variable| {
            format!("| `{}` | {says} | {unset} |\n", names.join("`, `"))
        };
        variables.iter().map(row).collect()
    }

    #[test]
    fn the_page_has_the_same_tables() {
        let page = fs::read_to_string(ats_testing::suite().join("docs/environment.md")).unwrap();
        for (heading, variables) in
            [("Of the command", COMMAND), ("Of generated programs", PROGRAMS), ("Of the recorder", RECORDER)]
        {
            let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_default();
            let is_row = |line: &&str| line.starts_with("| `");
            let table: String = section
                .lines()
                .take_while(|line| !line.starts_with("## "))
                .filter(is_row)
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!(table, rows(variables), "docs/environment.md, {heading}");
        }
    }

    #[test]
    fn help_is_no_wider_than_a_narrow_terminal() {
        let help = section("Environment", COMMAND);
        assert!(help.lines().all(|line| line.chars().count() <= WIDTH), "{help}");
        assert!(
            help.starts_with("Environment:\n  ATS_SUITE\n          folder of the suite's sources: "),
            "{help}"
        );
    }
}
