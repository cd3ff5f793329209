//! A repository of 1,000 experiments, each of 32 locations that were in eight regions.

use std::fs;

use ats_documents::Profile;
use ats_documents::classes::Classes;
use ats_documents::experiment::{Run, Version};
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_experiment::{Beside, Given, Repeat, Repository, of_profile};
use criterion::{Criterion, criterion_group, criterion_main};
use tempfile::TempDir;

const EXPERIMENTS: u32 = 1000;
const LOCATIONS: u32 = 32;
const REGIONS: u32 = 8;

fn profile() -> Profile {
    let mut profile = Profile::new("bench");
    profile.units = (0..LOCATIONS).map(|rank| ProcessingUnit { rank, thread: 0, node: None }).collect();
    let region = |id| ProfiledRegion { id, name: format!("region {id}"), ..ProfiledRegion::default() };
    profile.regions = (0..REGIONS).map(region).collect();
    let node = |id: u32| CallNode { id, parent: id.checked_sub(1), region: id };
    profile.call_tree = (0..REGIONS).map(node).collect();
    let places = || (0..REGIONS).flat_map(|path| (0..LOCATIONS).map(move |unit| (path, unit, 0.125)));
    for (name, unit) in
        [(Profile::TIME, "s"), (Profile::VISITS, "occ"), ("late_sender", "s"), ("bytes_sent", "bytes")]
    {
        profile.metrics.push(Metric::new(name, unit, Origin::Measured, Combine::Sum));
        profile.values.insert(name.to_owned(), places().collect());
    }
    profile
}

fn filled() -> (TempDir, Repository) {
    let dir = TempDir::new().expect("there is room for a folder");
    let repository = Repository::create(dir.path()).expect("the folder is empty");
    let run = Run { name: "heat".to_owned(), ..Run::default() };
    let version = Version { name: "1.0".to_owned(), files: Vec::new() };
    let given = Given { application: "heat".to_owned(), version, run, ..Given::default() };
    let (profile, classes) = (profile(), Classes::default());
    let experiment = of_profile(&profile, given, &classes);
    for number in 1..=EXPERIMENTS {
        repository
            .add(experiment.clone(), Beside::default(), &[], Repeat::Number(number))
            .expect("there is room for it");
    }
    (dir, repository)
}

fn repository(criterion: &mut Criterion) {
    let (dir, repository) = filled();
    let ids: Vec<String> =
        repository.list().expect("it is whole").experiments.into_iter().map(|one| one.id).collect();
    let mut group = criterion.benchmark_group("repository of 1000");
    group.sample_size(10);
    group.bench_function("list", |bench| {
        bench.iter(|| repository.list().map(|listing| listing.experiments.len()))
    });
    group.bench_function("read the summaries of each", |bench| {
        bench.iter(|| {
            let summaries = ids.iter().map(|id| repository.read(id).expect("it is whole").summaries.len());
            summaries.sum::<usize>()
        });
    });
    group.finish();
    let bytes = fs::metadata(dir.path().join(&ids[0]).join("experiment.json")).map_or(0, |file| file.len());
    println!("{bytes} bytes each");
}

criterion_group!(benches, repository);
criterion_main!(benches);
