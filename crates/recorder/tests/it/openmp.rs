//! Programs with threads, recorded with MPI and without, and their traces read. They are compiled by clang, whose
//! OpenMP runtime tells tools what happens.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::mpi::{Mpi, Trace, compile, source, stderr, succeeded};
use ats_model::Event;
use ats_model::definitions::{Paradigm, RegionRole};
use ats_model::event::TeamRef;

/// The nesting of constructs in `constructs.c`, on any thread. It omits those that depend on chance or on the runtime:
/// tasks, which may run in any barrier, and the parts of sections and reductions.
const CONSTRUCTS: &str = "\
!$omp parallel @constructs.c:100
  !$omp implicit barrier @constructs.c:100
  !$omp single @constructs.c:102
    !$omp implicit barrier @constructs.c:102
    !$omp single sblock @constructs.c:102
      !$omp create task @constructs.c:104
      !$omp create task @constructs.c:106
      !$omp taskwait @constructs.c:108
!$omp parallel @constructs.c:115
  !$omp for @constructs.c:118
    !$omp implicit barrier @constructs.c:118
  !$omp implicit barrier @constructs.c:115
!$omp parallel @constructs.c:19
  !$omp barrier @constructs.c:25
  !$omp implicit barrier @constructs.c:19
  !$omp master @constructs.c:23
    MPI_Barrier
  work
!$omp parallel @constructs.c:30
  !$omp for @constructs.c:32
    !$omp implicit barrier @constructs.c:32
  !$omp for @constructs.c:35
  !$omp for @constructs.c:38
    !$omp implicit barrier @constructs.c:38
  !$omp for @constructs.c:41
  !$omp for @constructs.c:44
    !$omp implicit barrier @constructs.c:44
    !$omp ordered @constructs.c:47
      !$omp ordered sblock @constructs.c:47
  !$omp implicit barrier @constructs.c:30
!$omp parallel @constructs.c:54
  !$omp implicit barrier @constructs.c:54
  !$omp master @constructs.c:69
  !$omp sections @constructs.c:56
    !$omp implicit barrier @constructs.c:56
  !$omp single @constructs.c:65
    !$omp implicit barrier @constructs.c:65
    !$omp single sblock @constructs.c:65
  !$omp single @constructs.c:67
    !$omp single sblock @constructs.c:67
!$omp parallel @constructs.c:77
  !$omp critical @constructs.c:79
    !$omp critical sblock @constructs.c:79
  !$omp flush @constructs.c:93
  !$omp implicit barrier @constructs.c:77
  omp_set_lock
  omp_set_nest_lock
  omp_test_lock
  omp_test_nest_lock
  omp_unset_lock
  omp_unset_nest_lock
MPI_Finalize
MPI_Init_thread
";

#[test]
fn every_construct_is_recorded_where_it_stands_in_the_source() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile_with_clang(&source("constructs.c"), folder.path());
        succeeded(&mpi.run(2, &variables(mpi, folder.path(), "3"), &program, &[]));
        let trace = Trace::read(folder.path());
        trace.is_sound();
        let locations = trace.definitions.locations.iter();
        let named: Vec<_> = locations.map(|one| (one.id, one.name.as_str(), one.rank)).collect();
        let id = |thread: u64, rank: u64| thread << 32 | rank;
        assert_eq!(
            named,
            [
                (id(0, 0), "Master thread", 0),
                (id(0, 1), "Master thread", 1),
                (id(1, 0), "OMP thread 1", 0),
                (id(1, 1), "OMP thread 1", 1),
                (id(2, 0), "OMP thread 2", 0),
                (id(2, 1), "OMP thread 2", 1),
            ]
        );
        for rank in 0..2 {
            assert_eq!(nesting(&trace, rank), CONSTRUCTS, "{mpi:?}");
            members_begin_and_end_with_their_team(&trace, rank, 6);
            for (lock, acquisitions) in [(0, 3), (1, 6), (2, 6)] {
                acquisitions_are_in_order(&trace, rank, lock, acquisitions);
            }
            tasks_run_once_each(&trace, rank, 2);
        }
        let region = trace.definitions.regions.iter().find(|region| region.name.contains("critical sblock"));
        let region = region.expect("it is defined");
        assert!(region.file.ends_with("tests/programs/constructs.c"), "{}", region.file);
        assert_eq!(
            (region.line, region.role, region.paradigm),
            (79, RegionRole::CriticalSblock, Paradigm::OpenMp)
        );
    }
}

