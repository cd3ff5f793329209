use ats_props::Catalogue;
use tempfile::TempDir;

use super::*;
use crate::launch::tests::script;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A launcher that calls itself Open MPI and does `text` instead of starting anything.
fn launcher(dir: &Path, text: &str) -> Launcher {
    let text = format!("[ \"$1\" = --version ] && echo 'mpirun (Open MPI) 4' && exit\n{text}");
    let path = script(dir, "mpirun", &text);
    Launcher::named(path).unwrap()
}

fn record(text: &str) -> (TempDir, Result<Recorded, Failure>) {
    with(text, |run, dir| run.record(&dir.join("run"), &NEVER))
}

/// The result of a run of two ranks under such a launcher, and the folder of the run.
fn with<T>(text: &str, give: impl FnOnce(&Run<'_>, &Path) -> T) -> (TempDir, T) {
    let dir = TempDir::new().unwrap();
    let launcher = launcher(dir.path(), text);
    let program = Catalogue::builtin().program("late_sender_balanced").unwrap();
    let arguments = program.property.arguments([("r", "3")]).unwrap();
    let subject = Subject::Property { program, arguments };
    let run = Run {
        subject: &subject,
        executable: Path::new("./late_sender"),
        size: Size::ranks(2),
        launcher: Some(&launcher),
        recorder: Some(Path::new("/lib/recorder.so")),
        options: &["--seed=7".into()],
        time: Duration::from_millis(500),
        causes: None,
    };
    let given = give(&run, dir.path());
    (dir, given)
}

/// The verdict on a run that ends with a checksum, by itself with another, and then, once more by itself, with a third.
fn semantics(recorded: &str, alone: &str, again: &str) -> Result<(), (RunStatus, String)> {
    let said = |checksum: &str| match checksum {
        "" => "nothing".to_owned(),
        checksum => format!("ATS late_sender_balanced ranks=2 checksum={checksum}"),
    };
    let checked = with(&format!("echo '{}'", said(again)), |run, dir| {
        for (folder, checksum) in [("run", recorded), ("alone", alone)] {
            fs::create_dir_all(dir.join(folder)).unwrap();
            fs::write(dir.join(folder).join(crate::launch::STDOUT), said(checksum)).unwrap();
        }
        run.check_semantics(&dir.join("run"), &dir.join("alone"), &NEVER)
    });
    checked.1.map_err(|failure| (failure.status, failure.message))
}

#[test]
fn a_run_is_held_to_what_the_program_does_by_itself() {
    assert_eq!(semantics("1", "1", "1"), Ok(()));
    let (status, message) = semantics("2", "1", "1").unwrap_err();
    assert_eq!(status, RunStatus::SemanticsChanged);
    assert_eq!(message, "checksum is 2, and 1 when the program runs by itself");
    let (status, message) = semantics("", "1", "1").unwrap_err();
    assert!(
        status == RunStatus::SemanticsChanged && message.starts_with("it printed no summary"),
        "{message}"
    );
}

#[test]
fn a_program_that_says_nothing_by_itself_or_something_else_every_time_is_no_measure() {
    let (status, message) = semantics("1", "", "1").unwrap_err();
    assert_eq!(status, RunStatus::ParseError);
    assert!(message.starts_with("it fails by itself: it printed no summary"), "{message}");
    let (status, message) = semantics("1", "2", "3").unwrap_err();
    assert_eq!(status, RunStatus::SemanticsChanged);
    assert!(
        message.starts_with("it does something else whenever it runs: checksum is 3, and 2"),
        "{message}"
    );
    let (_, message) = semantics("1", "2", "").unwrap_err();
    assert_eq!(message, "it printed a summary when it ran by itself, and none once more");
}

fn failure(text: &str) -> Failure {
    record(text).1.unwrap_err()
}

#[test]
fn everything_is_handed_to_the_ranks() {
    let (dir, _) = record("echo \"$@\"; exit 0");
    let said = fs::read_to_string(dir.path().join("run/stdout.txt")).unwrap();
    let folder = dir.path().join("run").display().to_string();
    assert_eq!(
        said.trim(),
        format!(
            "--oversubscribe --bind-to none -n 2 -x LD_PRELOAD=/lib/recorder.so -x ATS_RECORDER_DIR={folder}/trace \
             ./late_sender --np 2 --witness {folder}/witness --balanced --seed=7 basework=0.01 extrawork=0.05 r=3"
        )
    );
}

#[test]
fn a_program_that_crashes_or_hangs_has_that_for_a_result() {
    let crashed = failure("echo oh dear >&2; kill -11 $$");
    assert_eq!(crashed.status, RunStatus::Crashed);
    assert!(crashed.message.contains("killed by signal 11") && crashed.message.contains("oh dear"));
    let hung = failure("sleep 9973");
    assert_eq!(hung.status, RunStatus::Timeout);
    assert!(hung.message.contains("still running after 0.5 s"), "{}", hung.message);
}

#[test]
fn a_run_without_a_trace_is_unreadable() {
    let nothing = failure("exit 0");
    assert_eq!(nothing.status, RunStatus::ParseError);
    assert!(nothing.message.contains("there is no trace in"), "{}", nothing.message);
    let noted = failure(
        "for word; do case $word in ATS_RECORDER_DIR=*) d=${word#*=};; esac; done
         mkdir -p $d; echo 'rank 1: it did not end; was it killed?' >$d/incomplete.1",
    );
    assert_eq!(noted.status, RunStatus::ParseError);
    assert!(
        noted.message.ends_with("is incomplete: rank 1: it did not end; was it killed?"),
        "{}",
        noted.message
    );
    let empty = failure(
        "for word; do case $word in ATS_RECORDER_DIR=*) d=${word#*=};; esac; done
         mkdir -p $d; : >$d/traces.otf2",
    );
    assert_eq!(empty.status, RunStatus::ParseError);
    assert!(empty.message.contains("traces.otf2"), "{}", empty.message);
}

#[test]
fn a_folder_that_cannot_be_made_is_said_to_be_so() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let launcher = launcher(dir.path(), "exit 0");
    let program = Catalogue::builtin().program("late_sender").unwrap();
    let arguments = program.property.arguments([]).unwrap();
    let subject = Subject::Property { program, arguments };
    let run = Run {
        subject: &subject,
        executable: Path::new("x"),
        size: Size::ranks(2),
        launcher: Some(&launcher),
        recorder: None,
        options: &[],
        time: Duration::from_secs(1),
        causes: None,
    };
    let failure = run.execute(&dir.path().join("file/run"), &NEVER).unwrap_err();
    assert_eq!(failure.status, RunStatus::NotStarted);
    assert!(failure.message.contains("file/run"), "{}", failure.message);
}

