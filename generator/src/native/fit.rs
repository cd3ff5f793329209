//! The part of the catalogue that C and Fortran can express.

use ats_props::{CArgument, Parameter, Property};

use crate::{GenerateError, Language};

/// The crate whose MPI properties, and whose command lines, `libats` has.
const LIBRARY_OF: &str = "ats-props";

/// Checks that `libats` has a property.
pub(super) fn check_in_library(property: &Property, language: Language) -> Result<(), GenerateError> {
    if !property.entry.is_function() {
        return Err(unfit(
            property,
            language,
            "libats has what programs call, and this initialises MPI itself",
        ));
    }
    match property.origin.package {
        LIBRARY_OF => Ok(()),
        _ => Err(unfit(property, language, "libats has the suite's own properties only")),
    }
}

/// The values in C for a parameter.
pub(super) fn in_c(
    parameter: &Parameter,
    property: &Property,
    language: Language,
) -> Result<Vec<CArgument>, GenerateError> {
    match parameter.in_c() {
        nothing if nothing.is_empty() => {
            Err(unfit(property, language, &format!("C has nothing for a {}", parameter.kind.name)))
        }
        arguments => Ok(arguments),
    }
}

/// The reason why a property has no program in a language.
pub(super) fn unfit(property: &Property, language: Language, why: &str) -> GenerateError {
    let (property, language) = (property.name.to_owned(), language.name());
    GenerateError::Language { property, language, why: why.to_owned() }
}
