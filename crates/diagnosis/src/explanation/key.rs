//! Keys of problems: the code that is late, and the calls that wait for it.
//!
//! Call paths that differ only in their callers are of one problem, so places tell code apart where the trace has them: the
//! call site of a call, the line of a region, the calls around a segment.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::Finding;
use ats_model::CallSite;
use ats_model::mpi::Function;
use ats_model::openmp::{Construct, place};
use ats_model::signature::short;

use super::facts::{Facts, Place};
use super::mechanism::Mechanism;

/// Identity of a problem's waits before they are compared with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    pub(super) mechanism: Mechanism,
    pub(super) code: Code<'a>,
    pub(super) call: Call<'a>,
}

/// Identity of the code that is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Code<'a> {
    /// Code without a name: unknown, or outside all regions, or that of a region before a call in it that waits; and all
    /// code that holds a lock. Only the call that waits tells it from other code.
    BeforeCall(Option<&'a str>),
    /// Calls of MPI by one thread of a process, while its others have nothing to do.
    Calls,
    /// A region of the program, or a construct of OpenMP, whose name has its place.
    Region(&'a str, Option<(&'a str, u32)>),
    /// A segment between two calls.
    Segment(&'a str),
    /// A call of a library at its site.
    At(&'a str, &'a CallSite),
    /// A call of a library without its site: only its callers tell it from others.
    Path(&'a [String]),
}

impl<'a> Code<'a> {
    /// That of a call path that makes a finding wait in a call.
    fn new(facts: &Facts<'a>, late: Option<Place<'a>>, finding: &Finding, call: Call<'_>) -> Self {
        let named = late.and_then(|late| Some((late, late.names.last()?)));
        let Some((late @ Place { names, site }, last)) = named else { return Code::BeforeCall(None) };
        // Calls without a place are told apart by their names alone, which is too little.
        let is_around =
            finding.call_path.len() > names.len() && finding.call_path.starts_with(names) && call.has_place();
        match site {
            _ if facts.is_segment(late) => Code::Segment(last),
            Some(site) => Code::At(last, site),
            None if Function::of_spelling(last).is_some() => Code::Path(names),
            None if is_around => Code::BeforeCall(Some(last)),
            None => Code::Region(last, facts.line(late)),
        }
    }

    /// The same without the begin of a segment: a loop reaches the code before a call from two sides.
    pub(super) fn ends(self) -> Self {
        match self {
            Code::Segment(name) => Code::Segment(end_of_segment(name)),
            other => other,
        }
    }

    /// Whether several calls may wait for it.
    pub(super) fn is_apart(self) -> bool {
        !matches!(self, Code::BeforeCall(_))
    }
}

/// The place where a segment ends: `halo.c:31` of `step between norm.c:12 and halo.c:31`; another name as it is.
pub(super) fn end_of_segment(name: &str) -> &str {
    let after = |word| name.rsplit_once(word).map(|(_, end)| end);
    after(" and ").or_else(|| after(" before ")).unwrap_or(name)
}

/// The place where a segment begins: `norm.c:12` of `step between norm.c:12 and halo.c:31`; none if that is the begin.
pub(super) fn begin_of_segment(name: &str) -> Option<&str> {
    Some(name.rsplit_once(" and ")?.0.rsplit_once(" between ")?.1)
}

/// The places where a segment begins and ends: `norm.c:12` and `halo.c:31` of `step between norm.c:12 and halo.c:31`, none for
/// the begin or the end of the run; `None` if the name is that of no segment.
pub(crate) fn ends_of_segment(name: &str) -> Option<(Option<&str>, Option<&str>)> {
    if let Some(from) = begin_of_segment(name) {
        return Some((Some(from), Some(end_of_segment(name))));
    }
    let before = name.rsplit_once(" before ").map(|(_, to)| (None, Some(to)));
    before.or_else(|| name.rsplit_once(" after ").map(|(_, from)| (Some(from), None)))
}

/// Identity of a call that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call<'a> {
    /// A call of a library at its site.
    At(&'a str, &'a CallSite),
    /// A construct of OpenMP with its place in its name.
    Construct(&'a str),
    /// Another one: only its callers tell it from others.
    Path(&'a [String]),
}

impl<'a> Call<'a> {
    /// That of a finding.
    fn new(finding: &'a Finding) -> Self {
        match (finding.call_path.last(), &finding.call_site) {
            (Some(last), Some(site)) => Call::At(last, site),
            (Some(last), None) if place(last).is_some() => Call::Construct(last),
            _ => Call::Path(&finding.call_path),
        }
    }

    fn has_place(&self) -> bool {
        !matches!(self, Call::Path(_))
    }

    /// Its name.
    pub(super) fn name(&self) -> &'a str {
        match self {
            Call::At(name, _) | Call::Construct(name) => name,
            Call::Path(names) => names.last().map_or("", String::as_str),
        }
    }
}

/// Critical sections of one name: they wait for each other.
#[derive(Debug, Default)]
pub(super) struct Sections<'a> {
    /// The first section of the name, by section.
    first: BTreeMap<&'a str, &'a str>,
}

