use std::fs;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::*;

static NEVER: AtomicBool = AtomicBool::new(false);

fn limits(milliseconds: u64) -> Limits<'static> {
    Limits { time: Duration::from_millis(milliseconds), output: 1 << 20, cancelled: &NEVER }
}

#[test]
fn the_last_line_is_seen_while_it_is_written() {
    let dir = TempDir::new().unwrap();
    let go = dir.path().join("go");
    let text = format!("echo '   Compiling first' >&2; while [ ! -e {} ]; do sleep 0.01; done", go.display());
    let command = Command::new(script(dir.path(), "run", &text));
    let mut seen = Vec::new();
    let look = |log: &Path| {
        seen.push(last_line(log));
        if seen.last().is_some_and(|line| !line.is_empty()) {
            fs::write(&go, "").unwrap();
        }
    };
    let ended = run_watched(command, dir.path(), limits(60_000), look).unwrap();
    assert_eq!(ended.ending, Ending::Success);
    assert_eq!(seen.last().unwrap(), "   Compiling first");
}

/// Writes a script that can be executed. Another process writes it: a file that is open for writing cannot be executed,
/// and what other tests start meanwhile inherits what this process has open.
pub(crate) fn script(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod +x "$0""#;
    assert!(Command::new("sh").args(["-c", write]).arg(&path).arg(text).status().unwrap().success());
    path
}

/// Two runs at once do not share what Open MPI makes and removes for a run.
#[test]
fn each_run_has_a_session_folder_of_its_own() {
    let text = "test -d \"$OMPI_MCA_orte_tmpdir_base\" && echo $OMPI_MCA_orte_tmpdir_base";
    let said = || {
        let (_dir, ended) = run_script(text, limits(60_000));
        assert_eq!(ended.ending, Ending::Success);
        PathBuf::from(fs::read_to_string(&ended.stdout).unwrap().trim())
    };
    let [one, other] = [said(), said()];
    assert_ne!(one, other);
    assert!(!one.exists() && !other.exists(), "they are gone with the run");
}

fn run_script(text: &str, limits: Limits<'_>) -> (TempDir, Ended) {
    let dir = TempDir::new().unwrap();
    let ended = run(Command::new(script(dir.path(), "run", text)), dir.path(), limits).unwrap();
    (dir, ended)
}

/// A `sleep` of this many seconds, and a fraction that no other process uses.
fn sleep(seconds: u32) -> String {
    format!("sleep {seconds}.{}", std::process::id())
}

/// Whether such a `sleep` runs.
fn sleeps(seconds: u32) -> bool {
    runs(&sleep(seconds).replace(' ', "\0"))
}

fn runs(word: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let own = entry.file_name() == std::process::id().to_string().as_str();
        !own && fs::read(entry.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(word))
    })
}

#[test]
fn a_run_ends_as_it_ends() {
    assert_eq!(run_script("exit 0", limits(10_000)).1.ending, Ending::Success);
    let (_dir, ended) = run_script(
        "echo working; echo -----; echo rank 1 is unwell >&2; echo ----- >&2; exit 3",
        limits(10_000),
    );
    assert_eq!(ended.ending, Ending::Exit(3));
    assert_eq!(ended.message(), "it ended with exit code 3; its last lines:\nrank 1 is unwell");
    let (_dir, ended) = run_script("kill -9 $$", limits(10_000));
    assert_eq!((ended.ending, ended.message().as_str()), (Ending::Signal(9), "it was killed by signal 9"));
}

#[test]
fn a_launchers_blame_is_passed_on() {
    let (_dir, ended) = run_script(
        "echo 'mpirun noticed that process rank 2 with PID 0 on node n exited on signal 11 (Segmentation fault).'; exit 139",
        limits(10_000),
    );
    let message = ended.message();
    assert!(
        message.starts_with("it ended with exit code 139 (rank 2: signal 11 (Segmentation fault))"),
        "{message}"
    );
}

#[test]
fn a_run_that_hangs_is_killed() {
    let begin = Instant::now();
    let (_dir, ended) = run_script(&format!("echo before; exec {}", sleep(1717)), limits(300));
    assert_eq!(ended.ending, Ending::TimedOut(Duration::from_millis(300)));
    assert!(ended.message().contains("still running after 0.3 s"), "{}", ended.message());
    assert!(ended.message().ends_with("before"), "what it wrote is kept");
    assert!(begin.elapsed() < Duration::from_secs(60));
    assert!(!sleeps(1717));
}

