//! Properties, ready to be evaluated.

use std::cell::RefCell;
use std::sync::Arc;

use crate::properties::amounts::Amounts;
use crate::properties::document::Located;
use crate::properties::expression::{Computed, Expression, Mishap, Variables};
use crate::properties::figures::Figures;
use crate::properties::judged::{Holding, Judged, OF_INSTANCES, Over, ROUNDING};
use crate::properties::quantity::{Fault, Quantity, Truth, Value};
use crate::properties::text::Text;
use crate::properties::unit::Unit;

/// A property.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Located,
    pub(crate) level: Level,
    /// Whether it compares with a sequential run.
    pub(crate) sequential: bool,
    pub(crate) parts: Vec<(String, Placed)>,
    /// The numbers of its parts among those that properties have in common, in its first ones.
    pub(crate) common: Vec<usize>,
    pub(crate) each: Vec<(String, Placed)>,
    /// The places of the properties that a meta-property is over.
    pub(crate) over: Vec<usize>,
    pub(crate) holds: Option<Placed>,
    pub(crate) confidence: Option<Placed>,
    pub(crate) severity: Placed,
    /// The part of the run's time that the severity is relative to; 1 without one.
    pub(crate) weight: Option<Placed>,
    pub(crate) explains: Vec<usize>,
    pub(crate) text: Option<Text>,
}

/// The extent of an instance; each lies in one of those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// All experiments that differ only in ranks and threads.
    Parallels,
    /// One of them.
    Parallel,
    /// A unit of one.
    Unit,
}

/// An expression, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) expression: Expression,
    pub(crate) located: Located,
}

/// A mistake in a property file.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    pub(crate) located: Located,
    pub(crate) at: usize,
    pub(crate) what: String,
}

/// The data of an instance, or of the instances of all units of a region.
pub(crate) struct Given<'a> {
    /// The amounts that expressions name, by variable.
    pub(crate) figures: Vec<(&'static str, Figures<'a>)>,
    /// The same of each experiment of several.
    pub(crate) each: Vec<Vec<(&'static str, Figures<'a>)>>,
    /// The values of common parts, once they are known.
    pub(crate) common: Option<&'a Common>,
    /// The defined instances that a meta-property is over, or the reason why there are none; `None` for other properties.
    pub(crate) over: Option<Result<Over, Arc<str>>>,
}

/// The values of the parts that properties have in common, once they are known.
pub(crate) type Common = RefCell<Vec<Option<Quantity<'static>>>>;

/// The variables that all expressions have.
pub(crate) const UNITS: [(&str, Unit); 3] =
    [("s", Unit::SECOND), ("bytes", Unit::BYTES), ("count", Unit::COUNT)];

impl Level {
    pub(crate) const ALL: [(&str, Level); 3] =
        [("unit", Level::Unit), ("parallel", Level::Parallel), ("parallels", Level::Parallels)];
}

/// Whether expressions have a variable of this name without a `let`.
pub(crate) fn is_taken(name: &str) -> bool {
    let taken = ["parallel", "parallels", "unit", "sequential", "reference", "basis", "severity", "region"];
    taken.contains(&name) || OF_INSTANCES.contains(&name) || UNITS.iter().any(|(unit, _)| *unit == name)
}

impl Placed {
    pub(crate) fn parse(located: Located, amounts: &mut Amounts) -> Result<Self, Wrong> {
        match Expression::parse(&located.text, amounts) {
            Ok(expression) => Ok(Placed { expression, located }),
            Err(Mishap { at, fault }) => Err(Wrong { located, at, what: message(fault) }),
        }
    }

    fn quantity<'a>(&self, variables: &'a Variables<'_>) -> Result<Quantity<'a>, Wrong> {
        self.expression.quantity(variables).or_else(|mishap| match mishap.fault {
            Fault::Undefined(reason) => Ok(Quantity::undefined(reason, Unit::ONE)),
            _ => Err(self.wrong(mishap)),
        })
    }

