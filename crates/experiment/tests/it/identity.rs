//! Names of experiments: as they are made, read from tables, and sorted.

use ats_documents::experiment::{Engine, FailedRun, Listed, Run, Version};
use ats_documents::score::RunStatus;
use ats_experiment::{Given, Repository, id, parse_table};
use tempfile::TempDir;

fn given(name: &str, parameters: &[(&str, &str)]) -> Given {
    let text = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let parameters = parameters.iter().map(text).collect();
    let run = Run { name: name.to_owned(), parameters, ranks: 4, threads: 2, repeat: 3, ..Run::default() };
    let version = Version { name: "1.0".to_owned(), files: Vec::new() };
    Given { application: "heat".to_owned(), version, run, ..Given::default() }
}

/// The last folder of an experiment whose name has these parameters.
fn named(given: &Given, told: &[&str]) -> String {
    let told: Vec<String> = told.iter().map(|&name| name.to_owned()).collect();
    id(given, &told).unwrap().rsplit('/').next().unwrap().to_owned()
}

fn folder(name: &str, parameters: &[(&str, &str)]) -> String {
    let told: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
    named(&given(name, parameters), &told)
}

/// The run that a table calls so.
fn called(name: &str) -> Result<Run, String> {
    let table = format!("experiment,region,unit,metric,value\n\"{name}\",main,s,time,1\n");
    let experiments = parse_table("t.csv".as_ref(), table.as_bytes(), &given("", &[]));
    experiments.map(|mut all| all.remove(0).experiment).map_err(|error| error.to_string())
}

#[test]
fn names_are_those_that_extra_p_takes_apart() {
    assert_eq!(folder("heat", &[("size", "100")]), "heat.Ranks4.threads2.size100.r3");
    assert_eq!(folder("heat", &[("r", "10"), ("work", "0.25")]), "heat.Ranks4.threads2.R10.work0,25.r3");
    // Neither of these is a number for it.
    assert_eq!(
        folder("a.out", &[("d", "block2:0.1:0.5"), ("e", "1e-3"), ("x2", "7")]),
        "a,out-d=block2:0,1:0,5-e=1e-3-x2=7.Ranks4.threads2.r3"
    );
}

#[test]
fn a_name_says_how_it_was_run() {
    let run = called("heat-sequential.Ranks4.threads2.work0,25.R10.size100.r3").unwrap();
    assert_eq!(
        (run.name.as_str(), run.ranks, run.threads, run.repeat, run.sequential),
        ("heat", 4, 2, 3, true)
    );
    let parameters: Vec<_> = run.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(parameters, ["r=10", "size=100", "work=0.25"]);
    let run = called("heat-virtual-sequential.r2").unwrap();
    assert_eq!((&*run.name, run.engine, run.sequential), ("heat", Some(Engine::Virtual), true));
    let run = called("md.ranks2").unwrap();
    assert_eq!((run.ranks, run.threads, run.repeat, run.sequential), (2, 1, 1, false));
    for wrong in [".ranks4", "md.ranks", "md.4", "md.ranks0", "md.ranks4,5", "md.size1e", "md..r1"] {
        let said = called(wrong).unwrap_err();
        assert!(
            said.contains("is not a valid part of an experiment's name; write NAME.ranks4"),
            "{wrong}: {said}"
        );
    }
}

#[test]
fn numbers_are_in_order_of_their_values() {
    let sorted = [
        "heat/1.9/a.Ranks2.threads1.r1",
        "heat/1.9/a.Ranks2.threads1.work0.r1",
        "heat/1.9/a.Ranks2.threads1.work0,25.r1",
        "heat/1.9/a.Ranks2.threads1.work0,5.r1",
        "heat/1.9/a.Ranks2.threads1.work3.r1",
        "heat/1.9/a.Ranks016.threads1.r2",
        "heat/1.9/a.Ranks16.threads1.r2",
        "heat/1.9/a.Ranks16.threads1.r10",
        "heat/1.10/a.Ranks2.threads1.r1",
        "heat/main/a.Ranks2.threads1.r1",
        "heat2/1.0/a.Ranks2.threads1.r1",
        "heat10/1.0/a.Ranks2.threads1.r1",
    ];
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    for id in sorted.iter().rev() {
        let listed = Listed { id: (*id).to_owned(), ..Listed::default() };
        let message = "too slow".to_owned();
        let failed = FailedRun { listed, run_status: RunStatus::Timeout, message };
        repository.add_failed(&failed).unwrap();
    }
    let listed: Vec<String> =
        repository.list().unwrap().failed.into_iter().map(|failed| failed.listed.id).collect();
    assert_eq!(listed, sorted);
}

#[test]
fn nothing_leaves_its_folder_or_hides_in_it() {
    let of = |application: &str, version: &str, name: &str| {
        let mut given = given(name, &[]);
        (given.application, given.version.name) = (application.to_owned(), version.to_owned());
        id(&given, &[]).map_err(|error| error.to_string())
    };
    assert_eq!(of("..", "a/b", ".x\0 ü").unwrap(), "%2E./a%2Fb/%2Ex%00%20%C3%BC.Ranks4.threads2.r3");
    assert_eq!(of("", "1", "x").unwrap_err(), "the application has no name; give it one");
    assert_eq!(of("a", "", "x").unwrap_err(), "the version has no name; give it one");
}

#[test]
fn only_what_was_told_and_no_two_are_alike() {
    let mut heat = given("heat", &[("a", "1"), ("b", "x,y"), ("c", "x.y")]);
    assert_eq!(named(&heat, &["b"]), "heat-b=x%2Cy.Ranks4.threads2.r3");
    assert_eq!(named(&heat, &["c"]), "heat-c=x,y.Ranks4.threads2.r3");
    heat.run.sequential = true;
    assert_eq!(named(&heat, &["a"]), "heat-sequential.Ranks4.threads2.a1.r3");
    heat.run.engine = Some(Engine::Mpi);
    assert_eq!(named(&heat, &["a"]), "heat-sequential.Ranks4.threads2.a1.r3");
    heat.run.engine = Some(Engine::Virtual);
    assert_eq!(named(&heat, &["a"]), "heat-virtual-sequential.Ranks4.threads2.a1.r3");
}