#[test]
fn witnesses_are_those_of_all_ranks_of_one_world() {
    let dir = TempDir::new().unwrap();
    let error = || read_witnesses(dir.path(), 2).unwrap_err();
    assert!(error().starts_with("rank 0 left no witness"), "{}", error());
    fs::write(dir.path().join("witness.0.json"), "{\"schema\":").unwrap();
    assert!(error().contains("witness.0.json cannot be read as a witness"), "{}", error());
    let span = r#"{"enter_ns":1,"leave_ns":2}"#;
    let alone = format!(
        r#"{{"schema":"ats-witness/1","program":"late_sender","parameters":{{}},"rank":0,"ranks":1,
            "clock":{{"start":{{"at_ns":0,"offset_ns":0}},"end":{{"at_ns":0,"offset_ns":0}}}},"measured":{span},
            "constructs":[],"work":[],"choices":[],"eager_held":null,"environment":{{}}}}"#
    );
    fs::write(dir.path().join("witness.0.json"), alone).unwrap();
    assert!(error().starts_with("2 ranks were started, but"), "{}", error());
}

#[test]
fn causes_have_our_names_of_constructs() {
    let paths = |names: [&str; 2]| vec![names.map(str::to_owned).to_vec()];
    let call_paths = paths(["!$omp parallel @a.rs:1", "!$omp for/do @a.rs:2"]);
    let causes = renamed(Causes { call_paths, ..Causes::default() });
    assert_eq!(causes.call_paths, paths(["!$omp parallel @a.rs:1", "!$omp for @a.rs:2"]));
}
