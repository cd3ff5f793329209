use std::fs::{self, File};
use std::path::Path;
use std::sync::Barrier;
use std::time::{Duration, SystemTime};

use ats_documents::classes::Classes;
use ats_documents::experiment::{Engine, Run, Version};
use ats_documents::profile::{CallNode, Combine, Metric, Origin, ProcessingUnit, Profile, ProfiledRegion};
use ats_documents::{Experiment, Summaries};
use ats_experiment::{
    Beside, Filter, Form, Given, OfProfile, Repeat, Repository, RepositoryError, export, of_profile,
};
use tempfile::TempDir;

/// `main` (1 s on each of two ranks) calls `MPI_Recv` (0.25 s on the second).
fn profile() -> Profile {
    let mut profile = Profile::new("traces.otf2");
    profile.units = [0, 1].map(|rank| ProcessingUnit { rank, thread: 0, node: None }).to_vec();
    let region = |id, name: &str| ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() };
    profile.regions = vec![region(0, "main"), region(1, "MPI_Recv")];
    profile.regions[1].paradigm = ats_model::definitions::Paradigm::Mpi;
    let node = |id, parent, region| CallNode { id, parent, region };
    profile.call_tree = vec![node(0, None, 0), node(1, Some(0), 1)];
    profile.metrics = vec![
        Metric::new(Profile::TIME, "s", Origin::Measured, Combine::Sum),
        Metric::new("late_sender", "s", Origin::Derived, Combine::Sum),
    ];
    let time = vec![(0, 0, 1.0), (0, 1, 1.0), (1, 1, 0.25)];
    profile.values =
        [(Profile::TIME.to_owned(), time.into()), ("late_sender".to_owned(), vec![(1, 1, 0.125)].into())]
            .into();
    profile
}

fn experiment(name: &str) -> Experiment {
    let run = Run { name: name.to_owned(), ..Run::default() };
    let version = Version { name: "1.0".to_owned(), files: Vec::new() };
    let given = Given { application: "heat".to_owned(), version, run, ..Given::default() };
    of_profile(&profile(), given, &Classes::default()).with(OfProfile::collect)
}

fn add(repository: &Repository, name: &str, repeat: Repeat) -> Result<String, RepositoryError> {
    repository.add(experiment(name), Beside::profile(&profile()), &[], repeat).map(|listed| listed.id)
}

/// The entries of a folder, hidden or not.
fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn folders_of_killed_writers_go_after_a_day() {
    let dir = TempDir::new().unwrap();
    Repository::create(dir.path()).unwrap();
    let folders = [".adding-old", ".adding-new", ".adding-busy", ".removing-old", ".mine-old", "heat"];
    let long_ago = SystemTime::now() - Duration::from_secs(25 * 60 * 60);
    let age = |path: &Path| File::open(path).unwrap().set_modified(long_ago).unwrap();
    for name in folders {
        let folder = dir.path().join(name);
        fs::create_dir(&folder).unwrap();
        let file = folder.join("experiment.json");
        fs::write(&file, "{").unwrap();
        if name != ".adding-busy" {
            age(&file);
        }
        if name != ".adding-new" {
            age(&folder);
        }
    }
    Repository::create(dir.path()).unwrap();
    assert_eq!(names(dir.path()), [".adding-busy", ".adding-new", ".mine-old", "heat", "repository.json"]);
}

#[test]
fn a_trace_is_kept_with_its_experiment_and_goes_with_it() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let trace = dir.path().join(".running");
    let profile = profile();
    let add = |repeat: Repeat| {
        fs::create_dir_all(&trace).unwrap();
        fs::write(trace.join("traces.otf2"), "").unwrap();
        let beside = Beside { trace: Some(&trace), ..Beside::profile(&profile) };
        repository.add(experiment("heat"), beside, &[], repeat).map(|listed| listed.id)
    };
    let id = add(Repeat::Number(1)).unwrap();
    assert!(!trace.exists(), "it is moved");
    let kept = repository.trace(&id).unwrap();
    assert_eq!(names(kept.parent().unwrap()), ["experiment.json", "profile.cubex", "trace"]);
    assert_eq!(names(&kept), ["traces.otf2"]);
    assert!(matches!(add(Repeat::Number(1)), Err(RepositoryError::There { .. })));
    assert_eq!(names(&trace), ["traces.otf2"], "whose place is taken keeps its trace");
    let second = add(Repeat::Next).unwrap();
    assert_eq!(names(&repository.trace(&second).unwrap()), ["traces.otf2"]);
    assert_eq!(repository.list().unwrap().experiments.len(), 2);
    repository.remove(&id).unwrap();
    repository.remove(&second).unwrap();
    assert_eq!(names(dir.path()), ["repository.json"]);
}

