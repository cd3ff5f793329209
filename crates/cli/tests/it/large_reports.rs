//! Reports of Cube are read where they are: counters that are too many for memory take none, and none is lost.
//!
//! `ATS_CUBE_MB=1000` makes one of so many megabytes, of 1,000 call paths on 1,024 locations, which has to be read in
//! 200 MB.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use ats_documents::Profile;
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, ProfiledRegion};
use ats_model::definitions::{Paradigm, RegionRole};
use ats_reports::Stored;
use tempfile::TempDir;

use crate::common::peak;

/// Writes a report of this many call paths, locations and counters; all locations waited in a tenth of the call paths,
/// and each value is another.
fn write(file: &Path, [paths, locations, counters]: [u32; 3], stored: Stored) {
    let mut profile = Profile::new("traces.otf2");
    let region = |id: u32| {
        let (name, paradigm, role) = match id % 10 {
            9 => (format!("MPI_Recv_{id}"), Paradigm::Mpi, RegionRole::PointToPoint),
            _ => (format!("function_{id}"), Paradigm::User, RegionRole::Function),
        };
        ProfiledRegion { id, name, paradigm, role, ..ProfiledRegion::default() }
    };
    profile.regions = (0..paths).map(region).collect();
    let parent = |id: u32| (id > 0).then_some(if id.is_multiple_of(10) { 0 } else { id - id % 10 });
    profile.call_tree = (0..paths).map(|id| CallNode { id, parent: parent(id), region: id }).collect();
    profile.units = (0..locations).map(|rank| ProcessingUnit { rank, thread: 0, node: None }).collect();
    let mut add = |name: &str, unit: &str, is_there: &dyn Fn(u32) -> bool, value: &dyn Fn(u64) -> f64| {
        let number = |path: u32, unit: u32| u64::from(path) * u64::from(locations) + u64::from(unit);
        let values = (0..paths)
            .filter(|path| is_there(*path))
            .flat_map(|path| (0..locations).map(move |unit| (path, unit)));
        let values = values.map(|(path, unit)| (path, unit, value(number(path, unit))));
        profile.metrics.push(Metric::new(name, unit, Origin::Measured, Combine::Sum));
        profile.values.insert(name.to_owned(), values.collect());
    };
    // Numbers that nothing makes shorter.
    let random = |number: u64, salt: u32| {
        (number + u64::from(salt))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            >> 12
    };
    let second = |number: u64| 0.01 + random(number, 0) as f64 / (1_u64 << 52) as f64;
    add(Profile::TIME, "s", &|_| true, &second);
    add(Profile::VISITS, "occ", &|_| true, &|_| 3.0);
    add("late_sender", "s", &|path| path % 10 == 9, &|number| second(number) / 2.0);
    for counter in 0..counters {
        add(&format!("counter_{counter}"), "#", &|_| true, &|number| random(number, counter) as f64);
    }
    ats_reports::cubex(&profile, stored, BufWriter::new(File::create(file).unwrap())).unwrap();
}

/// The peaks of what is done with a report of this size.
fn peaks(size: [u32; 3], stored: Stored) -> Vec<(&'static str, u64)> {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("profile.cubex");
    write(&file, size, stored);
    let length = fs::metadata(&file).unwrap().len();
    let all = [
        ("profiled", vec!["profile", "profile.cubex"]),
        ("kept", vec!["experiment", "add", "repo", "profile.cubex", "--application", "large"]),
    ];
    let peaks = all.map(|(what, words)| (what, peak(dir.path(), &words)));
    for (what, peak) in peaks {
        eprintln!("{} MB, {stored:?}, are {what} in {} MB", length / 1_000_000, peak / 1_000_000);
    }
    peaks.to_vec()
}

#[test]
fn counters_that_stay_in_the_file_take_no_memory() {
    if let Ok(megabytes) = std::env::var("ATS_CUBE_MB") {
        let [paths, locations] = [1000, 1024];
        let counters = megabytes.parse::<u32>().unwrap() * 1_000_000 / (paths * locations * 8);
        for stored in [Stored::Plain, Stored::Compressed] {
            for (what, peak) in peaks([paths, locations, counters], stored) {
                assert!(peak < 200_000_000, "{what}: {peak}");
            }
        }
        return;
    }
    for stored in [Stored::Plain, Stored::Compressed] {
        // Of 9 and of 19 MB, both with more counters than are taken into memory.
        let [few, many] = [44, 92].map(|counters| peaks([100, 256, counters], stored));
        for ((what, of_few), (_, of_many)) in few.into_iter().zip(many) {
            assert!(of_many < of_few + 4_000_000, "{what}, {stored:?}: {of_few}, {of_many}");
        }
    }
}
