//! Plans: what is left is run and kept, whatever happens meanwhile.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{answer, ats_in};
use crate::experiments::rows;
use serde_json::Value;
use tempfile::TempDir;

/// A run of the command that may fail: its exit code, its answer, and what it says besides.
fn carried_out(dir: &Path, words: &[&str]) -> (i32, Value, String) {
    let output = ats_in(dir, &[&["experiment", "run", "repo"], words, &["--format", "json"]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), document, said)
}

/// The state of each run, in the order of the plan, and whether it was run just now.
fn states(document: &Value) -> Vec<String> {
    let state = |run: &Value| {
        let ran = if run["ran"] == true { "!" } else { "" };
        format!("{}{ran}", run["state"].as_str().unwrap())
    };
    document["runs"].as_array().unwrap().iter().map(state).collect()
}

fn json(dir: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&answer(dir, &[words, &["--format", "json"]].concat())).unwrap()
}

/// A command that keeps a line for each of its runs in `ran`, does something, and leaves a report.
fn program(dir: &Path, does: &str) {
    let report = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/tests/data/late_sender.mpiP");
    let text = format!("#!/bin/sh\necho \"$1\" >>ran\n{does}\ncp {report} \"$2/report.mpiP\"\n");
    fs::write(dir.join("heat"), text).unwrap();
    fs::set_permissions(dir.join("heat"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A plan for it.
fn plan(dir: &Path, keys: &str, values: &str) {
    let text = format!(
        "schema = \"ats-plan/1\"\napplication = \"heat\"\ncommand = [\"./heat\", \"{{size}}\", \"{{dir}}\"]\n\
         report = \"{{dir}}/*.mpiP\"\n{keys}\n[values]\nranks = 4\n{values}\n"
    );
    fs::write(dir.join("plan.toml"), text).unwrap();
}

/// The arguments of each run of the command, in order.
fn ran(dir: &Path) -> Vec<String> {
    fs::read_to_string(dir.join("ran")).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The hidden entries of the repository.
fn hidden(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir.join("repo"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with('.')).collect()
}

#[test]
fn a_property_over_ranks_is_as_if_it_was_added() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let text = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\nengine = \"virtual\"\nrepeats = 2\n\
                exclude = [\"ranks=8 extrawork=0.1\", \"repeat=2 ranks>2\"]\n[values]\nranks = { from = 2, to = 8, factor = 2 }\n\
                extrawork = [\"50ms\", 0.1]\nr = 2\n";
    fs::write(dir.join("plan.toml"), text).unwrap();
    let (code, document, _) = carried_out(dir, &["plan.toml", "--dry-run"]);
    assert_eq!((code, states(&document)), (0, vec!["left".to_owned(); 7]));
    assert!(!dir.join("repo").exists(), "looking makes nothing");

    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(states(&document), ["kept!"; 7]);
    let run = &document["runs"][2];
    assert_eq!((&run["ranks"], &run["parameters"]["extrawork"]), (&4.into(), &"0.05".into()));
    assert_eq!(carried_out(dir, &["plan.toml"]).1["runs"].as_array().unwrap().len(), 7);
    assert_eq!(states(&carried_out(dir, &["plan.toml"]).1), ["kept"; 7]);
    assert_eq!(hidden(dir), [] as [&str; 0]);

    let added = answer(
        dir,
        &[
            "experiment",
            "add",
            "other",
            "late_sender",
            "--engine",
            "virtual",
            "--np",
            "4",
            "extrawork=50ms",
            "r=2",
        ],
    );
    let id = run["id"].as_str().unwrap();
    assert_eq!(added.trim(), id);
    let show = |repository: &str| json(dir, &["experiment", "show", repository, id]);
    assert_eq!(show("repo"), show("other"));
    assert_eq!(
        json(dir, &["experiment", "list", "repo", "ranks>=4"])["experiments"].as_array().unwrap().len(),
        3
    );
}

#[test]
fn speed_up_has_its_base_and_traces_are_there_to_be_analyzed() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let text = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\nengine = \"virtual\"\nkeep_trace = true\n\
                [values]\nranks = [2, 4]\nr = 2\nsequential = [false, true]\n";
    fs::write(dir.join("plan.toml"), text).unwrap();
    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, states(&document)), (0, vec!["kept!".to_owned(); 4]), "{said}");
    assert_eq!(states(&carried_out(dir, &["plan.toml"]).1), ["kept"; 4]);
    assert_eq!(hidden(dir), [] as [&str; 0]);
    let id = |run: usize| document["runs"][run]["id"].as_str().unwrap();
    let words = ["experiment", "add", "other", "late_sender", "--engine", "virtual", "--np", "4", "r=2"];
    for (run, more) in [(2, &[][..]), (3, &["--sequential"])] {
        assert_eq!(answer(dir, &[&words, more].concat()).trim(), id(run));
        let show = |repository: &str| json(dir, &["experiment", "show", repository, id(run)]);
        assert_eq!(show("repo"), show("other"), "as if it was added");
    }
    let page = answer(dir, &["experiment", "export", "repo", "--as", "html"]);
    assert!(page.contains("sequential (work of 4×1)"), "the base of each size is there");

    let trace = format!("repo/{}/trace", id(2));
    assert!(answer(dir, &["experiment", "show", "repo", id(2)]).contains(&format!("\ntrace: {trace}\n")));
    assert!(!dir.join(format!("repo/{}/trace", id(3))).exists(), "what is worked out has none");
    let analysis = json(dir, &["analyze", &trace]);
    let waiting = analysis["findings"][0]["waiting_time"].as_f64().unwrap();
    let of_region = |row: &&Value| row["region"] == "late_sender";
    let kept: f64 = rows(&json(dir, &["experiment", "show", "repo", id(2)]))
        .iter()
        .filter(of_region)
        .filter_map(|row| row["waiting"].as_f64())
        .sum();
    assert!(waiting > 0.0 && (waiting - kept).abs() < 1e-9, "{waiting} {kept}");
    answer(dir, &["experiment", "remove", "repo", id(2)]);
    assert!(!dir.join(trace).exists());
}

