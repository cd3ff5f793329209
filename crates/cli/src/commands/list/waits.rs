//! `ats list --waits`.

use std::process::ExitCode;

use ats_documents::catalogue::Term;
use ats_model::WaitState;
use ats_presentation::{text, title};

use crate::commands::catalogue::Entries;
use crate::failure::Failure;
use crate::output::Output;

/// Prints the wait states that have this word in any of their names, or all.
pub(crate) fn list(filter: Option<&str>, output: Output) -> Result<ExitCode, Failure> {
    let word = filter.unwrap_or_default().to_lowercase();
    let states: Vec<Term> =
        WaitState::ALL.into_iter().map(term).filter(|term| is_called(term, &word)).collect();
    let document = Entries { schema: Entries::SCHEMA, wait_states: Some(&states), ..Entries::default() };
    output.document(&document, || text::wait_states(&states))?;
    Ok(ExitCode::SUCCESS)
}

/// The entry of a wait state in the glossary.
pub(crate) fn term(state: WaitState) -> Term {
    Term {
        name: state,
        title: title(state.name()),
        definition: state.definition(),
        awaited: state.awaited(),
        class: state.class(),
        view: state.view(),
        metric: state.metric(),
        metric_title: state.title(),
        accept: state.accept(),
    }
}

fn is_called(term: &Term, word: &str) -> bool {
    let names = [term.name.name(), &term.title, term.class.name()];
    let of_tools = term.metric.into_iter().chain(term.metric_title).chain(term.accept.iter().copied());
    names.into_iter().chain(of_tools).any(|name| name.to_lowercase().contains(word))
}
