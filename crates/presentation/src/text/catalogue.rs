//! The catalogue as text: properties, wait states, rows and compositions.

use ats_documents::catalogue::{AlsoFact, ListedProgram, ParameterFacts, PropertyFacts, ShownFact, Term};
use ats_model::WaitState;
use ats_model::wait_state::Class;

use super::grid::Grid;
use crate::traits::{self, TRAITS, share_a_wait, traits};

/// Properties family by family, without their twins; they are in the order of paradigms and families.
pub fn properties(properties: &[ListedProgram], width: Option<u16>) -> String {
    let mut table = Grid::new(&["property", "summary"], &[], width);
    let mut last = None;
    for ListedProgram { property, paradigm, class, summary, .. } in properties {
        if last.replace((paradigm, class)) != Some((paradigm, class)) {
            let class = class.map_or("nothing to find", Class::name);
            table.row([""; 2]).row([format!("{paradigm}: {class}").as_str(), ""]);
        }
        table.row([&format!("  {property}"), summary]);
    }
    let names = |is_meant: fn(&ListedProgram) -> bool| -> Vec<&str> {
        properties.iter().filter(|program| is_meant(program)).map(|program| program.property).collect()
    };
    let without = names(|program| program.truth == "silent");
    let but_for =
        if without.is_empty() { String::new() } else { format!(", but for {}", without.join(", ")) };
    let mut text = table.text();
    text += &format!("\nEach has a balanced twin, NAME_balanced, with nothing to find{but_for}.\n");
    let traces = names(|program| program.kind == "trace");
    if !traces.is_empty() {
        text += &format!("Ideal traces alone, which no program can show: {}.\n", traces.join(", "));
    }
    text
}

/// The facts about a property: its description, its parameters, and what is to be found; the definitions of its wait states, and
/// those of the `others` that share one of them.
pub fn property(
    facts: &PropertyFacts,
    states: &[Term],
    others: &[PropertyFacts],
    width: Option<u16>,
) -> String {
    let mut parameters = Grid::new(&["parameter", "default", "unit", "range", "meaning"], &[], width);
    for parameter in &facts.parameters {
        let ParameterFacts { name, doc, unit, range, default, .. } = parameter;
        parameters.row([name, default.as_str(), unit, range, &doc.replace('\n', " ")]);
    }
    let least = [(facts.min_ranks, "ranks"), (facts.min_threads, "threads")]
        .map(|(least, what)| if least > 1 { format!(", at least {least} {what}") } else { String::new() })
        .concat();
    let twin =
        if facts.twin == facts.property { String::new() } else { format!("; balanced twin: {}", facts.twin) };
    let sends = facts.send_mode.as_ref().map(|mode| format!("sends         {mode}\n")).unwrap_or_default();
    let meant: Vec<Term> =
        states.iter().filter(|term| wait_states_of(facts).any(|state| state == term.name)).cloned().collect();
    let states = if meant.is_empty() { String::new() } else { format!("\n{}", wait_states(&meant)) };
    format!(
        "{} ({}{least}{twin})\n\n{}\n\n{}\n{}{sends}file          {}\n{states}{}",
        facts.property,
        facts.paradigm,
        without_fences(&facts.doc),
        parameters.text(),
        to_be_found(facts),
        facts.file,
        told_apart(facts, others, width),
    )
}

/// The wait states that a property shows, that come with it, and that it tempts to report.
fn wait_states_of(facts: &PropertyFacts) -> impl Iterator<Item = WaitState> {
    let also = facts.also.iter().filter_map(|also| also.property);
    traits::wait_states(facts).chain(also).chain(facts.tempts.iter().copied())
}

/// The properties that share a wait state with one, and their traits that it does not have.
fn told_apart(facts: &PropertyFacts, others: &[PropertyFacts], width: Option<u16>) -> String {
    let own = traits(facts);
    let mut table = Grid::new(&["told apart from", "by"], &[], width);
    for other in others.iter().filter(|other| other.property != facts.property && share_a_wait(facts, other))
    {
        let differ = TRAITS.iter().zip(traits(other)).zip(&own).filter(|((_, text), own)| text != *own);
        let by: Vec<String> = differ.map(|((what, text), _)| format!("{what}: {text}")).collect();
        let by = if by.is_empty() { "its description alone".to_owned() } else { by.join("; ") };
        table.row([other.property, &by]);
    }
    if table.is_empty() { String::new() } else { format!("\n{}", table.text()) }
}

