//! The claims of the corpus: what is said of a trace, against what is right.

use std::collections::BTreeSet;

use ats_documents::explanation::{Effect, Problem};
use ats_documents::finding::View;
use ats_documents::{Explanation, Finding};
use ats_model::locations::Location;
use ats_model::openmp::{place, without_place};

use super::commands::Said;
use super::{Explained, On, Program, Wait};

/// The least part of the planted seconds that is seen on a busy machine: who wakes up late waits less.
pub(super) const SEEN: f64 = 0.5;

/// The least part of a problem that its culprits have.
const OF_CULPRITS: f64 = 0.5;

/// The least part of a finding that its problem has, if there is one problem.
const OF_ONE: f64 = 0.9;

/// The fewest planted seconds that are more than what any run loses.
const WORTH: f64 = 0.5;

/// Names for code that is not named.
const NO_CODE: [&str; 2] = ["outside all recorded regions", "that the trace does not show"];

/// Claims about a program.
struct Claim<'a> {
    name: String,
    holds: Holds<'a>,
}

/// Whether a claim holds of what is said.
type Holds<'a> = Box<dyn Fn(&Said) -> bool + 'a>;

/// The names of all claims.
pub(super) fn names(program: &Program) -> BTreeSet<String> {
    claims(program).into_iter().map(|claim| claim.name).collect()
}

/// The claims that do not hold.
pub(super) fn faults(program: &Program, said: &Said) -> BTreeSet<String> {
    let failing = claims(program).into_iter().filter(|claim| !(claim.holds)(said));
    failing.map(|claim| claim.name).collect()
}

fn claims(program: &Program) -> Vec<Claim<'_>> {
    let mut claims: Vec<Claim<'_>> =
        program.waits.iter().flat_map(|wait| of_wait(wait, program.on)).collect();
    for Explained { cause, seconds, not_advised } in &program.explained {
        claims.push(claim(&format!("{} explained", cause.name()), move |said| {
            let of_cause = said.explanation.problems.iter().filter(|problem| problem.cause() == *cause);
            let found: Vec<f64> = of_cause.map(|problem| problem.seconds).collect();
            !found.is_empty() && found.iter().sum::<f64>() >= SEEN * seconds.unwrap_or_default()
        }));
        claims.push(claim(&format!("advice on {}", cause.name()), move |said| {
            said.explanation.problems.iter().all(|problem| !problem.text.contains(not_advised.as_str()))
        }));
    }
    let seconds = program.waits.iter().filter_map(|wait| wait.seconds);
    let planted: f64 = seconds.chain(program.explained.iter().filter_map(|problem| problem.seconds)).sum();
    if planted >= WORTH {
        // What is unknown may be lost.
        claims.push(claim("lost seconds", move |said| {
            said.explanation.lost + said.explanation.unknown >= SEEN * planted
        }));
    }
    if let Some(largest) = largest(program) {
        claims.push(claim("first problem", move |said| {
            let first = said.explanation.problems.first();
            let mut alike = program.waits.iter().filter(|wait| wait.cause == largest.cause);
            first.is_some() && alike.any(|wait| problem(said, wait) == first)
        }));
    }
    for function in &program.not_analyzed {
        claims.push(claim(&format!("{function} not analyzed"), move |said| {
            said.analysis.not_analyzed.iter().any(|left| left.to_string().contains(function.as_str()))
        }));
    }
    claims
}

/// The wait that has twice as many planted seconds as any with another cause, if there is one.
fn largest(program: &Program) -> Option<&Wait> {
    let seconds = |wait: &&Wait| wait.seconds.unwrap_or(f64::INFINITY);
    let largest = program.waits.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b)))?;
    let is_less = |wait: &Wait| {
        wait.cause == largest.cause || wait.seconds.is_some_and(|of| of * 2.0 <= seconds(&largest))
    };
    (largest.cause.is_some() && program.waits.iter().all(is_less)).then_some(largest)
}

fn claim<'a>(name: &str, holds: impl Fn(&Said) -> bool + 'a) -> Claim<'a> {
    Claim { name: name.to_owned(), holds: Box::new(holds) }
}

