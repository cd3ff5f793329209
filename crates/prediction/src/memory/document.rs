//! The document `ats-memory/1` of a trace.

use std::io::Read;

use ats_documents::Memory;
use ats_documents::memory::{Cache, CacheMisses, Capacity, Estimate, Locality, Penalty, References};
use thiserror::Error;

use super::histogram::{Histogram, Misses};
use super::lackey::{End, Lackey};
use super::pass::{Pass, Region};
use super::symbols::{OTHER, Symbols};
use super::valgrind::BY_HAND;

/// The bytes that a line of the trace takes, at most: its last use while the table of lines grows (51), its slots (1), and a
/// distance of its own in the histogram (51).
const BYTES_PER_LINE: u64 = 128;

/// The options of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The kind of references that are counted.
    pub references: References,
    /// The bytes of a line, a power of two.
    pub line: u64,
    /// Caches with sets.
    pub caches: Vec<Cache>,
    /// The costs of misses. A capacity is that of one of the caches, or it is of a fully associative cache.
    pub penalties: Vec<Penalty>,
    /// The bytes of memory that the lines may take; above them, lines are sampled.
    pub memory: u64,
}

impl Default for Options {
    /// Loads and stores of lines of 64 bytes, as most processors have, in 1 GiB: 8 million lines.
    fn default() -> Self {
        let references = References::Data;
        Options { references, line: 64, caches: Vec::new(), penalties: Vec::new(), memory: 1 << 30 }
    }
}

/// An error of a trace without a result.
#[derive(Debug, Error)]
pub enum MemoryError {
    /// There is nothing in it.
    #[error("{trace} is empty; make a trace with {BY_HAND}")]
    Empty {
        /// The trace.
        trace: String,
    },
    /// No line is a reference.
    #[error("{trace}:{line}: `{text}` is no reference, nor is any other line; make a trace with {BY_HAND}")]
    NotATrace {
        /// The trace.
        trace: String,
        /// The first line that is none.
        line: u64,
        /// Its beginning.
        text: String,
    },
    /// It cannot be read.
    #[error("cannot read {trace}: {reason}")]
    Unreadable {
        /// The trace.
        trace: String,
        /// The reason.
        reason: String,
    },
    /// It has no references of the kind.
    #[error(
        "{trace} has no references of the kind `{references}` in its {lines} lines; choose another with --references"
    )]
    NoSuchReferences {
        /// The trace.
        trace: String,
        /// The kind.
        references: &'static str,
        /// The number of lines.
        lines: u64,
    },
}

/// Counts the misses of a trace, by function if the program's are given.
///
/// # Errors
/// The trace has no references. One that is cut or has wrong lines is counted, with a warning.
///
/// # Examples
/// ```
/// use ats_prediction::memory::{Options, analyze};
///
/// let trace = " L 1000,8\n S 2000,8\n L 1008,8\n";
/// let misses = analyze("trace", trace.as_bytes(), &Options::default(), None)?.total;
/// assert_eq!((misses.references, misses.cold.value), (3, 2.0));
/// assert_eq!(misses.curve.iter().map(|of| of.misses.value).collect::<Vec<_>>(), [3.0, 2.0]);
/// # Ok::<(), ats_prediction::memory::MemoryError>(())
/// ```
pub fn analyze(
    trace: &str,
    input: impl Read,
    options: &Options,
    symbols: Option<&Symbols>,
) -> Result<Memory, MemoryError> {
    let most_lines = usize::try_from(options.memory / BYTES_PER_LINE).unwrap_or(usize::MAX);
    let mut pass = Pass::new(options.references, options.line, &options.caches, most_lines, symbols);
    let mut lackey = Lackey::new(input);
    let mut references = 0_u64;
    for reference in &mut lackey {
        references += 1;
        pass.count(reference);
    }
    let mut sum = Region { histogram: Histogram::default(), simulated: vec![0; options.caches.len()] };
    for region in pass.regions() {
        sum.histogram.merge(&region.histogram);
        sum.simulated.iter_mut().zip(&region.simulated).for_each(|(sum, number)| *sum += number);
    }
    let total = locality("", &sum, options, &fine());
    if references == 0 || total.references == 0 {
        return Err(no_result(trace, references, &lackey, options));
    }
    let mut warnings = warnings(trace, &lackey);
    let mut regions = Vec::new();
    match symbols {
        Some(_) if !pass.has_entry() => warnings.push(format!(
            "{trace} has not the first instruction of the program that the symbols are of, so there are no regions; name the \
             program that was traced, and build it with -no-pie if valgrind puts it elsewhere"
        )),
        Some(symbols) => regions = by_function(&pass, symbols, options),
        None => {}
    }
    Ok(Memory {
        schema: Memory::SCHEMA.to_owned(),
        trace: trace.to_owned(),
        references: options.references,
        line: options.line,
        is_complete: lackey.end() == End::Whole,
        sampled: pass.sampled(),
        caches: options.caches.clone(),
        penalties: options.penalties.clone(),
        total,
        regions,
        warnings,
    })
}