fn to_be_found(facts: &PropertyFacts) -> String {
    let tempts: Vec<_> = facts.tempts.iter().map(|state| state.name()).collect();
    let tempting =
        if tempts.is_empty() { String::new() } else { format!("tempts        {}\n", tempts.join(", ")) };
    if facts.shows.is_empty() {
        return format!("to be found   nothing\n{tempting}");
    }
    let shown =
        facts.shows.iter().map(|ShownFact { property, call, metric, formula, call_paths, explained_by }| {
            let name = property.map_or_else(|| call.unwrap_or_default(), WaitState::name);
            let accept = match property.map_or(&[][..], WaitState::accept) {
                [] => String::new(),
                accept => format!(", also as {}", accept.join(", ")),
            };
            let cause = match *explained_by {
                "" => String::new(),
                cause => format!("cause         {cause}\n"),
            };
            let place_and_amount = place_and_amount(call_paths, formula);
            format!("to be found   {name} ({metric}){accept}\n{place_and_amount}{cause}")
        });
    let also = facts.also.iter().map(|AlsoFact { property, formula, call_paths }| {
        let name = property.map_or("a wait that no metric counts", WaitState::name);
        format!("comes with    {name}\n{}", place_and_amount(call_paths, formula))
    });
    shown.chain(also).collect::<String>() + &tempting
}

/// The places of a quantity, and its formula.
fn place_and_amount(call_paths: &[String], formula: &str) -> String {
    let places: String = call_paths.iter().map(|path| format!("at            {path}\n")).collect();
    format!("{places}formula       {formula}\n")
}

/// Markdown as plain text: pictures stand for themselves.
fn without_fences(doc: &str) -> String {
    let lines = doc.lines().filter(|line| !line.trim_start().starts_with("```"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Rows of the catalogue: the name of each, the number of its table, and its state in a few words.
pub fn rows<'a>(rows: impl IntoIterator<Item = (&'a str, u8, String)>, width: Option<u16>) -> String {
    let mut table = Grid::new(&["row", "table", "what there is of it"], &[1], width);
    for (name, number, status) in rows {
        table.row([name, &number.to_string(), &status]);
    }
    if table.is_empty() { "No row matches.\n".to_owned() } else { table.text() }
}

/// A property in a composition.
#[derive(Clone, Debug)]
pub struct ComposedStep {
    /// The number of its phase, from 1 on.
    pub phase: usize,
    /// The number of times that it runs.
    pub times: usize,
    /// The ranks that run it; `None` for all.
    pub ranks: Option<String>,
    /// The number of threads that run it; `None` for all.
    pub threads: Option<usize>,
    /// The regions around it, from the outside in.
    pub regions: String,
    /// Its program.
    pub program: String,
    /// Its parameters.
    pub parameters: String,
}

/// A composition, step by step.
pub fn composition(title: &str, description: &str, steps: &[ComposedStep], width: Option<u16>) -> String {
    let header = ["phase", "times", "ranks", "threads", "regions", "program", "parameters"];
    let mut table = Grid::new(&header, &[], width);
    let all = || "all".to_owned();
    for ComposedStep { phase, times, ranks, threads, regions, program, parameters } in steps {
        table.row([
            &phase.to_string(),
            &times.to_string(),
            ranks.as_ref().unwrap_or(&all()),
            &threads.map_or_else(all, |threads| threads.to_string()),
            regions,
            program,
            parameters,
        ]);
    }
    let description = match description {
        "" => String::new(),
        text => format!("{}\n\n", text.trim_end()),
    };
    format!("{title}\n\n{description}{}", table.text())
}

/// Wait states: definition and names of each.
pub fn wait_states(states: &[Term]) -> String {
    match states {
        [] => "No wait state matches.\n".to_owned(),
        found => found.iter().map(term).collect::<Vec<_>>().join("\n"),
    }
}

fn term(term: &Term) -> String {
    let of_scalasca = match (term.metric, term.metric_title) {
        (Some(metric), Some(title)) => format!("{metric} ({title})"),
        _ => "has no name for it".to_owned(),
    };
    let mut text = format!("{} ({})\n  {}\n", term.name.name(), term.class.name(), term.definition);
    if let Some(whom) = term.awaited {
        text += &format!("  for       {whom}\n");
    }
    text += &format!("  pages     {}\n  Scalasca  {of_scalasca}\n", term.title);
    if !term.accept.is_empty() {
        text += &format!("  also as   {}\n", term.accept.join(", "));
    }
    text
}
