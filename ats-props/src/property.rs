//! A property: its entry in the catalogue, and the way to run it.

use std::collections::BTreeMap;

use ats_model::mistakes::near;
use ats_mpi::{Progress, SendMode};
use thiserror::Error;

use crate::{Context, Entry, Finds, Needs, Parameter, ParameterType, Value};

/// The catalogue entry of a property function; `#[property]` makes it from the function's signature.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// The function's name.
    pub name: &'static str,
    /// The name of its balanced twin as a program; its own if it has nothing to find, and so no twin.
    pub twin: &'static str,
    /// Its documentation, in Markdown.
    pub doc: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The crate it comes from.
    pub origin: Origin,
    /// The kind of program that shows its findings.
    pub entry: Entry,
    /// The resources that it runs on.
    pub needs: Needs,
    /// The findings that it shows. The engine's truth lists all others.
    pub finds: Finds,
    /// The fewest ranks that it needs to show anything.
    pub min_ranks: usize,
    /// The fewest threads per process that it needs to show anything.
    pub min_threads: usize,
    /// The mode of its messages, if it depends on it.
    pub send_mode: Option<SendMode>,
    /// The progress of transfers on the ideal machine that its truth is of, if it depends on it.
    pub progress: Option<Progress>,
    /// The bytes per second of the ideal machine's network that its truth is of, if it depends on the cost of transfers.
    pub bandwidth: Option<f64>,
    /// The version of MPI that its functions are new in, if libraries in use lack them: with such a library a run is
    /// unsupported. Random compositions do without it.
    pub mpi_version: Option<u32>,
    /// It and its twin in C, with OpenMP's pragmas, as functions of their names (see [`Parameter::in_c`]). It is a
    /// template of minijinja, without values. Properties without a team have none: C programs call them here.
    pub c_source: Option<&'static str>,
    /// Its parameters, in the order of the signature, without the communicator and the team.
    pub parameters: &'static [Parameter],
    /// Runs the property.
    pub run: fn(&Context<'_>, &Arguments),
    /// Runs its balanced twin, with the same arguments; itself if it has nothing to find.
    pub run_balanced: fn(&Context<'_>, &Arguments),
}

/// The origin of a property: the package that a program with it has to depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The package.
    pub package: &'static str,
    /// The package's folder.
    pub folder: &'static str,
    /// The module's path, from the crate's name.
    pub module: &'static str,
}

/// A value for every parameter of a property; made by [`Property::arguments`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(BTreeMap<&'static str, Value>);

impl Arguments {
    /// The value of a parameter.
    ///
    /// # Panics
    /// The property has no such parameter of this type; `#[property]` only asks for those it has.
    pub fn get<T: ParameterType>(&self, name: &str) -> T {
        let value = self.value(name).and_then(Value::get::<T>);
        value.unwrap_or_else(|| panic!("no parameter `{name}` is a {}", T::KIND)).clone()
    }

    /// The value of a parameter, of any type; `None` if there is no such parameter.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The same, but for one parameter.
    ///
    /// # Panics
    /// The property has no such parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        *self.0.get_mut(name).expect("a parameter of the property") = value;
        self
    }

    /// Whether one of them depends on a property of the MPI library that the ranks of a run probe.
    pub fn are_probed(&self) -> bool {
        self.0.values().any(Value::is_probed)
    }

    /// Every parameter and its value as text.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        self.0.iter().map(|(&name, value)| (name.to_owned(), value.to_string())).collect()
    }
}

/// Why arguments do not fit a property.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// No such parameter.
    #[error("{property} has no parameter `{name}`; it has {known}{}", nearest_hint(.nearest))]
    Unknown {
        /// The property.
        property: &'static str,
        /// The name given.
        name: String,
        /// The parameters it has.
        known: String,
        /// The nearest names.
        nearest: Vec<&'static str>,
    },
    /// A value does not fit.
    #[error("{property}: {name}: {reason}")]
    Value {
        /// The property.
        property: &'static str,
        /// The parameter.
        name: &'static str,
        /// The mistake, and what would be right.
        reason: String,
    },
    /// A word is not a pair of a name and a value.
    #[error("`{word}` is not a parameter; write name=value")]
    NoPair {
        /// The word given.
        word: String,
    },
    /// A parameter was given twice.
    #[error("{property}: {name} is given twice")]
    Twice {
        /// The property.
        property: &'static str,
        /// The parameter.
        name: &'static str,
    },
    /// Too few ranks to show anything.
    #[error("{property} needs at least {needed} ranks, {given} given; use --np {needed} or more")]
    Ranks {
        /// The property.
        property: &'static str,
        /// The number that it needs.
        needed: usize,
        /// The number that there are.
        given: usize,
    },
    /// Too few threads to show anything.
    #[error("{property} needs at least {needed} threads, {given} given; use --threads {needed} or more")]
    Threads {
        /// The property.
        property: &'static str,
        /// The number that it needs.
        needed: usize,
        /// The number that there are.
        given: usize,
    },
}