#[test]
fn virtual_time_does_not_go_on_for_ever() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let text = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\nengine = \"virtual\"\ntimeout = 0.2\n\
                [values]\nr = [1, 100000000]\nextrawork = 1e-9\nbasework = 0\n";
    fs::write(dir.join("plan.toml"), text).unwrap();
    for more in ["", "keep_trace = true\n"] {
        fs::write(dir.join("plan.toml"), text.replace("[values]", &format!("{more}[values]"))).unwrap();
        let begin = Instant::now();
        let (code, document, said) = carried_out(dir, &["plan.toml", "--again", "failed"]);
        assert!(begin.elapsed() < Duration::from_secs(300), "nobody waits for what hangs");
        let first = if more.is_empty() { "kept!" } else { "kept" };
        assert_eq!((code, states(&document)), (1, [first, "failed!"].map(str::to_owned).to_vec()), "{said}");
        let failed = &document["runs"][1];
        assert_eq!(failed["run_status"], "timeout");
        assert_eq!(failed["message"], "it was still running after 0.2 s and was stopped; raise `timeout`");
        assert_eq!(hidden(dir), [".failed"]);
    }
    // Whoever interrupts it does not wait either, and has no failed run.
    fs::write(dir.join("plan.toml"), text.replace("0.2", "6000")).unwrap();
    let words = ["experiment", "run", "other", "plan.toml"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ats"));
    let mut command =
        command.args(words).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !dir.join("other/late_sender").exists() {
        sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-s", "INT", &command.id().to_string()]).status().unwrap().success());
    assert_eq!(command.wait().unwrap().code(), Some(130));
    assert_eq!(json(dir, &["experiment", "list", "other"]).get("failed"), None);
}

#[test]
fn a_composition_runs_at_several_sizes() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    fs::write(dir.join("c.toml"), answer(dir, &["compose", "--random", "1", "--np", "4"])).unwrap();
    let text =
        "schema = \"ats-plan/1\"\nprogram = \"./c.toml\"\nengine = \"virtual\"\nnetwork = \"latency=1us\"\n";
    fs::write(dir.join("plan.toml"), text).unwrap();
    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, states(&document)), (0, vec!["kept!".to_owned()]), "{said}");
    let id = document["runs"][0]["id"].as_str().unwrap();
    assert!(id.contains(".Ranks4.threads"), "{id}");
    let shown = json(dir, &["experiment", "show", "repo", id]);
    assert!(shown["machine"]["network"].as_str().unwrap().contains("latency"), "{}", shown["machine"]);
}

