//! Names of the catalogue go into source code, build files and paths: only plain ones may.

use ats_compose::Subject;
use ats_props::Property;

use crate::GenerateError;

/// Checks every name that a program is made of.
pub(crate) fn check(subject: &Subject) -> Result<(), GenerateError> {
    if let Subject::Composition(composition) = subject {
        let is_free = |name: &str| is_identifier(name) && !KEPT.contains(&name);
        require("the composition", composition.name(), is_free)?;
    }
    if subject.is_trace_only() {
        return Err(GenerateError::TraceOnly(subject.name().to_owned()));
    }
    subject.properties().into_iter().try_for_each(check_property)
}

fn check_property(property: &Property) -> Result<(), GenerateError> {
    let origin = &property.origin;
    require("the property", property.name, is_identifier)?;
    require("the twin", property.twin, is_identifier)?;
    require("the package", origin.package, is_package)?;
    require("the module", origin.module, |path| path.split("::").all(is_identifier))?;
    property
        .parameters
        .iter()
        .try_for_each(|parameter| require("the parameter", parameter.name, is_identifier))
}

/// Words of C that are plain names otherwise; C11's begin with capitals.
const WORDS_OF_C: [&str; 35] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "main", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned",
    "void", "volatile", "while",
];

/// Checks the names of programs in C and Fortran, as [`check`] does.
pub(crate) fn check_native(property: &Property) -> Result<(), GenerateError> {
    check_property(property)?;
    let is_free = |name: &str| !WORDS_OF_C.contains(&name) && !name.starts_with('_');
    require("the property", property.name, is_free)?;
    let mut parameters = property.parameters.iter();
    parameters.try_for_each(|parameter| require("the parameter", parameter.name, is_free))
}

/// Whether a function of C may have this name, beside those that a file of one property has anyway.
pub(crate) fn is_function_of_c(name: &str) -> bool {
    const TAKEN: [&str; 8] =
        ["main", "now", "do_work", "check_ranks", "rank", "request", "requests", "status"];
    is_identifier(name) && !name.starts_with('_') && !WORDS_OF_C.contains(&name) && !TAKEN.contains(&name)
}

/// Names that Cargo reserves in a target folder, and names of rustc's own crates.
const KEPT: [&str; 9] =
    ["alloc", "build", "core", "deps", "examples", "incremental", "proc_macro", "std", "test"];

fn require(what: &'static str, name: &str, holds: impl Fn(&str) -> bool) -> Result<(), GenerateError> {
    if holds(name) { Ok(()) } else { Err(GenerateError::Name { what, name: name.to_owned() }) }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn is_package(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_only() {
        for good in ["late_sender", "_x", "p2p"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "../up", "a b", "2x", "r#type", "x;", "a/b", "Late", "größe"] {
            assert!(!is_identifier(bad), "{bad}");
        }
        assert!(is_function_of_c("solver") && is_function_of_c("late_sender"));
        for bad in ["", "a b", "x(){}", "while", "main", "do_work", "__x"] {
            assert!(!is_function_of_c(bad), "{bad}");
        }
        assert!(is_package("my-props"));
        assert!(!is_package("x\"]\n[dependencies"));
        assert!(!is_package("-x"));
    }
}