fn variables<'a>(mpi: Mpi, folder: &'a Path, threads: &'a str) -> [(&'static str, &'a OsStr); 3] {
    [
        ("LD_PRELOAD", mpi.recorder().as_os_str()),
        ("ATS_RECORDER_DIR", folder.as_os_str()),
        ("OMP_NUM_THREADS", OsStr::new(threads)),
    ]
}

/// The call paths of a rank's threads as a tree.
fn nesting(trace: &Trace, rank: u32) -> String {
    let depends = |name: &&str| {
        ["!$omp task @", "!$omp section @", "!$omp reduction @"].iter().any(|one| name.starts_with(one))
    };
    let mut paths = BTreeSet::new();
    for (location, events) in trace.definitions.locations.iter().zip(&trace.events) {
        let mut path: Vec<&str> = Vec::new();
        for (_, event) in events.iter().filter(|_| location.rank == rank) {
            match event {
                Event::Enter { region } => {
                    path.push(&trace.definitions.regions[region.0 as usize].name);
                    if !path.iter().any(depends) {
                        paths.insert(path.clone());
                    }
                }
                Event::Leave { .. } => _ = path.pop(),
                _ => {}
            }
        }
    }
    let line =
        |path: &Vec<&str>| format!("{:indent$}{}\n", "", path[path.len() - 1], indent = 2 * (path.len() - 1));
    paths.iter().map(line).collect()
}

/// The events of a rank's thread.
fn events(trace: &Trace, rank: u32, thread: u32) -> &[(u64, Event)] {
    let is_it = |location: &ats_model::definitions::LocationDefinition| {
        (location.rank, location.thread) == (rank, thread)
    };
    &trace.events[trace.definitions.locations.iter().position(is_it).expect("there is such a thread")]
}

/// When something happened.
fn times(events: &[(u64, Event)], is_it: impl Fn(&Event) -> bool) -> Vec<u64> {
    events.iter().filter(|(_, event)| is_it(event)).map(|(time, _)| *time).collect()
}

/// Every team of the master has the same three members, which work between its fork and its join; also the last of
/// them, though the runtime keeps them until there is new work.
fn members_begin_and_end_with_their_team(trace: &Trace, rank: u32, teams: usize) {
    let master = events(trace, rank, 0);
    let forks = times(master, |event| matches!(event, Event::ThreadFork { requested: 3 }));
    let joins = times(master, |event| matches!(event, Event::ThreadJoin));
    assert_eq!((forks.len(), joins.len()), (teams, teams));
    for thread in 0..3 {
        let member = events(trace, rank, thread);
        let begins = times(member, |event| matches!(event, Event::ThreadTeamBegin { .. }));
        let ends = times(member, |event| matches!(event, Event::ThreadTeamEnd { .. }));
        assert_eq!((begins.len(), ends.len()), (teams, teams));
        for team in 0..teams {
            let times = [forks[team], begins[team], ends[team], joins[team]];
            assert!(times.is_sorted(), "thread {thread}, team {team}: {times:?}");
        }
    }
    let threads = |team: &TeamRef| members(trace, *team);
    assert!(teams_of(master).iter().map(threads).all(|members| members == [(rank, 0), (rank, 1), (rank, 2)]));
}

/// The teams in which a thread begins to work, in turn.
fn teams_of(events: &[(u64, Event)]) -> Vec<TeamRef> {
    let team = |(_, event): &(u64, Event)| match event {
        Event::ThreadTeamBegin { team } => Some(*team),
        _ => None,
    };
    events.iter().filter_map(team).collect()
}

