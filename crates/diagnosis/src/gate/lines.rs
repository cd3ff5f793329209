//! Lines of calls in two versions of a program.
//!
//! If a function has as many calls of one name in both, they are the same ones in the order of their lines. The lines of all
//! other code follow: a segment is named after the calls around it.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::explanation::{CalledAt, KnownPlace};
use ats_model::CallSite;
use ats_model::openmp::{place, without_place};

use crate::comparison::places::{OwnPlace, lines_in, without_lines};

/// A line of a file, which is known by its name without folders.
type Line = (String, u32);

/// The lines of an earlier version, and the same in a later one; none if several may be.
#[derive(Debug, Default)]
pub(super) struct Lines(BTreeMap<Line, Option<u32>>);

impl Lines {
    /// Those of the calls of two runs.
    pub(super) fn new(before: &[CalledAt], now: &[CalledAt]) -> Self {
        let [before, now] = [before, now].map(by_function);
        let mut lines = Lines::default();
        for (key, lines_before) in before {
            let Some(lines_now) = now.get(&key).filter(|now| now.len() == lines_before.len()) else {
                continue;
            };
            for (before, &now) in lines_before.iter().zip(lines_now) {
                let line = (key.file.clone(), *before);
                lines
                    .0
                    .entry(line)
                    .and_modify(|known| *known = known.filter(|&known| known == now))
                    .or_insert(Some(now));
            }
        }
        lines
    }

    /// A place of the earlier version in the later one, if all of its lines are known there.
    pub(super) fn place(&self, of: &KnownPlace) -> Option<OwnPlace> {
        let line = |file: &str, line| self.0.get(&(base(file).to_owned(), line)).copied().flatten();
        let names: Option<Vec<String>> = of.call_path.iter().map(|name| lines_in(name, line)).collect();
        let site = match &of.call_site {
            Some(site) if site.line > 0 => {
                Some(CallSite { line: line(&site.file, site.line)?, ..site.clone() })
            }
            site => site.clone(),
        };
        Some(OwnPlace::new(names?, site))
    }
}

/// The calls that are told apart by their lines alone.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Function<'a> {
    call: &'a str,
    caller: String,
    file: String,
}

fn by_function(calls: &[CalledAt]) -> BTreeMap<Function<'_>, BTreeSet<u32>> {
    let mut functions: BTreeMap<Function<'_>, BTreeSet<u32>> = BTreeMap::new();
    for CalledAt { call, call_site, .. } in calls {
        let of_site = call_site.as_ref().map(|site| (site.function.as_str(), site.file.as_str(), site.line));
        let of_construct = || place(call).map(|(file, line)| ("", file, line));
        let Some((caller, file, line)) = of_site.or_else(of_construct).filter(|of| of.2 > 0) else {
            continue;
        };
        let key = Function {
            call: without_place(call),
            caller: without_lines(caller),
            file: base(file).to_owned(),
        };
        functions.entry(key).or_default().insert(line);
    }
    functions
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
