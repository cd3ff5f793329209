//! Names of regions, plain: demangled, and OpenMP's constructs as we call them.

use std::fmt::{self, Write};

use ats_model::openmp::Construct;

use crate::limits;

/// The names of constructs in OPARI2 and Score-P's OMPT adapter that differ from ours, behind `!$omp `.
///
/// From Score-P's adapters (`scorep_ompt_region_handling.h`; OPARI2's directive names; `do` is Fortran's `for`) and
/// from Scalasca's classification of regions (`ibarrier`).
const CONSTRUCTS: [(&str, Construct); 5] = [
    ("do", Construct::For),
    ("for/do", Construct::For),
    ("ibarrier", Construct::ImplicitBarrier),
    ("masked", Construct::Master),
    ("task untied", Construct::Task),
];

/// Our name of a region that a tool has named: demangled, and of OpenMP's constructs as the truth calls them. The place at
/// the end of a construct's name stays.
///
/// ```
/// assert_eq!(ats_reports::region_name("!$omp for/do @loop.c:7"), "!$omp for @loop.c:7");
/// ```
pub fn region(name: &str) -> String {
    let name = name.trim();
    let Some(construct) = name.strip_prefix("!$omp ") else {
        return demangled(name);
    };
    let (construct, place) = construct.split_once(" @").map_or((construct, None), |(c, p)| (c, Some(p)));
    match CONSTRUCTS.iter().find(|(known, _)| *known == construct) {
        Some((_, construct)) => construct_region(*construct, place),
        None => name.to_owned(),
    }
}

/// A name demangled; unchanged if demangling would make it much longer, as it can with many repetitions.
fn demangled(name: &str) -> String {
    let mut text = Bounded { text: String::new(), limit: name.len() + limits::DEMANGLED };
    match write!(text, "{:#}", rustc_demangle::demangle(name)) {
        Ok(()) => text.text,
        Err(_) => name.to_owned(),
    }
}

struct Bounded {
    text: String,
    limit: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() + text.len() > self.limit {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

/// The name of a construct's region, with its place in the source if that is known.
pub(crate) fn construct_region(construct: Construct, place: Option<&str>) -> String {
    match place {
        Some(place) => format!("{} @{place}", construct.region()),
        None => construct.region().to_owned(),
    }
}

/// The beginning of a text that fits into a message.
pub(crate) fn shortened(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}
