use ats_diagnosis::properties::{Properties, Selection, diagnose};
use ats_documents::diagnosis::Instance;
use ats_documents::experiment::{Listed, Version};
use ats_documents::{Diagnosis, Experiment};
use ats_experiment::{Given, parse_table};

/// The shipped properties, with those of a file.
pub(crate) fn with(text: &str) -> Result<Properties, String> {
    let own = (!text.is_empty()).then(|| ("own.toml".to_owned(), text.to_owned()));
    Properties::parse(own).map_err(|mistakes| mistakes.to_string())
}

/// The first line of a file of properties.
pub(crate) const HEAD: &str = "schema = \"ats-properties/1\"\n";

/// A file with a property, of regions of parallel runs unless these lines say otherwise.
pub(crate) fn own(keys: &str) -> String {
    let of = if keys.contains("of = ") { "" } else { "of = [\"region\", \"parallel\"]\n" };
    format!("{HEAD}[[property]]\nname = \"Own\"\n{of}{keys}\n")
}

/// A diagnosis of the experiments of a table, whose lines have no header.
pub(crate) fn of_rows(properties: &Properties, rows: &str) -> Diagnosis {
    of_table(properties, &format!("experiment,region,unit,metric,value\n{rows}"))
}

/// A diagnosis of the experiments of a table.
pub(crate) fn of_table(properties: &Properties, table: &str) -> Diagnosis {
    of_experiments(properties, &of_text(table), Selection::default())
}

/// The experiments of a table, whose lines have no header.
pub(crate) fn experiments(rows: &str) -> Vec<Experiment> {
    of_text(&format!("experiment,region,unit,metric,value\n{rows}"))
}

fn of_text(table: &str) -> Vec<Experiment> {
    let version = Version { name: "1".to_owned(), files: Vec::new() };
    let given = Given { application: "app".to_owned(), version, ..Given::default() };
    parse_table("t.csv".as_ref(), table.as_bytes(), &given).expect("the table is right")
}

/// A diagnosis of experiments.
pub(crate) fn of_experiments(
    properties: &Properties,
    experiments: &[Experiment],
    selection: Selection<'_>,
) -> Diagnosis {
    let listed = experiments.iter().enumerate().map(|(at, one)| one.listed(&at.to_string())).collect();
    let read = |listed: &Listed| Ok(experiments[listed.id.parse::<usize>().expect("a number")].clone());
    diagnose(properties, listed, read, selection).expect("everything can be read")
}

/// The instances of a property in a region.
pub(crate) fn instances<'a>(diagnosis: &'a Diagnosis, property: &str, region: &str) -> Vec<&'a Instance> {
    let is_meant = |one: &&Instance| one.property == property && one.region == region;
    diagnosis.instances.iter().filter(is_meant).collect()
}

/// The severity of the only instance of a property in a region; `None` if it does not hold.
pub(crate) fn severity(diagnosis: &Diagnosis, property: &str, region: &str) -> Option<f64> {
    let [one] = instances(diagnosis, property, region)[..] else { return None };
    one.severity
}

/// The reasons for undefined instances of a property.
pub(crate) fn reasons(diagnosis: &Diagnosis, property: &str) -> Vec<(String, u64)> {
    let of = diagnosis.properties.iter().find(|one| one.name == property).expect("it is evaluated");
    of.undefined.iter().map(|one| (one.reason.clone(), one.instances)).collect()
}

/// To four digits.
pub(crate) fn four(severity: f64) -> String {
    format!("{severity:.4}")
}