#[test]
fn failures_are_kept_and_not_run_again_unless_requested() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    program(
        dir,
        "[ $1 != 2 ] || [ -e good ] || { echo no luck >&2; exit 3; }\n[ $1 != 3 ] || sleep 600\n[ $1 != 4 ] || exit 0",
    );
    plan(dir, "timeout = 1", "size = { from = 1, to = 4 }");
    let begin = Instant::now();
    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert!(begin.elapsed() < Duration::from_secs(300), "nobody waits for what hangs");
    assert_eq!(
        (code, states(&document)),
        (1, ["kept!", "failed!", "failed!", "failed!"].map(str::to_owned).to_vec()),
        "{said}"
    );
    let of =
        |size: usize, what: &str| document["runs"][size - 1][what].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (of(2, "run_status"), of(3, "run_status"), of(4, "run_status")),
        ("crashed".into(), "timeout".into(), "no_report".into())
    );
    assert!(
        of(2, "message").contains("exit code 3") && of(2, "message").ends_with("no luck"),
        "{}",
        of(2, "message")
    );
    assert!(of(3, "message").contains("still running after 1 s"), "{}", of(3, "message"));
    assert_eq!(hidden(dir), [".failed"]);

    let list = json(dir, &["experiment", "list", "repo"]);
    assert_eq!(list["experiments"].as_array().unwrap().len(), 1);
    let failed = list["failed"].as_array().unwrap();
    assert_eq!(
        (failed.len(), &failed[0]["run_status"], &failed[0]["size"]),
        (3, &"crashed".into(), &2.0.into())
    );
    assert!(failed[0]["date"].is_string() && failed[0]["command"].as_str().unwrap().starts_with("./heat 2 "));
    let text = answer(dir, &["experiment", "list", "repo", "size=2"]);
    assert!(text.contains("crashed  heat/unversioned/heat.Ranks4.threads1.size2.r1"), "{text}");

    assert_eq!(states(&carried_out(dir, &["plan.toml"]).1), ["kept", "failed", "failed", "failed"]);
    assert_eq!(ran(dir), ["1", "2", "3", "4"], "none is run twice");
    fs::write(dir.join("good"), "").unwrap();
    answer(dir, &["experiment", "remove", "repo", "heat.Ranks4.threads1.size3.r1"]);
    plan(dir, "timeout = 60", "size = [1, 2]");
    let (code, document, _) = carried_out(dir, &["plan.toml", "--again", "failed"]);
    assert_eq!((code, states(&document)), (0, ["kept", "kept!"].map(str::to_owned).to_vec()));
    let failed = json(dir, &["experiment", "list", "repo"])["failed"].as_array().unwrap().clone();
    assert_eq!(failed.len(), 1, "{failed:?}");
}

