//! A stored calibration is checked before it is used, on scripted machines; and the real one is calibrated once.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

const NOW: u64 = 1_800_000_000;

/// A machine that counts how often it was calibrated.
struct Scripted {
    host: &'static str,
    spot: Rates,
    calibrated: Cell<usize>,
}

impl Scripted {
    fn new(host: &'static str) -> Self {
        Scripted { host, spot: RATES, calibrated: Cell::new(0) }
    }
}

const RATES: Rates = Rates { iterations_per_second: 2e8, ticks_per_second: 2.6e9 };

impl Subject for Scripted {
    fn machine(&self) -> Machine {
        Machine { host: self.host.to_owned(), cpu_model: "Model 7".to_owned(), cores: 4 }
    }

    fn unix_seconds(&self) -> u64 {
        NOW
    }

    fn calibrate(&self) -> Calibration {
        self.calibrated.set(self.calibrated.get() + 1);
        Calibration {
            schema: Calibration::SCHEMA.to_owned(),
            machine: self.machine(),
            measured_at_unix_seconds: NOW,
            rates: RATES,
            timer_resolution_seconds: 1e-8,
            sleep_overshoot_median_seconds: 5e-6,
            sleep_overshoot_p99_seconds: 5e-5,
        }
    }

    fn spot_check(&self) -> Rates {
        self.spot
    }
}

/// A folder for one test, and a file in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache/ats/calibration.json");
    (folder, path)
}

fn stored(path: &Path, change: impl FnOnce(&mut Calibration)) {
    let mut calibration = Scripted::new("here").calibrate();
    change(&mut calibration);
    file::store(path, &calibration).unwrap();
}

/// Obtains a calibration at `path`, expects one notice and a good new file, and returns the notice.
fn redone(path: &Path, subject: &Scripted) -> Notice {
    let (calibration, notices) = obtain_at(path, subject);
    assert_eq!(subject.calibrated.get(), 1);
    assert_eq!(calibration, subject.calibrate());
    assert_eq!(file::load(path), Ok(calibration));
    let [notice] = <[Notice; 1]>::try_from(notices).unwrap();
    notice
}

#[test]
fn a_missing_one_is_measured_stored_and_then_used() {
    let (_folder, path) = place();
    let here = Scripted::new("here");
    assert_eq!(redone(&path, &here), Notice::Missing { path: path.clone() });
    let again = Scripted::new("here");
    assert_eq!(obtain_at(&path, &again), (here.calibrate(), vec![]));
    assert_eq!(again.calibrated.get(), 0);
}

#[test]
fn damaged_files_are_redone() {
    for (text, reason) in [
        ("", "it is not a calibration: EOF while parsing"),
        ("\0\0\0\0", "it is not a calibration: expected value"),
        ("[]", "it is not a calibration: invalid"),
        ("{\"schema\":\"ats-calibration/1\"}", "it is not a calibration: missing field"),
    ] {
        let (_folder, path) = place();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let notice = redone(&path, &Scripted::new("here"));
        assert!(
            matches!(&notice, Notice::Damaged { reason: found, .. } if found.starts_with(reason)),
            "{notice}"
        );
    }
}

#[test]
fn a_truncated_file_is_damaged() {
    let (_folder, path) = place();
    stored(&path, |_| {});
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(redone(&path, &Scripted::new("here")), Notice::Damaged { .. }));
}

#[test]
fn impossible_rates_and_other_versions_are_damage() {
    let (_folder, path) = place();
    stored(&path, |c| c.rates.ticks_per_second = 0.0);
    let notice = redone(&path, &Scripted::new("here"));
    assert!(notice.to_string().contains("a rate in it is not a positive number"), "{notice}");

    stored(&path, |c| c.schema = "ats-calibration/2".to_owned());
    let notice = redone(&path, &Scripted::new("here"));
    assert!(
        notice.to_string().contains("its schema is `ats-calibration/2`, not `ats-calibration/1`"),
        "{notice}"
    );
}

#[test]
fn a_folder_in_its_place_is_damage_that_cannot_be_repaired() {
    let (_folder, path) = place();
    fs::create_dir_all(&path).unwrap();
    let here = Scripted::new("here");
    let (calibration, notices) = obtain_at(&path, &here);
    assert_eq!(calibration.rates, RATES);
    assert!(matches!(&notices[..], [Notice::Damaged { .. }, Notice::NotStored { .. }]), "{notices:?}");
}

