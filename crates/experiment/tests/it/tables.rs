use std::path::Path;

use ats_documents::Experiment;
use ats_documents::experiment::Version;
use ats_documents::profile::Origin;
use ats_experiment::{Given, Repository, parse_table, read_table};
use tempfile::TempDir;

fn given() -> Given {
    let version = Version { name: "paper".to_owned(), files: Vec::new() };
    Given { application: "scalea".to_owned(), version, ..Given::default() }
}

fn parsed(text: &str) -> Result<Vec<Experiment>, String> {
    parse_table("t.csv".as_ref(), text.as_bytes(), &given()).map_err(|error| error.to_string())
}

/// Reads a table of these rows, with a header.
fn table(rows: &str) -> Result<Vec<Experiment>, String> {
    parsed(&format!("experiment,region,unit,metric,value\n{rows}"))
}

/// A figure of a whole region, which is defined.
fn figure(experiment: &Experiment, region: &str, metric: &str) -> f64 {
    let summary = experiment.rows().find(|of| of.region == region).unwrap();
    let by_name: Vec<_> = summary.spent.by_name().collect();
    by_name.iter().find(|(name, _)| name == metric).unwrap_or_else(|| panic!("{region} has {metric}")).1
}

#[test]
fn the_tables_of_scalea_are_kept_as_they_are_printed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scalea.csv");
    let experiments = read_table(&file, &given()).unwrap();
    assert_eq!(experiments.len(), 3 + 3 * 7 + 4);
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let added = repository.add_all(experiments).unwrap();
    let read = |id: &str| repository.read(&format!("scalea/paper/{id}")).unwrap();
    assert!(added.iter().any(|one| one.id == "scalea/paper/md.Ranks1.threads3.r1"));
    for (id, region, overheads) in [
        ("md.Ranks1.threads3.r1", "MD", &["loss", "control", "synchronisation"][..]),
        ("pricing_hpf.Ranks12.threads1.r1", "pricing", &["movement", "control"]),
        ("lapw0.Ranks24.threads1.r1", "LAPW0", &["loss", "movement", "control"]),
    ] {
        let experiment = read(id);
        let sum: f64 = overheads.iter().map(|metric| figure(&experiment, region, metric)).sum();
        let identified = figure(&experiment, region, "identified");
        assert!((sum - identified).abs() < 0.005, "{id}: {sum} {identified}");
        let name = id.split('.').next().unwrap();
        let alone = read(&format!("{name}-sequential.Ranks1.threads1.r1"));
        assert!(alone.experiment.sequential);
        let run = &experiment.experiment;
        let overhead = figure(&experiment, region, "time")
            - figure(&alone, region, "time") / f64::from(run.ranks * run.threads);
        assert!((overhead - figure(&experiment, region, "overhead")).abs() < 0.05, "{id}: {overhead}");
    }
    let md = read("md.Ranks1.threads2.r1");
    assert_eq!(figure(&md, "PARALLEL COMPUTE", "waiting"), 1.507, "µs are seconds");
    assert_eq!(figure(&md, "MD", "control"), 1.013);
    assert!(md.metrics.iter().all(|metric| metric.origin == Origin::Imported && metric.unit == "s"));
    let update = md.rows().find(|of| of.region == "DO UPDATE").unwrap();
    assert_eq!((update.spent.time, update.spent.communication), (None, None), "what the paper lacks");
    assert_eq!(repository.profile("scalea/paper/md.Ranks1.threads2.r1"), None);
}