    /// A number without a unit.
    fn plain<'a>(&self, variables: &'a Variables<'_>, what: &str) -> Result<Quantity<'a>, Wrong> {
        let number = self.quantity(variables)?;
        if number.unit != Unit::ONE {
            let what = format!(
                "{what} is a number without a unit, and this is in {}; divide it by the whole that it is a part of",
                number.unit
            );
            return Err(Wrong { located: self.located.clone(), at: 0, what });
        }
        match number.single() {
            Err(Fault::Wrong(what)) => Err(Wrong { located: self.located.clone(), at: 0, what }),
            _ => Ok(number),
        }
    }

    pub(crate) fn truth(&self, variables: &Variables<'_>) -> Result<Result<Truth, Arc<str>>, Wrong> {
        match self.expression.truth(variables) {
            Ok(truth) => Ok(Ok(truth)),
            Err(Mishap { fault: Fault::Undefined(reason), .. }) => Ok(Err(reason)),
            Err(mishap) => Err(self.wrong(mishap)),
        }
    }

    fn wrong(&self, Mishap { fault, at }: Mishap) -> Wrong {
        Wrong { located: self.located.clone(), at, what: message(fault) }
    }
}

pub(crate) fn message(fault: Fault) -> String {
    match fault {
        Fault::Wrong(what) => what,
        Fault::Undefined(reason) => reason.to_string(),
        Fault::Mixed => "units differ in whether they have a value".to_owned(),
    }
}

impl Property {
    /// Evaluates everything on made-up data; a mistake in units or names is found whatever the data are.
    pub(crate) fn check(&self, given: &Given<'_>) -> Result<(), Wrong> {
        let variables = self.variables(given, true)?;
        if let Some(holds) = &self.holds {
            // It may be undefined.
            let _ = holds.truth(&variables)?;
        }
        if let Some(confidence) = &self.confidence {
            confidence.plain(&variables, "confidence")?;
        }
        if let Some(weight) = &self.weight {
            weight.plain(&variables, "weight")?;
        }
        self.severity.plain(&variables, "severity").map(drop)
    }