#[test]
fn one_of_another_machine_is_redone() {
    let (_folder, path) = place();
    stored(&path, |_| {});
    let notice = redone(&path, &Scripted::new("there"));
    assert_eq!(
        notice.to_string(),
        format!(
            "the calibration {} is of here (Model 7, 4 cores), but this is there (Model 7, 4 cores); calibrated anew",
            path.display()
        )
    );

    stored(&path, |c| c.machine.cpu_model = "Model 8".to_owned());
    assert!(matches!(redone(&path, &Scripted::new("here")), Notice::Foreign { .. }));
}

#[test]
fn an_old_one_is_redone_and_one_of_thirty_days_is_not() {
    let (_folder, path) = place();
    let stale = |change: fn(&mut Calibration)| {
        stored(&path, change);
        match redone(&path, &Scripted::new("here")) {
            Notice::Stale { reason, .. } => reason,
            notice => panic!("{notice}"),
        }
    };
    assert_eq!(
        stale(|c| c.measured_at_unix_seconds = NOW - Calibration::LIFETIME_SECONDS - 1),
        "it is 30 days old"
    );
    assert_eq!(stale(|c| c.measured_at_unix_seconds = NOW + 1), "it was measured in the future");

    stored(&path, |c| c.measured_at_unix_seconds = NOW - Calibration::LIFETIME_SECONDS);
    assert_eq!(obtain_at(&path, &Scripted::new("here")).1, []);
}

#[test]
fn one_that_a_spot_check_belies_is_redone() {
    let (_folder, path) = place();
    let with_spot = |iterations: f64, ticks: f64| Scripted {
        spot: Rates {
            iterations_per_second: RATES.iterations_per_second * iterations,
            ticks_per_second: RATES.ticks_per_second * ticks,
        },
        ..Scripted::new("here")
    };
    stored(&path, |_| {});
    assert_eq!(obtain_at(&path, &with_spot(0.8, 1.0009)).1, []);
    let notice = redone(&path, &with_spot(0.5, 1.0));
    assert!(
        notice.to_string().contains("the speed of work deviates by 50.0 % from a spot check"),
        "{notice}"
    );
    let notice = redone(&path, &with_spot(1.0, 1.002));
    assert!(notice.to_string().contains("the clock's rate deviates by 0.2 % from a spot check"), "{notice}");
}

#[test]
fn one_that_cannot_be_stored_is_used_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let here = Scripted::new("here");
    let (calibration, notices) = obtain_at(&file.join("calibration.json"), &here);
    assert_eq!(calibration, here.calibrate());
    assert!(matches!(notices.last(), Some(Notice::NotStored { .. })), "{notices:?}");
}

#[test]
fn readers_never_see_half_a_file_while_others_write() {
    let (_folder, path) = place();
    stored(&path, |_| {});
    std::thread::scope(|scope| {
        for writer in 0..4u32 {
            let path = &path;
            scope.spawn(move || {
                // Files of very different lengths, so that a mixture could not be read.
                (0..100)
                    .for_each(|_| stored(path, |c| c.machine.host = "x".repeat(1 + 3_000 * writer as usize)));
            });
        }
        for _ in 0..2 {
            scope.spawn(|| (0..500).for_each(|_| assert!(file::load(&path).is_ok())));
        }
    });
    let files: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(files.len(), 1, "nothing is left behind: {files:?}");
}

#[test]
fn the_place_follows_the_environment() {
    let machine = Machine { host: "node-1.x".to_owned(), cpu_model: "A/B (R) 7".to_owned(), cores: 2 };
    let place = |variables: &[(&str, &str)]| {
        file::path(&machine, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        })
    };
    let name = "ats/calibration-node_1_x-A_B__R__7.json";
    assert_eq!(place(&[]), None);
    assert_eq!(place(&[("HOME", "/h")]), Some(Path::new("/h/.cache").join(name)));
    assert_eq!(place(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")]), Some(Path::new("/c").join(name)));
    assert_eq!(
        place(&[("HOME", "/h"), ("XDG_CACHE_HOME", "relative")]),
        Some(Path::new("/h/.cache").join(name)),
        "the specification says that relative paths are to be ignored"
    );
    assert_eq!(place(&[("HOME", "/h"), ("ATS_CALIBRATION", "c.json")]), Some("c.json".into()));
}

#[test]
fn this_machine_can_be_calibrated() {
    let calibration = ThisMachine.calibrate();
    assert_eq!(calibration.machine, Machine::this());
    assert!(calibration.rates.iterations_per_second > 1e5);
    assert!(calibration.rates.ticks_per_second > 1e6);
    assert!(calibration.timer_resolution_seconds > 0.0);
    assert!(calibration.sleep_overshoot_median_seconds <= calibration.sleep_overshoot_p99_seconds);
}