#[test]
fn children_that_ignore_signals_or_leave_the_session_die_too() {
    let [child, leaver, own] = [2718, 3141, 1618].map(sleep);
    let text = format!("trap '' TERM INT HUP\n(trap '' TERM; {child}) &\nsetsid {leaver} &\n{own}");
    let (_dir, ended) = run_script(&text, limits(500));
    assert!(matches!(ended.ending, Ending::TimedOut(_)));
    for orphan in [2718, 3141, 1618] {
        assert!(!sleeps(orphan), "{orphan}");
    }
}

#[test]
fn leftovers_of_a_run_die_with_it() {
    let (_dir, ended) =
        run_script(&format!("setsid {} >/dev/null 2>&1 &\nexit 0", sleep(5772)), limits(10_000));
    assert_eq!(ended.ending, Ending::Success);
    assert!(!sleeps(5772));
}

#[test]
fn leftovers_of_a_run_are_counted() {
    let (_dir, ended) = run_script(&format!("{} &", sleep(8129)), limits(10_000));
    assert_eq!((ended.ending, ended.left_behind), (Ending::Success, 1));
    let (_dir, ended) = run_script("exit 0", limits(10_000));
    assert_eq!(ended.left_behind, 0);
}

#[test]
fn the_need_of_a_terminal_differs_from_a_crash_or_hang() {
    let (_dir, ended) = run_script("kill -STOP $$", limits(300));
    assert!(ended.stopped && ended.wanted_terminal(), "{ended:?}");
    assert!(ended.message().contains("a process was stopped that wanted a terminal"), "{}", ended.message());
    let wants = |text: &str| run_script(text, limits(10_000)).1.wanted_terminal();
    assert!(wants("echo 'sh: cannot open /dev/tty: No such device or address' >&2; exit 2"));
    assert!(!wants("echo 'segmentation fault' >&2; exit 2"));
    assert!(!wants("echo 'stdout is not a terminal: no colours' >&2"), "it did without");
}

#[test]
fn a_run_that_writes_without_end_is_killed() {
    let (_dir, ended) = run_script("exec yes nonsense", limits(60_000));
    assert_eq!(ended.ending, Ending::TooMuchOutput(1 << 20));
    assert!(ended.message().len() < 10_000);
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_do_no_harm() {
    let (_dir, ended) =
        run_script("printf '\\377\\376'; head -c 100000 /dev/zero | tr '\\0' x; exit 1", limits(10_000));
    assert_eq!(ended.ending, Ending::Exit(1));
    assert!(ended.message().len() < 1000);
}

#[test]
fn a_run_can_be_cancelled() {
    let cancelled = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let (_dir, ended) = run_script(&sleep(8128), Limits { cancelled: &cancelled, ..limits(60_000) });
        assert_eq!(ended.ending, Ending::Cancelled);
    });
    assert!(!sleeps(8128));
}

#[test]
#[ignore = "a part of the next test, which runs and kills it"]
fn waits_for_ever() {
    let dir = TempDir::new().unwrap();
    let mut command = Command::new("sleep");
    command.arg(&sleep(6765)["sleep ".len()..]);
    let _ended = match std::env::var("HOW").unwrap().as_str() {
        "run" => run(command, dir.path(), limits(3_600_000)).map(|_| ()),
        _ => wait(command, &NEVER).map(|_| ()),
    };
}

#[test]
fn a_run_ends_with_its_parent_even_if_that_is_killed() {
    let (_, module) = module_path!().split_once("::").unwrap();
    for how in ["run", "wait"] {
        let mut parent = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("{module}::waits_for_ever"), "--ignored"])
            .env("HOW", how)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let child = format!("sleep\x006765.{}", parent.id());
        let runs_still = || runs(&child);
        let until = |runs: bool| {
            let begin = Instant::now();
            while runs_still() != runs && begin.elapsed() < Duration::from_secs(60) {
                thread::sleep(Duration::from_millis(10));
            }
            runs_still() == runs
        };
        assert!(until(true), "{how}: it was started");
        parent.kill().unwrap();
        assert!(until(false), "{how}: it is gone");
        parent.wait().unwrap();
    }
}

#[test]
fn a_missing_program_is_an_error() {
    let dir = TempDir::new().unwrap();
    assert!(run(Command::new(dir.path().join("nothing")), dir.path(), limits(1000)).is_err());
}

pub(crate) fn launcher(dir: &Path, name: &str, version: &str) -> Launcher {
    Launcher::named(script(
        dir,
        name,
        &format!("[ \"$1\" = --version ] && echo '{version}' && exit\nexec \"$@\""),
    ))
    .unwrap()
}

fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[test]
fn each_launcher_is_spoken_to_in_its_own_way() {
    let dir = TempDir::new().unwrap();
    let job = Job {
        ranks: 4,
        environment: vec![("LD_PRELOAD".to_owned(), "/a/b.so".into()), ("X".to_owned(), "1".into())],
        program: Path::new("./late_sender"),
        arguments: vec!["r=2".into()],
    };
    for (version, wanted) in [
        (
            "mpirun (Open MPI) 4.1.4",
            "--oversubscribe --bind-to none -n 4 -x LD_PRELOAD=/a/b.so -x X=1 ./late_sender r=2",
        ),
        ("HYDRA build details:", "-n 4 -genv LD_PRELOAD /a/b.so -genv X 1 ./late_sender r=2"),
        (
            "slurm 22.05.8",
            "--overcommit --cpu-bind=none -n 4 --export=ALL,LD_PRELOAD=/a/b.so,X=1 ./late_sender r=2",
        ),
    ] {
        let launcher = launcher(dir.path(), "launcher", version);
        assert_eq!(words(&launcher.command(&job)), format!("launcher {wanted}"));
    }
}

#[test]
fn the_root_user_may_run_open_mpi() {
    let dir = TempDir::new().unwrap();
    let job = Job { ranks: 1, environment: Vec::new(), program: Path::new("x"), arguments: Vec::new() };
    let command = launcher(dir.path(), "mpirun", "mpirun (Open MPI) 4.1.4").command(&job);
    let allowed = |command: &Command| {
        command.get_envs().any(|(name, value)| {
            name == "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM" && value.is_some_and(|value| value == "1")
        })
    };
    assert!(allowed(&command));
    let written = [dir.path().join("mpirun").into_os_string(), "-n".into(), "4".into(), "x".into()];
    assert!(allowed(&parse_command(&written).unwrap().with_environment(&[])));
}

#[test]
fn a_launcher_of_another_library_is_refused() {
    let dir = TempDir::new().unwrap();
    let hydra = launcher(dir.path(), "mpirun", "HYDRA build details:\n    Version:   4.0.2");
    assert!(hydra.check(Mpi::Mpich).is_ok());
    let message = hydra.check(Mpi::OpenMpi).unwrap_err().to_string();
    assert!(message.contains("(MPICH Hydra 4.0.2) cannot start programs of Open MPI"), "{message}");
    assert!(message.contains("use the launcher of Open MPI"), "{message}");
}

#[test]
fn a_launcher_that_is_missing_or_none_is_named_with_the_fix() {
    let missing = Launcher::named("mpirun.nowhere").unwrap_err().to_string();
    assert!(
        missing.contains("`mpirun.nowhere` was not found") && missing.contains("apt-get install openmpi-bin")
    );
    let other = Launcher::named("true").unwrap_err().to_string();
    assert!(other.contains("`true` is not a launcher that ATS knows"), "{other}");
}

fn parsed(dir: &Path, version: &str, line: &str) -> Launched {
    script(dir, "mpirun", &format!("echo '{version}'"));
    let words: Vec<OsString> = line
        .split(' ')
        .map(|word| if word == "mpirun" { dir.join("mpirun").into() } else { word.into() })
        .collect();
    parse_command(&words).unwrap()
}

#[test]
fn variables_are_put_into_command_lines_of_others() {
    let dir = TempDir::new().unwrap();
    let variables = [("LD_PRELOAD".to_owned(), OsString::from("r.so"))];
    for (version, line, program, wanted) in [
        ("(Open MPI) 4", "mpirun -np 4 ./a b", "./a", "mpirun -x LD_PRELOAD=r.so -np 4 ./a b"),
        (
            "(Open MPI) 4",
            "mpirun --mca btl self,vader -np 2 ./a : -np 1 ./b",
            "./a",
            "mpirun -x LD_PRELOAD=r.so --mca btl self,vader -np 2 ./a : -x LD_PRELOAD=r.so -np 1 ./b",
        ),
        (
            "HYDRA",
            "mpirun -genv A 1 -n 4 ./a -n 3",
            "./a",
            "mpirun -genv LD_PRELOAD r.so -genv A 1 -n 4 ./a -n 3",
        ),
        ("slurm 22", "mpirun -n 4 ./a", "./a", "mpirun --export=ALL,LD_PRELOAD=r.so -n 4 ./a"),
        // An unknown flag's value is passed over for a word that can be run.
        (
            "HYDRA",
            "mpirun -unknown value /bin/sh x",
            "/bin/sh",
            "mpirun -genv LD_PRELOAD r.so -unknown value /bin/sh x",
        ),
    ] {
        let launched = parsed(dir.path(), version, line);
        assert_eq!(launched.program, Path::new(program));
        assert_eq!(words(&launched.with_environment(&variables)), wanted);
    }
}