#[test]
fn an_experiment_is_read_as_it_was_added() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(&dir.path().join("new/repo")).unwrap();
    let id = add(&repository, "a.out", Repeat::Number(2)).unwrap();
    assert_eq!(id, "heat/1.0/a,out.Ranks2.threads1.r2");
    let mut added = experiment("a.out");
    added.experiment.repeat = 2;
    let profile = repository.profile(&id).unwrap();
    added.profile_bytes = Some(fs::metadata(profile).unwrap().len());
    assert_eq!(repository.read(&id).unwrap(), added);
    let report = ats_reports::read(&repository.profile(&id).unwrap(), None).unwrap();
    let again = Profile::from(report);
    let of = |summaries: &Summaries| {
        let of = summaries.summaries.iter().find(|of| of.region == "MPI_Recv").unwrap().spent.clone();
        (of.time, of.waiting, of.communication)
    };
    assert_eq!(of(&again.summaries(&Classes::default(), |_| true)), (Some(0.25), Some(0.125), Some(0.25)));
}

#[test]
fn summaries_of_units_that_are_not_there_are_damage() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let mut wrong = experiment("heat");
    wrong.summaries[1].units = vec![[1, u32::MAX]];
    let id = repository.add(wrong, Beside::default(), &[], Repeat::Next).unwrap().id;
    let error = repository.read(&id).unwrap_err().to_string();
    assert!(error.contains("it has summaries of MPI_Recv on units that it does not have"), "{error}");
}

#[test]
fn everything_leads_to_everything() {
    let experiment = experiment("heat");
    for region in &experiment.regions {
        let summaries = &experiment.summaries[region.performance_data as usize];
        assert_eq!(summaries.region, region.region.name);
        assert!(summaries.units() > 0);
    }
    assert_eq!(experiment.summaries.len(), experiment.regions.len());
    assert!(experiment.rows().all(|of| experiment.units.contains(&of.unit)));
    assert_eq!(experiment.regions[1].unit.as_deref(), Some("main"));
    let metric = |name: &str| experiment.metrics.iter().find(|metric| metric.name == name).unwrap();
    assert_eq!((metric("time").origin, metric("time").rule.as_deref()), (Origin::Measured, None));
    assert_eq!(metric("communication").origin, Origin::Derived);
    for derived in experiment.metrics.iter().filter(|metric| metric.origin == Origin::Derived) {
        assert!(derived.rule.is_some(), "{}", derived.name);
    }
    assert!(experiment.metrics.iter().all(|metric| metric.name != "instructions"));
}

#[test]
fn two_experiments_of_one_identity() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    add(&repository, "heat", Repeat::Number(1)).unwrap();
    add(&repository, "heat", Repeat::Number(2)).unwrap();
    let before = repository.read("heat/1.0/heat.Ranks2.threads1.r1").unwrap();
    let error = add(&repository, "heat", Repeat::Number(1)).unwrap_err();
    let said = error.to_string();
    assert!(said.starts_with("heat/1.0/heat.Ranks2.threads1.r1 is in "), "{said}");
    assert!(said.contains("give --repeat 3 if this is another run of it"), "{said}");
    assert_eq!(repository.read("heat/1.0/heat.Ranks2.threads1.r1").unwrap(), before);
    assert_eq!(add(&repository, "heat", Repeat::Next).unwrap(), "heat/1.0/heat.Ranks2.threads1.r3");
    assert_eq!(names(dir.path()), ["heat", "repository.json"], "nothing is left aside");
}

/// Each writer makes the repository if it does not exist, adds one experiment of its own and one like those of all
/// others, lists, and removes.
#[test]
fn sixteen_writers_lose_nothing() {
    const WRITERS: usize = 16;
    let dir = TempDir::new().unwrap();
    let dir = &dir.path().join("repo");
    let barrier = &Barrier::new(WRITERS);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                barrier.wait();
                let repository = Repository::create(dir).unwrap();
                add(&repository, &format!("own{writer}"), Repeat::Number(1)).unwrap();
                add(&repository, "shared", Repeat::Next).unwrap();
                let listing = repository.list().unwrap();
                assert!(listing.damaged.is_empty(), "{:?}", listing.damaged);
                // Folders come and go with what is in them.
                let mut other = experiment("gone");
                other.version.name = format!("{}", writer % 2);
                let gone = repository.add(other, Beside::default(), &[], Repeat::Next).unwrap();
                repository.remove(&gone.id).unwrap();
            });
        }
    });
    let listing = Repository::open(dir).unwrap().list().unwrap();
    let ids: Vec<&str> = listing.experiments.iter().map(|one| one.id.as_str()).collect();
    let own = (0..WRITERS).map(|writer| format!("heat/1.0/own{writer}.Ranks2.threads1.r1"));
    let shared = (1..=WRITERS).map(|number| format!("heat/1.0/shared.Ranks2.threads1.r{number}"));
    let expected: Vec<String> = own.chain(shared).collect();
    assert_eq!(ids, expected);
    for one in &listing.experiments {
        assert!(one.id.ends_with(&format!(".r{}", one.run.repeat)), "{}", one.id);
    }
    assert_eq!(names(dir), ["heat", "repository.json"]);
    assert_eq!(names(&dir.join("heat")), ["1.0"]);
}