/// Rank and thread of each member.
fn members(trace: &Trace, team: TeamRef) -> Vec<(u32, u32)> {
    let locations = &trace.definitions.locations;
    let members = trace.definitions.teams[team.0 as usize].members.iter();
    members
        .map(|&member| &locations[member as usize])
        .map(|location| (location.rank, location.thread))
        .collect()
}

/// The acquisitions of a lock are numbered by their times, and each has its release on the same thread.
fn acquisitions_are_in_order(trace: &Trace, rank: u32, lock: u32, expected: u32) {
    let mut acquired: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
    let mut released: BTreeMap<u32, u32> = BTreeMap::new();
    for thread in 0..3 {
        for (time, event) in events(trace, rank, thread) {
            match *event {
                // A nested lock may be acquired again by the thread that has it.
                Event::ThreadAcquireLock { lock: of, order } if of == lock => {
                    let (_, by) = *acquired.entry(order).or_insert((*time, thread));
                    assert_eq!(by, thread, "acquisition {order} of lock {lock} is one thread's");
                }
                Event::ThreadReleaseLock { lock: of, order } if of == lock => {
                    _ = released.insert(order, thread)
                }
                _ => {}
            }
        }
    }
    assert!(acquired.keys().copied().eq(1..=expected), "lock {lock}: {acquired:?}");
    assert!(acquired.values().is_sorted_by_key(|(time, _)| *time), "lock {lock}: {acquired:?}");
    let acquirers: BTreeMap<u32, u32> =
        acquired.into_iter().map(|(order, (_, thread))| (order, thread)).collect();
    assert_eq!(released, acquirers);
}

/// Every task that was created is completed once, after a thread has gone on with it.
fn tasks_run_once_each(trace: &Trace, rank: u32, expected: usize) {
    let mut created = Vec::new();
    let mut switched = Vec::new();
    let mut completed = Vec::new();
    for thread in 0..3 {
        for (_, event) in events(trace, rank, thread) {
            match *event {
                Event::ThreadTaskCreate { task, .. } => created.push(task),
                Event::ThreadTaskSwitch { task, .. } if task.generation > 0 => switched.push(task),
                Event::ThreadTaskComplete { task, .. } => {
                    assert_eq!(switched.last(), Some(&task));
                    completed.push(task);
                }
                _ => {}
            }
        }
    }
    completed.sort();
    assert_eq!((created.len(), &created), (expected, &completed));
}

fn clang(name: &str, folder: &Path, options: &[&str]) -> PathBuf {
    compile(Command::new("clang"), &source(name), folder, options)
}

/// Runs a program with these variables, without a launcher.
fn run_alone(program: &Path, variables: &[(&str, &OsStr)], arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=10", "60"]).arg(program).args(arguments);
    command.envs(variables.iter().copied()).output().expect("timeout runs")
}

#[test]
fn teams_of_all_sizes_are_recorded_without_mpi_however_the_program_ends() {
    let Some(mpi) = Mpi::tested().next() else { return };
    for (ending, code, last_team) in [("return", 0, true), ("exit", 3, false), ("exit in a region", 4, true)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let program = clang("teams.c", folder.path(), &["-fopenmp"]);
        let output = run_alone(&program, &variables(mpi, folder.path(), "2"), &[ending]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(code), String::new()), "{ending}");
        let trace = Trace::read(folder.path());
        trace.is_sound();
        assert!(!folder.path().join("incomplete.0").exists());
        assert_eq!(trace.definitions.communicators, []);
        let threads: Vec<u32> = trace.definitions.locations.iter().map(|location| location.thread).collect();
        assert_eq!(threads, [0, 1, 2, 3, 4, 5], "those that a team has left are used again");
        let teams: Vec<_> =
            teams_of(events(&trace, 0, 0)).iter().map(|team| members(&trace, *team)).collect();
        let first = |size: u32| -> Vec<(u32, u32)> { (0..size).map(|thread| (0, thread)).collect() };
        for (team, size) in teams.iter().zip([1, 2, 3, 4, 1, 2]) {
            assert_eq!(*team, first(size));
        }
        assert_eq!((teams[6].len(), teams.len()), (3, 7 + usize::from(last_team)), "{ending}");
        let within = |thread| {
            let teams: Vec<_> =
                teams_of(events(&trace, 0, thread)).iter().map(|team| members(&trace, *team)).collect();
            teams
                .into_iter()
                .rfind(|team| team.len() == 3 && team[0] == (0, thread))
                .expect("it has its own team")
        };
        let mut both = [within(0), within(1)].concat();
        both.sort();
        assert_eq!(both, first(6), "two teams of three at once share nobody");
    }
}

