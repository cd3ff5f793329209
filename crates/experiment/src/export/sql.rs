//! Tables for databases, in the SQL that SQLite, DuckDB and PostgreSQL have in common.

use std::io::{self, Write};

use ats_documents::Experiment;
use ats_documents::experiment::Engine;
use ats_documents::summaries::Summary;

use super::unit;

const TABLES: &str = "\
BEGIN;
CREATE TABLE experiments (id TEXT PRIMARY KEY, application TEXT, version TEXT, name TEXT, command TEXT, size DOUBLE PRECISION,
  ranks INTEGER, threads INTEGER, repeat INTEGER, date TEXT, seed TEXT, sequential INTEGER, engine TEXT, source TEXT,
  machine TEXT, nodes INTEGER, units_per_node INTEGER, cpu TEXT, network TEXT);
CREATE TABLE parameters (experiment TEXT, name TEXT, value TEXT);
CREATE TABLE files (experiment TEXT, name TEXT, sha256 TEXT);
CREATE TABLE metrics (experiment TEXT, name TEXT, unit TEXT, origin TEXT, rule TEXT);
CREATE TABLE regions (experiment TEXT, id INTEGER, name TEXT, file TEXT, first_line INTEGER, last_line INTEGER, unit TEXT);
CREATE TABLE summaries (experiment TEXT, region TEXT, rank INTEGER, thread INTEGER, metric TEXT, unit TEXT,
  value DOUBLE PRECISION);
";

pub(super) fn head(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(TABLES.as_bytes())
}

pub(super) fn end(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"COMMIT;\n")
}

pub(super) fn rows(id: &str, experiment: &Experiment, out: &mut dyn Write) -> io::Result<()> {
    let Experiment { application, version, experiment: run, machine, .. } = experiment;
    let id = text(id);
    let all = [
        id.clone(),
        text(application),
        text(&version.name),
        text(&run.name),
        some(run.command.as_deref()),
        number(run.size),
        run.ranks.to_string(),
        run.threads.to_string(),
        run.repeat.to_string(),
        some(run.date.as_deref()),
        run.seed.map_or(NULL.to_owned(), |seed| text(&seed.to_string())),
        u8::from(run.sequential).to_string(),
        some(run.engine.map(Engine::name)),
        text(&run.source),
        some(machine.part_of.as_deref()),
        number(machine.nodes),
        number(machine.units_per_node),
        some(machine.cpu.as_deref()),
        some(machine.network.as_deref()),
    ];
    insert("experiments", &all, out)?;
    for (name, value) in &run.parameters {
        insert("parameters", &[id.clone(), text(name), text(value)], out)?;
    }
    for file in &version.files {
        insert("files", &[id.clone(), text(&file.name), text(&file.sha256)], out)?;
    }
    for metric in &experiment.metrics {
        let (name, unit, origin) = (text(&metric.name), text(&metric.unit), text(metric.origin.name()));
        insert("metrics", &[id.clone(), name, unit, origin, some(metric.rule.as_deref())], out)?;
    }
    for region in &experiment.regions {
        let of = &region.region;
        let [first, last] = of.lines.map_or([None; 2], |lines| lines.map(Some)).map(number);
        let (name, file, unit) = (text(&of.name), some(of.file.as_deref()), some(region.unit.as_deref()));
        insert("regions", &[id.clone(), of.id.to_string(), name, file, first, last, unit], out)?;
    }
    for Summary { region, unit: at, spent, .. } in experiment.rows() {
        let region = text(&region);
        let (rank, thread) = (at.rank.to_string(), at.thread.to_string());
        for (metric, value) in spent.by_name() {
            let (unit, metric) = (text(unit(experiment, &metric)), text(&metric));
            let row =
                [id.clone(), region.clone(), rank.clone(), thread.clone(), metric, unit, value.to_string()];
            insert("summaries", &row, out)?;
        }
    }
    Ok(())
}

const NULL: &str = "NULL";

fn insert(table: &str, values: &[String], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "INSERT INTO {table} VALUES ({});", values.join(", "))
}

/// A text in SQL, with quotes doubled and without NUL, which databases reject.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''").replace('\0', ""))
}

fn some(value: Option<&str>) -> String {
    value.map_or(NULL.to_owned(), text)
}

fn number<N: ToString>(value: Option<N>) -> String {
    value.map_or(NULL.to_owned(), |value| value.to_string())
}
