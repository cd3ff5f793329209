//! Values given for a parameter, in every run of its property.

use ats_distr::parse_number;
use ats_props::{ParameterKind, Value};

/// The value given for a parameter: the same in every run, or a severity that varies with the iteration.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// The same in every run.
    Constant(Value),
    /// One for each run.
    List(Vec<Value>),
    /// `first`, `first + step`, `first + 2·step` …
    Step {
        /// In the first run.
        first: Value,
        /// The amount that it grows by; a duration is in seconds.
        step: f64,
    },
    /// `first`, `first·factor`, `first·factor²` …; of a distribution, all amounts.
    Factor {
        /// In the first run.
        first: Value,
        /// The factor that it is multiplied by.
        factor: f64,
    },
}

const FORMS: &str =
    "give one value, a list with one for each run, { first = …, step = … } or { first = …, factor = … }";

impl Given {
    /// Reads the value in a file for a parameter of some kind.
    ///
    /// # Errors
    /// It has none of the forms, or is not a value of the kind.
    pub(crate) fn parse(written: &toml::Value, kind: &ParameterKind) -> Result<Self, String> {
        let value = |written| scalar(written).and_then(|text| (kind.parse)(&text));
        match written {
            toml::Value::Array(values) => {
                Ok(Given::List(values.iter().map(value).collect::<Result<_, _>>()?))
            }
            toml::Value::Table(table) => {
                let first = value(table.get("first").ok_or_else(|| format!("`first` is missing; {FORMS}"))?)?;
                let by = |name: &str| {
                    let written = table.get(name).filter(|_| table.len() == 2)?;
                    Some(
                        scalar(written)
                            .and_then(|text| parse_number(&text).map_err(|error| error.to_string())),
                    )
                };
                match (by("step"), by("factor")) {
                    (Some(step), _) => Ok(Given::Step { first, step: step? }),
                    (_, Some(factor)) => Ok(Given::Factor { first, factor: factor? }),
                    _ => Err(format!("`first` needs either `step` or `factor`; {FORMS}")),
                }
            }
            _ => value(written).map(Given::Constant),
        }
    }

    /// Whether every run has the same.
    pub fn is_constant(&self) -> bool {
        matches!(self, Given::Constant(_))
    }

    /// Whether there is a value for this many runs.
    ///
    /// # Errors
    /// There are fewer or more.
    pub(crate) fn fits(&self, runs: usize) -> Result<(), String> {
        match self {
            Given::List(values) if values.len() != runs => Err(format!(
                "the list has {} values, and the property is run {runs} times; give one for each run",
                values.len()
            )),
            _ => Ok(()),
        }
    }

    /// The value in a run, counted from 0.
    ///
    /// # Errors
    /// Values of this kind do not grow like this, or leave their range.
    pub(crate) fn of_run(&self, run: usize) -> Result<Value, String> {
        match self {
            Given::Constant(value) => Ok(value.clone()),
            Given::List(values) => Ok(values[run].clone()),
            Given::Step { first, step } => first.stepped(step * run as f64),
            Given::Factor { first, factor } => {
                first.scaled(factor.powi(i32::try_from(run).unwrap_or(i32::MAX)))
            }
        }
    }
}

fn scalar(written: &toml::Value) -> Result<String, String> {
    match written {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(flag) => Ok(flag.to_string()),
        other => Err(format!("{} is not allowed here; give a number or a text", described(other))),
    }
}

fn described(value: &toml::Value) -> &'static str {
    match value {
        toml::Value::Datetime(_) => "a date",
        toml::Value::Array(_) => "a list in a list",
        _ => "a table",
    }
}