fn no_result(trace: &str, references: u64, lackey: &Lackey<impl Read>, options: &Options) -> MemoryError {
    let trace = trace.to_owned();
    match (lackey.end(), lackey.wrong_lines().1) {
        (End::Unreadable(reason), _) => MemoryError::Unreadable { trace, reason },
        _ if references > 0 => {
            let references = options.references.name();
            MemoryError::NoSuchReferences { trace, references, lines: lackey.lines() }
        }
        (_, Some(wrong)) => MemoryError::NotATrace { trace, line: wrong.line, text: wrong.text.clone() },
        _ => MemoryError::Empty { trace },
    }
}

/// Sentences on what is missing or wrong in a trace.
fn warnings(trace: &str, lackey: &Lackey<impl Read>) -> Vec<String> {
    let line = lackey.lines();
    let mut warnings = Vec::new();
    if let (number, Some(wrong)) = lackey.wrong_lines() {
        let (first, text) = (wrong.line, &wrong.text);
        let lines = if number == 1 { "it is omitted" } else { &format!("{number} such lines are omitted") };
        warnings.push(format!(
            "{trace}:{first}: `{text}` is no reference; {lines}; keep the program's output out of the trace with \
             --log-file=TRACE"
        ));
    }
    let cut = match lackey.end() {
        End::Whole => return warnings,
        End::InLine => "it ends within a line".to_owned(),
        End::WithoutSummary => "it ends without lackey's summary".to_owned(),
        End::Unreadable(reason) => format!("it cannot be read further: {reason}"),
    };
    warnings.push(format!(
        "{trace}:{line}: {cut}; the counts are of the part before; trace the program to its end"
    ));
    warnings
}

fn by_function(pass: &Pass<'_>, symbols: &Symbols, options: &Options) -> Vec<Locality> {
    let names = symbols.names().iter().map(String::as_str).chain([OTHER]);
    let regions = names.zip(pass.regions()).filter(|(_, region)| region.histogram.references() > 0);
    let mut regions: Vec<Locality> =
        regions.map(|(name, region)| locality(name, region, options, &coarse())).collect();
    regions.sort_by_key(|region| std::cmp::Reverse(region.references));
    regions
}

/// The capacities in lines where a curve is shown: each at first, then 16 for each doubling.
fn fine() -> Vec<u64> {
    let doublings = (6..u64::BITS - 1).flat_map(|power| (0..16).map(move |part| (16 + part) << (power - 4)));
    (1..64).chain(doublings).collect()
}

/// Powers of two.
fn coarse() -> Vec<u64> {
    (0..u64::BITS - 1).map(|power| 1 << power).collect()
}

fn locality(name: &str, region: &Region, options: &Options, capacities: &[u64]) -> Locality {
    let misses = region.histogram.misses();
    let caches: Vec<CacheMisses> = options
        .caches
        .iter()
        .zip(&region.simulated)
        .map(|(cache, &simulated)| CacheMisses {
            fully_associative: misses.fully_associative(cache.bytes / options.line),
            set_associative: misses.set_associative(cache.sets, cache.ways),
            simulated,
        })
        .collect();
    Locality {
        name: name.to_owned(),
        references: misses.references(),
        cold: misses.cold(),
        curve: curve(&misses, options.line, capacities),
        seconds: seconds(&misses, &caches, options),
        caches,
    }
}

/// The misses at these capacities, without those where nothing changes.
fn curve(misses: &Misses, line: u64, capacities: &[u64]) -> Vec<Capacity> {
    let enough = misses.enough_lines();
    let last = capacities.partition_point(|&lines| lines < enough);
    let mut curve: Vec<Capacity> = Vec::new();
    for &lines in &capacities[..=last.min(capacities.len() - 1)] {
        let misses = misses.fully_associative(lines);
        if curve.last().is_none_or(|last| last.misses != misses) {
            curve.push(Capacity { bytes: lines.saturating_mul(line), misses });
        }
    }
    curve
}

/// The seconds of the misses whose costs are given.
fn seconds(misses: &Misses, caches: &[CacheMisses], options: &Options) -> Option<Estimate> {
    let of_penalty = |penalty: &Penalty| {
        let cache = options.caches.iter().position(|cache| cache.bytes == penalty.bytes);
        let simulated = cache.map(|at| Estimate::exact(caches[at].simulated as f64));
        let number = simulated.unwrap_or_else(|| misses.fully_associative(penalty.bytes / options.line));
        [number.value, number.least, number.most].map(|of| of * penalty.seconds)
    };
    let sum = options
        .penalties
        .iter()
        .map(of_penalty)
        .reduce(|one, other| [0, 1, 2].map(|at| one[at] + other[at]))?;
    Some(Estimate { value: sum[0], least: sum[1], most: sum[2] })
}
