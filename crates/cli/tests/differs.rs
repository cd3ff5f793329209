//! An analysis that differs from what is known makes the command fail.
//!
//! The test starts itself a second time, as a command `ats` with a property that is another in every run.

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};

use ats_props::{Catalogue, Communicator, Seconds, do_work, property};

static RUNS: AtomicUsize = AtomicUsize::new(0);

/// All wait for rank 0 at a barrier, in every run a little longer.
#[property(finds = WaitAtBarrier, formula = (P - 1) * work)]
pub fn fickle(
    /// The work of rank 0 alone.
    #[default(Seconds(0.01))]
    work: Seconds,
    c: &dyn Communicator,
) {
    if c.rank() == 0 {
        do_work(work.0 * (1 + RUNS.fetch_add(1, Ordering::Relaxed)) as f64);
    }
    do_work(0.01);
    c.barrier();
}

/// The same in every run.
pub fn balanced(_work: Seconds, c: &dyn Communicator) {
    c.barrier();
}

const AS_COMMAND: &str = "ATS_TEST_AS_COMMAND";

fn main() -> ExitCode {
    if std::env::var_os(AS_COMMAND).is_some() {
        return ats_cli::main(Catalogue::builtin().with(&PROPERTY));
    }
    let ats = |arguments: &[&str]| {
        let itself = std::env::current_exe().unwrap();
        Command::new(itself).args(arguments).env(AS_COMMAND, "").output().unwrap()
    };
    let differs = ats(&["validate", "fickle", "--engine", "virtual"]);
    let table = String::from_utf8(differs.stdout).unwrap();
    assert_eq!(differs.status.code(), Some(1), "{table}");
    assert!(table.contains("wrong amount"), "{table}");
    assert!(table.contains("found 0, wrong 1"), "{table}");
    let agrees = ats(&["validate", "late_sender", "--engine", "virtual"]);
    assert_eq!(agrees.status.code(), Some(0));
    ExitCode::SUCCESS
}
