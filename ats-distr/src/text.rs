//! The text form of distributions, both ways, and in serialized data.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::shape::Values;
use crate::{Distribution, DistributionError, SHAPES, Shape, Val1, Val2, Val2N, Val3, parse_number};

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Distribution::Same(Val1 { val }) => write!(f, "same:{val}"),
            Distribution::Cyclic2(Val2 { low, high }) => write!(f, "cyclic2:{low}:{high}"),
            Distribution::Block2(Val2 { low, high }) => write!(f, "block2:{low}:{high}"),
            Distribution::Linear(Val2 { low, high }) => write!(f, "linear:{low}:{high}"),
            Distribution::Peak(Val2N { low, high, n }) => write!(f, "peak:{low}:{high}:{n}"),
            Distribution::Cyclic3(Val3 { low, med, high }) => write!(f, "cyclic3:{low}:{med}:{high}"),
            Distribution::Block3(Val3 { low, med, high }) => write!(f, "block3:{low}:{med}:{high}"),
            Distribution::User(user) => f.write_str(user.name()),
        }
    }
}

impl FromStr for Distribution {
    type Err = DistributionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.split(':').map(str::trim);
        let shape = find(parts.next().unwrap_or_default())?;
        let texts: Vec<&str> = parts.collect();
        if texts.len() != shape.fields.len() {
            return Err(DistributionError::WrongCount {
                shape: shape.name,
                takes: match shape.fields.len() {
                    1 => "1 value".to_owned(),
                    n => format!("{n} values"),
                },
                fields: shape.fields.join(":"),
                got: texts.len(),
                text: text.to_owned(),
            });
        }
        let mut values = Values::default();
        for (field, text) in shape.fields.iter().zip(texts) {
            if *field == "n" {
                values.n = participant(shape, field, text)?;
            } else {
                values.amounts.push(amount(shape, field, text)?);
            }
        }
        Ok((shape.build)(&values))
    }
}

fn find(name: &str) -> Result<&'static Shape, DistributionError> {
    SHAPES
        .iter()
        .find(|shape| shape.name == name || shape.code == name)
        .ok_or_else(|| DistributionError::UnknownShape { shape: name.to_owned(), hint: hint(name) })
}

/// The nearest name if one is near, else all names.
fn hint(name: &str) -> String {
    let name = name.to_lowercase();
    let names = || SHAPES.iter().flat_map(|shape| [shape.name, shape.code]);
    let distance = |known: &str| strsim::damerau_levenshtein(known, &name);
    match names().min_by_key(|known| distance(known)) {
        Some(nearest) if distance(nearest) <= nearest.len() / 3 => format!("did you mean `{nearest}`?"),
        _ => format!("use one of {}", SHAPES.map(|shape| shape.name).join(", ")),
    }
}

fn amount(shape: &Shape, field: &'static str, text: &str) -> Result<f64, DistributionError> {
    let number =
        parse_number(text).map_err(|error| DistributionError::Number { shape: shape.name, field, error })?;
    if number < 0.0 {
        return Err(DistributionError::Negative { shape: shape.name, field, value: text.to_owned() });
    }
    Ok(number)
}

fn participant(shape: &Shape, field: &'static str, text: &str) -> Result<usize, DistributionError> {
    text.parse().map_err(|_| DistributionError::NotAParticipant {
        shape: shape.name,
        field,
        value: text.to_owned(),
    })
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads the text form; a user's function has none that could be read again.
impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