#[test]
fn a_unit_is_of_measure_or_the_one_that_spent_it() {
    let experiments = table(
        "heat.ranks2,main,0,time,1\nheat.ranks2,main,1.1,time,2\nheat.ranks2,f,KiB,bytes_x,3\nheat.ranks2,f,min,io,2\n",
    );
    let said = experiments.unwrap_err();
    assert!(
        said.contains("t.csv: line 4: bytes_x is in bytes, and has no unit `KiB`; write bytes"),
        "{said}"
    );
    let experiments = table(
        "heat.ranks2,main,0,time,1\nheat.ranks2,main,1.1,time,2\nheat.ranks2,f,,visits,3\nheat.ranks2,f,min,io,2\n",
    )
    .unwrap();
    let [experiment] = &experiments[..] else { panic!("there is one") };
    let of = |summary: &ats_documents::summaries::Summary| {
        (summary.region.clone(), summary.unit.rank, summary.unit.thread)
    };
    let rows: Vec<_> = experiment.rows().collect();
    let all: Vec<_> = rows.iter().map(of).collect();
    assert_eq!(all, [("main".to_owned(), 0, 0), ("main".to_owned(), 1, 1), ("f".to_owned(), 0, 0)]);
    let f = &rows[2].spent;
    assert_eq!((f.visits, f.io, f.time), (Some(3.0), Some(120.0), None));
    assert_eq!(
        (experiment.experiment.ranks, experiment.experiment.threads, experiment.units.len()),
        (2, 2, 2)
    );
    assert_eq!(experiment.regions[1].performance_data, 1);
    let columns = "experiment;region;rank;thread;unit;metric;value;version\nheat;main;3;1;ms;time;5;2.0\n";
    let experiments = parsed(columns).unwrap();
    let summary = experiments[0].rows().next().unwrap();
    assert_eq!((summary.unit.rank, summary.unit.thread, summary.spent.time), (3, 1, Some(0.005)));
    assert_eq!(
        (experiments[0].version.name.as_str(), experiments[0].application.as_str()),
        ("2.0", "scalea")
    );
}

#[test]
fn bad_tables() {
    for (rows, said) in [
        (
            "heat,main,bytes,time,1\n",
            "t.csv: line 2: time is in s, and has no unit `bytes`; write s, ms, us, ns, min or h",
        ),
        ("heat,main,s,visits,1\n", "line 2: visits is in occ, and has no unit `s`; write occ"),
        ("heat,main,s,time,NaN\n", "line 2: `NaN` is not a number; omit the line if the value is not known"),
        ("heat,main,s,time,inf\n", "line 2: `inf` is not a number"),
        ("heat,main,s,time,1,5\n", "line 2: it has 6 cells, and the first line 5"),
        ("heat,main,s,time,\n", "line 2: it has no value; write one, or omit the line if it is not known"),
        ("heat,,s,time,1\n", "line 2: it has no region;"),
        ("heat,main,s,time,-1\n", "line 2: time is -1, and cannot be less than 0"),
        (
            "heat,main,s,loss,1\nheat,f,bytes,loss,1\n",
            "line 3: loss is in bytes here, and in s in line 2; make them one",
        ),
        ("heat,main,s,time,1\nheat,main,ms,time,1\n", "line 3: it repeats line 2; omit one of them"),
        (
            "heat.ranks,main,s,time,1\n",
            "line 2: `ranks` is not a valid part of an experiment's name; write NAME.ranks4",
        ),
        ("heat,main,0.x,time,1\n", "line 2: `x` is not a valid thread; use a whole number from 0 on"),
        ("", "t.csv: it has no figures; write a line for each"),
    ] {
        let error = table(rows).unwrap_err();
        assert!(error.contains(said), "{rows}: {error}");
    }
    let said = parsed("experiment,region,metric,valeu\nheat,main,time,1\n").unwrap_err();
    for part in [
        "its first line: it has no column `unit`; it has experiment,",
        "no column `valeu`; did you mean value?",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let overheads = table("heat,main,s,unidentified,-0.5\n").unwrap();
    assert_eq!(overheads[0].rows().next().unwrap().spent.metrics["unidentified"], -0.5);
}

#[test]
fn all_of_a_table_or_nothing() {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    repository.add_all(table("b,main,s,time,1\n").unwrap()).unwrap();
    let error = repository.add_all(table("a,main,s,time,1\nb,main,s,time,2\n").unwrap()).unwrap_err();
    assert!(error.to_string().contains("b.Ranks1.threads1.r1 is in"), "{error}");
    let listing = repository.list().unwrap();
    assert_eq!(listing.experiments.iter().map(|one| one.run.name.as_str()).collect::<Vec<_>>(), ["b"]);
}
