//! Generated programs whose threads are rayon's: built without an OpenMP runtime, and run.

use std::path::Path;
use std::process::Command;

use ats_generator::{Options, SuiteSource, Team, generate_set, share_crates};
use ats_model::Witness;
use ats_props::{Catalogue, Needs};
use tempfile::TempDir;

use crate::common::{arguments, assert_consistent, openmpi, runs_here, target};

const THREADS: usize = 3;

#[test]
fn every_program_of_threads_runs() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rayon");
    let suite = SuiteSource::find().unwrap();
    let options = Options { force: true, together: true, team: Team::Rayon, ..Options::new(suite) };
    let catalogue = Catalogue::builtin();
    let of_threads = catalogue.properties().filter(|property| property.needs == Needs::TEAM);
    let generated = generate_set(of_threads, &dir, &options).unwrap();
    for (_, mut command) in generated.build_commands(&openmpi()) {
        share_crates(&mut command, &target());
        let build = command.output().unwrap();
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    }
    generated.link(&openmpi()).unwrap();
    let of_threads = catalogue.programs().filter(|program| program.property.needs == Needs::TEAM);
    for program in of_threads.filter(|program| runs_here(program.property)) {
        let (name, dir) = (program.name(), TempDir::new().unwrap());
        let executable = generated.executable(program.property.name, &openmpi());
        let linked = Command::new("ldd").arg(&executable).output().unwrap().stdout;
        assert!(!String::from_utf8_lossy(&linked).contains("omp.so"), "{name}");
        let threads = THREADS.max(program.property.min_threads);
        let mut command = Command::new("timeout");
        command.arg("60").arg(executable).args(arguments(&program, threads)).arg("--witness").arg(dir.path());
        let ended = command.env_remove("OMP_NUM_THREADS").output().unwrap();
        let [said, errors] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(ended.status.code(), Some(0), "{name}: {said}{errors}");
        assert!(said.contains(&format!("ATS {name} ranks=1 threads={threads} --work=")), "{said}");
        let witness = std::fs::read(dir.path().join(Witness::file_name(0))).unwrap();
        let witness: Witness = serde_json::from_slice(&witness).unwrap();
        assert_consistent(&witness);
        assert_eq!(witness.environment["team"], "rayon");
        let teams = witness.constructs.iter().filter(|construct| construct.name == "!$omp parallel").count();
        assert!(teams > 0, "{name}: {witness:?}");
    }
}
