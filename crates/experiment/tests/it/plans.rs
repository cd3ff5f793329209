//! The runs of plans, mistakes in plans, and the state of failed runs in a repository.

use std::fs;
use std::path::Path;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::experiment::{FailedRun, Listed, Run, Version};
use ats_documents::score::RunStatus;
use ats_experiment::plan::{Combination, What};
use ats_experiment::{Beside, Filter, Given, Plan, Repeat, Repository, Standing, id, of_profile};
use tempfile::TempDir;

const PROGRAM: &str = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\nengine = \"virtual\"\n";
const COMMAND: &str = "schema = \"ats-plan/1\"\napplication = \"heat\"\n";

fn plan(rest: &str) -> Plan {
    Plan::parse(&format!("{PROGRAM}{rest}"), "p.toml").unwrap()
}

/// The values of each run, in a word.
fn runs(plan: &Plan) -> Vec<String> {
    let run = |one: &Combination| {
        let numbers = [one.ranks, one.threads].map(|number| number.map_or("-".to_owned(), |n| n.to_string()));
        let values = one.parameters.iter().map(|(name, value)| format!(" {name}={value}"));
        format!("{}x{}{} #{}", numbers[0], numbers[1], values.collect::<String>(), one.repeat)
    };
    plan.combinations.iter().map(run).collect()
}

#[test]
fn all_combinations_are_run_once_and_then_again() {
    let plan = plan("repeats = 2\n[values]\nranks = [2, 4]\nmode = [\"fast\", true]\nr = 3\n");
    let once = ["2x- mode=fast r=3", "2x- mode=true r=3", "4x- mode=fast r=3", "4x- mode=true r=3"];
    let both = [1, 2].iter().flat_map(|repeat| once.map(|run| format!("{run} #{repeat}")));
    assert_eq!(runs(&plan), both.collect::<Vec<_>>());
    assert_eq!(plan.told, ["mode", "r"]);
    assert_eq!(runs(&self::plan("")), ["-x- #1"]);
}

#[test]
fn the_seeds_of_the_fuzzer_are_plans() {
    for (name, runs) in [("command.toml", 225), ("program.toml", 76)] {
        let plan = Plan::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name));
        assert_eq!(plan.unwrap().combinations.len(), runs, "{name}");
    }
}

#[test]
fn the_examples_of_the_page_are_plans() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/experiments.md")).unwrap();
    let blocks = page.split("```toml ").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    let runs = blocks.map(|block| {
        let (name, text) = block.split_once('\n').unwrap();
        (name, Plan::parse(text, name).unwrap().combinations.len())
    });
    // Of units and threads three of four fit, and two sizes are too small for two nodes.
    assert_eq!(runs.collect::<Vec<_>>(), [("study.toml", 5), ("heat.toml", (2 * 3 * 5 * 2 - 3 * 2 * 2) * 3)]);
}

