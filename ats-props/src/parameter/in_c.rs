//! Parameters in C and Fortran.

use std::fmt;

use ats_distr::Distribution;

/// A type of C, and of Fortran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CType {
    /// A `double`.
    Double,
    /// An `int`.
    Int,
    /// An `int64_t`.
    Long,
    /// A distribution function: `distr_func_t`.
    Function,
    /// A distribution function's descriptor: `distr_t*`.
    Descriptor,
}

impl CType {
    /// Whether it is a number, rather than a function or its descriptor.
    pub const fn is_number(self) -> bool {
        matches!(self, CType::Double | CType::Int | CType::Long)
    }

    /// Its name in C.
    pub const fn c(self) -> &'static str {
        match self {
            CType::Double => "double",
            CType::Int => "int",
            CType::Long => "int64_t",
            CType::Function => "distr_func_t",
            CType::Descriptor => "distr_t*",
        }
    }

    /// The type of a variable in Fortran; a descriptor is one of `df_given`.
    pub const fn fortran(self) -> &'static str {
        match self {
            CType::Double => "real(c_double)",
            CType::Int => "integer(c_int)",
            CType::Long => "integer(c_int64_t)",
            CType::Function => "procedure(distr_func_t)",
            CType::Descriptor => "type(given_distr_t)",
        }
    }

    /// The declaration of an argument in Fortran that is passed to C.
    pub fn fortran_argument(self) -> String {
        match self {
            CType::Double | CType::Int | CType::Long => format!("{}, value", self.fortran()),
            CType::Function => self.fortran().to_owned(),
            CType::Descriptor => "type(*), intent(in)".to_owned(),
        }
    }
}

/// One of the arguments that a function of C takes for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CPart {
    /// The suffix of the parameter's name.
    pub suffix: &'static str,
    /// Its type.
    pub ctype: CType,
    /// The function of `libats` that has it from the command line; empty for the function of a distribution, which is
    /// always `df_given`.
    pub getter: &'static str,
    /// The result of that function, in the words of its documentation.
    pub doc: &'static str,
}

impl CPart {
    /// The name of the argument for a parameter.
    pub(super) fn argument(&self, parameter: &str) -> String {
        match (self.ctype, parameter) {
            // The report's.
            (CType::Function | CType::Descriptor, "distribution") => {
                self.suffix.trim_start_matches('_').to_owned()
            }
            _ => format!("{parameter}{}", self.suffix),
        }
    }
}

/// An argument of a function of C, for a parameter or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CArgument {
    /// Its name.
    pub name: String,
    /// The part of the parameter.
    pub part: &'static CPart,
}

/// A value that is passed to a function of C.
#[derive(Clone, Debug, PartialEq)]
pub enum CValue {
    /// Of type [`CType::Double`].
    Real(f64),
    /// Of type [`CType::Int`].
    Int(i32),
    /// Of type [`CType::Long`].
    Long(i64),
    /// A function and its descriptor.
    Distribution(Distribution),
}

impl CValue {
    /// The types of the arguments that it takes.
    pub const fn types(&self) -> &'static [CType] {
        match self {
            CValue::Real(_) => &[CType::Double],
            CValue::Int(_) => &[CType::Int],
            CValue::Long(_) => &[CType::Long],
            CValue::Distribution(_) => &[CType::Function, CType::Descriptor],
        }
    }
}

impl fmt::Display for CValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CValue::Real(value) => value.fmt(f),
            CValue::Int(value) => value.fmt(f),
            CValue::Long(value) => value.fmt(f),
            CValue::Distribution(value) => value.fmt(f),
        }
    }
}
