//! Several processes calibrate the same machine at the same time.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use ats_work::calibration::{self, Calibration, Notice};
use ats_work::machine::Machine;

fn process(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "calibration::one_process_of_several"])
        .env("ATS_CALIBRATION", path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "a part of the next test, which runs it in processes of its own"]
fn one_process_of_several() {
    let (calibration, notices) = calibration::obtain();
    assert_eq!(calibration.machine, Machine::this());
    let harmless = |notice: &Notice| matches!(notice, Notice::Missing { .. } | Notice::Stale { .. });
    assert!(notices.iter().all(harmless), "{notices:?}");
}

#[test]
fn processes_that_calibrate_at_once_do_not_harm_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calibration.json");
    let processes: Vec<Child> = (0..4).map(|_| process(&path)).collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    let stored: Calibration = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!((stored.schema.as_str(), stored.machine), (Calibration::SCHEMA, Machine::this()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}