/// Whatever kills it, and whenever: what is there is whole, and the rest is run then.
#[test]
fn it_goes_on_where_it_was_ended() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    program(dir, "[ -e quick ] || sleep 0.2");
    plan(dir, "", "size = { from = 1, to = 8 }");
    for (signal, least) in [("KILL", 2), ("INT", 4), ("TERM", 5)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ats"))
            .args(["experiment", "run", "repo", "plan.toml"])
            .current_dir(dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while ran(dir).len() < least {
            sleep(Duration::from_millis(10));
        }
        let words = ["-s", signal, &command.id().to_string()];
        assert!(Command::new("kill").args(words).status().unwrap().success());
        let code = command.wait().unwrap().code();
        assert_eq!(code, Some(130).filter(|_| signal != "KILL"), "{signal}");
        let list = json(dir, &["experiment", "list", "repo"]);
        assert_eq!((list.get("warnings"), list.get("failed")), (None, None), "{signal}");
        let (_, document, _) = carried_out(dir, &["plan.toml", "--dry-run"]);
        let kept = states(&document).iter().filter(|state| *state == "kept").count();
        assert_eq!(kept, list["experiments"].as_array().unwrap().len());
        assert!(kept < 8, "{signal}: it was ended before it was done");
    }
    fs::write(dir.join("quick"), "").unwrap();
    let before = ran(dir).len();
    let (code, document, _) = carried_out(dir, &["plan.toml"]);
    let again = states(&document).iter().filter(|state| *state == "kept!").count();
    assert_eq!((code, document["runs"].as_array().unwrap().len()), (0, 8));
    assert_eq!(ran(dir).len() - before, again, "only what was left is run");
    assert!(states(&document).iter().all(|state| state.starts_with("kept")), "{document:#}");
    assert_eq!(hidden(dir), [] as [&str; 0], "what the killed one left is gone");
}

#[test]
fn two_at_once_do_each_run_once() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    // Who is at the second comes to the third when that has failed.
    program(dir, "sleep 0.1; [ $1 != 2 ] || sleep 1; [ $1 != 3 ] || exit 1");
    plan(dir, "", "size = { from = 1, to = 6 }");
    let run = || {
        Command::new(env!("CARGO_BIN_EXE_ats"))
            .args(["experiment", "run", "repo", "plan.toml", "--format", "json"])
            .current_dir(dir)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = [run(), run()].map(|child| child.wait_with_output().unwrap());
    let mut count = 0;
    for output in both {
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        count += states(&document).iter().filter(|state| state.ends_with('!')).count();
    }
    let mut sizes = ran(dir);
    sizes.sort();
    assert_eq!((count, sizes.len()), (6, 6), "{sizes:?}");
    sizes.dedup();
    assert_eq!(sizes.len(), 6, "{sizes:?}");
    assert_eq!(
        states(&carried_out(dir, &["plan.toml"]).1),
        ["kept", "kept", "failed", "kept", "kept", "kept"]
    );
    assert_eq!(hidden(dir), [".failed"]);
}

#[test]
fn impossible_runs_are_reported_with_their_place() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let refused = |text: &str, parts: &[&str]| {
        fs::write(dir.join("p.toml"), format!("schema = \"ats-plan/1\"\n{text}")).unwrap();
        let (code, _, said) = carried_out(dir, &["p.toml"]);
        assert_eq!(code, 2, "{said}");
        for part in parts {
            assert!(said.starts_with("error: ") && said.contains(part), "`{part}` is not in: {said}");
        }
    };
    let command = "application = \"heat\"\n";
    refused(
        &format!("{command}command = [\"./none\"]\nreport = \"{{dir}}/x\"\n"),
        &["p.toml:3:11: no program ./none: the file does not exist; check the path, or build it"],
    );
    refused(
        &format!("{command}command = [\"true\"]\n"),
        &["p.toml:3:11: true is linked with neither an MPI library", "or say with `report`"],
    );
    refused(
        "program = \"late_sendr\"\n",
        &["p.toml:2:11: there is no property `late_sendr`; did you mean late_sender"],
    );
    refused("program = \"none.toml\"\n", &["none.toml"]);
    let virtually = "program = \"late_sender\"\nengine = \"virtual\"\n";
    refused(
        &format!("{virtually}[values]\nextrawrk = 3\nbasework = \"x\"\n"),
        &[
            "2 mistakes",
            "p.toml:5:1: late_sender has no parameter `extrawrk`",
            "did you mean extrawork?",
            "p.toml:6:1: late_sender: basework: `x`",
        ],
    );
    refused(&format!("{virtually}[values]\nranks = [1, 2]\n"), &["p.toml:5:1: ", "at least 2 ranks"]);
    refused(
        &format!("{virtually}[values]\nthreads = 2\n"),
        &["p.toml:5:1: late_sender has processes of one thread; omit threads"],
    );
    refused(
        &format!("{virtually}[values]\nranks = 100000000\n"),
        &["p.toml:5:1: use at most 16777216 ranks"],
    );
    refused(&format!("{virtually}network = \"fast\"\n"), &["p.toml:4:11: give each of latency"]);
    refused("program = \"late_sender\"\nwork = \"hard\"\n", &["p.toml:3:8: "]);
    refused("program = \"barrier_completion\"\n", &["p.toml:2:11: "]);
    refused(&format!("{virtually}[values]\nr = [1, \"1.0\"]\n"), &["p.toml:5:1: late_sender: r: `1.0`"]);
    let same = "extrawork = [\"50ms\", \"0.05\"]\n";
    refused(
        &format!("{virtually}[values]\n{same}"),
        &["p.toml:4:1: two runs would be kept as late_sender/unversioned/late_sender-virtual.Ranks4"],
    );
    assert!(!dir.join("repo").exists());
    let (code, _, said) = carried_out(dir, &["nowhere.toml"]);
    assert_eq!(
        (code, said.trim_end()),
        (2, "error: cannot read nowhere.toml: No such file or directory (os error 2); check the path")
    );
}