fn nearest_hint(nearest: &[&'static str]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(" or ")) }
}

impl Property {
    /// The name of the parameter for the number of repetitions.
    pub const REPETITIONS: &'static str = "r";

    /// Whether it has a parameter that says how often it repeats itself.
    pub fn repeats(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == Self::REPETITIONS)
    }

    /// The argument for this number of repetitions; `None` if it has no such parameter.
    pub fn repeated<'a>(&self, times: &'a str) -> Option<(&'a str, &'a str)> {
        self.repeats().then_some((Self::REPETITIONS, times))
    }

    /// Runs the balanced twin `times` times: once with that as its number of repetitions, where it has one.
    ///
    /// # Panics
    /// The arguments are another property's.
    pub fn repeat_balanced(&self, context: &Context<'_>, arguments: &Arguments, times: usize) {
        if !self.repeats() {
            return (0..times).for_each(|_| (self.run_balanced)(context, arguments));
        }
        (self.run_balanced)(context, &arguments.clone().with(Self::REPETITIONS, Value::new(times)));
    }

    /// The defaults of all parameters.
    pub fn defaults(&self) -> Arguments {
        self.arguments([]).expect("nothing is given that could be wrong")
    }

    /// The first sentence of the documentation.
    pub fn summary(&self) -> &'static str {
        self.doc.split("\n\n").next().unwrap_or_default()
    }

    /// Checks the given arguments and fills in the defaults.
    ///
    /// # Errors
    /// A name is unknown or given twice, or a value does not fit.
    pub fn arguments<'a>(
        &self,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Arguments, ArgumentError> {
        let mut values = BTreeMap::new();
        for (name, text) in given {
            let parameter = self.parameter(name)?;
            let wrong = |reason| ArgumentError::Value { property: self.name, name: parameter.name, reason };
            let value = (parameter.kind.parse)(text).map_err(wrong)?;
            self.check_probe(&value).map_err(wrong)?;
            if values.insert(parameter.name, value).is_some() {
                return Err(ArgumentError::Twice { property: self.name, name: parameter.name });
            }
        }
        for parameter in self.parameters {
            values.entry(parameter.name).or_insert_with(|| (parameter.default)());
        }
        Ok(Arguments(values))
    }

    /// Checks that its ranks can probe the library, if a value depends on it, before it runs.
    ///
    /// # Errors
    /// They cannot: there is no MPI before it.
    pub fn check_probe(&self, value: &Value) -> Result<(), String> {
        if !value.is_probed() || self.needs.ranks && self.entry != Entry::Program {
            return Ok(());
        }
        Err(format!(
            "`{value}` cannot be probed: before {} runs there is no MPI whose messages could tell; give a number",
            self.name
        ))
    }

    /// The same from the words of a command line, each `name=value`.
    ///
    /// # Errors
    /// A word is no such pair, or as for [`Property::arguments`].
    pub fn arguments_of_words<'a>(
        &self,
        words: impl IntoIterator<Item = &'a String>,
    ) -> Result<Arguments, ArgumentError> {
        let pair = |word: &'a String| {
            word.split_once('=').ok_or_else(|| ArgumentError::NoPair { word: word.to_owned() })
        };
        self.arguments(words.into_iter().map(pair).collect::<Result<Vec<_>, _>>()?)
    }

    /// One of its parameters.
    ///
    /// # Errors
    /// It has none of this name.
    pub fn parameter(&self, name: &str) -> Result<&'static Parameter, ArgumentError> {
        let names = || self.parameters.iter().map(|parameter| parameter.name);
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            ArgumentError::Unknown {
                property: self.name,
                name: name.to_owned(),
                known: names().collect::<Vec<_>>().join(", "),
                nearest: near(name, names()),
            }
        })
    }

    /// Whether this many ranks are enough to show the property.
    ///
    /// # Errors
    /// They are not.
    pub fn check_ranks(&self, ranks: usize) -> Result<(), ArgumentError> {
        if ranks >= self.min_ranks {
            return Ok(());
        }
        Err(ArgumentError::Ranks { property: self.name, needed: self.min_ranks, given: ranks })
    }

    /// Whether processes of this many threads are enough to show the property.
    ///
    /// # Errors
    /// They are not.
    pub fn check_threads(&self, threads: usize) -> Result<(), ArgumentError> {
        if threads >= self.min_threads {
            return Ok(());
        }
        Err(ArgumentError::Threads { property: self.name, needed: self.min_threads, given: threads })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bytes, Entry, Needs, Property, Value, mpi::messages::big_message};

    #[test]
    fn a_limit_is_probed_where_ranks_can_send_before_the_property_runs() {
        let of = |needs, entry| Property { needs, entry, ..big_message::PROPERTY };
        let told =
            |property: Property| property.arguments([("bytes", "limit+1")]).map(|given| given.are_probed());
        assert_eq!(told(of(Needs::RANKS, Entry::Function)), Ok(true));
        for property in [of(Needs::TEAM, Entry::Function), of(Needs::RANKS, Entry::Program)] {
            let error = told(property).unwrap_err().to_string();
            let said =
                "big_message: bytes: `limit+1` cannot be probed: before big_message runs there is no MPI";
            assert!(error.starts_with(said) && error.ends_with("give a number"), "{error}");
            assert_eq!(property.check_probe(&Value::new(Bytes::Exactly(1))), Ok(()));
        }
    }
}
