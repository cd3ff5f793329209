//! Extra-P's JSON Lines: `{"params":{"ranks":4},"callpath":"main","metric":"time","value":1.5}`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use ats_documents::Experiment;
use ats_documents::experiment::{Listed, Run};
use serde_json::json;

use super::ExportError;

/// The parameters of models: ranks, threads and parameters that are numbers and differ between experiments.
pub(super) fn parameters(listed: &[Listed]) -> Result<Vec<String>, ExportError> {
    let numbers = |one: &Listed| -> BTreeSet<String> { values(&one.run).into_keys().collect() };
    let all: BTreeSet<String> = listed.iter().flat_map(&numbers).collect();
    if let Some((one, lacking)) =
        listed.iter().find_map(|one| Some((one, all.difference(&numbers(one)).next()?.clone())))
    {
        let what = format!("{} has no parameter {lacking} that is a number, and others have one", one.id);
        return Err(ExportError::Unlike { what, fix: "choose experiments that have the same parameters" });
    }
    let differs = |name: &String| {
        let of: BTreeSet<_> =
            listed.iter().filter_map(|one| Some(values(&one.run).get(name)?.to_bits())).collect();
        of.len() > 1
    };
    let parameters: Vec<String> = all.into_iter().filter(differs).collect();
    if parameters.is_empty() {
        let what = format!("the {} selected experiments do not differ in any number", listed.len());
        return Err(ExportError::Unlike { what, fix: "add runs of several sizes, or choose more" });
    }
    Ok(parameters)
}

fn values(run: &Run) -> BTreeMap<String, f64> {
    let number = |(name, value): (&String, &String)| {
        Some((name.clone(), value.parse().ok().filter(|value: &f64| value.is_finite())?))
    };
    let size = [("ranks", run.ranks), ("threads", run.threads)];
    let size = size.map(|(name, number)| (name.to_owned(), f64::from(number)));
    run.parameters.iter().filter_map(number).chain(size).collect()
}

/// The mean of each amount over the units that were in a region, as Extra-P computes it from a report of Cube.
pub(super) fn lines(parameters: &[String], experiment: &Experiment, out: &mut dyn Write) -> io::Result<()> {
    let values = values(&experiment.experiment);
    let params: BTreeMap<&String, f64> = parameters.iter().map(|name| (name, values[name])).collect();
    for of_region in &experiment.summaries {
        for (metric, sum, _) in of_region.sums() {
            let value = sum / of_region.units() as f64;
            let line =
                json!({ "params": params, "callpath": of_region.region, "metric": metric, "value": value });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