/// A team that ends with the program before all its threads have begun has no members that could be told.
#[test]
fn a_trace_has_as_many_events_as_it_says_whether_a_last_team_has_begun_or_not() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("teams.c", folder.path(), &["-fopenmp"]);
    for run in 0..5 {
        let trace = folder.path().join(run.to_string());
        let output = run_alone(&program, &variables(mpi, &trace, "2"), &["exit at once"]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(6), String::new()));
        Trace::read(&trace).is_sound();
    }
}

#[test]
fn a_program_without_mpi_that_is_gone_at_once_leaves_its_marker() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("teams.c", folder.path(), &["-fopenmp"]);
    let trace = folder.path().join("trace");
    let output = run_alone(&program, &variables(mpi, &trace, "2"), &["_exit"]);
    assert_eq!(output.status.code(), Some(5));
    let marker = std::fs::read_to_string(trace.join("incomplete.0")).expect("the marker stays");
    assert_eq!(marker, "rank 0: it did not end; was it killed?\n");
    assert!(!trace.join("traces.otf2").exists());
}

#[test]
fn little_memory_loses_no_event_of_any_thread() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("rounds.c", folder.path(), &["-fopenmp"]);
    let [preload, trace, _] = variables(mpi, folder.path(), "2");
    succeeded(&run_alone(&program, &[preload, trace, ("ATS_RECORDER_BUFFER", OsStr::new("1"))], &[]));
    let trace = Trace::read(folder.path());
    trace.is_sound();
    for thread in 0..2 {
        let events = events(&trace, 0, thread);
        let of = |construct: &str| {
            let is_it = |event: &Event| match event {
                Event::Enter { region } => {
                    trace.definitions.regions[region.0 as usize].name.starts_with(construct)
                }
                _ => false,
            };
            times(events, is_it).len()
        };
        assert_eq!(
            ["!$omp parallel @", "!$omp critical @", "!$omp barrier @"].map(of),
            [501, 20_000, 500],
            "thread {thread}"
        );
    }
    assert_eq!(trace.definitions.teams.len(), 1);
}

