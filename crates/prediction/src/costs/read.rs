//! Reading of files of costs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ats_diagnosis::properties::formula::{Bounds, Formula, Located, Misreading, Source, Unit};
use ats_documents::models::{CostTerm, Count};
use ats_model::mistakes::{Mistakes, nearest};
use toml::Spanned;

use super::document::{Document, SCHEMA};

/// The most regions, calls and parts of a file: whoever needs more has generated it, and can fit models instead.
const MOST: usize = 1_000;

/// Given costs of a program.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The parts of expressions; each uses only those before.
    pub(crate) parts: Vec<(String, Placed)>,
    /// The regions; each calls only those behind it.
    pub(crate) regions: Vec<Region>,
    pub(crate) calls: Vec<Call>,
    /// The names that runs give values to, if the file names them.
    pub(crate) coefficients: Option<Vec<Located>>,
    /// The number of ranges in all expressions.
    pub(crate) ranges: usize,
    /// The network of messages whose time is not given.
    network: Option<Network>,
}

/// The costs of a network, in seconds, and bytes per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// From the end of a send to the receive.
    pub latency: f64,
    /// The rate of bytes.
    pub bandwidth: f64,
    /// The time of a call.
    pub overhead: f64,
}

impl Network {
    /// The seconds of messages with so many bytes altogether, each sent by a call and waited for in another.
    pub(crate) fn seconds(&self, messages: f64, bytes: f64) -> f64 {
        messages * (self.latency + 2.0 * self.overhead) + bytes / self.bandwidth
    }
}

/// A region and the costs of a visit, without those of what it calls.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) terms: BTreeMap<CostTerm, Placed>,
    pub(crate) counts: BTreeMap<Count, Placed>,
}

impl Region {
    /// Whether it has messages, and no time for them.
    pub(crate) fn needs_network(&self) -> bool {
        let is_counted = |count| self.counts.contains_key(&count);
        !self.terms.contains_key(&CostTerm::Communication)
            && (is_counted(Count::Messages) || is_counted(Count::Bytes))
    }
}

/// A region is called from another, or from none if it is outermost.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
    /// The visits in a visit of the outer region; one without it.
    pub(crate) visits: Option<Placed>,
}

/// An expression, and its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) formula: Formula,
    pub(crate) located: Located,
    /// The number of its first range among those of all expressions.
    pub(crate) first_range: usize,
}

impl Placed {
    /// A mistake in it, with its place.
    pub(crate) fn mistake(&self, Misreading { at, what }: Misreading) -> Mistakes {
        let mut mistakes = Mistakes::default();
        mistakes.add(&self.located.place(at), what);
        mistakes
    }

    /// Whether it needs a number of visits that runs have counted.
    pub(crate) fn is_counted(&self) -> bool {
        self.formula.names().any(|(_, name)| name.contains('('))
    }
}

impl Costs {
    /// The costs in a text that mistakes call `file`.
    ///
    /// # Errors
    /// All its mistakes, each with its place.
    pub fn parse(text: &str, file: &str) -> Result<Self, Mistakes> {
        let source = Arc::new(Source { file: file.to_owned(), text: text.to_owned() });
        let mut reader = Reader { source, mistakes: Mistakes::default(), ranges: 0 };
        let document = toml::from_str::<Document>(text).map_err(|error| {
            let begin = Spanned::new(error.span().unwrap_or_default(), String::new());
            let mut mistakes = Mistakes::default();
            mistakes
                .add(&reader.source.located(&begin).place(0), error.message().trim_end().replace('\n', "; "));
            mistakes
        })?;
        let costs = reader.costs(&document);
        reader.mistakes.none_in(costs)
    }

    /// The same on a network: it gives the time of the messages and bytes of regions that have no communication. `None` if there
    /// are no such regions.
    pub fn on_network(self, network: Network) -> Option<Self> {
        let has_any = self.regions.iter().any(Region::needs_network);
        has_any.then_some(Costs { network: Some(network), ..self })
    }

    /// The network that gives the time of a region's messages, if any does.
    pub(crate) fn network(&self, region: &Region) -> Option<Network> {
        self.network.filter(|_| region.needs_network())
    }

    /// The names of its regions.
    pub fn regions(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().map(|region| region.name.as_str())
    }