#[test]
fn ranges_have_both_ends_and_their_numbers_are_decimal() {
    let values = |range: &str| -> Vec<String> {
        let plan = plan(&format!("[values]\nx = {range}\n"));
        plan.combinations.iter().map(|one| one.parameters["x"].clone()).collect()
    };
    assert_eq!(values("{ from = 1, to = 4 }"), ["1", "2", "3", "4"]);
    assert_eq!(values("{ from = -2, to = 7, step = 4 }"), ["-2", "2", "6"]);
    assert_eq!(values("{ from = 100, to = 800, factor = 2 }"), ["100", "200", "400", "800"]);
    assert_eq!(values("{ from = 0.1, to = 0.5, step = 0.1 }"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
    assert_eq!(values("{ from = 0.001, to = 1, factor = 10 }"), ["0.001", "0.01", "0.1", "1"]);
    assert_eq!(values("{ from = 5, to = 5 }"), ["5"]);
    assert_eq!(
        values("[0x10, 1_000, 1e-3, 2.50, \"2.50\", 1e300]"),
        ["16", "1000", "0.001", "2.5", "2.50", "1e300"]
    );
}

#[test]
fn excluded_values_are_not_run() {
    let values = "[values]\nranks = [2, 4, 8]\nsize = [100, 200]\n";
    let excluded = |exclude: &str| runs(&plan(&format!("exclude = [{exclude}]\n{values}")));
    assert_eq!(
        excluded("\"ranks>=4 size<200\", \"ranks=2 size=200\""),
        ["2x- size=100 #1", "4x- size=200 #1", "8x- size=200 #1"]
    );
    assert_eq!(excluded("\"repeat=2\"").len(), 6);
    assert_eq!(excluded("\"size!=100\"").len(), 3);
}

#[test]
fn ranks_fill_the_units_of_nodes() {
    let plan = plan(
        "exclude = [\"units=6 threads=4\"]\n[values]\nnodes = [1, 2]\nunits = [6, 8]\nthreads = [1, 4]\n",
    );
    let ranks: Vec<_> = plan
        .combinations
        .iter()
        .map(|one| (one.nodes.unwrap(), one.threads.unwrap(), one.ranks.unwrap()))
        .collect();
    let all =
        [([1, 6], 1, 6), ([1, 8], 1, 8), ([1, 8], 4, 2), ([2, 6], 1, 12), ([2, 8], 1, 16), ([2, 8], 4, 4)];
    assert_eq!(ranks, all);
    assert_eq!(plan.told, ["nodes", "units"], "by which 2 × 8 is told from 4 × 4");
}

#[test]
fn a_sequential_command_is_run_once_whatever_the_size() {
    let values =
        "[values]\nranks = [2, 4]\nthreads = [1, 2]\nsequential = [false, true]\nsize = [100, 200]\n";
    let command = format!("{COMMAND}command = [\"x\", \"{{ranks}}\", \"{{threads}}\", \"{{size}}\"]\n");
    let runs = |text: &str| {
        let plan = Plan::parse(text, "p.toml").unwrap();
        assert_eq!(plan.told.iter().filter(|name| *name == "sequential").count(), 0);
        let alone: Vec<Combination> =
            plan.combinations.iter().filter(|one| one.sequential).cloned().collect();
        (plan.combinations.len(), alone)
    };
    let (all, alone) = runs(&format!("{command}repeats = 2\n{values}"));
    let sizes: Vec<_> =
        alone.iter().map(|one| (one.ranks, one.threads, one.repeat, &*one.parameters["size"])).collect();
    let one = Some(1);
    assert_eq!(all, (2 * 2 + 1) * 2 * 2);
    assert_eq!(
        sizes,
        [(one, one, 1, "100"), (one, one, 1, "200"), (one, one, 2, "100"), (one, one, 2, "200")]
    );
    let excluded = "exclude = [\"sequential=true size=200\", \"ranks=2 threads=2\"]\n";
    assert_eq!(runs(&format!("{command}{excluded}{values}")).0, 3 * 2 + 1);

    let nodes = "[values]\nnodes = [1, 2]\nunits = [6, 7]\nthreads = 2\nsequential = true\n";
    let command = format!("{COMMAND}command = [\"x\", \"{{nodes}}\", \"{{ranks}}\"]\n");
    let (_, alone) = runs(&format!("{command}{nodes}"));
    let [run] = &alone[..] else { panic!("{alone:?}") };
    assert_eq!(
        (run.nodes, run.parameters.len(), run.value("nodes", ""), run.value("ranks", "")),
        (None, 0, "1".into(), "1".into())
    );
    // In virtual time it is the work of each size that one unit does.
    assert_eq!(runs(&format!("{PROGRAM}{values}")).0, 2 * 2 * 2 * 2);
}

#[test]
fn traces_are_kept_if_that_is_wanted() {
    assert!(!plan("").keep_trace);
    assert!(plan("keep_trace = true\n").keep_trace);
    assert_eq!(plan("timeout = 0.5\n").timeout.as_secs_f64(), 0.5);
}

#[test]
fn a_command_has_its_values_where_their_places_are() {
    let text = format!(
        "{COMMAND}command = [\"mpirun\", \"-np\", \"{{ranks}}\", \"./heat\", \"--size={{size}}\", \"{{{{\", \"{{repeat}}\"]\n\
         environment = {{ OMP_NUM_THREADS = \"{{threads}}\" }}\nreport = \"{{dir}}/*.cubex\"\n[values]\nranks = 4\nsize = 0.5\n"
    );
    let plan = Plan::parse(&text, "p.toml").unwrap();
    let What::Command { words, environment, report: Some(report) } = &plan.what else { panic!("{plan:?}") };
    let [run] = &plan.combinations[..] else { panic!("one run") };
    let filled: Vec<_> = words.iter().map(|word| word.fill(|name| run.value(name, "/d"))).collect();
    assert_eq!(filled, ["mpirun", "-np", "4", "./heat", "--size=0.5", "{", "1"]);
    assert_eq!(environment["OMP_NUM_THREADS"].fill(|name| run.value(name, "/d")), "1");
    assert_eq!(report.fill(|name| run.value(name, "/d")), "/d/*.cubex");
}

#[test]
fn words_are_filled_and_shown_as_they_are_written() {
    for (word, filled) in [
        ("--size={size}", "--size=<size>"),
        ("{size}{a}", "<size><a>"),
        ("{{'a': {a}}}", "{'a': <a>}"),
        ("plain", "plain"),
        ("", ""),
    ] {
        let text =
            format!("{COMMAND}command = [\"{{size}} {{a}}\", \"{word}\"]\n[values]\nsize = 1\na = 2\n");
        let plan = Plan::parse(&text, "p.toml").unwrap();
        let What::Command { words, .. } = &plan.what else { panic!("{plan:?}") };
        assert_eq!(
            (words[1].fill(|name| format!("<{name}>")).as_str(), words[1].to_string()),
            (filled, word.to_owned())
        );
    }
    for (wrong, brace) in [("{size", "{"), ("a}", "}"), ("{size}}b}", "}")] {
        let says = format!(
            "`{wrong}` has a single `{brace}`; write `{brace}{brace}` for a brace, or {{NAME}} for a value"
        );
        assert_eq!(
            messages(&format!("{COMMAND}command = [\"{wrong}\"]\n[values]\nsize = 1\n"))[0],
            format!("3:12: {says}")
        );
    }
    let unnamed = messages(&format!("{COMMAND}command = [\"ü{{}}ü\"]\n"));
    assert!(unnamed[0].starts_with("3:12: there are no values for {}"), "{unnamed:?}");
}

/// The messages about a plan, without the name of its file.
fn messages(text: &str) -> Vec<String> {
    let error = Plan::parse(text, "p.toml").expect_err(text).to_string();
    let lines = error.lines().filter(|line| !line.ends_with("mistakes:"));
    lines.map(|line| line.trim().strip_prefix("p.toml:").unwrap_or(line).to_owned()).collect()
}

#[test]
fn all_mistakes_are_said_at_once_with_their_places_and_fixes() {
    let text = "schema = \"ats-plan/2\"\naplication = \"heat\"\ncommand = [\"mpirun\", \"-np\", \"{rank}\", 3]\n\
                report = \"x\"\nengine = \"virtual\"\nrepeats = 0\ntimeout = \"a\"\nexclude = [\"rnaks=2\", \"size\", \"\"]\n[values]\n\
                ranks = [0, 2, 2]\nsize = []\nmode = { from = 8, to = 1 }\na = { from = 8, tp = 1 }\nb = 1979-05-27\nnodes = 3\n";
    let expected = [
        "1:1: its schema is `ats-plan/2`, and not ats-plan/1",
        "2:1: a plan has no `aplication`; did you mean application? It has schema, application, version, name, files, classes, \
         machine, cpu, network, repeats, timeout, keep_trace, causes, exclude, values, command, environment, report, program, \
         engine, launcher, work, seed",
        "3:1: say which application it is, as application = \"heat\"",
        "3:29: there are no values for {rank}; did you mean {ranks}?",
        "3:39: command is a list of texts, as [\"one\", \"two\"], and not a whole number",
        "4:10: the report lies in the folder of the run; write {dir}/ before it, and have the command put it there",
        "5:1: engine is for programs of the suite, and this is a command; omit it",
        "6:11: repeats is a whole number from 1 on",
        "7:11: timeout is a number of seconds above 0",
        "8:12: no values are called `rnaks`; did you mean ranks?",
        "8:23: `size` is not a condition; write FIELD=VALUE, or with !=, <, <=, > or >= between them, in quotes",
        "8:31: nothing is excluded; write a condition, as \"ranks>=8 size<200\"",
        "10:10: ranks are a whole number from 1 on, and not 0",
        "10:16: ranks has 2 twice; `repeats` says how often all is run",
        "11:8: size has no values, and so there is nothing to run; give it one or more",
        "12:25: the range of mode is empty: 1 is less than 8; exchange them",
        "13:17: a range has no `tp`; did you mean to? It has from, to, step, factor",
        "14:5: b cannot be a date; give a number, a text, a list of these, or a range, as { from = 1, to = 8 }",
        "15:1: nodes need units, which is how many each has",
    ];
    assert_eq!(messages(text), expected);
}

#[test]
fn each_mistake_alone() {
    let program = |rest: &str| messages(&format!("{PROGRAM}{rest}"));
    let command = |rest: &str| messages(&format!("{COMMAND}{rest}"));
    let begins = |said: Vec<String>, expected: &[&str]| {
        assert_eq!(said.len(), expected.len(), "{said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.starts_with(expected), "{said} does not begin with {expected}");
        }
    };
    begins(
        messages(""),
        &[
            "1:1: it does not name its schema; begin it with schema",
            "1:1: it runs nothing; give it a command",
        ],
    );
    begins(messages("a = \"\nb = ["), &["1:6: invalid basic string", "2:6: unclosed array"]);
    begins(
        program("command = [\"x\"]\napplication = \"x\"\n"),
        &["2:1: a plan has a command or a program", "3:1: engine is for programs of the suite"],
    );
    begins(
        program("timeout = -5\nwork = \"spin\"\n"),
        &["4:11: timeout is a number of seconds above 0", "5:1: work is for real processes"],
    );
    begins(program("keep_trace = \"yes\"\n"), &["4:14: keep_trace is true or false, and not a text"]);
    begins(
        command("command = [\"x\"]\nreport = \"{dir}/x\"\nkeep_trace = true\n"),
        &[
            "5:1: keep_trace is for recorded runs, and this command writes a report itself; omit one of the two",
        ],
    );
    begins(
        program("[values]\nsequential = [true, 1]\n"),
        &["5:21: sequential is true, false or [false, true], and not 1"],
    );
    begins(
        messages("schema = \"ats-plan/1\"\nprogram = \"a\"\n[values]\nsequential = true\n"),
        &["4:1: sequential programs of the suite are run in virtual time; write engine = \"virtual\", or"],
    );
    begins(
        messages("schema = \"ats-plan/1\"\nprogram = \"a\"\nengine = \"cuda\"\n"),
        &["3:10: there is no engine `cuda`; there are"],
    );
    begins(
        program("exclude = [\"zzzzzz=1\"]\n[values]\nranks = [1, 2]\nr = 1\n"),
        &["4:12: no values are called `zzzzzz`; there are ranks, r, threads, repeat"],
    );
    begins(program("values = 3\n"), &["4:10: values is a table, as [values] with ranks"]);
    begins(program("version = 1.2\n"), &["4:11: version is a text, and not a number with decimals"]);
    begins(
        program("exclude = [\"x>0\"]\n[values]\nx = [1, 2]\n"),
        &["4:12: all 2 combinations are excluded"],
    );
    begins(
        program("[values]\nunits = 5\nnodes = 2\nthreads = 2\n"),
        &["5:1: 5 units of a node are not a whole number of ranks"],
    );
    begins(
        program("exclude = [\"work>0.05 ranks=8\"]\n[values]\nwork = [0.1, \"50ms\"]\nranks = [4, 8]\n"),
        &["4:12: `work>0.05` compares numbers, and 50ms is none; write it as one"],
    );
    begins(
        program("[values]\nunits = 5\nnodes = 2\nthreads = 0\n"),
        &["7:11: threads are a whole number from 1 on, and not 0"],
    );
    begins(program("[values]\nunits = 5\nnodes = 2\nranks = 2\n"), &["7:1: ranks follow from nodes × units"]);
    begins(
        program("[values]\nx = { from = 1, to = 2, step = 0 }\n"),
        &["5:32: a step is above 0, and 0 is not"],
    );
    begins(
        program("[values]\nx = { from = 1, to = 2, factor = 1 }\n"),
        &["5:34: a factor is above 1, and 1 is not"],
    );
    begins(
        program("[values]\nx = { from = 1, to = 2, step = 1, factor = 2 }\n"),
        &["5:44: a range has a step or a factor"],
    );
    begins(program("[values]\nx = { from = 1 }\n"), &["5:5: the range of x needs both ends"]);
    begins(
        program("[values]\nx = { from = 1, to = 1000000 }\n"),
        &["5:22: the range has more than 20000 numbers"],
    );
    begins(
        program("[values]\nx = { from = 1, to = 999 }\ny = { from = 1, to = 999 }\n"),
        &["5:1: these are more than 20000 runs"],
    );
    begins(program("[values]\nx = [nan, 1]\n"), &["5:6: x: nan is not finite"]);
    begins(
        program("[values]\ndir = 1\n\"a b\" = 2\n"),
        &["5:1: {dir} has a meaning already", "6:1: `a b` is not a valid name of values"],
    );
    begins(command("command = []\n"), &["3:11: the command has no words"]);
    begins(command("command = [\"{a\"]\n"), &["3:12: `{a` has a single `{`"]);
    begins(command("command = \"mpirun\"\n"), &["3:11: command is a list of texts"]);
    begins(
        command("command = [\"x\"]\n[values]\nsize = [1, 2]\n"),
        &["5:1: the runs would be alike: the command has no {size}"],
    );
    begins(
        command("command = [\"x\"]\nenvironment = { A = 1 }\n"),
        &["4:21: A is a text, as \"{threads}\", and not a whole number"],
    );
}

/// A run of one rank, with its name in a plan.
fn given(size: &str) -> Given {
    let parameters = [("size".to_owned(), size.to_owned())].into();
    let run = Run { name: "heat".to_owned(), parameters, ranks: 1, threads: 1, repeat: 1, ..Run::default() };
    let run = Run { size: run.problem_size(), ..run };
    let version = Version { name: "1.0".to_owned(), files: Vec::new() };
    Given { application: "heat".to_owned(), version, run, ..Given::default() }
}

fn failed(id: &str, size: &str) -> FailedRun {
    let Given { application, version, run, .. } = given(size);
    let listed = Listed { id: id.to_owned(), application, version: version.name, run, metrics: Vec::new() };
    FailedRun { listed, run_status: RunStatus::Timeout, message: "too slow".to_owned() }
}

#[test]
fn a_run_that_failed_is_listed_until_it_is_kept() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let told = ["size".to_owned()];
    let ids = ["1", "2"].map(|size| id(&given(size), &told).unwrap());
    assert_eq!(ids[0], "heat/1.0/heat.Ranks1.threads1.size1.r1");
    for (id, size) in ids.iter().zip(["1", "2"]) {
        repository.add_failed(&failed(id, size)).unwrap();
    }
    let known = repository.standing(&[&ids[0], &ids[1], "heat/1.0/other"]);
    assert!(matches!(&known[..], [Standing::Failed(_), Standing::Failed(_), Standing::Unknown]), "{known:?}");

    let listing = repository.list().unwrap();
    assert_eq!((listing.experiments.len(), listing.failed.len(), listing.damaged.len()), (0, 2, 0));
    let second = Filter::select_runs(&["size>1".parse().unwrap()], listing).unwrap();
    assert_eq!(second.failed, [failed(&ids[1], "2")]);

    let (profile, classes) = (Profile::new("none"), Classes::default());
    let experiment = of_profile(&profile, given("1"), &classes);
    assert_eq!(repository.add(experiment, Beside::default(), &told, Repeat::Number(1)).unwrap().id, ids[0]);
    let listing = repository.list().unwrap();
    assert_eq!((listing.experiments.len(), listing.failed), (1, vec![failed(&ids[1], "2")]));

    fs::write(dir.path().join(format!(".failed/{}.json", ids[1])), "{\"schema\":").unwrap();
    let [Standing::Damaged(error)] = &repository.standing(&[&ids[1]])[..] else { panic!("it is damaged") };
    assert!(error.to_string().contains("size2.r1.json is damaged: it ends in the middle"), "{error}");
    let none = r#"{"schema":"ats-experiments/1","experiments":[]}"#;
    fs::write(dir.path().join(format!(".failed/{}.json", ids[1])), none).unwrap();
    let [Standing::Damaged(error)] = &repository.standing(&[&ids[1]])[..] else { panic!("it is damaged") };
    assert!(error.to_string().contains("it has no failed run"), "{error}");
    assert_eq!(repository.list().unwrap().damaged.len(), 1);
    assert_eq!(repository.find_run("heat.Ranks1.threads1.size2.r1").unwrap(), ids[1]);
    repository.remove(&ids[1]).unwrap();
    assert!(!dir.path().join(".failed").exists(), "nothing is left of it");
}

#[test]
fn our_recorder_is_not_asked_for_counters() {
    let fix = "our recorder counts nothing of the hardware; use another one, with its own variables for counters in \
               `environment`, and name the report that it writes with `report`";
    let program = "schema = \"ats-plan/1\"\nprogram = \"late_sender\"\ncounters = [\"PAPI_TOT_INS\"]\n";
    assert_eq!(messages(program), [format!("3:1: a plan has no `counters`; {fix}")]);
    let command = "schema = \"ats-plan/1\"\napplication = \"a\"\ncommand = [\"./a\"]\n\
                   environment = { SCOREP_METRIC_PAPI = \"PAPI_TOT_INS\" }\n";
    assert_eq!(messages(command), [format!("4:17: no recorder reads SCOREP_METRIC_PAPI: {fix}")]);
    assert!(Plan::parse(&format!("{command}report = \"{{dir}}/profile.cubex\"\n"), "p.toml").is_ok());
}
