use std::path::Path;

use ats_documents::experiment::Version;
use ats_documents::summaries::{RegionSummaries, Summary};
use ats_experiment::{ExportError, Filter, Form, Given, Repository, export, parse, parse_table};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A repository with the experiments of a table, and an experiment of a run.
fn repository(rows: &str) -> (TempDir, Repository) {
    let dir = TempDir::new().unwrap();
    let repository = Repository::create(dir.path()).unwrap();
    let version = Version { name: "1.0".to_owned(), files: Vec::new() };
    let given = Given { application: "heat".to_owned(), version, ..Given::default() };
    let text = format!("experiment,region,unit,metric,value\n{rows}");
    repository.add_all(parse_table("t.csv".as_ref(), text.as_bytes(), &given).unwrap()).unwrap();
    (dir, repository)
}

fn exported(repository: &Repository, form: Form) -> Result<String, ExportError> {
    let mut text = Vec::new();
    export(repository, &repository.list().unwrap().experiments, form, &mut text)?;
    Ok(String::from_utf8(text).unwrap())
}

const ROWS: &str = "\
heat.ranks2.size10,main,0,time,1
heat.ranks2.size10,main,1,time,3
heat.ranks2.size10,\"it's, \"\"quoted\"\"\",us,x'y,250
heat.ranks4.size10,main,0,time,0.5
heat.ranks4.size10,main,occ,visits,7
";

#[test]
fn a_table_that_is_exported_and_added_again_is_the_same() {
    let (_dir, first) = repository(ROWS);
    // One of a run has everything that there is.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/experiment.json");
    let run = parse::<Vec<RegionSummaries>>(&file, &std::fs::read(&file).unwrap()).unwrap();
    first.add_all(vec![run.clone()]).unwrap();
    let table = exported(&first, Form::Csv).unwrap();
    let dir = TempDir::new().unwrap();
    let second = Repository::create(dir.path()).unwrap();
    let experiments = parse_table("again.csv".as_ref(), table.as_bytes(), &Given::default()).unwrap();
    second.add_all(experiments).unwrap();
    let sorted = |table: &str| {
        let mut lines: Vec<String> = table.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert!(sorted(&exported(&second, Form::Csv).unwrap()) == sorted(&table), "no figure differs");
    let ids = |repository: &Repository| -> Vec<String> {
        repository.list().unwrap().experiments.into_iter().map(|one| one.id).collect()
    };
    assert_eq!(ids(&second).len(), 3);
    assert_eq!(ids(&second)[..2], ids(&first)[..2]);
    let again = second.read(&ids(&second)[2]).unwrap();
    for one in run.rows() {
        let is_it = |other: &Summary| (&other.region, other.unit) == (&one.region, one.unit);
        assert_eq!(again.rows().find(is_it).map(|other| other.spent), Some(one.spent));
    }
    assert_eq!(run.rows().count(), again.rows().count());
}

#[test]
fn each_line_of_json_is_a_summary() {
    let (_dir, repository) = repository(ROWS);
    let text = exported(&repository, Form::Jsonl).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[1]["experiment"], "heat/1.0/heat.Ranks2.threads1.size10.r1");
    assert_eq!(
        (&lines[1]["unit"]["rank"], &lines[1]["time"], &lines[1]["visits"]),
        (&1.into(), &3.0.into(), &Value::Null)
    );
    assert_eq!(lines[2]["metrics"], json!({ "x'y": 0.00025 }));
}

#[test]
fn extra_p_gets_means_over_what_differs() {
    let (_dir, repository) = repository(ROWS);
    let text = exported(&repository, Form::ExtraP).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = |ranks: f64, region: &str, metric: &str, value: f64| json!({ "params": { "ranks": ranks }, "callpath": region, "metric": metric, "value": value });
    let quoted = "it's, \"quoted\"";
    let expected = [
        line(2.0, "main", "time", 2.0),
        line(2.0, quoted, "x'y", 0.00025),
        line(4.0, "main", "time", 0.5),
        line(4.0, "main", "visits", 7.0),
    ];
    assert_eq!(lines, expected);
    let said = |rows: &str| {
        let (_dir, repository) = self::repository(rows);
        exported(&repository, Form::ExtraP).unwrap_err().to_string()
    };
    assert_eq!(
        said("heat.ranks2,main,s,time,1\n"),
        "the 1 selected experiments do not differ in any number; add runs of several sizes, or choose more"
    );
    let lacking = said("heat.ranks2,main,s,time,1\nheat.ranks4.size1,main,s,time,1\n");
    assert!(
        lacking.starts_with("heat/1.0/heat.Ranks2.threads1.r1 has no parameter size that is a number"),
        "{lacking}"
    );
}

#[test]
fn text_in_sql_is_quoted() {
    let (_dir, repository) = repository(ROWS);
    let text = exported(&repository, Form::Sql).unwrap();
    assert!(
        text.starts_with("BEGIN;\nCREATE TABLE experiments (id TEXT PRIMARY KEY")
            && text.ends_with("COMMIT;\n")
    );
    let row = "INSERT INTO summaries VALUES ('heat/1.0/heat.Ranks2.threads1.size10.r1', 'it''s, \"quoted\"', 0, 0, 'x''y', 's', 0.00025);";
    assert!(text.lines().any(|line| line == row), "{text}");
    let rows = |table: &str| text.matches(&format!("INSERT INTO {table} ")).count();
    assert_eq!(["experiments", "parameters", "metrics", "regions", "summaries"].map(rows), [2, 2, 4, 3, 5]);
    // Each statement is whole: an even number of quotes.
    assert!(text.lines().all(|line| line.matches('\'').count() % 2 == 0));
}

#[test]
fn only_what_is_meant() {
    let (_dir, repository) = repository(ROWS);
    let listed = repository.list().unwrap().experiments;
    let listed = Filter::select(&["ranks>2".parse().unwrap()], listed).unwrap();
    let mut text = Vec::new();
    export(&repository, &listed, Form::Csv, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().lines().count(), 1 + 2);
}