    /// All its expressions.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Placed> {
        let parts = self.parts.iter().map(|(_, part)| part);
        let of_regions =
            self.regions.iter().flat_map(|region| region.terms.values().chain(region.counts.values()));
        parts.chain(of_regions).chain(self.calls.iter().filter_map(|call| call.visits.as_ref()))
    }

    /// The names that it neither defines nor has from counts of runs: parameters and coefficients, each with its place.
    pub(crate) fn needed(&self) -> BTreeMap<&str, String> {
        let mut needed = BTreeMap::new();
        for placed in self.formulas() {
            for (at, name) in placed.formula.names() {
                if !name.contains('(') && self.parts.iter().all(|(part, _)| part != name) {
                    needed.entry(name).or_insert_with(|| placed.located.place(at));
                }
            }
        }
        needed
    }
}

struct Reader {
    source: Arc<Source>,
    mistakes: Mistakes,
    ranges: usize,
}

impl Reader {
    fn wrong(&mut self, text: &Spanned<String>, what: String) {
        let place = self.source.located(text).place(0);
        self.mistakes.add(&place, what);
    }

    fn costs(&mut self, document: &Document) -> Costs {
        if document.schema.get_ref() != SCHEMA {
            let what = format!("its schema is `{}`; write schema = \"{SCHEMA}\"", document.schema.get_ref());
            self.wrong(&document.schema, what);
        }
        let entries = document.r#let.len()
            + document.region.values().map(|keys| keys.len() + 1).sum::<usize>()
            + document.calls.values().map(BTreeMap::len).sum::<usize>();
        if entries > MOST {
            let what = format!("there are {entries} entries, and at most {MOST} are read; divide the file");
            self.wrong(&document.schema, what);
        }
        if document.region.is_empty() {
            let what = "there is no region; write one, as [region.solve] with computation = \"2e-9 * n^3\"";
            self.wrong(&document.schema, what.to_owned());
        }
        let mut parts = Vec::new();
        document.r#let.iter().for_each(|(name, text)| self.part(name, text, &mut parts));
        let mut regions = Vec::new();
        for (name, keys) in &document.region {
            let mut region = Region { name: name.clone(), terms: BTreeMap::new(), counts: BTreeMap::new() };
            for (key, text) in keys.iter().filter(|(key, _)| !matches!(key.as_str(), "within" | "visits")) {
                let term = CostTerm::ALL.into_iter().find(|term| term.name() == key);
                let count = Count::ALL.into_iter().find(|count| count.name() == key);
                match (term, count) {
                    (Some(term), _) => {
                        drop(self.placed(text).map(|placed| region.terms.insert(term, placed)))
                    }
                    (_, Some(count)) => {
                        drop(self.placed(text).map(|placed| region.counts.insert(count, placed)));
                    }
                    _ => self.part(key, text, &mut parts),
                }
            }
            regions.push(region);
        }
        let calls = self.calls(document, &regions);
        let coefficients = document.coefficients.as_ref();
        let coefficients =
            coefficients.map(|names| names.iter().map(|name| self.source.located(name)).collect::<Vec<_>>());
        let mut costs = Costs {
            parts: self.in_order(parts),
            regions,
            calls,
            coefficients,
            ranges: self.ranges,
            network: None,
        };
        self.outer_first(&mut costs);
        self.unused(&costs);
        costs
    }

    fn placed(&mut self, text: &Spanned<String>) -> Option<Placed> {
        let located = self.source.located(text);
        match Formula::parse(&located.text) {
            Ok(formula) => {
                let first_range = self.ranges;
                self.ranges += formula.ranges();
                Some(Placed { formula, located, first_range })
            }
            Err(Misreading { at, what }) => {
                self.mistakes.add(&located.place(at), what);
                None
            }
        }
    }

    fn part(&mut self, name: &str, text: &Spanned<String>, parts: &mut Vec<(String, Placed)>) {
        let is_name = name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
            && !name.starts_with(|letter: char| letter.is_ascii_digit());
        if !is_name {
            self.wrong(text, format!("`{name}` cannot be named in expressions; use letters, digits and `_`"));
        } else if ["s", "bytes", "count", "true", "false"].contains(&name) {
            self.wrong(text, format!("`{name}` has a meaning already; rename the part"));
        } else if parts.iter().any(|(known, _)| known == name) {
            self.wrong(text, format!("there are two parts `{name}`; rename one, or move it to [let]"));
        } else if let Some(placed) = self.placed(text) {
            parts.push((name.to_owned(), placed));
        }
    }

