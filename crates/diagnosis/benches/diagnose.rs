//! The diagnosis of a repository of 1,000 experiments, each of 64 units that were in 1,000 regions, on one core: its time, and
//! the most memory. `ATS_EXPERIMENTS=100` takes fewer, and `ATS_REPOSITORY=DIR` keeps the repository there, or takes the one
//! that is there.

use std::path::PathBuf;
use std::time::Instant;

use ats_diagnosis::properties::{Properties, Selection, diagnose};
use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::experiment::{Run, Version};
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_experiment::{Beside, Given, Repeat, Repository, of_profile};
use ats_model::WaitState;

/// Experiments that differ only in ranks and threads, with a sequential one.
const CURVE: u32 = 50;
const UNITS: u32 = 64;
const REGIONS: u32 = 1000;
/// The functions of MPI, each called by a function of its own.
const CALLS: [(&str, &str); 4] = [
    ("MPI_Recv", "late_sender"),
    ("MPI_Barrier", "wait_at_mpi_barrier"),
    ("MPI_Allreduce", "wait_at_nxn"),
    ("MPI_Init", ""),
];

/// A number from 0 to 1 that looks random.
fn random(of: [u32; 3]) -> f64 {
    let mixed = of.into_iter().fold(0x9e37_79b9_7f4a_7c15_u64, |mixed, one| {
        (mixed ^ u64::from(one)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
    });
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

/// The profile of a program whose functions call ten others each; forty functions call MPI.
fn profile(seed: u32, units: u32) -> Profile {
    let mut profile = Profile::new("bench");
    profile.units = (0..units).map(|rank| ProcessingUnit { rank, thread: 0, node: None }).collect();
    let functions = REGIONS - CALLS.len() as u32;
    let name = |id: u32| match id.checked_sub(functions) {
        Some(call) => CALLS[call as usize].0.to_owned(),
        None => format!("solver::module_{}::function_{id}", id % 50),
    };
    let region = |id| ProfiledRegion { id, name: name(id), ..ProfiledRegion::default() };
    profile.regions = (0..REGIONS).map(region).collect();
    let node = |id: u32| CallNode { id, parent: id.checked_sub(1).map(|id| id / 10), region: id };
    profile.call_tree = (0..functions).map(node).collect();
    for call in 0..40 {
        let parent = if call == 0 { 0 } else { 100 + call };
        let region = functions + if call == 0 { 3 } else { call % 3 };
        profile.call_tree.push(CallNode { id: functions + call, parent: Some(parent), region });
    }
    let paths = profile.call_tree.len() as u32;
    let values = |of: &dyn Fn(u32, u32) -> Option<f64>| -> Vec<(u32, u32, f64)> {
        let all = (0..paths).flat_map(|path| (0..units).map(move |unit| (path, unit)));
        all.filter_map(|(path, unit)| Some((path, unit, of(path, unit)?))).collect()
    };
    let time = |path, unit| 0.01 + random([seed, path, unit]) * 0.001;
    let mut add = |name: &str, unit: &str, values: Vec<(u32, u32, f64)>| {
        profile.metrics.push(Metric::new(name, unit, Origin::Measured, Combine::Sum));
        profile.values.insert(name.to_owned(), values.into());
    };
    add(Profile::TIME, "s", values(&|path, unit| Some(time(path, unit))));
    add(Profile::VISITS, "occ", values(&|_, _| Some(100.0)));
    for state in WaitState::ALL {
        let call = CALLS.iter().position(|(_, wait)| *wait == state.name());
        let is_of =
            |path: u32| call.is_some_and(|call| path > functions && (path - functions) % 3 == call as u32);
        add(state.name(), "s", values(&|path, unit| is_of(path).then(|| time(path, unit) / 2.0)));
    }
    profile
}

/// A repository, filled as `ats experiment add` does.
fn fill(repository: &Repository, experiments: u32) {
    let version = Version { name: "1.0".to_owned(), files: Vec::new() };
    let classes = Classes::default();
    // Each shape is made once, as that takes longest; the time of reading does not depend on the values.
    let shapes = [(1, true), (UNITS, false)].map(|(units, sequential)| {
        let run = Run { name: "solver".to_owned(), sequential, ..Run::default() };
        let given =
            Given { application: "solver".to_owned(), version: version.clone(), run, ..Given::default() };
        let profile = profile(units, units);
        of_profile(&profile, given, &classes).with(|_| profile.by_code_region(&classes).collect::<Vec<_>>())
    });
    for number in 0..experiments {
        let (curve, place) = (number / CURVE, number % CURVE);
        let [sequential, parallel] = &shapes;
        let mut one = if place == 0 { sequential } else { parallel }.clone();
        one.experiment.parameters = [("size".to_owned(), curve.to_string())].into();
        // 1 × 64 to 64 × 1, seven times.
        let size = if place == 0 { [1, 1] } else { [1 << ((place - 1) % 7), UNITS >> ((place - 1) % 7)] };
        [one.experiment.ranks, one.experiment.threads] = size;
        one.experiment.sequential = place == 0;
        repository
            .add(one, Beside::default(), &["size".to_owned()], Repeat::Next)
            .expect("there is room for it");
    }
}

/// The most memory that the process had, in MiB.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() / 1024
}

/// The processor time of the process, in seconds: on a machine with other work it is less than the time that passes.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    // User and system time, the 14th and 15th field, in hundredths; the third follows the name in brackets.
    fields.iter().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() {
    let experiments =
        std::env::var("ATS_EXPERIMENTS").ok().and_then(|number| number.parse().ok()).unwrap_or(1000);
    let given = std::env::var_os("ATS_REPOSITORY").map(PathBuf::from);
    let temporary = tempfile::tempdir().expect("there is room for a folder");
    let dir = given.as_deref().unwrap_or(temporary.path());
    let repository = Repository::create(dir).expect("it can be written to");
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("it is the first");
    if repository.list().expect("it can be read").experiments.is_empty() {
        fill(&repository, experiments);
        println!("filled; {} MiB so far", most_memory());
    }
    let properties = Properties::parse([]).expect("they are right");
    let (start, processor) = (Instant::now(), processor_time());
    let listed = repository.list().expect("it can be read").experiments;
    let listing = processor_time() - processor;
    let number = listed.len();
    let selection = Selection { above: 0.01, worst: true, ..Selection::default() };
    let read = |one: &ats_documents::experiment::Listed| repository.read(&one.id);
    let diagnosis = diagnose(&properties, listed, read, selection).expect("it can be read");
    let (holds, fails) =
        diagnosis.properties.iter().fold((0, 0), |(holds, fails), of| (holds + of.holds, fails + of.fails));
    println!(
        "diagnosis of {number} experiments: {:.1} s, {:.1} s of processor time, of it {:.1} s for the list; {} MiB\n\
         {holds} instances hold, {fails} do not, {} are listed",
        start.elapsed().as_secs_f64(),
        processor_time() - processor,
        listing,
        most_memory(),
        diagnosis.instances.len(),
    );
}
