//! The parameters of a property: their types, each with its forms in a file of its own, and the catalogue's entry of
//! each parameter.

mod bytes;
mod count;
mod distribution;
mod flag;
mod in_c;
mod list;
mod schedule;
mod seconds;
mod seed;
mod share;
mod value;

pub use bytes::Bytes;
pub use in_c::{CArgument, CPart, CType, CValue};
pub use list::List;
pub use seconds::Seconds;
pub use seed::Seed;
pub use share::Share;
pub use value::Value;

use ats_distr::Distribution;
use ats_omp::Schedule;

/// A type that parameters can have.
///
/// All facts about a type are here, so that the command line, compositions, C, Fortran and documents need no code for
/// any single type.
pub trait ParameterType: Clone + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The kind of value, in one word.
    const KIND: &'static str;
    /// Its unit; empty if it has none.
    const UNIT: &'static str = "";
    /// The values that it takes, in words.
    const RANGE: &'static str;
    /// The arguments of a function of C for it; empty if C has nothing for it.
    const IN_C: &'static [CPart] = &[];

    /// Reads a value, as it is written on a command line, in a composition and in documents.
    ///
    /// # Errors
    /// The text is wrong; the message says what would be right.
    fn parse(text: &str) -> Result<Self, String>;

    /// Writes it, so that [`parse`](Self::parse) reads the same.
    fn text(&self) -> String;

    /// The values passed to a function of C: one for each of [`IN_C`](Self::IN_C).
    fn to_c(&self) -> Vec<CValue> {
        Vec::new()
    }

    /// The value of the arguments that a function of C was passed.
    ///
    /// # Errors
    /// They are wrong; the message says what would be right.
    fn from_c(_: &[CValue]) -> Result<Self, String> {
        Err(format!("C has nothing for a {}", Self::KIND))
    }

    /// The number that it is; `None` if it is nothing that grows from run to run.
    fn number(&self) -> Option<f64> {
        None
    }

    /// The value that a number is, after it has grown.
    ///
    /// # Errors
    /// It has left its range.
    fn of_number(number: f64) -> Result<Self, String> {
        Self::parse(&number.to_string())
    }

    /// The value plus `step`, for values that vary from run to run.
    ///
    /// # Errors
    /// It does not grow by steps, or leaves its range.
    fn stepped(&self, step: f64) -> Result<Self, String> {
        Self::of_number(self.number().ok_or_else(|| does_not_grow(&self.text()))? + step)
    }

    /// The value times `factor`.
    ///
    /// # Errors
    /// It does not grow, or leaves its range.
    fn scaled(&self, factor: f64) -> Result<Self, String> {
        Self::of_number(self.number().ok_or_else(|| does_not_grow(&self.text()))? * factor)
    }

    /// Whether it depends on a property of the MPI library that the ranks of a run probe before the property runs.
    fn is_probed(&self) -> bool {
        false
    }
}

fn does_not_grow(value: &str) -> String {
    format!("`{value}` does not grow; give a list with one value for each run")
}

/// A type, as far as known without a value of it.
#[derive(Clone, Copy, Debug)]
pub struct ParameterKind {
    /// In one word, as `seconds`.
    pub name: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// The values that it takes, in words.
    pub range: &'static str,
    /// The arguments of a function of C for it; empty if C has nothing for it.
    pub in_c: &'static [CPart],
    /// Reads a value, or says what is wrong with the text and what would be right.
    pub parse: fn(&str) -> Result<Value, String>,
}

impl ParameterKind {
    /// Those of the suite.
    pub const ALL: &[ParameterKind] = &[
        ParameterKind::for_type::<Seconds>(),
        ParameterKind::for_type::<usize>(),
        ParameterKind::for_type::<Bytes>(),
        ParameterKind::for_type::<Share>(),
        ParameterKind::for_type::<bool>(),
        ParameterKind::for_type::<Seed>(),
        ParameterKind::for_type::<Distribution>(),
        ParameterKind::for_type::<Schedule>(),
        ParameterKind::for_type::<List>(),
    ];

    /// That of a type.
    pub const fn for_type<T: ParameterType>() -> Self {
        ParameterKind {
            name: T::KIND,
            unit: T::UNIT,
            range: T::RANGE,
            in_c: T::IN_C,
            parse: |text| T::parse(text).map(Value::new),
        }
    }

    /// Whether it is that of a type.
    pub fn is<T: ParameterType>(&self) -> bool {
        self.name == T::KIND
    }
}

/// The catalogue's entry of one parameter of a property.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, the report's.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// The kind of value it takes.
    pub kind: ParameterKind,
    /// Its value where none is given.
    pub default: fn() -> Value,
}

