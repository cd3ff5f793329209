//! Readings of programs: what the commands over experiments find for the rows of the catalogue, in virtual time.

use std::collections::BTreeMap;
use std::path::Path;

use ats_compose::Row;
use serde_json::Value;

use crate::common::answer;
use crate::documents::document;

const P: f64 = 4.0;

/// The values of the rows on 4 ranks, by closed forms of the parameters' defaults.
fn expected() -> BTreeMap<&'static str, f64> {
    // amdahl: rank 0 works `serial` alone, all share `shared`; replicated: all work `again`, and `added` on several.
    let (serial, shared) = (0.02, 0.08);
    let efficiency = |p: f64| (serial + shared) / (p * serial + shared);
    let inefficiency = |p: f64| 1.0 - efficiency(p);
    let mean = |one: f64, other: f64| f64::midpoint(one, other);
    let (again, added, divided) = (0.02, 0.005, 0.08);
    let on_several = again + added + divided / P;
    // The work of half of the ranks, or of the first and the last, and that of the others.
    let (low, high) = (0.01, 0.06);
    let (least, most) = (0.1, 0.6);
    // MiB / (1 GB/s), there and back.
    let (travels, between) = (0.001048576, 0.05);
    // Half of the ranks wait, equally long.
    let half = (1.0 - 0.5) / (1.0 - 1.0 / P);
    BTreeMap::from([
        ("dominated_by_communication", (P - 1.0) * (high - low) / (P * high)),
        ("non_scalability", mean(efficiency(2.0), efficiency(P)) - efficiency(P)),
        ("inefficiency", inefficiency(P)),
        ("alternative_non_scalability", inefficiency(P) - mean(inefficiency(2.0), inefficiency(P))),
        ("unidentified_overhead", serial * (1.0 - 1.0 / P) / (serial + shared / P)),
        ("communication_overhead", (high - low) / high),
        ("synchronization_overhead", (high - low) / high),
        ("late_sender_overhead", (high - low) / high),
        ("loss_of_parallelism_unparallelised", 5.0 * serial * (1.0 - 1.0 / P)),
        ("loss_of_parallelism_replicated", 5.0 * again * (1.0 - 1.0 / P)),
        ("loss_of_parallelism_partial", 5.0 * (0.1 / 2.0 - 0.1 / P)),
        ("control_of_parallelism", (most - least) / 2.0),
        ("additional_computation", 5.0 * 0.02),
        ("data_movement", 2.0 * 10.0 * travels),
        ("execution_time_load_imbalance", (1.0 - mean(low, high) / high) / (1.0 - 1.0 / P)),
        ("synchronization_load_imbalance", half),
        ("communication_load_imbalance", half),
        ("computational_load_imbalance", (1.0 - mean(low, high) / high) / (1.0 - 1.0 / P)),
        // Each load of the chase misses, and none of as many others.
        ("imperfect_cache_behavior", 0.5),
        ("overhead_for_any_execution", (high - low) / high),
        ("load_balance_efficiency", mean(low, high) / high),
        ("serialisation_efficiency", 1.0 / P),
        ("transfer_efficiency", between / (between + 2.0 * travels)),
        ("computation_scaling", (again + divided) / (P * on_several)),
        ("critical_path_imbalance", 10.0 * (high - mean(low, high))),
    ])
}

#[test]
fn each_row_is_read_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let expected = expected();
    let rows = Row::list();
    let (mut read, mut wrong) = (0, Vec::new());
    for row in &rows {
        let (Some(by), Some((command, name))) = (&row.by, row.read_by()) else { continue };
        let value = expected.get(&*row.row).unwrap_or_else(|| panic!("{} has no closed form here", row.row));
        let words: Vec<&str> = by.split(' ').collect();
        let at = dir.path().join(&row.row);
        std::fs::create_dir(&at).unwrap();
        let found = match command {
            "analyze" => analyzed(&at, &words, name),
            _ => of_experiments(&at, &words, command, name),
        };
        if (found - value).abs() > 1e-9 {
            wrong.push(format!("{}: {found}, and not {value}", row.row));
        }
        read += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(read, expected.len());
}

/// The value that a command over experiments finds for a program on 4 ranks.
fn of_experiments(dir: &Path, words: &[&str], command: &str, name: &str) -> f64 {
    let [program, parameters @ ..] = words else { unreachable!() };
    let add = |more: &[&str]| {
        let virtually = ["experiment", "add", "--engine", "virtual", "R", program];
        let machine: &[&str] = match (*program, name) {
            // Only its messages take time.
            ("big_message", _) => &["--network", "bandwidth=1GB/s"],
            (_, "ComputationalLoadImbalance" | "ImperfectCacheBehavior1") => &["--costs", "cycle=0.25ns"],
            _ => &[],
        };
        answer(dir, &[&virtually, parameters, machine, more].concat())
    };
    if *program == "l1_cache_misses" {
        // It is of one process.
        add(&[]);
        return severity(dir, program, name);
    }
    // The work of these that all share does not grow with the ranks; that of the others does.
    let is_divided = ["amdahl", "replicated", "partial"].contains(program);
    let is_one_rank = is_divided && command != "diagnose";
    let alone = add(if is_one_rank { &["--np", "1"] } else { &["--sequential", "--np", "4"] });
    if name.contains("NonScalability") {
        add(&["--sequential", "--np", "2"]);
        add(&["--np", "2"]);
    }
    let run = add(&["--np", "4"]);
    let [alone, run] = [&alone, &run].map(|id| format!("R/{}", id.trim()));
    match command {
        "diagnose" => severity(dir, program, name),
        "overheads" => {
            let found = document(dir, &["overheads", &run, "--sequential", &alone]);
            let of_run = &found["experiments"][0]["program"];
            [&of_run["classes"][name], &of_run["parts"][name]]
                .iter()
                .find_map(|value| value.as_f64())
                .unwrap()
        }
        _ => {
            let found = document(dir, &["efficiency", &run, "--reference", &alone]);
            let runs = found["experiments"].as_array().unwrap();
            let factors = runs.last().unwrap()["multiplicative"].as_array().unwrap();
            let factor = factors.iter().find(|factor| factor["name"] == name).unwrap();
            factor["value"].as_f64().unwrap_or_else(|| panic!("{program}: {factor}"))
        }
    }
}

/// The largest severity of a property in the region of a program.
fn severity(dir: &Path, program: &str, name: &str) -> f64 {
    let found = document(dir, &["diagnose", "R"]);
    let instances = found["instances"].as_array().unwrap().iter();
    let severities = instances.filter(|one| one["property"] == name && one["region"] == program);
    severities.filter_map(|one| one["severity"].as_f64()).fold(0.0, f64::max)
}

/// The sum of a metric of root causes of a program on 4 ranks.
fn analyzed(dir: &Path, words: &[&str], name: &str) -> f64 {
    answer(dir, &[&["trace"], words, &["--np", "4", "-o", "trace"]].concat());
    let found = document(dir, &["analyze", "trace/traces.otf2", "--causes"]);
    let values = found["causes"]["metrics"][name].as_array().unwrap();
    values.iter().map(|value: &Value| value[2].as_f64().unwrap()).sum()
}