#[test]
fn libraries_that_are_preloaded_anyway_come_behind_the_recorder() {
    let dir = TempDir::new().unwrap();
    let variables = [("LD_PRELOAD".to_owned(), OsString::from("r.so"))];
    for (version, line, wanted) in [
        (
            "(Open MPI) 4",
            "mpirun -np 2 -x LD_PRELOAD=a.so:b.so ./a",
            "mpirun -x LD_PRELOAD=r.so:a.so:b.so -np 2 -x LD_PRELOAD=r.so:a.so:b.so ./a",
        ),
        (
            "HYDRA",
            "mpirun -n 2 env LD_PRELOAD=a.so /bin/sh",
            "mpirun -genv LD_PRELOAD r.so:a.so -n 2 env LD_PRELOAD=r.so:a.so /bin/sh",
        ),
        ("", "env LD_PRELOAD=a.so /bin/sh b", "env LD_PRELOAD=a.so env LD_PRELOAD=r.so:a.so /bin/sh b"),
        (
            "",
            "env LD_PRELOAD=/x/libats_recorder.so:a.so nice /bin/sh b",
            "env LD_PRELOAD=/x/libats_recorder.so:a.so nice env LD_PRELOAD=r.so:a.so /bin/sh b",
        ),
        ("", "/bin/sh LD_PRELOAD=a.so", "sh LD_PRELOAD=a.so"),
    ] {
        let launched = parsed(dir.path(), version, line);
        assert_eq!(words(&launched.with_environment(&variables)), wanted, "{line}");
    }
}

#[test]
fn wrappers_of_the_launcher_are_looked_through() {
    let dir = TempDir::new().unwrap();
    let variables = [("A".to_owned(), OsString::from("1"))];
    for (line, wanted) in [
        ("env B=./mpirun -u C mpirun -np 2 ./a", "env B=./mpirun -u C DIR/mpirun -x A=1 -np 2 ./a"),
        (
            "timeout -s KILL 60 nice -n 5 mpirun -np 2 ./a : -np 1 ./b",
            "timeout -s KILL 60 nice -n 5 DIR/mpirun -x A=1 -np 2 ./a : -x A=1 -np 1 ./b",
        ),
        ("/usr/bin/env /bin/sh ./mpirun", "env env A=1 /bin/sh ./mpirun"),
        ("nice -n 5 env B=2 /bin/sh -c x", "nice -n 5 env B=2 env A=1 /bin/sh -c x"),
        ("env B=2", "env B=2"),
    ] {
        let launched = parsed(dir.path(), "(Open MPI) 4", line);
        let written = words(&launched.with_environment(&variables));
        assert_eq!(written.replace(dir.path().to_str().unwrap(), "DIR"), wanted);
    }
    let launched = parsed(dir.path(), "(Open MPI) 4", "nice -n 5 mpirun -np 2 ./a b");
    assert_eq!((launched.program.as_path(), launched.place), (Path::new("./a"), 6));
    let alone = launched.alone().unwrap();
    assert_eq!(words(&alone.with_environment(&variables)), "nice -n 5 env A=1 ./a b");
}

#[test]
fn a_program_by_itself_gets_them_directly() {
    let launched = parse_command(&["/bin/sh".into(), "-c".into()]).unwrap();
    assert!(launched.launcher.is_none());
    assert_eq!(launched.mpi().unwrap(), None);
    let command = launched.with_environment(&[("A".to_owned(), "1".into())]);
    assert_eq!(words(&command), "sh -c");
    assert!(command.get_envs().any(|(name, _)| name == "A"));
}

#[test]
fn a_program_alone_is_without_its_launcher() {
    let dir = TempDir::new().unwrap();
    let alone = |line: &str| parsed(dir.path(), "(Open MPI) 4", line).alone();
    for (line, wanted) in [
        ("mpirun -np 4 ./a -np 2 b", "a -np 2 b"),
        ("mpirun -x A=./a -np 4 ./a", "a"),
        ("/bin/sh -c", "sh -c"),
    ] {
        let alone = alone(line).unwrap();
        assert!(alone.launcher.is_none());
        assert_eq!(words(&alone.with_environment(&[])), wanted);
        assert_eq!(words(&alone.alone().unwrap().with_environment(&[])), wanted);
    }
    assert!(
        matches!(alone("mpirun -np 2 ./a : -np 1 ./b"), Err(LaunchError::Several(program)) if program == "./a")
    );
}

#[test]
fn a_command_line_without_a_program_is_an_error() {
    assert!(matches!(parse_command(&[]), Err(LaunchError::NoProgram(_))));
    let dir = TempDir::new().unwrap();
    let mpirun = script(dir.path(), "mpirun", "echo '(Open MPI) 4'");
    let error = parse_command(&[mpirun.into(), "-np".into(), "4".into()]).unwrap_err();
    assert!(error.to_string().contains("mpirun -np 4"), "{error}");
}