#[test]
fn obstacles_of_recording_threads_are_reported_and_mpi_is_recorded() {
    let disabled = ("OMP_TOOL", OsStr::new("disabled"));
    let other = ("OMP_TOOL_LIBRARIES", OsStr::new("/opt/other/libtool.so"));
    for mpi in Mpi::tested() {
        let with_clang = Mpi::compile_with_clang;
        let with_gcc = Mpi::compile;
        for (compile, variable, said) in [
            (with_clang as fn(Mpi, &Path, &Path) -> PathBuf, Some(disabled), "OMP_TOOL=disabled"),
            (with_clang, Some(other), "another OpenMP tool is attached, /opt/other/libtool.so,"),
            (with_gcc, None, "clang -fopenmp"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let program = compile(mpi, &source("constructs.c"), folder.path());
            let set: Vec<_> = variables(mpi, folder.path(), "2").into_iter().chain(variable).collect();
            let output = mpi.run(2, &set, &program, &[]);
            succeeded(&output);
            let text = stderr(&output);
            assert_eq!(text.matches("ats-recorder: ").count(), 1, "one process speaks for all: {text}");
            assert!(text.contains(said) && text.contains("threads are not recorded"), "{text}");
            let trace = Trace::read(folder.path());
            trace.is_sound();
            let nesting = nesting(&trace, 0);
            assert!(nesting.contains("MPI_Barrier") && !nesting.contains("!$omp"), "{nesting}");
            // Regions that the program marks are recorded on any thread.
            let names = trace.definitions.locations.iter().map(|location| location.name.as_str());
            assert!(names.eq(["Master thread", "Master thread", "Thread 1", "Thread 1"]));
        }
    }
}

#[test]
fn a_runtime_that_cannot_tell_of_threads_is_named() {
    let Some(mpi) = Mpi::tested().next() else { return };
    for (options, said) in [
        (&["-shared", "-fPIC"][..], "libfake.so was built without an interface for tools (OMPT)"),
        (
            &["-shared", "-fPIC", "-DTOO_OLD"],
            "the OpenMP runtime (one of a test) does not tell tools of its parallel regions",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let library = clang("runtime.c", folder.path(), options);
        let runtime = folder.path().join("libfake.so");
        std::fs::rename(library, &runtime).expect("renamed");
        let program = clang("forks.c", folder.path(), &[runtime.to_str().expect("UTF-8")]);
        let trace = folder.path().join("trace");
        let output = run_alone(&program, &variables(mpi, &trace, "2"), &[]);
        succeeded(&output);
        let text = stderr(&output);
        assert!(text.starts_with("ats-recorder: ") && text.contains(said), "{text}");
        assert!(!trace.exists(), "there is nothing to record");
    }
}

#[test]
fn processes_that_share_no_mpi_are_refused() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = clang("teams.c", folder.path(), &["-fopenmp"]);
        let trace = folder.path().join("trace");
        let output = mpi.run(2, &variables(mpi, &trace, "2"), &program, &["return"]);
        succeeded(&output);
        let text = stderr(&output);
        assert_eq!(text.matches("has not seen them initialise MPI").count(), 1, "{text}");
        assert!(!trace.exists());
    }
}

#[test]
fn the_runtime_may_load_the_recorder_itself() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("teams.c", folder.path(), &["-fopenmp"]);
    let recorder = mpi.recorder().as_os_str();
    let set = [("OMP_TOOL_LIBRARIES", recorder), ("ATS_RECORDER_DIR", folder.path().as_os_str())];
    for preloaded in [None, Some(("LD_PRELOAD", recorder))] {
        let set: Vec<_> = set.into_iter().chain(preloaded).collect();
        let output = run_alone(&program, &set, &["return"]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{preloaded:?}");
        let trace = Trace::read(folder.path());
        trace.is_sound();
        assert_eq!(trace.definitions.locations.len(), 6);
    }
}