#[test]
fn a_damaged_experiment_is_named_and_skipped() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let whole = add(&repository, "whole", Repeat::Number(1)).unwrap();
    for (name, says) in [
        ("cut", "it ends in the middle"),
        (
            "other",
            "is damaged: missing field `schema` at line 1 column 2; remove the experiment, and add it again",
        ),
        ("newer", "says that it is ats-experiment/2, and this is for ats-experiment/1"),
        ("gone", "is damaged: it is not there"),
    ] {
        let id = add(&repository, name, Repeat::Number(1)).unwrap();
        let file = dir.path().join(&id).join("experiment.json");
        let text = fs::read_to_string(&file).unwrap();
        match name {
            "cut" => fs::write(&file, &text[..text.len() - 9]).unwrap(),
            "newer" => fs::write(&file, text.replace("ats-experiment/1", "ats-experiment/2")).unwrap(),
            "gone" => fs::remove_file(&file).unwrap(),
            _ => fs::write(&file, "{}").unwrap(),
        }
        let listing = repository.list().unwrap();
        let ids: Vec<&String> = listing.experiments.iter().map(|one| &one.id).collect();
        assert_eq!(ids, [&whole]);
        let said = listing.damaged[0].to_string();
        assert!(said.contains(says) && said.contains(&*file.to_string_lossy()), "{said}");
        assert_eq!(repository.read(&id).unwrap_err().to_string(), said);
        repository.remove(&id).unwrap();
    }
}

#[test]
fn damage_anywhere_in_an_experiment_is_named_where_it_is_listed() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let whole = add(&repository, "whole", Repeat::Number(1)).unwrap();
    let id = add(&repository, "hurt", Repeat::Number(1)).unwrap();
    let folder = dir.path().join(&id);
    let [document, profile] = ["experiment.json", "profile.cubex"].map(|name| folder.join(name));
    let text = fs::read_to_string(&document).unwrap();
    let cube = fs::read(&profile).unwrap();
    let hurt = |says: &str, file: &Path| {
        let listing = repository.list().unwrap();
        let ids: Vec<&String> = listing.experiments.iter().map(|one| &one.id).collect();
        assert_eq!(ids, [&whole], "{says}");
        let damaged = &listing.damaged[0];
        let said = damaged.to_string();
        assert!(said.contains(says) && said.contains(&*file.to_string_lossy()), "{says}: {said}");
        assert_eq!(damaged.id, id);
        assert_eq!(repository.read(&id).unwrap_err().to_string(), said);
        let mut exported = Vec::new();
        export(&repository, &listing.experiments, Form::Csv, &mut exported).unwrap();
        assert!(String::from_utf8(exported).unwrap().contains("whole"));
        // A condition that it does not fit is about others.
        let meant = |condition: &str| {
            let listing = repository.list().unwrap();
            Filter::select_runs(&[condition.parse().unwrap()], listing).unwrap().damaged.len()
        };
        assert_eq!(["application=heat", "application=other"].map(meant), [1, 0]);
        assert_eq!(["name=hurt", "name=whole"].map(meant), [1, 0]);
    };
    let written = |was: &str, is: &str| {
        assert!(text.contains(was), "{was}: {text}");
        fs::write(&document, text.replacen(was, is, 1)).unwrap();
    };
    written("\"units\":[[0,2]]", "\"units\":[[0,99999]]");
    hurt("it has summaries of main on units that it does not have", &document);
    written("\"time\":[", "\"time\":[0.5,");
    hurt("its summaries of main do not have one `time` for each unit", &document);
    written("\"units\":[[0,2]]", "\"units\":{}");
    hurt("invalid type: map", &document);
    fs::write(&document, &text).unwrap();
    fs::write(&profile, &cube[..cube.len() - 100]).unwrap();
    hurt(&format!("it has {} bytes, and {} were written", cube.len() - 100, cube.len()), &profile);
    fs::remove_file(&profile).unwrap();
    hurt("it is not there", &profile);
    fs::write(&profile, &cube).unwrap();
    assert_eq!(repository.list().unwrap().experiments.len(), 2);
}

