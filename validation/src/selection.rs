//! The programs that a validation runs: those that are named, or a selection of the catalogue.

use std::slice;
use std::str::FromStr;

use ats_compose::{Selection, Subject};
use ats_props::{ArgumentError, Catalogue, UnknownProgram};
use ats_truth::{GivenSize, Planned, PlannedError, SizeError};
use thiserror::Error;

/// An error in the choice of programs.
#[derive(Debug, Error)]
pub enum SelectionError {
    /// A parameter stands before the first property.
    #[error("`{0}` follows no property; write the property first")]
    NoProperty(String),
    /// A program cannot be run as it is asked for.
    #[error(transparent)]
    Planned(#[from] PlannedError),
    /// No property is of the selection.
    #[error("there is no such property yet; `ats list --rows` says what is open")]
    Nothing,
}

impl From<UnknownProgram> for SelectionError {
    fn from(error: UnknownProgram) -> Self {
        PlannedError::from(error).into()
    }
}

impl From<ArgumentError> for SelectionError {
    fn from(error: ArgumentError) -> Self {
        PlannedError::from(error).into()
    }
}

impl From<SizeError> for SelectionError {
    fn from(error: SizeError) -> Self {
        PlannedError::from(error).into()
    }
}

/// One parameter with several values, each as `NAME=VALUE`. It is parsed from `NAME=A,B,…`.
#[derive(Clone, Debug)]
pub struct Sweep(Vec<String>);

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "give a parameter and its values, as extrawork=1ms,2ms,5ms".to_owned();
        let (name, values) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
        let values: Vec<String> = values.split(',').map(|value| format!("{name}={value}")).collect();
        if values.len() < 2 || values.iter().any(|value| value.ends_with('=')) {
            Err(wrong())
        } else {
            Ok(Sweep(values))
        }
    }
}

impl Sweep {
    /// A property's words with each of the values.
    fn expand(&self, words: &[String]) -> Vec<Vec<String>> {
        self.0.iter().map(|value| [words, slice::from_ref(value)].concat()).collect()
    }
}

/// The programs that words like `late_sender r=3 late_receiver` name, each at every size that is meant for it, and with
/// every value of the parameter that is swept. A property is followed by its twin, a composition is alone.
///
/// # Errors
/// A word is no program or no parameter, or a program cannot be run like this.
pub fn named(
    words: &[String],
    sweep: Option<&Sweep>,
    size: GivenSize,
    catalogue: &Catalogue,
) -> Result<Vec<Planned>, SelectionError> {
    if let Some(first) = words.first().filter(|word| word.contains('=')) {
        return Err(SelectionError::NoProperty(first.clone()));
    }
    let mut planned = Vec::new();
    for group in words.chunk_by(|_, word| word.contains('=')) {
        if Planned::is_file(&group[0]) {
            let composition = Planned::composition(&group[0], &group[1..], catalogue)?;
            planned.push(Planned { size: size.instead_of(composition.size), ..composition });
            continue;
        }
        let named = catalogue.program(&group[0])?;
        let swept = sweep.map_or_else(|| vec![group[1..].to_vec()], |sweep| sweep.expand(&group[1..]));
        for words in swept {
            let arguments = named.property.arguments_of_words(&words)?;
            for size in size.sizes(named.property) {
                for program in [named].into_iter().chain(named.twin()) {
                    let subject = Subject::Property { program, arguments: arguments.clone() };
                    let one = Planned { subject, size };
                    if !(program.balanced && planned.iter().any(|other| is_same(other, &one))) {
                        planned.push(one);
                    }
                }
            }
        }
    }
    for Planned { subject, size } in &planned {
        size.check(subject)?;
    }
    Ok(planned)
}

/// Whether two are the same program with the same parameters in the same size.
fn is_same(one: &Planned, other: &Planned) -> bool {
    let subjects = (&one.subject, &other.subject);
    subjects.0.name() == subjects.1.name()
        && subjects.0.parameters() == subjects.1.parameters()
        && one.size == other.size
}