#[test]
fn results_of_another_program_under_the_name_are_reported() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    program(dir, "");
    plan(dir, "", "size = [1, 2]");
    assert_eq!(carried_out(dir, &["plan.toml"]).0, 0);
    let text = fs::read_to_string(dir.join("plan.toml")).unwrap().replace("\"./heat\"", "\"sh\", \"./heat\"");
    fs::write(dir.join("plan.toml"), text).unwrap();
    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, states(&document)), (0, vec!["kept".to_owned(); 2]));
    let id = "heat/unversioned/heat.Ranks4.threads1.size1.r1";
    assert!(said.contains(&format!("warning: {id} is there already, of the command `./heat 1 ")), "{said}");
    assert!(said.contains("(and so are 1 more); give the plan a `version` of its own"), "{said}");
}

/// The launcher starts what the compiler made, and our recorder sees who waits.
#[test]
fn a_command_is_recorded() {
    if !ats_testing::required("mpicc.openmpi") || !ats_testing::required("mpirun.openmpi") {
        return;
    }
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let source = "#include <mpi.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
                  int main(int argc, char **argv) {\n  int rank, x = 0;\n  MPI_Init(&argc, &argv);\n\
                  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  if (rank == 0) usleep(1000 * atoi(argv[1]));\n\
                  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);\n  if (argc > 2) MPI_Abort(MPI_COMM_WORLD, 7);\n\
                  MPI_Finalize();\n  return argc < 0;\n}\n";
    fs::write(dir.join("late.c"), source).unwrap();
    let built =
        Command::new("mpicc.openmpi").args(["late.c", "-o", "late"]).current_dir(dir).status().unwrap();
    assert!(built.success());
    let text = "schema = \"ats-plan/1\"\napplication = \"late\"\ntimeout = 300\n\
                command = [\"mpirun.openmpi\", \"-np\", \"{ranks}\", \"./late\", \"{wait}\"]\n\
                keep_trace = true\n[values]\nsequential = [true, false]\nnodes = 1\nunits = [2, 3]\nwait = 200\n";
    fs::write(dir.join("plan.toml"), text).unwrap();
    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, states(&document)), (0, vec!["kept!".to_owned(); 3]), "{said}{document:#}");
    let alone = &document["runs"][0];
    assert_eq!((&alone["sequential"], &alone["command"]), (&true.into(), &"./late 200".into()));
    assert_eq!(alone["id"], "late/unversioned/late-sequential.Ranks1.threads1.wait200.r1");
    let id = document["runs"][2]["id"].as_str().unwrap();
    let analysis = json(dir, &["analyze", &format!("repo/{id}/trace")]);
    assert!(analysis["findings"].to_string().contains("late_broadcast"), "{analysis:#}");
    let shown = json(dir, &["experiment", "show", "repo", id]);
    assert_eq!((&shown["experiment"]["ranks"], &shown["machine"]["units_per_node"]), (&3.into(), &3.into()));
    let bcast =
        shown["regions"].as_array().unwrap().iter().find(|region| region["name"] == "MPI_Bcast").unwrap();
    let site = bcast["call_site"]["function"].as_str().unwrap_or_default();
    assert!(site.starts_with("main"), "{bcast:#}");
    let all = rows(&shown);
    let late = |rank: u64| {
        let is_it = |of: &&Value| {
            let region = of["region"].as_str().unwrap_or_default();
            region.starts_with("MPI_Bcast") && of["unit"]["rank"] == rank
        };
        let of = all.iter().find(is_it).unwrap();
        of["metrics"]["late_broadcast"].as_f64().unwrap_or_default()
    };
    assert_eq!(late(0), 0.0);
    assert!(late(1) > 0.1 && late(2) > 0.1, "{shown:#}");

    let with_abort = text
        .replace("\"{wait}\"]", "\"{wait}\", \"abort\"]")
        .replace("[values]\nsequential = [true, false]", "version = \"bad\"\n[values]");
    fs::write(dir.join("plan.toml"), with_abort).unwrap();
    let (code, document, _) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, states(&document)), (1, vec!["failed!".to_owned(); 2]));

    let program = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\nwork = \"sleep\"\ntimeout = 300\nlauncher = \"mpirun.openmpi\"\n\
                   [values]\nranks = [2, 4]\nr = 1\n";
    fs::write(dir.join("plan.toml"), program).unwrap();
    let (code, document, said) = carried_out(dir, &["plan.toml"]);
    assert_eq!((code, states(&document)), (0, vec!["kept!".to_owned(); 2]), "{said}{document:#}");
    assert_eq!(hidden(dir), [".failed"]);

    // The same in virtual time is another run, and each goes on by itself.
    fs::write(dir.join("virtual.toml"), in_virtual_time(program)).unwrap();
    assert_eq!(states(&carried_out(dir, &["virtual.toml"]).1), ["kept!"; 2]);
    for (plan, engine) in [("plan.toml", "mpi"), ("virtual.toml", "virtual")] {
        let (code, again, _) = carried_out(dir, &[plan]);
        assert_eq!((code, states(&again)), (0, vec!["kept".to_owned(); 2]));
        let list = json(dir, &["experiment", "list", "repo", &format!("engine={engine}")]);
        let ids = |of: &Value| -> Vec<Value> {
            of.as_array().unwrap().iter().map(|run| run["id"].clone()).collect()
        };
        assert_eq!(ids(&list["experiments"]), ids(&again["runs"]));
    }
}