    fn calls(&mut self, document: &Document, regions: &[Region]) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        let place = |name: &str| regions.iter().position(|region| region.name == name);
        let unknown = |name: &str| match nearest(name, regions.iter().map(|region| region.name.as_str())) {
            Some(near) => format!("there is no region `{name}`; did you mean {near}?"),
            None => format!("there is no region `{name}`; write [region.{name}]"),
        };
        for (to, region) in regions.iter().enumerate() {
            let keys = &document.region[&region.name];
            let (within, visits) = (keys.get("within"), keys.get("visits"));
            let is_called = document.calls.values().any(|called| called.contains_key(&region.name));
            if let (true, Some(both)) = (is_called, within.or(visits)) {
                let what = format!("[calls] says where {} is called from; omit this line", region.name);
                self.wrong(both, what);
            }
            let from = within.and_then(|within| {
                let from = place(within.get_ref());
                if from.is_none() {
                    self.wrong(within, unknown(within.get_ref()));
                }
                from
            });
            if !is_called {
                let visits = visits.and_then(|visits| self.placed(visits));
                calls.push(Call { from, to, visits });
            }
        }
        for (from, called) in &document.calls {
            for (to, visits) in called {
                match (place(from), place(to)) {
                    (Some(from), Some(to)) => {
                        let visits = self.placed(visits);
                        calls.push(Call { from: Some(from), to, visits });
                    }
                    (from_place, _) => {
                        self.wrong(visits, unknown(if from_place.is_none() { from } else { to }))
                    }
                }
            }
        }
        calls
    }

    /// The parts so that each uses only those before.
    fn in_order(&mut self, mut parts: Vec<(String, Placed)>) -> Vec<(String, Placed)> {
        let mut ordered: Vec<(String, Placed)> = Vec::new();
        while !parts.is_empty() {
            let waits = |placed: &Placed| {
                placed.formula.names().any(|(_, used)| parts.iter().any(|(name, _)| name == used))
            };
            let (later, next): (Vec<_>, Vec<_>) =
                parts.iter().cloned().partition(|(_, placed)| waits(placed));
            if next.is_empty() {
                let names: Vec<&str> = later.iter().map(|(name, _)| name.as_str()).collect();
                let what =
                    format!("{} are defined by each other; give one of them a value", names.join(" and "));
                self.mistakes.add(&later[0].1.located.place(0), what);
                return ordered;
            }
            ordered.extend(next);
            parts = later;
        }
        ordered
    }

    /// Puts regions before those that they call.
    fn outer_first(&mut self, costs: &mut Costs) {
        let mut order: Vec<usize> = Vec::new();
        while order.len() < costs.regions.len() {
            let is_ready = |at: &usize| {
                let callers = costs.calls.iter().filter(|call| call.to == *at).filter_map(|call| call.from);
                !order.contains(at) && { callers }.all(|from| order.contains(&from))
            };
            let next: Vec<usize> = (0..costs.regions.len()).filter(is_ready).collect();
            if next.is_empty() {
                let names = costs.regions.iter().enumerate().filter(|(at, _)| !order.contains(at));
                let names: Vec<&str> = names.map(|(_, region)| region.name.as_str()).collect();
                let what = format!(
                    "{} call each other in a circle; give the costs of all their visits to one",
                    names.join(", ")
                );
                self.mistakes.add(&self.source.file, what);
                return;
            }
            order.extend(next);
        }
        let place = |at: usize| order.iter().position(|of| *of == at).unwrap_or(at);
        for call in &mut costs.calls {
            (call.from, call.to) = (call.from.map(place), place(call.to));
        }
        costs.regions = order.iter().map(|at| costs.regions[*at].clone()).collect();
    }

    /// Finds the parts that no expression needs: most are keys with a mistake in their names.
    fn unused(&mut self, costs: &Costs) {
        let used: BTreeSet<String> = costs
            .formulas()
            .flat_map(|placed| placed.formula.names())
            .map(|(_, name)| name.to_owned())
            .collect();
        for (name, placed) in costs.parts.iter().filter(|(name, _)| !used.contains(name)) {
            let terms = CostTerm::ALL.map(CostTerm::name).into_iter();
            let keys = terms.chain(Count::ALL.map(Count::name)).chain(["within"]);
            let what = match nearest(name, keys) {
                Some(near) => format!("there is no `{name}`; did you mean {near}?"),
                None => format!("no expression needs `{name}`; omit it"),
            };
            self.mistakes.add(&placed.located.place(0), what);
        }
    }
}

/// The unit that the values of a term or number have; plain numbers are taken in it.
pub(crate) fn in_unit(value: Bounds, unit: Unit) -> Result<[f64; 2], Misreading> {
    if value.unit == Unit::ONE || value.unit.common(unit).is_some() {
        return Ok([value.low, value.high]);
    }
    Err(Misreading { at: 0, what: format!("it is in {}, and has to be in {unit}; convert it", value.unit) })
}