/// A copy of the OpenMP runtime that a program uses, under a name of its own, with a library that uses the copy.
fn library_with_a_runtime_of_its_own(program: &Path, folder: &Path) -> PathBuf {
    let used = Command::new("ldd").arg(program).output().expect("ldd runs");
    let used = String::from_utf8(used.stdout).expect("text");
    let line = used.lines().find(|line| line.trim_start().starts_with("libomp")).expect("LLVM's runtime");
    let [name, _, file, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
    let other = name.replace("libomp", "libomq");
    let mut bytes = std::fs::read(file).expect("the runtime");
    let is_it = |at: &usize| bytes[*at..].starts_with(name.as_bytes());
    let places: Vec<usize> = (0..bytes.len()).filter(is_it).collect();
    places.iter().for_each(|&at| bytes[at..at + name.len()].copy_from_slice(other.as_bytes()));
    std::fs::write(folder.join(&other), bytes).expect("the copy");
    let library = folder.join("second.so");
    let mut compiler = Command::new("clang");
    compiler.args(["-shared", "-fPIC", "-DLIBRARY", "-fopenmp", "-Wl,--as-needed", "-o"]).arg(&library);
    compiler.arg(source("copies.c")).arg(folder.join(&other));
    compiler.arg(format!("-Wl,-rpath,{}", folder.display()));
    let built = compiler.output().expect("clang runs");
    assert!(built.status.success(), "{}", stderr(&built));
    library
}

#[test]
fn a_copy_of_the_runtime_that_sees_no_symbols_of_others_is_recorded_as_well() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("copies.c", folder.path(), &["-fopenmp"]);
    let library = library_with_a_runtime_of_its_own(&program, folder.path());
    let trace = folder.path().join("trace");
    let set = [&variables(mpi, &trace, "2")[..], &[("KMP_DUPLICATE_LIB_OK", "TRUE".as_ref())]].concat();
    succeeded(&run_alone(&program, &set, &[library.to_str().expect("a plain name")]));
    let trace = Trace::read(&trace);
    trace.is_sound();
    let teams = teams_of(events(&trace, 0, 0));
    assert_eq!(teams.iter().map(|team| members(&trace, *team).len()).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!(trace.definitions.locations.len(), 3, "each runtime has a second thread of its own");
}

#[test]
fn a_runtime_that_ends_before_the_program_is_said_to_have_ended_and_when() {
    for mpi in Mpi::tested() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = mpi.compile_with_clang(&source("lives.c"), folder.path());
        let is_in_team = |event: &Event| matches!(event, Event::ThreadTeamEnd { .. });
        for (arguments, ranks) in
            [(&["none"][..], 1), (&["pause"], 1), (&["none", "mpi"], 2), (&["pause", "mpi"], 2)]
        {
            let folder = folder.path().join(arguments.concat());
            let variables = variables(mpi, &folder, "2");
            succeeded(&match ranks {
                1 => run_alone(&program, &variables, arguments),
                _ => mpi.run(ranks, &variables, &program, arguments),
            });
            let trace = Trace::read(&folder);
            trace.is_sound();
            for rank in 0..ranks {
                let ended = trace.definitions.openmp_ended.get(&rank);
                let events = events(&trace, rank, 0);
                let teams = times(events, is_in_team);
                let (last, _) = events.last().expect("the end of the program");
                match (arguments[0], ended) {
                    ("none", None) => assert_eq!(teams.len(), 2),
                    // A runtime that starts its tool again has the second region.
                    ("pause", None) => {
                        assert_eq!(teams.len(), 2, "nothing says that the second one is missing")
                    }
                    ("pause", Some(ended)) => {
                        assert!(teams[0] <= *ended && ended < last, "{teams:?} {ended} {last}")
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

#[test]
fn a_runtime_that_begins_again_is_recorded_again_on_the_same_locations() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("restarts.c", folder.path(), &["-pthread"]);
    for mpi in Mpi::tested() {
        for (arguments, has_ended) in
            [(&["1"][..], false), (&["3"], false), (&["1", "ends"], true), (&["3", "ends"], true)]
        {
            let folder = folder.path().join(arguments.concat());
            succeeded(&run_alone(&program, &variables(mpi, &folder, "2"), arguments));
            let trace = Trace::read(&folder);
            trace.is_sound();
            assert_eq!(trace.events.len(), 2, "{arguments:?}: two threads");
            let lives: usize = arguments[0].parse().expect("a number");
            for thread in 0..2 {
                let teams = teams_of(events(&trace, 0, thread));
                assert_eq!(teams.len(), lives, "{arguments:?}: thread {thread}");
                assert!(teams.iter().all(|team| members(&trace, *team) == [(0, 0), (0, 1)]), "{arguments:?}");
            }
            assert_eq!(trace.definitions.openmp_ended.contains_key(&0), has_ended, "{arguments:?}");
        }
    }
}

#[test]
fn a_shell_that_starts_the_program_writes_nothing() {
    let Some(mpi) = Mpi::tested().next() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = clang("teams.c", folder.path(), &["-fopenmp"]);
    let trace = folder.path().join("trace");
    let command = format!("true; {} return && true", program.display());
    let output = run_alone(Path::new("sh"), &variables(mpi, &trace, "2"), &["-c", &command]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert_eq!(Trace::read(&trace).definitions.locations.len(), 6);
}