impl<'a> Sections<'a> {
    /// Adds a wait at a critical section for code in another one.
    pub(super) fn add(&mut self, finding: &'a Finding, late: Option<Place<'a>>) {
        let is_critical = |name: &&'a String| {
            matches!(Construct::of_region(name), Some(Construct::Critical | Construct::CriticalBlock))
        };
        let Some(waits) = finding.call_path.last().filter(is_critical) else { return };
        let Some(Place { names, .. }) = late else { return };
        let sections: Vec<&str> = names.iter().filter(is_critical).map(|name| place_or_name(name)).collect();
        // A section around it is another one.
        if let Some(holds) = sections.last().filter(|_| !sections.contains(&place_or_name(waits))) {
            let (one, other) = (self.first(place_or_name(waits)), self.first(holds));
            self.first.insert(one.max(other), one.min(other));
        }
    }

    fn first(&self, section: &'a str) -> &'a str {
        match self.first.get(section) {
            Some(&first) if first != section => self.first(first),
            _ => section,
        }
    }
}

/// The place of a construct; its name if that has none.
fn place_or_name(construct: &str) -> &str {
    construct.split_once(" @").map_or(construct, |(_, place)| place)
}

/// The key of the waits of a finding for a call path.
pub(super) fn key<'a>(
    facts: &Facts<'a>,
    mechanism: Mechanism,
    late: Option<Place<'a>>,
    finding: &'a Finding,
    sections: &Sections<'a>,
) -> Key<'a> {
    let call = Call::new(finding);
    if mechanism == Mechanism::Lock {
        let call = match call {
            Call::Construct(name) => Call::Construct(sections.first(place_or_name(name))),
            other => other,
        };
        return Key { mechanism, code: Code::BeforeCall(None), call };
    }
    // Of these, the process has many for one reason.
    if mechanism == Mechanism::Runtime {
        return Key { mechanism, code: Code::BeforeCall(None), call: Call::Path(&[]) };
    }
    let is_call =
        |late: Place<'_>| late.names.last().is_some_and(|last| Function::of_spelling(last).is_some());
    if mechanism == Mechanism::Serial && late.is_some_and(is_call) {
        return Key { mechanism, code: Code::Calls, call: Call::Path(&[]) };
    }
    Key { mechanism, code: Code::new(facts, late, finding, call), call }
}

/// Names that call paths do not have in common, in words, without their last ones: from the first that differs to the last.
pub(super) fn callers<'a>(paths: impl Iterator<Item = &'a [String]> + Clone) -> Vec<String> {
    let common = in_common(paths.clone());
    let differing = paths.map(|path| &before(path)[common..]);
    let inner = differing.clone().reduce(|inner, path| {
        let same = inner.iter().rev().zip(path.iter().rev()).take_while(|(one, other)| one == other).count();
        &inner[inner.len() - same..]
    });
    let shortest = differing.clone().map(<[String]>::len).min().unwrap_or_default();
    let inner = inner.map_or(0, <[String]>::len).min(shortest.saturating_sub(1));
    let mut known = BTreeSet::new();
    let in_words = differing.map(|path| shown(&path[..path.len() - inner]));
    in_words.filter(|path| known.insert(path.clone())).collect()
}

/// Names of a call path in words: the outermost and the innermost.
pub(super) fn shown(names: &[String]) -> String {
    match names {
        [first, _, .., last] => format!("{}/…/{}", short(first), short(last)),
        few => few.iter().map(|name| short(name)).collect::<Vec<_>>().join("/"),
    }
}

/// The number of callers that call paths have in common.
pub(super) fn in_common<'a>(paths: impl Iterator<Item = &'a [String]>) -> usize {
    let common = paths.map(before).reduce(|common, path| {
        let same = common.iter().zip(path).take_while(|(one, other)| one == other).count();
        &common[..same]
    });
    common.map_or(0, <[String]>::len)
}

/// A call path without its last name.
pub(super) fn before(path: &[String]) -> &[String] {
    path.split_last().map_or(&[], |(_, callers)| callers)
}