/// The claims about a wait: that it is found at its line, and explained by who makes it wait.
fn of_wait<'w>(wait: &'w Wait, on: On) -> Vec<Claim<'w>> {
    let place = wait.line.map_or_else(|| wait.call.clone(), |line| format!("{}:{line}", wait.call));
    let mut claims = Vec::new();
    let mut add = |what: &str, holds: Holds<'w>| {
        claims.push(Claim { name: format!("{what} of {place}"), holds });
    };
    add("seconds", Box::new(move |said| wait.is_seen(said)));
    if wait.line.is_some() {
        add(
            "line",
            Box::new(move |said| {
                let is_found = wait.findings(said).any(|finding| line_of(finding) == wait.line);
                let is_named = problem(said, wait).is_some_and(|problem| names_line(problem, wait));
                // That nothing is found there is another claim's fault.
                is_found && is_named || !wait.is_seen(said)
            }),
        );
    }
    if !wait.culprits.is_empty() {
        add("culprit", Box::new(move |said| problem(said, wait).is_some_and(|of| blames(of, wait, on))));
    }
    if let Some(cause) = wait.cause {
        add("cause", Box::new(move |said| problem(said, wait).is_some_and(|of| of.cause() == cause)));
    }
    if wait.cause.is_some() || wait.not_advised.is_some() {
        add(
            "code",
            Box::new(move |said| {
                let is_named = |of: &Problem| {
                    NO_CODE.iter().all(|words| !of.text.contains(words))
                        && wait.code.as_ref().is_none_or(|code| of.text.contains(code))
                };
                problem(said, wait).is_some_and(is_named)
            }),
        );
    }
    if let Some(advice) = &wait.not_advised {
        add("advice", Box::new(move |said| problem(said, wait).is_some_and(|of| !of.text.contains(advice))));
    }
    if wait.is_one {
        add(
            "one problem",
            Box::new(move |said| {
                let found = wait.findings(said).map(|finding| finding.waiting_time).fold(0.0, f64::max);
                problem(said, wait).is_some_and(|of| wait.seconds_in(of) >= OF_ONE * found)
            }),
        );
    }
    claims
}

impl Wait {
    /// Whether it is a wait of this call or construct, or of this name.
    fn is(&self, name: &str, call_path: &[String], line: Option<u32>) -> bool {
        let call = call_path.last().map_or("", |call| without_place(call));
        let is_there = line.is_none() || self.line.is_none() || line == self.line;
        is_there && (call == self.call || name == self.call)
    }

    /// Its findings; those of calls whose line is not known, too.
    fn findings<'s>(&self, said: &'s Said) -> impl Iterator<Item = &'s Finding> {
        said.analysis.findings.iter().filter(|finding| {
            let is_wait = matches!(finding.view, View::Wait | View::Idle) && finding.in_basis;
            is_wait && self.is(finding.name(), &finding.call_path, line_of(finding))
        })
    }

    /// Whether the planted seconds are found.
    fn is_seen(&self, said: &Said) -> bool {
        let found: Vec<f64> = self.findings(said).map(|finding| finding.waiting_time).collect();
        !found.is_empty() && found.iter().sum::<f64>() >= SEEN * self.seconds.unwrap_or_default()
    }

    fn effects<'p>(&self, problem: &'p Problem) -> impl Iterator<Item = &'p Effect> {
        problem.effects.iter().filter(|effect| {
            let line = effect.source.as_ref().map(|source| source.line);
            self.is(effect.property.name(), &effect.call_path, line)
        })
    }

    /// The seconds of it that a problem explains.
    fn seconds_in(&self, problem: &Problem) -> f64 {
        self.effects(problem).map(|effect| effect.seconds).sum()
    }
}

/// The line of the call or construct that waits.
fn line_of(finding: &Finding) -> Option<u32> {
    let construct = finding.call_path.last().and_then(|call| place(call)).map(|(_, line)| line);
    finding.call_site.as_ref().map(|site| site.line).filter(|line| *line > 0).or(construct)
}

/// The problem that explains the most of a wait.
fn problem<'s>(said: &'s Said, wait: &Wait) -> Option<&'s Problem> {
    let Explanation { problems, .. } = &said.explanation;
    let most = problems.iter().max_by(|a, b| wait.seconds_in(a).total_cmp(&wait.seconds_in(b)))?;
    (wait.seconds_in(most) > 0.0).then_some(most)
}

/// Whether the waits of a problem have the line; if they are its largest ones, in its text, too.
fn names_line(problem: &Problem, wait: &Wait) -> bool {
    let has_line = |effect: &Effect| effect.source.as_ref().map(|source| source.line) == wait.line;
    let is_first = problem.effects.first().is_some_and(|first| wait.effects(problem).any(|of| of == first));
    let in_words = wait.line.is_some_and(|line| problem.text.contains(&format!(":{line})")));
    wait.effects(problem).all(has_line) && (in_words || !is_first)
}

/// Whether the culprits have most of a problem.
fn blames(problem: &Problem, wait: &Wait, on: On) -> bool {
    let number = |of: Location| if on == On::Threads { of.thread } else { of.rank };
    let own = problem.culprits.iter().filter(|culprit| wait.culprits.contains(&number(culprit.location)));
    own.map(|culprit| culprit.seconds).sum::<f64>() >= OF_CULPRITS * problem.seconds
}