#[test]
fn leftovers_of_a_killed_writer_are_no_experiment() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let half = dir.path().join(".adding-abc123");
    fs::create_dir(&half).unwrap();
    fs::write(half.join("experiment.json"), "{\"schema\":").unwrap();
    let listing = repository.list().unwrap();
    assert!(listing.experiments.is_empty() && listing.damaged.is_empty());
    // Killed before the mark was there.
    fs::remove_file(dir.path().join("repository.json")).unwrap();
    Repository::create(dir.path()).unwrap();
}

#[test]
fn a_folder_that_is_no_repository() {
    let dir = TempDir::new().unwrap();
    let said = |path: &Path| {
        let error = Repository::open(path).unwrap_err();
        assert!(error.is_of_input());
        error.to_string()
    };
    assert!(said(&dir.path().join("none")).contains("there is no such folder; name one"));
    assert!(
        said(dir.path()).contains("is not a repository of experiments: it has no repository.json; name one")
    );
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    assert!(said(&dir.path().join("notes.txt")).contains("it is a file, or in one; name one"));
    let mine = Repository::create(dir.path()).unwrap_err().to_string();
    assert!(mine.contains("it has no repository.json"), "a folder with other things stays as it is: {mine}");
    assert_eq!(names(dir.path()), ["notes.txt"]);
    let mark = dir.path().join("repository.json");
    fs::write(&mark, "{\"schema\":\"ats-repository/2\"}").unwrap();
    assert!(
        said(dir.path())
            .contains("repository.json says that it is ats-repository/2, and this is for ats-repository/1")
    );
    fs::write(&mark, "{").unwrap();
    assert!(said(dir.path()).contains("its repository.json says nothing: it ends in the middle"));
}

#[test]
fn an_experiment_is_found_by_what_is_enough_of_its_id() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let id = add(&repository, "heat", Repeat::Number(1)).unwrap();
    let name = id.rsplit('/').next().unwrap();
    for given in
        [&id, name, &format!("1.0/{name}"), &format!("{id}/"), dir.path().join(&id).to_str().unwrap()]
    {
        assert_eq!(repository.find(given).unwrap(), id, "{given}");
    }
    let said = repository.find("heat.Ranks2.threads1.r2").unwrap_err().to_string();
    assert!(said.contains("did you mean heat.Ranks2.threads1.r1?"), "{said}");
    assert!(repository.find("").is_err() && repository.find("..").is_err());
    let mut other = experiment("heat");
    other.version.name = "2.0".to_owned();
    let second = repository.add(other, Beside::default(), &[], Repeat::Number(1)).unwrap().id;
    assert_eq!(repository.find(&id).unwrap(), id);
    let said = repository.find(name).unwrap_err().to_string();
    assert_eq!(said, format!("{name} is the name of {id} and of {second}; give a longer name"));
    repository.remove(&id).unwrap();
    assert_eq!(repository.find(name).unwrap(), second);
    assert_eq!(names(&dir.path().join("heat")), ["2.0"]);
}

#[test]
fn programs_distinguish_experiments() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let add = |engine: Option<Engine>| {
        let mut of = experiment("heat");
        of.experiment.engine = engine;
        repository.add(of, Beside::default(), &[], Repeat::Number(1)).map(|listed| listed.id)
    };
    let simulated = add(Some(Engine::Virtual)).unwrap();
    let real = add(Some(Engine::Mpi)).unwrap();
    assert_eq!(simulated, "heat/1.0/heat-virtual.Ranks2.threads1.r1");
    assert_eq!(real, "heat/1.0/heat.Ranks2.threads1.r1");
    assert!(matches!(add(Some(Engine::Virtual)), Err(RepositoryError::There { .. })));
    let found = |condition: &str| -> Vec<String> {
        let all = repository.list().unwrap().experiments;
        let found = Filter::select(&[condition.parse().unwrap()], all).unwrap();
        found.into_iter().map(|one| one.id).collect()
    };
    assert_eq!(found("engine=virtual"), [simulated]);
    assert_eq!(found("engine=mpi"), std::slice::from_ref(&real));
    // Of a document that says nothing of it, nobody knows.
    let file = dir.path().join(&real).join("experiment.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"engine\":\"mpi\",", "")).unwrap();
    assert_eq!(repository.read(&real).unwrap().experiment.engine, None);
    assert_eq!(found("engine=mpi"), [] as [&str; 0]);
}