    /// Its expressions but for the weight.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = &Placed> {
        let parts = self.parts.iter().chain(&self.each).map(|(_, part)| part);
        parts.chain(&self.holds).chain(&self.confidence).chain([&self.severity])
    }

    /// The outcomes of so many instances, which are judged together; `None` if some have a value and others do not, so that they
    /// have to be judged one by one.
    pub(crate) fn judge(&self, given: &Given<'_>, instances: u32) -> Option<Judged> {
        if let Some(Err(reason)) = &given.over {
            return Some(Judged::undefined(reason.clone(), instances));
        }
        match self.judged(given, instances) {
            Ok(judged) => Some(judged),
            Err(_) if instances > 1 => None,
            Err(Wrong { located, at, what }) => {
                Some(Judged::undefined(format!("{}: {what}", located.place(at)).into(), instances))
            }
        }
    }

    fn judged(&self, given: &Given<'_>, instances: u32) -> Result<Judged, Wrong> {
        let variables = self.variables(given, false)?;
        let holds = match self.holds.as_ref().map(|holds| holds.truth(&variables)).transpose()? {
            Some(Err(reason)) => return Ok(Judged::undefined(reason, instances)),
            Some(Ok(Truth::One(false))) => return Ok(Judged::fail(instances)),
            Some(Ok(Truth::Column(truths))) if !truths.contains(&true) => return Ok(Judged::fail(instances)),
            Some(Ok(truth)) => Some(truth),
            None => None,
        };
        let severity = self.severity.plain(&variables, "severity")?;
        let severities = match &severity.value {
            Value::Undefined(reason) if !matches!(holds, Some(Truth::Column(_))) => {
                return Ok(Judged::undefined(reason.clone(), instances));
            }
            value => value,
        };
        let is_meant = |number: u32, severity: f64| match &holds {
            None => severity > ROUNDING,
            Some(Truth::One(holds)) => *holds,
            Some(Truth::Column(truths)) => truths[number as usize],
        };
        let mut judged = Judged::fail(instances);
        let mut confidence: Option<Quantity<'_>> = None;
        let mut weight: Option<Quantity<'_>> = None;
        for number in 0..instances {
            let severity = match instance(severities, number) {
                Ok(severity) if !is_meant(number, severity) => continue,
                Ok(severity) => severity,
                Err(_) if !is_meant(number, 1.0) => continue,
                Err(reason) => {
                    judged.lacks(number, reason.clone());
                    continue;
                }
            };
            if let (None, Some(expression)) = (&confidence, &self.confidence) {
                confidence = Some(expression.plain(&variables, "confidence")?);
            }
            if let (None, Some(expression)) = (&weight, &self.weight) {
                weight = Some(expression.plain(&variables, "weight")?);
            }
            let weight = weight.as_ref().map_or(Some(1.0), |of| instance(&of.value, number).ok());
            match confidence.as_ref().map_or(Ok(1.0), |of| instance(&of.value, number)) {
                Ok(confidence) => judged.add(Holding { number, severity, confidence, weight }),
                Err(reason) => judged.lacks(number, reason.clone()),
            }
        }
        Ok(judged)
    }

    /// The sentence of an instance that holds.
    pub(crate) fn sentence(&self, given: &Given<'_>, region: &str, severity: f64) -> Option<String> {
        let text = self.text.as_ref()?;
        Some(text.filled(region, severity, &self.variables(given, false).ok()?))
    }

    /// The variables of its expressions, and its parts.
    fn variables<'a>(&'a self, given: &Given<'a>, check: bool) -> Result<Variables<'a>, Wrong> {
        let mut variables = Variables::new(check);
        push_units(&mut variables);
        for (name, figures) in &given.figures {
            variables.push(name, Computed::Figures(*figures));
        }
        if let Some(Ok(over)) = &given.over {
            over.add_to(&mut variables);
        }
        self.push_each(given, &mut variables)?;
        for (at, (name, part)) in self.parts.iter().enumerate() {
            let common = given.common.zip(self.common.get(at).copied());
            let known = common.and_then(|(common, number)| common.borrow()[number].clone());
            let value = match known {
                Some(value) => value,
                None => part.quantity(&variables)?.into_owned(),
            };
            if let Some((common, number)) = common {
                common.borrow_mut()[number].get_or_insert_with(|| value.clone());
            }
            variables.push(name, Computed::Number(value));
        }
        Ok(variables)
    }

    /// Adds the values that each of several experiments has.
    fn push_each<'a>(&'a self, given: &Given<'a>, variables: &mut Variables<'a>) -> Result<(), Wrong> {
        if self.each.is_empty() {
            return Ok(());
        }
        let mut columns: Vec<Vec<Quantity<'_>>> = vec![Vec::new(); self.each.len()];
        for figures in &given.each {
            let mut own = variables.clone();
            for (name, figures) in figures {
                own.push(name, Computed::Figures(*figures));
            }
            for ((name, part), column) in self.each.iter().zip(&mut columns) {
                let value = part.quantity(&own)?.into_owned();
                if let Err(Fault::Wrong(what)) = value.single() {
                    return Err(Wrong { located: part.located.clone(), at: 0, what });
                }
                own.push(name, Computed::Number(value.clone()));
                column.push(value);
            }
        }
        for ((name, _), column) in self.each.iter().zip(columns) {
            variables.push(name, Computed::Number(together(column)));
        }
        Ok(())
    }
}

/// Adds the variables that all expressions have.
pub(crate) fn push_units(variables: &mut Variables<'_>) {
    for (name, unit) in UNITS {
        variables.push(name, Computed::Number(Quantity::one(1.0, unit)));
    }
}

/// The number of an instance among several.
fn instance<'v>(value: &'v Value<'_>, number: u32) -> Result<f64, &'v Arc<str>> {
    match value {
        // No negative zero, as of a single number.
        Value::One(value) => Ok(value + 0.0),
        Value::Column(values) | Value::Each(values, _) => Ok(values[number as usize] + 0.0),
        Value::Undefined(reason) => Err(reason),
        // No severity or confidence is one.
        Value::Range(low, _) => Ok(*low),
    }
}

/// One quantity of the numbers of several.
fn together(numbers: Vec<Quantity<'_>>) -> Quantity<'_> {
    let unit = numbers.first().map_or(Unit::ONE, |number| number.unit);
    let mut values = Vec::with_capacity(numbers.len());
    for number in numbers {
        match number.value {
            Value::One(value) => values.push(value),
            _ => return Quantity { unit, ..number },
        }
    }
    let of = values.len();
    Quantity::each(values.into(), of, unit)
}