/// The plan for the other engine.
fn in_virtual_time(plan: &str) -> String {
    let keys = |line: &&str| !["work", "timeout", "launcher"].iter().any(|key| line.starts_with(key));
    let lines: Vec<&str> = plan.lines().filter(keys).collect();
    lines.join("\n").replace("[values]", "engine = \"virtual\"\n[values]")
}

#[test]
fn a_run_in_virtual_time_stands_for_no_other() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let real = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\n[values]\nr = 1\n";
    fs::write(dir.join("real.toml"), real).unwrap();
    fs::write(dir.join("virtual.toml"), in_virtual_time(real)).unwrap();
    let ids = ["virtual.toml", "real.toml"].map(|plan| {
        let (code, document, _) = carried_out(dir, &[plan, "--dry-run"]);
        assert_eq!((code, states(&document)), (0, vec!["left".to_owned()]));
        let run = &document["runs"][0];
        [&run["id"], &run["engine"]].map(|text| text.as_str().unwrap().to_owned())
    });
    assert_eq!(ids[0], ["late_sender/unversioned/late_sender-virtual.Ranks4.threads1.R1.r1", "virtual"]);
    assert_eq!(ids[1], ["late_sender/unversioned/late_sender.Ranks4.threads1.R1.r1", "mpi"]);
    assert_eq!(states(&carried_out(dir, &["virtual.toml"]).1), ["kept!"]);
    assert_eq!(states(&carried_out(dir, &["real.toml", "--dry-run"]).1), ["left"]);
    assert_eq!(states(&carried_out(dir, &["virtual.toml"]).1), ["kept"]);
}
