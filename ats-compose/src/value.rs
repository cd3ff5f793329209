//! The value of a parameter, in every run of its property.

use ats_distr::{Distribution, parse_number};
use ats_props::{Parameter, ParameterType, Seconds};

/// What a parameter is given: the same in every run, or a severity that varies with the iteration.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The same in every run.
    Constant(String),
    /// One for each run.
    List(Vec<String>),
    /// `first`, `first + step`, `first + 2·step` …
    Step {
        /// In the first run.
        first: String,
        /// What it grows by; a duration is in seconds.
        step: f64,
    },
    /// `first`, `first·factor`, `first·factor²` …; of a distribution, all amounts.
    Factor {
        /// In the first run.
        first: String,
        /// What it is multiplied with.
        factor: f64,
    },
}

const FORMS: &str =
    "give one value, a list with one for each run, { first = …, step = … } or { first = …, factor = … }";

impl Value {
    /// Reads what is written in a file.
    ///
    /// # Errors
    /// It is none of the forms.
    pub(crate) fn parse(written: &toml::Value) -> Result<Self, String> {
        match written {
            toml::Value::Array(values) => {
                Ok(Value::List(values.iter().map(scalar).collect::<Result<_, _>>()?))
            }
            toml::Value::Table(table) => {
                let first =
                    scalar(table.get("first").ok_or_else(|| format!("`first` is missing; {FORMS}"))?)?;
                let by = |name: &str| {
                    let written = table.get(name).filter(|_| table.len() == 2)?;
                    Some(
                        scalar(written)
                            .and_then(|text| parse_number(&text).map_err(|error| error.to_string())),
                    )
                };
                match (by("step"), by("factor")) {
                    (Some(step), _) => Ok(Value::Step { first, step: step? }),
                    (_, Some(factor)) => Ok(Value::Factor { first, factor: factor? }),
                    _ => Err(format!("beside `first` stands either `step` or `factor`; {FORMS}")),
                }
            }
            _ => scalar(written).map(Value::Constant),
        }
    }

    /// Whether every run has the same.
    pub fn is_constant(&self) -> bool {
        matches!(self, Value::Constant(_))
    }

    /// Whether there is a value for this many runs.
    ///
    /// # Errors
    /// There are fewer or more.
    pub(crate) fn fits(&self, runs: usize) -> Result<(), String> {
        match self {
            Value::List(values) if values.len() != runs => Err(format!(
                "the list has {} values, and the property is run {runs} times; give one for each run",
                values.len()
            )),
            _ => Ok(()),
        }
    }

    /// The value in a run, counted from 0, as text.
    ///
    /// # Errors
    /// Values of this kind do not grow like this.
    pub(crate) fn of_run(&self, parameter: &Parameter, run: usize) -> Result<String, String> {
        match self {
            Value::Constant(value) => Ok(value.clone()),
            Value::List(values) => Ok(values[run].clone()),
            Value::Step { first, step } if is_number(parameter) => {
                let value = number(parameter, first)? + step * run as f64;
                Ok(write(parameter, value))
            }
            Value::Factor { first, factor } if is_number(parameter) => {
                let value = number(parameter, first)? * power(*factor, run);
                Ok(write(parameter, value))
            }
            Value::Factor { first, factor } if parameter.kind == Distribution::KIND => {
                let first: Distribution = ParameterType::parse(first)?;
                Ok(first.scaled(power(*factor, run)).to_string())
            }
            Value::Step { .. } if parameter.kind == Distribution::KIND => {
                Err("a distribution does not grow by steps; use { first = …, factor = … } or a list"
                    .to_owned())
            }
            _ => Err(format!("a {} does not grow; give a list with one value for each run", parameter.kind)),
        }
    }
}

fn is_number(parameter: &Parameter) -> bool {
    [Seconds::KIND, usize::KIND].contains(&parameter.kind)
}

fn number(parameter: &Parameter, text: &str) -> Result<f64, String> {
    let canonical = (parameter.canonical)(text)?;
    parse_number(&canonical).map_err(|error| error.to_string())
}

fn write(parameter: &Parameter, value: f64) -> String {
    if parameter.kind == usize::KIND { value.round().to_string() } else { value.to_string() }
}

fn power(factor: f64, run: usize) -> f64 {
    factor.powi(i32::try_from(run).unwrap_or(i32::MAX))
}

fn scalar(written: &toml::Value) -> Result<String, String> {
    match written {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        other => Err(format!("{} is no value here; give a number or a text", described(other))),
    }
}

fn described(value: &toml::Value) -> &'static str {
    match value {
        toml::Value::Boolean(_) => "true or false",
        toml::Value::Datetime(_) => "a date",
        toml::Value::Array(_) => "a list in a list",
        _ => "a table",
    }
}
