//! Explanations of the mini-apps, against their analyses and profiles.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::explanation::{Effect, Problem};
use ats_documents::{Analysis, Explanation, Finding, Profile};
use ats_model::openmp::{place, without_place};

use super::{MiniApp, analysis, explanation, output, profile};

/// The part of what is lost that problems explain, or that is at least not left to problems that are too small to be told.
const EXPLAINED: f64 = 2.0 / 3.0;

/// The file's name and the line of a place in the source.
type Place = (String, u32);

/// The file's name without its folders.
fn last(file: &str) -> String {
    file.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The places in a text: `heat.c:12`.
fn places(text: &str) -> Vec<Place> {
    let words = text.split(|c: char| c.is_whitespace() || "(),;`@/".contains(c));
    let place = |word: &str| {
        let (file, line) = word.trim_end_matches(['.', ':']).rsplit_once(':')?;
        let is_file = file.contains('.') && !file.contains(':');
        line.parse().ok().filter(|_| is_file).map(|line| (file.to_owned(), line))
    };
    words.filter_map(place).collect()
}

/// The call or construct that waits, and its place, as a text names it: "wait in `MPI_Recv` (heat.c:12)".
fn named_wait(text: &str) -> Option<(&str, Place)> {
    let (_, rest) = text.split_once("wait in `").or_else(|| text.split_once("waits in `"))?;
    let (call, rest) = rest.split_once('`')?;
    let (shown, _) = rest.strip_prefix(" (")?.split_once(')')?;
    Some((call, places(shown).pop()?))
}

/// The line of a finding: that of its call, or of its construct.
fn place_of(finding: &Finding) -> Option<Place> {
    let construct = finding.call_path.last().and_then(|call| place(call));
    let site = finding.call_site.as_ref().filter(|site| site.line > 0);
    let site = site.map(|site| (last(&site.file), site.line));
    construct.map(|(file, line)| (last(file), line)).or(site)
}

/// The function of a finding's call; that of a construct is not known.
fn function_of(finding: &Finding) -> &str {
    let construct = finding.call_path.last().is_some_and(|call| place(call).is_some());
    finding.call_site.as_ref().filter(|_| !construct).map_or("", |site| &site.function)
}

/// The places of calls, constructs and code in a profile.
fn places_of(profile: &Profile) -> BTreeSet<Place> {
    let sources = profile.regions.iter().filter_map(|region| region.source());
    let lines = sources.flat_map(|(file, lines)| lines.map(|line| (last(file), line)));
    // Code between two calls has both in its name, and a construct has its own.
    lines.chain(profile.regions.iter().flat_map(|region| places(&region.name))).collect()
}

/// The faults of the lines of a problem.
fn faults_of(problem: &Problem, analysis: &Analysis, known: &BTreeSet<Place>) -> Vec<String> {
    let mut faults: Vec<String> = Vec::new();
    for (file, line) in places(&problem.text).into_iter().filter(|place| !known.contains(place)) {
        faults.push(format!("{file}:{line} is not in the profile"));
    }
    let Some((call, named)) = named_wait(&problem.text) else { return faults };
    let findings: BTreeMap<&str, &Finding> =
        analysis.findings.iter().map(|finding| (finding.id.as_str(), finding)).collect();
    let mut of_lines: BTreeMap<(&str, Place), f64> = BTreeMap::new();
    for effect in &problem.effects {
        let finding = findings[effect.finding.as_str()];
        let waits = finding.call_path.last().is_some_and(|last| without_place(last) == call);
        if let Some(place) = place_of(finding).filter(|_| waits) {
            *of_lines.entry((function_of(finding), place)).or_default() += effect.seconds;
        }
    }
    let Some((function, seconds)) = of_lines
        .iter()
        .find(|((_, place), _)| *place == named)
        .map(|((function, _), seconds)| (*function, *seconds))
    else {
        faults.push(format!("{call} has no waits at {}:{}", named.0, named.1));
        return faults;
    };
    let same = of_lines.iter().filter(|((of, _), _)| *of == function);
    let (most, _) = same.max_by(|(_, one), (_, other)| one.total_cmp(other)).expect("it is one of them");
    if of_lines[most] > seconds {
        faults.push(format!(
            "{call} waits most at {}:{}, and not at {}:{}",
            most.1.0, most.1.1, named.0, named.1
        ));
    }
    faults
}

/// Claims that do not hold of an explanation.
fn faults(app: &MiniApp) -> BTreeSet<String> {
    let text = output(app.name, "explain", &[]);
    let (explanation, analysis, profile) = (explanation(app.name), analysis(app.name), profile(app.name));
    let Explanation { division, lost, problems, omitted, .. } = &explanation;
    let mut faults = BTreeSet::new();
    let mut claim = |holds: bool, what: &str| {
        if !holds {
            faults.insert(what.to_owned());
        }
    };
    if let Some((locations, processors)) = app.shared {
        let first = format!("{locations} locations share {processors} processors");
        claim(text.starts_with(&first), "it begins with the processors that are shared");
    }
    claim(problems.len() <= 5, "five problems");
    claim((division.lost() - lost).abs() <= 1e-6 * lost, "the division has all that is lost");
    let told: f64 = problems.iter().map(|problem| problem.seconds).sum();
    // The first lines have the rest: the most is lost to the machine.
    let is_named = told >= EXPLAINED * lost || omitted.seconds <= (1.0 - EXPLAINED) * lost;
    claim(is_named, "a third at most of what is lost is in problems that are not told");
    let besides = text.lines().filter(|line| line.ends_with("of the time besides waits."));
    let calls: Vec<&str> = besides.filter_map(|line| Some(line.split_once(" take")?.0)).collect();
    let distinct: BTreeSet<&&str> = calls.iter().collect();
    claim(distinct.len() == calls.len(), "calls that move data are told apart");
    let known = places_of(&profile);
    for problem in problems {
        faults.extend(faults_of(problem, &analysis, &known));
    }
    faults
}

/// Checks that nothing is wrong with an explanation.
pub(super) fn check(app: &MiniApp) {
    let faults = faults(app);
    assert!(faults.is_empty(), "{}: does not hold: {faults:?}", app.name);
}

#[test]
fn places_and_waits_are_read_from_texts() {
    let text =
        "Late in `f` between a.c:12 (or b.hpp:3) and c.f90:7. Ranks 0-3 wait in `MPI_Recv` (a.c:40): 1.5 ms.";
    let place = |file: &str, line| (file.to_owned(), line);
    let all = [place("a.c", 12), place("b.hpp", 3), place("c.f90", 7), place("a.c", 40)];
    assert_eq!(places(text), all);
    assert_eq!(named_wait(text), Some(("MPI_Recv", place("a.c", 40))));
    assert_eq!(named_wait("Threads idle."), None);
}

/// A line without waits, one with fewer than another, and one that is not in the trace are faults.
#[test]
fn wrong_lines_are_faults() {
    let (analysis, known) = (analysis("miniamr"), places_of(&profile("miniamr")));
    let effect = |line: u32, seconds: f64| {
        let is_there =
            |of: &&Finding| of.property.is_some() && place_of(of) == Some(("refine.c".to_owned(), line));
        let finding = analysis.findings.iter().find(is_there).expect("it waits there");
        Effect {
            finding: finding.id.clone(),
            property: finding.property.expect("it has one"),
            call_path: finding.call_path.clone(),
            source: None,
            seconds,
            waiting: Vec::new(),
            intervals: None,
        }
    };
    let faults = |place: &str| {
        let problem = Problem {
            text: format!("Ranks 0-3 wait in `MPI_Allreduce` ({place}): 3.00 s."),
            effects: vec![effect(212, 2.0), effect(214, 1.0)],
            ..Problem::default()
        };
        faults_of(&problem, &analysis, &known)
    };
    assert_eq!(faults("refine.c:212"), [""; 0]);
    assert_eq!(faults("refine.c:214"), ["MPI_Allreduce waits most at refine.c:212, and not at refine.c:214"]);
    assert_eq!(faults("check_sum.c:57"), ["MPI_Allreduce has no waits at check_sum.c:57"]);
    assert_eq!(faults("refine.c:1")[0], "refine.c:1 is not in the profile");
}
