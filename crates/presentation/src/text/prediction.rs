//! Predictions and the models that they are made of, as text.

use std::collections::BTreeMap;

use ats_documents::models::{CostTerm, Modelled, RegionModels};
use ats_documents::prediction::{Bounded, PredictedCosts, PredictedSize, Until};
use ats_documents::{Models, Prediction};

use super::grid::Grid;
use crate::printable::printable;

/// A table with a model in each row, first of the program, then of each region, and what limits them.
pub fn models(document: &Models, width: Option<u16>) -> String {
    let experiments = document.experiments.len();
    let varied = document.parameters.iter().map(|of| format!("{} ({})", of.name, of.values.len()));
    let varied = varied.collect::<Vec<_>>().join(", ");
    let head = format!(
        "{} {}: {experiments} experiments, over {varied}\n",
        printable(&document.application),
        printable(&document.versions.join(", ")),
    );
    let mut parts = vec![head];
    if let Some(costs) = &document.costs {
        parts.push(coefficients(&costs.coefficients, costs.error, width));
    }
    let mut table = Grid::new(&["off", "region", "amount", "model"], &[0], width);
    for of in std::iter::once(&document.whole).chain(&document.regions) {
        rows(of, &mut table);
    }
    parts.extend((!table.is_empty()).then(|| table.text()));
    let noted = std::iter::once(&document.whole).chain(&document.regions).flat_map(notes);
    parts.push(lines(document.notes.iter().cloned().chain(noted)));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The name of a region, or of the program.
fn name(region: Option<&str>) -> &str {
    region.unwrap_or("the program")
}

/// The models of a region, each with what it is of.
fn amounts(of: &RegionModels) -> impl Iterator<Item = (&'static str, &Modelled)> {
    let time = of.time.iter().map(|time| ("time", time));
    let terms = of.terms.iter().map(|(term, of)| (term.name(), of));
    time.chain(terms).chain(of.counts.iter().map(|(count, of)| (count.name(), of)))
}

fn rows(of: &RegionModels, table: &mut Grid) {
    let region = name(of.region.as_deref());
    for (amount, model) in amounts(of) {
        let off = if model.exact { "exact".to_owned() } else { percent(model.error) };
        table.row([off.as_str(), region, amount, &model.expression]);
        for other in &model.others {
            table.row(["", "", "or", other]);
        }
    }
}

fn notes(of: &RegionModels) -> impl Iterator<Item = String> {
    let region = name(of.region.as_deref());
    let noted = |(amount, model): (&'static str, &'_ Modelled)| {
        model.notes.iter().map(|note| format!("{amount} of {region}: {note}")).collect::<Vec<_>>()
    };
    amounts(of).flat_map(noted).collect::<Vec<_>>().into_iter()
}

fn coefficients(sets: &[BTreeMap<String, [f64; 2]>], error: f64, width: Option<u16>) -> String {
    let mut table = Grid::new(&["from", "to", "coefficient"], &[0, 1], width);
    for (at, set) in sets.iter().enumerate() {
        if at > 0 {
            table.row(["", "", "or"]);
        }
        for (name, [low, high]) in set {
            table.row([number(*low).as_str(), &number(*high), name]);
        }
    }
    let off = format!("the expressions are off by {} at most\n", percent(error));
    if table.is_empty() { off } else { format!("{}{off}", table.text()) }
}

/// The costs at a size by term and region, or a row for each of several sizes.
pub fn prediction(document: &Prediction, width: Option<u16>) -> String {
    let mut parts = match &document.sizes[..] {
        [] => Vec::new(),
        [size] => one(size, width),
        sizes => vec![several(sizes, width)],
    };
    parts.extend(document.until.as_ref().map(until));
    let noted = document.sizes.iter().flat_map(|size| &size.notes);
    parts.push(lines(document.notes.iter().chain(noted).cloned()));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn parameters(of: &PredictedSize) -> String {
    let parameters = of.parameters.iter().map(|(name, value)| format!("{name}={value}"));
    printable(&parameters.collect::<Vec<_>>().join(", ")).into_owned()
}

/// A number with its bounds, or alone if it is known.
fn bounded(of: &Bounded, unit: &str) -> String {
    if number(of.low) == number(of.high) {
        return format!("{}{unit}", number(of.value));
    }
    format!("{}{unit} ({} to {})", number(of.value), number(of.low), number(of.high))
}

/// Four digits, which is more than most predictions are known to.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let digits = if value == 0.0 { 0 } else { (3 - value.abs().log10().floor() as i32).max(0) };
    format!("{value:.*}", digits as usize)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The parts of the text of a size.
fn one(size: &PredictedSize, width: Option<u16>) -> Vec<String> {
    let mut head = vec![format!("{}: {}", parameters(size), bounded(&size.whole.time, " s"))];
    if let Some(sum) = size.sum.filter(|sum| *sum != size.whole.time) {
        head.push(format!("as the sum of its terms {}", bounded(&sum, " s")));
    }
    if let Some(measured) = size.whole.time.measured {
        head.push(format!("measured {} s, {}", number(measured), inside(&size.whole.time, measured)));
    }
    if let (Some(speed_up), Some(efficiency)) = (size.speed_up, size.efficiency) {
        let efficiency =
            Bounded::new(100.0 * efficiency.value, [100.0 * efficiency.low, 100.0 * efficiency.high]);
        head.push(format!("speed-up {}, efficiency {}", bounded(&speed_up, ""), bounded(&efficiency, " %")));
    }
    if let Some(term) = size.dominant {
        head.push(format!("most is {}", term.name()));
    }
    let head: String = head.into_iter().map(|line| line + "\n").collect();
    vec![head, terms(&size.whole, width), regions(size, width)]
}

fn inside(of: &Bounded, measured: f64) -> &'static str {
    if of.holds(measured) { "inside" } else { "outside" }
}

fn terms(of: &PredictedCosts, width: Option<u16>) -> String {
    let is_compared = of.time.measured.is_some();
    let mut head = vec!["amount", "from", "to", "of the program"];
    head.extend(is_compared.then_some("measured"));
    let mut table = Grid::new(&head, &[0, 1, 2], width);
    let terms = of.terms.iter().map(|(term, of)| (term.name(), of));
    for (name, of) in terms.chain(of.counts.iter().map(|(count, of)| (count.name(), of))) {
        let mut cells = vec![number(of.value), number(of.low), number(of.high), name.to_owned()];
        let measured = of.measured.map(|measured| format!("{}, {}", number(measured), inside(of, measured)));
        cells.extend(is_compared.then(|| measured.unwrap_or_default()));
        table.row(cells);
    }
    if table.is_empty() { String::new() } else { table.text() }
}

fn regions(size: &PredictedSize, width: Option<u16>) -> String {
    let is_compared = size.whole.time.measured.is_some();
    let mut head = vec!["seconds", "from", "to", "most is", "region"];
    head.extend(is_compared.then_some("measured"));
    let mut table = Grid::new(&head, &[0, 1, 2], width);
    for of in &size.regions {
        let time = &of.time;
        let most = of.terms.iter().max_by(|one, other| one.1.value.total_cmp(&other.1.value));
        let mut cells = vec![number(time.value), number(time.low), number(time.high)];
        cells.push(most.map_or("", |(term, _): (&CostTerm, _)| term.name()).to_owned());
        cells.push(name(of.region.as_deref()).to_owned());
        let measured =
            time.measured.map(|measured| format!("{}, {}", number(measured), inside(time, measured)));
        cells.extend(is_compared.then(|| measured.unwrap_or_default()));
        table.row(cells);
    }
    if table.is_empty() { String::new() } else { table.text() }
}

fn several(sizes: &[PredictedSize], width: Option<u16>) -> String {
    let head = ["seconds", "from", "to", "speed-up", "efficiency", "most is", "size"];
    let mut table = Grid::new(&head, &[0, 1, 2, 3, 4], width);
    for size in sizes {
        let time = &size.whole.time;
        table.row([
            number(time.value),
            number(time.low),
            number(time.high),
            size.speed_up.map_or_else(String::new, |of| number(of.value)),
            size.efficiency.map_or_else(String::new, |of| percent(of.value)),
            size.dominant.map_or("", CostTerm::name).to_owned(),
            parameters(size),
        ]);
    }
    table.text()
}

fn until(of: &Until) -> String {
    let limit = percent(of.efficiency);
    let Until { parameter, tried, .. } = of;
    let Some(last) = of.last else {
        return format!("the efficiency stays at {limit} up to {parameter}={tried} at least\n");
    };
    let bound = |bound: Option<f64>| bound.map_or_else(|| format!("more than {tried}"), |at| at.to_string());
    let [low, high] = of.bounds.map(bound);
    format!("the efficiency is at least {limit} up to {parameter}={last} ({low} to {high})\n")
}

/// A line for each sentence, each once.
fn lines(sentences: impl Iterator<Item = String>) -> String {
    let mut once: Vec<String> = Vec::new();
    for sentence in sentences {
        if !once.contains(&sentence) {
            once.push(sentence);
        }
    }
    once.into_iter().map(|sentence| format!("note: {}\n", printable(&sentence))).collect()
}
