#![allow(unsafe_code, reason = "asks the runtime how its threads wait")]
//! Errors that end a program, and their messages. Each case is run in a process of its own: this one, started again.

use std::process::{Command, Output};

use ats_omp::{Team, Thread};

const CASE: &str = "ATS_OMP_TEST_CASE";

/// Runs a case with these variables in the environment.
fn run(case: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    for inherited in
        ["OMP_WAIT_POLICY", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED", "OMP_THREAD_LIMIT", "OMP_DYNAMIC"]
    {
        command.env_remove(inherited);
    }
    command.args(["--exact", "messages::case", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(CASE, case).envs(variables.iter().copied()).output().unwrap()
}

#[track_caller]
fn assert_ends(case: &str, variables: &[(&str, &str)], message: &str) {
    let output = run(case, variables);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{case} ends the program: {said}");
    assert!(said.lines().any(|line| line == format!("error: {message}")), "{case} said: {said}");
}

#[test]
#[ignore = "the others run it in a process of its own"]
fn case() {
    let case = std::env::var(CASE).unwrap();
    match case.split_once(' ').unwrap() {
        #[cfg(feature = "openmp")]
        ("openmp", case) => openmp::act(case),
        #[cfg(feature = "rayon")]
        ("rayon", case) => act(case, &ats_omp::rayon::RayonTeam::new()),
        (engine, _) => panic!("{engine} is no engine"),
    }
}

fn act(case: &str, team: &impl Team) {
    let of_three = |body: &(dyn Fn() + Sync)| {
        team.parallel(3, |t| if t.number() == 2 { body() } else { t.barrier() });
    };
    match case {
        "panic in a region" => of_three(&|| panic!("the {} one", "third")),
        "panic in a nested region" => of_three(&|| {
            team.parallel(2, |t| if t.number() == 1 { panic!("the inner one") } else { t.barrier() });
        }),
        "panic in a critical" => {
            team.parallel(2, |t| {
                t.barrier();
                if t.number() == 1 { t.critical("ends", || panic!("has it")) } else { t.barrier() }
            });
        }
        "panic in a task" => {
            team.parallel_tasks(1, |_, tasks| tasks.spawn(|| panic!("of the task")));
        }
        "no threads" => team.parallel(0, |_| ()),
        "four threads" => team.parallel(4, |t| t.barrier()),
        "nested region" => team.parallel(2, |_| team.parallel(3, |t| t.barrier())),
        _ => panic!("{case} is no case"),
    }
}

fn assert_panics_end(engine: &str) {
    let ends = |case: &str, message: &str| assert_ends(&format!("{engine} {case}"), &[], message);
    ends("panic in a region", "thread 2 of a team panicked: the third one");
    ends("panic in a nested region", "thread 1 of a team panicked: the inner one");
    ends("panic in a critical", "thread 1 of a team panicked: has it");
    ends("panic in a task", "thread 0 of a team panicked: of the task");
    ends("no threads", "a team of 0 threads was asked for: it has at least one");
    assert!(run(&format!("{engine} four threads"), &[]).status.success());
    assert!(run(&format!("{engine} nested region"), &[]).status.success());
}

#[cfg(feature = "rayon")]
#[test]
fn panics_end_the_program_on_rayon() {
    assert_panics_end("rayon");
}

#[cfg(feature = "openmp")]
mod openmp {
    use std::path::{Path, PathBuf};

    use ats_omp::openmp::{OpenMp, check, library, wait_passively};

    use super::*;

    pub(super) fn act(case: &str) {
        unsafe extern "C" {
            safe fn kmp_get_blocktime() -> i32;
        }
        match case {
            "wait passively" => {
                wait_passively();
                println!("waits {} ms before it sleeps", kmp_get_blocktime());
            }
            "check" => println!("{}", check().unwrap_err()),
            #[cfg(feature = "rayon")]
            "foreign lock" => {
                let lock = ats_omp::rayon::RayonTeam::new().new_lock(ats_omp::LockKind::Simple);
                OpenMp.parallel(1, |t| t.with_lock(&lock, || ()));
            }
            case => super::act(case, &OpenMp),
        }
    }

    #[test]
    fn panics_end_the_program_on_openmp() {
        assert_panics_end("openmp");
    }

    #[test]
    fn a_team_that_is_too_small_ends_the_program() {
        assert_ends(
            "openmp four threads",
            &[("OMP_THREAD_LIMIT", "2")],
            "a team of 4 threads was asked for, and the OpenMP runtime gave 2: OMP_THREAD_LIMIT is 2, for all teams \
             together: unset it and KMP_DEVICE_THREAD_LIMIT, or ask for fewer threads",
        );
        for (variable, value) in [("OMP_MAX_ACTIVE_LEVELS", "1"), ("OMP_NESTED", "false")] {
            assert_ends(
                "openmp nested region",
                &[(variable, value)],
                "a team of 3 threads was asked for, and the OpenMP runtime gave 1: OMP_MAX_ACTIVE_LEVELS is 1: unset \
                 it and OMP_NESTED, or set it to 2 or more",
            );
        }
        let dynamic = run("openmp four threads", &[("OMP_DYNAMIC", "true"), ("OMP_THREAD_LIMIT", "3")]);
        let said = String::from_utf8_lossy(&dynamic.stderr).into_owned();
        assert!(!dynamic.status.success());
        assert!(said.contains("OMP_DYNAMIC lets it give fewer: set it to false"), "{said}");
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn a_lock_of_another_engine_is_refused() {
        let message = "thread 0 of a team panicked: the lock is one of another engine's";
        assert_ends("openmp foreign lock", &[], message);
    }

    #[test]
    fn threads_wait_passively_unless_the_user_said_how() {
        let waits =
            |variables: &[_]| String::from_utf8(run("openmp wait passively", variables).stdout).unwrap();
        assert!(waits(&[]).contains("waits 0 ms"), "{}", waits(&[]));
        let active = waits(&[("OMP_WAIT_POLICY", "active")]);
        assert!(active.contains("waits 2147483647 ms"), "{active}");
    }

    #[test]
    fn the_runtime_is_found_and_new_enough() {
        assert_eq!(check(), Ok(()));
        let library = library().unwrap();
        assert!(library.is_file(), "{}", library.display());
        let folders = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let named =
            std::env::split_paths(&folders).map(|folder| folder.join(LIBRARY)).find(|file| file.is_file());
        match named {
            Some(named) => assert_eq!(library, named),
            None => assert!(library.to_string_lossy().contains("libomp"), "{}", library.display()),
        }
    }

    const LIBRARY: &str = "libomp.so.5";

    /// Makes a library with all that this program calls of the runtime, but nothing that came with LLVM 14.
    fn older_runtime() -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("older-libomp");
        std::fs::create_dir_all(&folder).unwrap();
        let program = std::env::current_exe().unwrap();
        let listed = Command::new("nm").args(["-D", "--undefined-only", "-j"]).arg(program).output().unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let called = listed.lines().filter_map(|line| line.strip_suffix("@VERSION"));
        let functions: String = called.map(|name| format!("void {name}(void) {{ }}\n")).collect();
        assert!(functions.contains("__kmpc_fork_call"), "{listed}");
        let [source, map, library] = ["libomp.c", "libomp.map", LIBRARY].map(|name| folder.join(name));
        std::fs::write(&source, functions).unwrap();
        std::fs::write(&map, "VERSION { *; };").unwrap();
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-w", "-o"])
            .args([&library, &source])
            .arg(format!("-Wl,--version-script={}", map.display()))
            .status();
        assert!(compiled.expect("a C compiler").success());
        folder
    }

    #[test]
    fn a_runtime_that_is_too_old_is_named_with_what_to_do() {
        let folder = older_runtime();
        let output = run("openmp check", &[("LD_LIBRARY_PATH", folder.to_str().unwrap())]);
        let said = String::from_utf8(output.stdout).unwrap();
        let wanted = format!(
            "the OpenMP runtime {} is older than LLVM 14: install a newer one (Debian: libomp-dev), or put its folder \
             first in LD_LIBRARY_PATH",
            folder.join(LIBRARY).display()
        );
        assert!(said.contains(&wanted), "{said}{}", String::from_utf8_lossy(&output.stderr));
    }
}