/// The programs of a selection, of one paradigm if it is given. A given number of ranks or threads holds for the
/// programs that have any.
///
/// # Errors
/// There are none, or one cannot be run at this size.
pub fn selected(
    selection: Selection,
    paradigm: Option<&str>,
    size: GivenSize,
    catalogue: &Catalogue,
) -> Result<Vec<Planned>, SelectionError> {
    let mut planned = Vec::new();
    // What few programs show, they show in one size.
    let sizes_of_each = if selection == Selection::Representative { 1 } else { usize::MAX };
    for program in selection.programs(catalogue) {
        let needs = program.property.needs;
        if paradigm.is_some_and(|wanted| wanted != needs.paradigm()) {
            continue;
        }
        for size in size.of_use(needs).sizes(program.property).into_iter().take(sizes_of_each) {
            let subject = Subject::from(program);
            size.check(&subject)?;
            planned.push(Planned { subject, size });
        }
    }
    if planned.is_empty() { Err(SelectionError::Nothing) } else { Ok(planned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(planned: Result<Vec<Planned>, SelectionError>) -> Vec<String> {
        planned.unwrap().iter().map(|one| format!("{} on {}", one.subject.name(), one.size)).collect()
    }

    fn of_words(words: &str, sweep: Option<&str>, size: GivenSize) -> Result<Vec<Planned>, SelectionError> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let sweep = sweep.map(|text| text.parse().unwrap());
        named(&words, sweep.as_ref(), size, &Catalogue::builtin())
    }

    #[test]
    fn a_named_property_is_followed_by_its_twin_in_every_size() {
        let default = GivenSize::default();
        let hybrid = names(of_words("late_sender_hybrid r=2", None, default));
        let expected = [("", 2), ("_balanced", 2), ("", 4), ("_balanced", 4)].map(|(twin, threads)| {
            format!("late_sender_hybrid{twin} on 2 ranks with {threads} threads each")
        });
        assert_eq!(hybrid, expected);
        let alone = names(of_words("late_sender_balanced", None, GivenSize { ranks: Some(8), ..default }));
        assert_eq!(alone, ["late_sender_balanced on 8 ranks"]);
        let error = of_words("r=3 late_sender", None, default).unwrap_err().to_string();
        assert_eq!(error, "`r=3` follows no property; write the property first");
    }

    #[test]
    fn a_sweep_runs_a_property_with_every_value() {
        let planned = of_words("late_sender", Some("r=3,4"), GivenSize::default()).unwrap();
        let given: Vec<_> =
            planned.iter().map(|one| (one.subject.name(), one.subject.parameters()["r"].clone())).collect();
        let expected =
            ["3", "4"].map(|r| ["late_sender", "late_sender_balanced"].map(|name| (name, r.to_owned())));
        assert_eq!(given, expected.concat());
        for wrong in ["r", "=1,2", "r=1", "r=1,,2"] {
            assert!(wrong.parse::<Sweep>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_twin_is_not_run_twice() {
        let planned = of_words("late_sender late_sender", None, GivenSize::default());
        assert_eq!(
            names(planned),
            ["late_sender on 4 ranks", "late_sender_balanced on 4 ranks", "late_sender on 4 ranks"]
        );
    }

    #[test]
    fn a_selection_has_one_size_of_each_if_it_is_small_and_numbers_hold_where_they_are_of_use() {
        let catalogue = Catalogue::builtin();
        let sizes = |selection, paradigm, size| -> Vec<_> {
            let planned = selected(selection, Some(paradigm), size, &catalogue).unwrap();
            planned.iter().map(|one| (one.subject.name().to_owned(), one.size)).collect()
        };
        let count = |all: &[(String, _)], name: &str| all.iter().filter(|(other, _)| other == name).count();
        let default = GivenSize::default();
        let all = sizes(Selection::All, "hybrid", default);
        assert_eq!(count(&all, "late_sender_hybrid"), 2);
        let few = sizes(Selection::Representative, "hybrid", default);
        assert!(few.iter().all(|(name, _)| count(&few, name) == 1), "{few:?}");
        let threads = GivenSize { ranks: Some(64), threads: Some(8) };
        assert!(
            sizes(Selection::All, "openmp", threads)
                .iter()
                .all(|(_, size)| size.ranks == 1 && size.threads == 8)
        );
        let nothing = selected(Selection::Table(1), Some("openmp"), default, &catalogue);
        assert!(matches!(nothing, Err(SelectionError::Nothing)), "{nothing:?}");
    }
}
