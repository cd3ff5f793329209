//! Sentences of properties, with places for numbers.

use crate::properties::expression::{Computed, Variables};
use crate::properties::quantity::{Quantity, Value};
use crate::properties::unit::Unit;

/// A sentence: plain text and names of parts, by turns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Plain(String),
    Name(String),
}

impl Text {
    /// A sentence with places for these names, for `region` and for `severity`; or the byte of a mistake, and the mistake.
    pub(crate) fn parse(text: &str, names: &[&str]) -> Result<Self, (usize, String)> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((plain, after)) = rest.split_once('{') {
            let at = text.len() - after.len();
            let Some((name, next)) = after.split_once('}') else {
                return Err((at - 1, "a `{` has no `}`; write both, or neither".to_owned()));
            };
            if !["region", "severity"].contains(&name) && !names.contains(&name) {
                let known = ["region", "severity"].iter().chain(names).copied().collect::<Vec<_>>();
                return Err((at, format!("there is no part `{name}`; there are {}", known.join(", "))));
            }
            pieces.extend([Piece::Plain(plain.to_owned()), Piece::Name(name.to_owned())]);
            rest = next;
        }
        pieces.push(Piece::Plain(rest.to_owned()));
        Ok(Text(pieces))
    }

    pub(crate) fn filled(&self, region: &str, severity: f64, variables: &Variables<'_>) -> String {
        let filled = |piece: &Piece| match piece {
            Piece::Plain(text) => text.clone(),
            Piece::Name(name) if name == "region" => region.to_owned(),
            Piece::Name(name) if name == "severity" => format!("{:.1} %", severity * 100.0),
            Piece::Name(name) => match variables.get(name) {
                Some(Computed::Number(value)) => number(value),
                _ => "?".to_owned(),
            },
        };
        self.0.iter().map(filled).collect()
    }
}

/// A number with its unit.
fn number(quantity: &Quantity<'_>) -> String {
    let unit = if quantity.unit == Unit::ONE { String::new() } else { format!(" {}", quantity.unit) };
    match &quantity.value {
        Value::One(value) if value.fract() == 0.0 => format!("{value}{unit}"),
        Value::One(value) => format!("{value:.4}{unit}"),
        Value::Each(values, _) | Value::Column(values) => format!("{} numbers", values.len()),
        Value::Range(low, high) => format!("{low:.4} .. {high:.4}{unit}"),
        Value::Undefined(_) => "an unknown number".to_owned(),
    }
}
