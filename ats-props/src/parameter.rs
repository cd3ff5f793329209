//! The types that a property's parameters have, and how each is written as text.

use std::fmt;

use ats_distr::Distribution;

/// What the catalogue says of one parameter of a property.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, the report's.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// What kind of value it takes (`seconds`, `count`, `rank`, `distribution`).
    pub kind: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// Which values it takes, in words.
    pub range: &'static str,
    /// Its default, as text.
    pub default: fn() -> String,
    /// Checks a value given as text and returns it as the suite writes it.
    pub canonical: fn(&str) -> Result<String, String>,
}

/// What a function of C takes for a parameter, or for a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CArgument {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: CKind,
}

/// A type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CKind {
    /// A duration in seconds: `double`.
    Seconds,
    /// A whole number: `int`.
    Count,
    /// A distribution function: `distr_func_t`.
    Function,
    /// A distribution function's descriptor: `distr_t*`.
    Descriptor,
}

impl CKind {
    /// How C writes it.
    pub const fn c(self) -> &'static str {
        match self {
            CKind::Seconds => "double",
            CKind::Count => "int",
            CKind::Function => "distr_func_t",
            CKind::Descriptor => "distr_t*",
        }
    }

    /// How a Fortran function that takes all of a distribution declares it.
    pub const fn fortran(self) -> &'static str {
        match self {
            CKind::Seconds => "real(c_double), value",
            CKind::Count => "integer(c_int), value",
            CKind::Function => "procedure(distr_func_t)",
            CKind::Descriptor => "type(*), intent(in)",
        }
    }
}

impl Parameter {
    /// What C takes for it: a number, or, as in the report, a distribution function and its descriptor. None where C has
    /// nothing for its kind.
    pub fn in_c(&self) -> Option<Vec<CArgument>> {
        let argument = |name: &str, kind| CArgument { name: name.to_owned(), kind };
        Some(match self.kind {
            Seconds::KIND => vec![argument(self.name, CKind::Seconds)],
            usize::KIND => vec![argument(self.name, CKind::Count)],
            Distribution::KIND => {
                let (function, descriptor) = match self.name {
                    "distribution" => ("df".to_owned(), "dd".to_owned()),
                    name => (format!("{name}_df"), format!("{name}_dd")),
                };
                vec![argument(&function, CKind::Function), argument(&descriptor, CKind::Descriptor)]
            }
            _ => return None,
        })
    }
}

/// A type that parameters can have: written with `Display`, read with [`ParameterType::parse`].
pub trait ParameterType: Sized + fmt::Display {
    /// What kind of value it is, in one word.
    const KIND: &'static str;
    /// Its unit; empty where it has none.
    const UNIT: &'static str;
    /// Which values it takes, in words.
    const RANGE: &'static str;
    /// Reads a value.
    ///
    /// # Errors
    /// Says what is wrong with the text and what would be right.
    fn parse(text: &str) -> Result<Self, String>;
}

/// A duration in seconds, finite and not negative.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ParameterType for Seconds {
    const KIND: &'static str = "seconds";
    const UNIT: &'static str = "s";
    const RANGE: &'static str = "0 or more; with s, ms, us or ns behind the number";

    fn parse(text: &str) -> Result<Self, String> {
        let seconds = ats_distr::parse_number(text).map_err(|error| error.to_string())?;
        if seconds.is_finite() && seconds >= 0.0 {
            Ok(Seconds(seconds))
        } else {
            Err(format!("`{text}` is out of range; a duration is finite and not negative"))
        }
    }
}

impl ParameterType for usize {
    const KIND: &'static str = "count";
    const UNIT: &'static str = "";
    const RANGE: &'static str = "a whole number, 0 to 2147483647";

    fn parse(text: &str) -> Result<Self, String> {
        match text.trim().parse::<i32>() {
            Ok(value) if value >= 0 => Ok(value as usize),
            _ => Err(format!("`{text}` is no count; give a whole number from 0 to {}", i32::MAX)),
        }
    }
}

impl ParameterType for Distribution {
    const KIND: &'static str = "distribution";
    const UNIT: &'static str = "s";
    const RANGE: &'static str =
        "same:v, cyclic2|block2|linear:low:high, peak:low:high:n, cyclic3|block3:low:med:high";

    fn parse(text: &str) -> Result<Self, String> {
        text.parse().map_err(|error: ats_distr::DistributionError| error.to_string())
    }
}
