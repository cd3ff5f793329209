//! A repository of experiments, as several processes at once fill it, and what goes wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{answer, ats_in};
use crate::texts::recorded;
use ats_documents::Experiment;
use serde_json::Value;
use tempfile::TempDir;

/// A process that adds a run in virtual time to `repo`.
fn adding(dir: &Path, words: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ats"))
        .args(["experiment", "add", "repo", "late_sender", "--engine", "virtual"])
        .args(words)
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The experiments that `ats experiment list` prints for `repo`.
fn listed(dir: &Path, filters: &[&str]) -> Value {
    let words = [&["experiment", "list", "repo"], filters, &["--format", "json"]].concat();
    serde_json::from_str(&answer(dir, &words)).unwrap()
}

fn ids(list: &Value) -> Vec<&str> {
    list["experiments"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

/// The amounts that each unit spent in each region, of an experiment as it is shown.
pub(crate) fn rows(shown: &Value) -> Vec<Value> {
    let experiment: Experiment = serde_json::from_value(shown.clone()).unwrap();
    experiment.rows().map(|summary| serde_json::to_value(summary).unwrap()).collect()
}

#[track_caller]
fn fails(dir: &Path, words: &[&str], code: i32, parts: &[&str]) {
    let output = ats_in(dir, &[&["experiment"], words].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {errors}");
    for part in parts {
        assert!(
            errors.starts_with("error: ") && errors.contains(part),
            "{words:?}: `{part}` is not in: {errors}"
        );
    }
}

#[test]
fn sixteen_processes_lose_nothing() {
    let dir = TempDir::new().unwrap();
    let writers: Vec<Child> = (0..16).map(|_| adding(dir.path(), &["r=1", "--repeat", "next"])).collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let list = listed(dir.path(), &[]);
    let mut repeats: Vec<u64> =
        list["experiments"].as_array().unwrap().iter().map(|one| one["repeat"].as_u64().unwrap()).collect();
    repeats.sort_unstable();
    assert_eq!(repeats, (1..=16).collect::<Vec<u64>>());
    assert_eq!(list.get("warnings"), None);
}

#[test]
fn a_killed_process_leaves_nothing_half() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["experiment", "add", "repo", "late_sender", "--engine", "virtual", "r=1"]);
    for milliseconds in (0..400).step_by(40) {
        let mut writer = adding(dir.path(), &["--np", "64", "r=20", "--repeat", "next"]);
        sleep(Duration::from_millis(milliseconds));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let list = listed(dir.path(), &[]);
        assert_eq!(list.get("warnings"), None);
        for id in ids(&list) {
            answer(dir.path(), &["experiment", "show", "repo", id]);
            answer(dir.path(), &["profile", &format!("repo/{id}/profile.cubex")]);
        }
    }
}

#[test]
fn facts_of_a_run_are_kept() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["trace", "late_sender_hybrid", "--np", "2", "--threads", "2", "r=1", "-o", "t"]);
    fs::write(dir.path().join("heat.c"), "int main() {}\n").unwrap();
    let words = "experiment add repo t --application heat --version 1.2 size=100 mode=fast --files heat.c --date 2026-01-31 \
                 --seed 7 --machine cluster --cpu EPYC --network torus --repeat 3 --name small --command ./heat";
    let id = answer(dir.path(), &words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
    let id = id.trim();
    assert_eq!(id, "heat/1.2/small-mode=fast.Ranks2.threads2.size100.r3");
    let shown = answer(dir.path(), &["experiment", "show", "repo", id, "--format", "json"]);
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let run = &shown["experiment"];
    assert_eq!((&run["size"], &run["seed"], &run["command"]), (&100.0.into(), &7.into(), &"./heat".into()));
    assert_eq!((&run["date"], &run["sequential"]), (&"2026-01-31T00:00:00Z".into(), &false.into()));
    let sha256 = "bc8bb8e433bf65214540115414c821c904b2a30d60a3ac0424bf9b77a00024b7";
    assert_eq!(shown["version"]["files"], serde_json::json!([{ "name": "heat.c", "sha256": sha256 }]));
    let machine = &shown["machine"];
    assert_eq!(
        (&machine["part_of"], &machine["cpu"], &machine["network"]),
        (&"cluster".into(), &"EPYC".into(), &"torus".into())
    );
    assert_eq!((&machine["nodes"], &machine["units_per_node"]), (&1.into(), &4.into()));
    let profiled = answer(dir.path(), &["profile", "t", "--summaries", "--format", "json"]);
    let profiled: Value = serde_json::from_str(&profiled).unwrap();
    assert_eq!(rows(&shown), *profiled["summaries"].as_array().unwrap());
    for (filter, is_there) in [
        ("size>=100", true),
        ("size<100", false),
        ("mode=fast", true),
        ("application!=heat", false),
        ("date>=2026-01-01", true),
        ("metric=late_sender", true),
        ("metric=PAPI_TOT_INS", false),
    ] {
        assert_eq!(ids(&listed(dir.path(), &[filter])), if is_there { vec![id] } else { vec![] }, "{filter}");
    }
    let removed =
        answer(dir.path(), &["experiment", "remove", "repo", "small-mode=fast.Ranks2.threads2.size100.r3"]);
    assert_eq!(removed.trim(), id);
    assert!(ids(&listed(dir.path(), &[])).is_empty());
}

/// Amounts that a report lacks are undefined: mpiP counts no instructions and names no wait states.
#[test]
fn of_the_reports_of_other_tools() {
    let dir = TempDir::new().unwrap();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/tests/data");
    for report in ["late_sender.cubex", "late_sender.mpiP", "late_sender.json", "late_sender.cali", "tau"] {
        let words = [
            "experiment",
            "add",
            "repo",
            &format!("{data}/{report}"),
            "--application",
            "heat",
            "--name",
            report,
        ];
        let id = answer(dir.path(), &words);
        let shown = answer(dir.path(), &["experiment", "show", "repo", id.trim(), "--format", "json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        let metrics = shown["metrics"].as_array().unwrap();
        assert!(
            metrics.iter().any(|metric| metric["name"] == "time" && metric["origin"] == "imported"),
            "{report}"
        );
        let names_waits = report == "late_sender.cubex";
        assert_eq!(metrics.iter().any(|metric| metric["name"] == "waiting"), names_waits, "{report}");
        for summary in rows(&shown) {
            assert!(summary["instructions"].is_null() && summary["page_faults"].is_null(), "{report}");
            assert_eq!(summary["waiting"].is_null(), !names_waits, "{report}: {summary}");
        }
        assert!(shown["experiment"]["ranks"].as_u64() >= Some(1), "{report}");
    }
    // Nobody knows what any one of its ranks has spent.
    let summed = format!("{data}/caliper_summed.cali");
    fails(dir.path(), &["add", "repo", &summed, "--application", "heat"], 2, &["does not tell ranks apart"]);
    assert_eq!(ids(&listed(dir.path(), &["application=heat"])).len(), 5);
}

/// The waits are those of the engine's own account, which no trace is read for.
#[test]
fn a_run_in_virtual_time_is_exact() {
    let dir = TempDir::new().unwrap();
    let program = ["late_broadcast", "--np", "5", "r=3"];
    let words = [&["experiment", "add", "repo"], &program[..], &["--engine", "virtual"]].concat();
    let id = answer(dir.path(), &words);
    let json = |words: &[&str]| -> Value {
        serde_json::from_str(&answer(dir.path(), &[words, &["--format", "json"]].concat())).unwrap()
    };
    let shown = json(&["experiment", "show", "repo", id.trim()]);
    let truth = json(&[&["truth"], &program[..]].concat());
    let close = |a: &Value, b: &Value| (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9;
    let all = rows(&shown);
    let of = |region: &str, rank: &Value| {
        all.iter().find(|of| of["region"] == region && of["unit"]["rank"] == *rank).unwrap()
    };
    let late = &truth["findings"][0];
    assert_eq!(late["property"], "late_broadcast");
    for share in late["locations"].as_array().unwrap() {
        let summary = of("MPI_Bcast", &share["rank"]);
        assert!(close(&summary["metrics"]["late_broadcast"], &share["waiting_time"]), "{summary} {share}");
        assert!(close(&summary["waiting"], &share["waiting_time"]));
    }
    let wall_time = &truth["basis"]["wall_time"];
    assert!((0..5).all(|rank: u32| close(&of("ats_measured", &rank.into())["time"], wall_time)));
    // And all of it is that of the ideal trace.
    answer(dir.path(), &[&["trace"], &program[..], &["-o", "t"]].concat());
    let profiled = json(&["profile", "t", "--summaries"]);
    let (of_engine, of_trace) = (&rows(&shown), profiled["summaries"].as_array().unwrap());
    assert_eq!(of_engine.len(), of_trace.len());
    for (one, other) in of_engine.iter().zip(of_trace) {
        // A trace in memory says nothing of nodes.
        let of = |summary: &Value| {
            let unit = &summary["unit"];
            [&summary["region"], &unit["rank"], &unit["thread"]].map(Value::clone)
        };
        assert_eq!(of(one), of(other));
        for amount in ["time", "communication", "synchronisation", "waiting", "control", "visits"] {
            assert!(close(&one[amount], &other[amount]), "{amount}: {one} {other}");
        }
    }
    let origin = |name: &str| {
        let metrics = shown["metrics"].as_array().unwrap();
        metrics.iter().find(|metric| metric["name"] == name).unwrap()["origin"].clone()
    };
    assert_eq!((origin("time"), origin("late_broadcast")), ("simulated".into(), "derived".into()));
}

/// Without partners to wait for, all that is left of it is the work.
#[test]
fn a_sequential_run_does_the_same_work_alone() {
    let dir = TempDir::new().unwrap();
    for (program, size, work) in [
        ("late_sender", "--np 4 r=2 basework=10ms extrawork=50ms", 2.0 * (2.0 * 0.06 + 2.0 * 0.01)),
        ("late_sender_balanced", "--np 4 r=2 basework=10ms extrawork=50ms", 2.0 * (2.0 * 0.06 + 2.0 * 0.01)),
        (
            "imbalance_at_omp_barrier",
            "--threads 4 r=3 distribution=block2:10ms:30ms",
            3.0 * (2.0 * 0.01 + 2.0 * 0.03),
        ),
    ] {
        let words = format!("experiment add repo {program} {size} --engine virtual --sequential");
        let id = answer(dir.path(), &words.split(' ').collect::<Vec<_>>());
        let shown = answer(dir.path(), &["experiment", "show", "repo", id.trim(), "--format", "json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        let whole = rows(&shown).into_iter().find(|of| of["region"] == program).unwrap();
        assert!((whole["time"].as_f64().unwrap() - work).abs() < 1e-9, "{program}: {whole}");
        assert_eq!((&whole["communication"], &whole["synchronisation"]), (&0.0.into(), &0.0.into()));
        assert_eq!(
            (&shown["experiment"]["ranks"], &shown["units"].as_array().unwrap().len()),
            (&1.into(), &1)
        );
    }
    let all = listed(dir.path(), &["sequential=true"]);
    let id = "late_sender/unversioned/late_sender-virtual-sequential.Ranks1.threads1.basework0,01.extrawork0,05.of_ranks4.of_threads1.R2.r1";
    assert!(ids(&all).contains(&id), "{all}");
    assert_eq!(ids(&all).len(), 3);
}

/// A short run in virtual time, and more words.
fn virtually<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["late_sender", "--engine", "virtual", "r=1"], words].concat()
}

#[test]
fn bad_input() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let add =
        |words: &[&str], code, parts: &[&str]| fails(dir, &[&["add", "repo"], words].concat(), code, parts);
    answer(dir, &[&["experiment", "add", "repo"], &virtually(&[])[..]].concat());
    add(&virtually(&[]), 2, &["late_sender-virtual.Ranks4.threads1.R1.r1 is in repo already", "--repeat 2"]);
    add(&virtually(&["--np", "1"]), 2, &["at least 2 ranks"]);
    add(&virtually(&["--repeat", "0"]), 2, &["--repeat", "a whole number from 1 on, or next"]);
    add(&virtually(&["--date", "31.1."]), 2, &["--date", "write it as 2026-01-31"]);
    add(&virtually(&["--files", "none.c"]), 2, &["cannot read none.c", "check the path"]);
    add(&virtually(&["--network", "fast"]), 2, &["latency=1us"]);
    add(&virtually(&["--version", ""]), 2, &["the version has no name; give it one"]);
    add(
        &virtually(&["--name", &"x".repeat(300)]),
        3,
        &["xxx", "give it a shorter name, or fewer parameters"],
    );
    add(&["t"], 2, &["--application"]);
    add(&["nowhere", "--application", "heat"], 2, &["nowhere"]);
    add(&["t", "--application", "heat", "fast"], 2, &["`fast` is not a parameter; write name=value"]);
    add(&["t", "--application", "heat", "a=1", "a=2"], 2, &["a is given twice"]);
    fails(dir, &["list", "."], 2, &[". is not a repository of experiments: it has no repository.json"]);
    fails(dir, &["list", "repo", "ranks"], 2, &["`ranks` is not a condition"]);
    fails(dir, &["list", "repo", "rnaks=4"], 2, &["did you mean ranks?"]);
    fails(
        dir,
        &["show", "repo", "late_sender-virtual.Ranks4.threads1.R1.r2"],
        2,
        &["did you mean late_sender-virtual.Ranks4.threads1.R1.r1?"],
    );
    fails(dir, &["remove", "repo", "other"], 2, &["repo has no experiment other"]);
    let mark = dir.join("repo/repository.json");
    fs::write(&mark, "{\"schema\":\"ats-repository/9\"}").unwrap();
    add(&virtually(&[]), 2, &["repo/repository.json says that it is ats-repository/9"]);
    fs::write(dir.join("file"), "").unwrap();
    fails(
        dir,
        &[&["add", "file"], &virtually(&[])[..]].concat(),
        2,
        &["file is not a repository of experiments: it is a file"],
    );
    fails(
        dir,
        &[&["add", "/sys/ats-repository"], &virtually(&[])[..]].concat(),
        3,
        &["cannot make /sys/ats-repository", "a folder that you may write to"],
    );
    assert_eq!(fs::read_dir(dir).unwrap().count(), 2, "nothing else was made");
}

#[test]
fn a_damaged_experiment_is_named_and_skipped() {
    let dir = TempDir::new().unwrap();
    for number in ["1", "2"] {
        let words =
            ["experiment", "add", "repo", "late_sender", "--engine", "virtual", "r=1", "--repeat", number];
        answer(dir.path(), &words);
    }
    let damaged = "repo/late_sender/unversioned/late_sender-virtual.Ranks4.threads1.R1.r1/experiment.json";
    fs::write(dir.path().join(damaged), "{\"schema\":\"ats-exp").unwrap();
    let output = ats_in(dir.path(), &["experiment", "list", "repo", "--format", "json"]);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    let says = format!("ats: warning: {damaged} is damaged: it ends in the middle, at line 1 column 18");
    assert!(errors.starts_with(&says), "{errors}");
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(ids(&list), ["late_sender/unversioned/late_sender-virtual.Ranks4.threads1.R1.r2"]);
    assert!(list["warnings"][0].as_str().unwrap().starts_with(damaged));
    fails(
        dir.path(),
        &["show", "repo", "late_sender-virtual.Ranks4.threads1.R1.r1"],
        2,
        &[damaged, "add it again"],
    );
    answer(dir.path(), &["experiment", "remove", "repo", "late_sender-virtual.Ranks4.threads1.R1.r1"]);
    assert!(!dir.path().join(damaged).exists());
}

/// The shell lets no file have more than a block.
#[test]
fn a_disk_that_is_full() {
    let dir = TempDir::new().unwrap();
    answer(dir.path(), &["experiment", "add", "repo", "late_sender", "--engine", "virtual", "r=1"]);
    let add = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} experiment add repo late_sender --engine virtual r=1 --np 8",
        env!("CARGO_BIN_EXE_ats")
    );
    let output = Command::new("sh").args(["-c", &add]).current_dir(dir.path()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(
        errors.contains("late_sender-virtual.Ranks8.threads1.R1.r1/profile.cubex: File too large"),
        "{errors}"
    );
    assert!(errors.contains("make room there, or give another folder; nothing of it was kept"), "{errors}");
    assert_eq!(
        ids(&listed(dir.path(), &[])),
        ["late_sender/unversioned/late_sender-virtual.Ranks4.threads1.R1.r1"]
    );
    let left: Vec<_> =
        fs::read_dir(dir.path().join("repo")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn tables_come_and_go() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let rows =
        "heat.ranks2,main,s,time,4\nheat.ranks4,main,s,time,2.5\nheat.ranks4,main,s,communication,0.5\n";
    fs::write(dir.join("t.csv"), format!("experiment,region,unit,metric,value\n{rows}")).unwrap();
    let add = ["experiment", "add", "repo", "t.csv", "--application", "heat", "--version", "1.0"];
    let added = answer(dir, &add);
    assert_eq!(added, "heat/1.0/heat.Ranks2.threads1.r1\nheat/1.0/heat.Ranks4.threads1.r1\n");
    fails(dir, &add[1..], 2, &["heat/1.0/heat.Ranks2.threads1.r1 is in repo already"]);
    fails(
        dir,
        &[&add[1..], &["size=1"]].concat(),
        2,
        &["t.csv is a table", "heat.ranks4.threads2.size100.r1"],
    );
    let export = |words: &[&str]| answer(dir, &[&["experiment", "export", "repo"], words].concat());
    let all = export(&["--as", "csv"]);
    assert_eq!(all.lines().count(), 1 + 3, "{all}");
    assert_eq!(export(&["--as", "csv", "-o", "all.csv"]), "all.csv\n");
    assert_eq!(fs::read_to_string(dir.join("all.csv")).unwrap(), all);
    assert_eq!(export(&["ranks=4", "--as", "jsonl"]).lines().count(), 1);
    assert!(
        export(&["--as", "sql"])
            .contains("INSERT INTO experiments VALUES ('heat/1.0/heat.Ranks4.threads1.r1'")
    );
    let extra_p = export(&["--as", "extra-p"]);
    assert_eq!(extra_p.lines().count(), 3);
    let written = ats_in(dir, &["experiment", "export", "repo", "--as", "extra-p", "-o", "x.jsonl"]);
    assert_eq!(String::from_utf8(written.stdout).unwrap(), "x.jsonl\n");
    assert_eq!(
        String::from_utf8(written.stderr).unwrap(),
        "ats: Extra-P reads it with: extrap --json x.jsonl\n"
    );
    assert_eq!(fs::read_to_string(dir.join("x.jsonl")).unwrap(), extra_p);
    let html = export(&["--as", "html"]);
    let data = html.split_once("id=\"data\">").unwrap().1.split("</script>").next().unwrap();
    let compared = serde_json::from_str::<Value>(data).unwrap()["experiments"].take();
    assert_eq!(compared["curves"][0]["against"], "the smallest run, 2×1, as there is no sequential one");
    let time = |id: &str| {
        let shown: Value =
            serde_json::from_str(&answer(dir, &["experiment", "show", "repo", id, "--format", "json"]))
                .unwrap();
        self::rows(&shown)[0]["time"].as_f64().unwrap()
    };
    let (base, four) = (time("heat.Ranks2.threads1.r1"), time("heat.Ranks4.threads1.r1"));
    let shown = &compared["regions"][0];
    let (times, speed_ups) = (&shown["times"][0], &shown["speed_ups"][0]);
    let is_near = |value: &Value, exact: f64| (value.as_f64().unwrap() - exact).abs() < 1e-6;
    assert!(
        is_near(&times[0], base) && is_near(&times[1], four) && is_near(&speed_ups[1], base / four),
        "{shown}"
    );
    fails(dir, &["export", "repo", "ranks=99", "--as", "html"], 2, &["there is no such experiment"]);
    fails(
        dir,
        &["export", "repo", "ranks=4", "--as", "extra-p"],
        2,
        &["do not differ in any number", "several sizes"],
    );
    fails(
        dir,
        &["export", "repo", "--as", "cube", "-o", "x.cubex"],
        2,
        &["holds one experiment, and 2 match"],
    );
    fails(
        dir,
        &["export", "repo", "ranks=4", "--as", "cube", "-o", "x.cubex"],
        2,
        &["was added from a table", "no call paths"],
    );
    fails(dir, &["export", "repo", "--as", "cube"], 2, &["--output"]);
    fails(dir, &["export", "repo", "--as", "csv", "-o", "none/x.csv"], 2, &["none/x.csv cannot be written"]);
    fails(dir, &["export", "repo", "--as", "csv", "--format", "json"], 2, &["not available for an export"]);
    fs::write(
        dir.join("bad.csv"),
        "experiment,region,unit,metric,value\nheat,main,bytes,time,1\nheat,main,s,time,NaN\n",
    )
    .unwrap();
    let bad = ["add", "repo", "bad.csv", "--application", "heat"];
    fails(dir, &bad, 2, &["bad.csv: 2 mistakes", "line 2: time is in s", "line 3: `NaN` is not a number"]);
    assert_eq!(ids(&listed(dir, &[])).len(), 2);
    // A run has call paths, which are those of the trace.
    answer(dir, &["trace", "late_sender", "r=1", "-o", "t"]);
    answer(dir, &["experiment", "add", "repo", "t", "--application", "late"]);
    export(&["application=late", "--as", "cube", "-o", "late.cubex"]);
    let profiled = answer(dir, &["profile", "late.cubex", "--region", "MPI_Recv"]);
    assert!(profiled.contains("0.100000"), "{profiled}");
}

/// In each state, at each location: what the engine says that it has waited, in the whole of a composition.
#[test]
fn of_compositions_that_nobody_has_seen() {
    let dir = TempDir::new().unwrap();
    let json = |words: &[&str]| -> Value {
        serde_json::from_str(&answer(dir.path(), &[words, &["--format", "json"]].concat())).unwrap()
    };
    for seed in ["1", "2", "3", "4"] {
        let composition = answer(dir.path(), &["compose", "--random", seed, "--ranks", "4", "--phases", "6"]);
        fs::write(dir.path().join("random.toml"), composition).unwrap();
        let truth = json(&["truth", "random.toml"]);
        let mut waits: BTreeMap<(String, u64, u64), f64> = BTreeMap::new();
        for finding in truth["findings"].as_array().unwrap().iter().filter(|one| one["property"].is_string())
        {
            for share in finding["locations"].as_array().unwrap() {
                let number = |name: &str| share[name].as_u64().unwrap();
                let key =
                    (finding["property"].as_str().unwrap().to_owned(), number("rank"), number("thread"));
                *waits.entry(key).or_default() += share["waiting_time"].as_f64().unwrap();
            }
        }
        assert!(!waits.is_empty());
        let words = ["experiment", "add", "repo", "random.toml", "--engine", "virtual", "--repeat", "next"];
        let id = answer(dir.path(), &words);
        let shown = json(&["experiment", "show", "repo", id.trim()]);
        for ((state, rank, thread), seconds) in waits {
            let is_it = |of: &&Value| {
                of["region"] == "ats_measured" && of["unit"]["rank"] == rank && of["unit"]["thread"] == thread
            };
            let all = rows(&shown);
            let summary = all.iter().find(is_it).unwrap();
            let kept = summary["metrics"][&state].as_f64().unwrap_or_default();
            assert!(
                (kept - seconds).abs() < 1e-9,
                "{seed}: {state} of {rank}.{thread}: {kept}, not {seconds}"
            );
        }
    }
}

/// Rank 1 receives at two places, in one order or the other, each `late` s late.
fn receives(late: [u32; 2], lines: [u32; 2]) -> String {
    let [first, second] = late;
    let (sent, end) = (first + 1, first + second + 2);
    let [one, other] = lines.map(|line| format!("MPI_Recv@halo@src/two.c:{line} recv 0"));
    format!(
        "0: 0 enter main; 0..{first} work; {first}..{sent} MPI_Send send 1; {sent}..{} work; {}..{end} MPI_Send send 1; \
         {end} leave
         1: 0 enter main; 0..{sent} {one}; {sent}..{end} {other}; {end} leave",
        sent + second,
        sent + second,
    )
}

#[test]
fn calls_of_one_function_at_two_places_are_regions_of_their_own_in_all_runs() {
    let dir = recorded(&receives([5, 2], [10, 22]));
    let add = ["experiment", "add", "repo", "t", "--application", "two"];
    answer(dir.path(), &add);
    let other = recorded(&receives([1, 9], [22, 10]));
    fs::rename(other.path().join("t"), dir.path().join("again")).unwrap();
    let id =
        answer(dir.path(), &["experiment", "add", "repo", "again", "--application", "two", "--repeat", "2"]);
    let shown = |id: &str| -> Experiment {
        let words = ["experiment", "show", "repo", id.trim(), "--format", "json"];
        serde_json::from_str(&answer(dir.path(), &words)).unwrap()
    };
    let list = listed(dir.path(), &[]);
    let [first, second] = &ids(&list)[..] else { panic!("{list}") };
    assert_eq!(*second, id.trim());
    let names = ["MPI_Recv in halo (two.c:10)", "MPI_Recv in halo (two.c:22)"];
    for (id, seconds) in [(first, [6.0, 3.0]), (second, [10.0, 2.0])] {
        let experiment = shown(id);
        for (name, right) in names.into_iter().zip(seconds) {
            let (at, of) = (0..).zip(&experiment.summaries).find(|(_, of)| of.region == name).unwrap();
            assert_eq!(of.total().time, Some(right), "{name}");
            let of_code: Vec<_> =
                experiment.regions.iter().filter(|region| region.performance_data == at).collect();
            let [code] = &of_code[..] else { panic!("{of_code:?}") };
            assert_eq!(code.region.label(), name);
        }
    }
    let page = answer(dir.path(), &["experiment", "export", "repo", "--as", "html"]);
    assert!(names.iter().all(|name| page.contains(name)), "both can be chosen");
    for words in
        [&["diagnose", "repo"][..], &["efficiency", "repo"], &["experiment", "export", "repo", "--as", "csv"]]
    {
        answer(dir.path(), words);
    }
    let one = format!("repo/{first}");
    answer(dir.path(), &["overheads", &format!("repo/{second}"), "--sequential", &one]);
    let diagnosis = answer(dir.path(), &["diagnose", "repo", "--region", "two.c:10", "--format", "json"]);
    let diagnosis: Value = serde_json::from_str(&diagnosis).unwrap();
    let instances = diagnosis["instances"].as_array().unwrap();
    assert!(instances.iter().all(|instance| instance["region"] == names[0]), "{diagnosis:#}");
    let of_runs = instances.iter().flat_map(|instance| instance["experiments"].as_array().unwrap());
    let of_runs: BTreeSet<u64> = of_runs.map(|of| of.as_u64().unwrap()).collect();
    assert_eq!(of_runs, [0, 1].into(), "{diagnosis:#}");
}