impl Parameter {
    /// The arguments of C for it; empty if C has nothing for its kind.
    pub fn in_c(&self) -> Vec<CArgument> {
        self.kind.in_c.iter().map(|part| CArgument { name: part.argument(self.name), part }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of every kind, and the texts that they are written as again.
    const WRITTEN: &[(&str, &[(&str, &str)])] = &[
        ("seconds", &[("10ms", "0.01"), ("0", "0"), ("2", "2")]),
        ("count", &[("3", "3"), (" 0 ", "0")]),
        (
            "bytes",
            &[
                ("0", "0"),
                ("512", "512"),
                ("64KiB", "65536"),
                ("2MB", "2000000"),
                ("limit", "limit"),
                ("limit + 1", "limit+1"),
                ("limit+0", "limit"),
            ],
        ),
        ("share", &[("0.25", "0.25"), ("25%", "0.25"), ("1", "1")]),
        ("flag", &[("true", "true"), ("false", "false")]),
        ("seed", &[("42", "42"), ("9223372036854775807", "9223372036854775807")]),
        ("distribution", &[("block2:10ms:0.05", "block2:0.01:0.05")]),
        (
            "schedule",
            &[
                ("static", "static"),
                ("static,2", "static,2"),
                ("nonmonotonic:dynamic,1", "nonmonotonic:dynamic,1"),
            ],
        ),
        ("list", &[("1,2, 4", "1,2,4"), ("7", "7")]),
    ];

    const WRONG: &[(&str, &[&str])] = &[
        ("seconds", &["", "-1", "fast", "inf"]),
        ("count", &["", "-1", "1.5", "2147483648"]),
        (
            "bytes",
            &[
                "",
                "-1",
                "1.5",
                "3 apples",
                "9223372036854775808",
                "limits",
                "limit-1",
                "limit+x",
                "limit+",
                "limit++1",
                "limit+4294967296",
            ],
        ),
        ("share", &["", "-0.1", "1.1", "120%", "NaN"]),
        ("flag", &["", "maybe", "TRUE"]),
        ("seed", &["", "-1", "9223372036854775808"]),
        ("distribution", &["", "block2:1"]),
        ("schedule", &["", "static,0", "dynamic,-1", "fast", "guided,1,2"]),
        ("list", &["", "1,,2", "1,-2"]),
    ];

    #[test]
    fn every_kind_has_a_name_of_its_own_and_examples() {
        let names: Vec<&str> = ParameterKind::ALL.iter().map(|kind| kind.name).collect();
        assert_eq!(names, WRITTEN.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert_eq!(names, WRONG.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn a_written_value_is_read_again() {
        for (kind, (name, texts)) in ParameterKind::ALL.iter().zip(WRITTEN) {
            for (text, written) in *texts {
                let value = (kind.parse)(text).unwrap_or_else(|error| panic!("{name} `{text}`: {error}"));
                assert_eq!(value.to_string(), *written);
                assert_eq!((kind.parse)(written).as_ref(), Ok(&value), "{name}");
            }
        }
    }

    #[test]
    fn a_wrong_value_is_reported_with_the_accepted_ones() {
        for (kind, (name, texts)) in ParameterKind::ALL.iter().zip(WRONG) {
            for text in *texts {
                let told = (kind.parse)(text).unwrap_err();
                assert!(told.len() > 10, "{name} `{text}`: {told}");
            }
        }
    }

    #[test]
    fn c_has_a_value_for_every_part() {
        for (kind, (name, texts)) in ParameterKind::ALL.iter().zip(WRITTEN) {
            for (text, _) in *texts {
                let passed = (kind.parse)(text).unwrap().to_c();
                let types: Vec<_> = passed.iter().map(CValue::types).collect();
                assert_eq!(
                    types.concat(),
                    kind.in_c.iter().map(|part| part.ctype).collect::<Vec<_>>(),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn values_pass_through_c_unchanged() {
        fn there_and_back<T: ParameterType>(text: &str) {
            let value = T::parse(text).unwrap();
            assert_eq!(T::from_c(&value.to_c()), Ok(value));
        }
        there_and_back::<Seconds>("10ms");
        there_and_back::<usize>("3");
        there_and_back::<Bytes>("64KiB");
        there_and_back::<Bytes>("limit");
        there_and_back::<Bytes>("limit+1");
        there_and_back::<Share>("25%");
        there_and_back::<bool>("true");
        there_and_back::<Seed>("42");
        for schedule in ["static", "static,2", "dynamic,3", "nonmonotonic:dynamic,1", "guided,2"] {
            there_and_back::<Schedule>(schedule);
        }
        assert!(Seconds::from_c(&[CValue::Real(-1.0)]).is_err());
        assert!(usize::from_c(&[CValue::Int(-1)]).is_err());
        assert!(Share::from_c(&[CValue::Real(f64::NAN)]).is_err());
        assert!(bool::from_c(&[CValue::Int(2)]).is_err());
        for bytes in [-1, Bytes::LIMIT_IN_C - 1, i64::MIN] {
            assert!(Bytes::from_c(&[CValue::Long(bytes)]).is_err(), "{bytes}");
        }
        assert!(Schedule::from_c(&[CValue::Int(7), CValue::Int(1)]).is_err());
    }

    #[test]
    fn only_numbers_grow() {
        for (kind, (name, texts)) in ParameterKind::ALL.iter().zip(WRITTEN) {
            let value = (kind.parse)(texts[0].0).unwrap();
            let grows = ["seconds", "count", "bytes", "share"].contains(name);
            assert_eq!(value.stepped(0.0).is_ok(), grows, "{name}");
            assert_eq!(value.scaled(1.0).is_ok(), grows || *name == "distribution", "{name}");
        }
    }
}
