//! Selection of experiments: `ranks>=8`, `application=heat`.

use std::cmp::Ordering;
use std::str::FromStr;

use ats_documents::experiment::Listed;
use ats_model::mistakes::nearest;
use thiserror::Error;

use crate::{Damaged, Listing};

/// A condition: a field, a comparison and a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    field: String,
    comparison: Comparison,
    value: String,
}

/// The reason why a text is not a condition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FilterError {
    /// It compares nothing.
    #[error(
        "`{0}` is not a condition; write FIELD=VALUE, or with !=, <, <=, > or >= between them, in quotes"
    )]
    NoComparison(String),
    /// No experiment has the field.
    #[error("no experiment has `{field}`{}; known are {known}", meant(nearest))]
    NoField {
        /// The field asked for.
        field: String,
        /// The nearest existing field, if any is near.
        nearest: Option<String>,
        /// The existing fields.
        known: String,
    },
}

fn meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The comparisons as they are written, the longest first.
    const ALL: [(&str, Comparison); 6] = [
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];

    fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        }
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let none = || FilterError::NoComparison(text.to_owned());
        let at = text.find(['=', '!', '<', '>']).filter(|&at| at > 0).ok_or_else(none)?;
        let (field, rest) = text.split_at(at);
        let known = Comparison::ALL.into_iter().find(|(sign, _)| rest.starts_with(sign));
        let (sign, comparison) = known.ok_or_else(none)?;
        Ok(Filter { field: field.trim().to_owned(), comparison, value: rest[sign.len()..].trim().to_owned() })
    }
}

/// The fields of every experiment; parameters come beside them.
const FIELDS: [&str; 16] = [
    "id",
    "application",
    "version",
    "name",
    "command",
    "size",
    "ranks",
    "threads",
    "repeat",
    "date",
    "seed",
    "sequential",
    "engine",
    "source",
    "metric",
    "parameter",
];

/// The values of an experiment under a name; several if it has several of them, empty if they are not known.
fn values(listed: &Listed, field: &str) -> Vec<String> {
    let run = &listed.run;
    let one = |value: &dyn ToString| vec![value.to_string()];
    let some = |value: Option<String>| value.into_iter().collect();
    match field {
        "id" => one(&listed.id),
        "application" => one(&listed.application),
        "version" => one(&listed.version),
        "name" => one(&run.name),
        "command" => some(run.command.clone()),
        "size" => some(run.size.map(|size| size.to_string())),
        "ranks" => one(&run.ranks),
        "threads" => one(&run.threads),
        "repeat" => one(&run.repeat),
        "date" => some(run.date.clone()),
        "seed" => some(run.seed.map(|seed| seed.to_string())),
        "sequential" => one(&run.sequential),
        "engine" => some(run.engine.map(|engine| engine.name().to_owned())),
        "source" => one(&run.source),
        "metric" => listed.metrics.clone(),
        "parameter" => run.parameters.keys().cloned().collect(),
        _ => some(run.parameters.get(field).cloned()),
    }
}

impl Filter {
    /// The experiments that meet every condition. Numbers are compared as numbers; an unknown value fits no
    /// condition.
    ///
    /// # Errors
    /// A condition has a field that no experiment has.
    pub fn select(filters: &[Filter], mut listed: Vec<Listed>) -> Result<Vec<Listed>, FilterError> {
        Filter::check(filters, &listed.iter().collect::<Vec<_>>())?;
        listed.retain(|one| Filter::all_fit(filters, one));
        Ok(listed)
    }

    /// The same of all that a repository has, failed runs among it.
    ///
    /// # Errors
    /// As [`Filter::select`].
    pub fn select_runs(filters: &[Filter], mut listing: Listing) -> Result<Listing, FilterError> {
        let failed = listing.failed.iter().map(|failed| &failed.listed);
        Filter::check(filters, &listing.experiments.iter().chain(failed).collect::<Vec<_>>())?;
        listing.experiments.retain(|one| Filter::all_fit(filters, one));
        listing.failed.retain(|failed| Filter::all_fit(filters, &failed.listed));
        listing.damaged.retain(|damaged| filters.iter().all(|filter| filter.may_fit(damaged)));
        Ok(listing)
    }

    /// Checks that each condition has a field that one of them has.
    fn check(filters: &[Filter], listed: &[&Listed]) -> Result<(), FilterError> {
        let parameters = || listed.iter().flat_map(|one| one.run.parameters.keys()).map(String::as_str);
        for Filter { field, .. } in filters {
            let is_known = FIELDS.contains(&field.as_str()) || parameters().any(|name| name == field);
            if !is_known && !listed.is_empty() {
                let mut known: Vec<&str> = FIELDS.into_iter().chain(parameters()).collect();
                known.sort_unstable();
                known.dedup();
                let nearest = nearest(field, known.iter().copied()).map(str::to_owned);
                return Err(FilterError::NoField { field: field.clone(), nearest, known: known.join(", ") });
            }
        }
        Ok(())
    }

    /// Whether every condition holds.
    pub(crate) fn all_fit(filters: &[Filter], listed: &Listed) -> bool {
        filters.iter().all(|filter| filter.fits(listed))
    }

    /// Whether the condition holds, as far as a damaged experiment is known: at least its folders are.
    fn may_fit(&self, damaged: &Damaged) -> bool {
        if let Some(listed) = &damaged.listed {
            return self.fits(listed);
        }
        let mut folders = damaged.id.split('/').map(str::to_owned);
        let mut folder = || folders.next().unwrap_or_default();
        let (application, version) = (folder(), folder());
        let listed = Listed { id: damaged.id.clone(), application, version, ..Listed::default() };
        !["id", "application", "version"].contains(&self.field()) || self.fits(&listed)
    }

    /// Whether it is about which of two numbers is larger.
    pub(crate) fn orders_numbers(&self) -> bool {
        let is_equality = matches!(self.comparison, Comparison::Equal | Comparison::NotEqual);
        !is_equality && self.value.parse::<f64>().is_ok()
    }

    /// The field that it compares.
    pub(crate) fn field(&self) -> &str {
        &self.field
    }

    fn fits(&self, listed: &Listed) -> bool {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| !number.is_nan());
        let order = |value: &str| match (number(value), number(&self.value)) {
            (Some(value), Some(wanted)) => value.partial_cmp(&wanted).unwrap_or(Ordering::Equal),
            _ => value.cmp(&self.value),
        };
        let values = values(listed, &self.field);
        if self.comparison == Comparison::NotEqual {
            return !values.is_empty() && values.iter().all(|value| order(value).is_ne());
        }
        values.iter().any(|value| self.comparison.holds(order(value)))
    }
}
