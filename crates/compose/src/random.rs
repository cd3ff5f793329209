//! Random compositions: valid ones, for testing an analyzer against exact truth.

use std::collections::BTreeMap;

use ats_distr::{Distribution, SHAPES};
use ats_model::WaitState;
use ats_props::{Bytes, Catalogue, Entry, Needs, Parameter, Property, Seconds};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use toml::{Spanned, Value};

use crate::composition::to_toml;
use crate::document::{Document, GroupDocument, PhaseDocument, StepDocument, TeamDocument, made};
use crate::{Composition, CompositionError};

/// Names for regions of the programs' own.
const REGIONS: [&str; 6] = ["solver", "halo", "assemble", "output", "exchange", "step"];

/// Highest number of a root, on purpose above most numbers of ranks.
const HIGHEST_ROOT: usize = 40;

impl Composition {
    /// A valid composition, the same for the same arguments: varied distributions and roots, groups of ranks, own
    /// regions, repetitions with growing severities, some phases without alignment, some balanced twins; with more than
    /// one thread also properties of OpenMP and hybrid ones, and teams side by side.
    ///
    /// # Errors
    /// No property shows anything on so few ranks and threads.
    pub fn random(
        catalogue: &Catalogue,
        seed: u64,
        ranks: usize,
        threads: usize,
        phases: usize,
    ) -> Result<Self, CompositionError> {
        let (ranks, threads) = (ranks.max(1), threads.max(1));
        // An experiment shows nothing in one run.
        let catalogue = &catalogue.clone().filter(|entry| entry == Entry::Function);
        // On the network of a property, all others would take longer than they promise.
        let is_common = |property: &Property| property.mpi_version.is_none() && property.bandwidth.is_none();
        // One of a single process waits for nobody, and no trace of virtual time has counters of a machine.
        let may_wait =
            |property: &Property| property.needs != Needs::NOTHING && !property.finds.are_of_the_machine();
        let fits = |property: &&Property| {
            (threads > 1 || !property.needs.team) && is_common(property) && may_wait(property)
        };
        let properties: Vec<_> = catalogue.properties().filter(fits).collect();
        let file = format!("random composition {seed}");
        let room = Room { ranks, threads, nested: false };
        if !properties.iter().any(|property| room.holds(property)) {
            let message = format!(
                "no property shows anything on {ranks} rank{} of {threads} thread{}; use more ranks or threads",
                if ranks == 1 { "" } else { "s" },
                if threads == 1 { "" } else { "s" },
            );
            return Err(CompositionError { file, place: None, message });
        }
        let mut dice = Dice { numbers: Xoshiro256PlusPlus::seed_from_u64(seed), properties, threads };
        let mut document = Document {
            schema: made(Composition::SCHEMA.to_owned()),
            name: made(format!("random_{seed}")),
            description: made(String::new()),
            ranks: made(ranks),
            threads: made(threads),
            phase: (0..phases.max(1)).map(|_| made(dice.phase(ranks))).collect(),
        };
        let parse = |document: &Document| {
            Composition::parse(&to_toml(document), &file, catalogue).expect("random compositions are valid")
        };
        let composition = parse(&document);
        if composition.needs().team {
            return Ok(composition);
        }
        document.threads = made(1);
        Ok(parse(&document))
    }
}

type Steps = Vec<Spanned<StepDocument>>;

struct Dice {
    numbers: Xoshiro256PlusPlus,
    properties: Vec<&'static Property>,
    threads: usize,
}

/// The ranks and threads to run on.
#[derive(Clone, Copy)]
struct Room {
    ranks: usize,
    threads: usize,
    /// A part of a process' threads: beside others, so that only properties of OpenMP can run.
    nested: bool,
}

impl Room {
    fn holds(self, property: &Property) -> bool {
        property.min_ranks <= self.ranks
            && property.min_threads <= self.threads
            && (!self.nested || !property.needs.ranks)
    }
}

impl Dice {
    /// From 0 up to below `end`.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.numbers.next_u64()) * end as u128) >> 64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn phase(&mut self, ranks: usize) -> PhaseDocument {
        let repeat = if self.percent(25) { 2 + self.below(2) } else { 1 };
        let mut phase = PhaseDocument {
            align: self.percent(70),
            repeat: made(repeat),
            property: Vec::new(),
            team: Vec::new(),
            group: Vec::new(),
        };
        let divided = if self.percent(50) { self.divided(ranks) } else { Vec::new() };
        for (named, ranks) in divided {
            let (property, team) = self.lists(ranks, repeat);
            if !property.is_empty() || !team.is_empty() {
                phase.group.push(made(GroupDocument { ranks: made(named), property, team }));
            }
        }
        if phase.group.is_empty() {
            (phase.property, phase.team) = self.lists(ranks, repeat);
        }
        phase
    }

    /// The steps and teams of a group of this many ranks; empty if none can show anything.
    fn lists(&mut self, ranks: usize, phase_repeat: usize) -> (Steps, Vec<Spanned<TeamDocument>>) {
        let mut teams = Vec::new();
        if self.threads > 1 && self.percent(20) {
            let mut left = self.threads;
            while left > 0 {
                let threads = 1 + self.below(left);
                left -= threads;
                let property = self.steps(Room { ranks, threads, nested: true }, phase_repeat);
                if !property.is_empty() {
                    teams.push(made(TeamDocument { threads: made(threads), property }));
                }
            }
        }
        if !teams.is_empty() && self.percent(50) {
            return (Vec::new(), teams);
        }
        (self.steps(Room { ranks, threads: self.threads, nested: false }, phase_repeat), teams)
    }

    /// Disjoint groups, with how many ranks each has: blocks, colours, or stripes that leave some ranks out.
    fn divided(&mut self, ranks: usize) -> Vec<(String, usize)> {
        let parts = 1 + self.below(ranks.min(4));
        match self.below(3) {
            0 => {
                let mut cuts: Vec<usize> = (1..parts).map(|_| self.below(ranks)).chain([0, ranks]).collect();
                cuts.sort_unstable();
                cuts.dedup();
                cuts.windows(2).map(|cut| (format!("{}-{}", cut[0], cut[1] - 1), cut[1] - cut[0])).collect()
            }
            1 => {
                let color = |color: usize| (format!("{color}%{parts}"), (ranks - color).div_ceil(parts));
                (0..parts).map(color).collect()
            }
            _ => {
                let stripe = |first: usize| {
                    (format!("{first}-{}:{parts}", ranks - 1), (ranks - first).div_ceil(parts))
                };
                (0..parts).filter(|_| self.percent(70)).map(stripe).collect()
            }
        }
    }

    /// Some properties that can show there; `None` if there are none.
    fn steps(&mut self, room: Room, phase_repeat: usize) -> Steps {
        let shown: Vec<_> = self.properties.iter().copied().filter(|property| room.holds(property)).collect();
        if shown.is_empty() {
            return Vec::new();
        }
        (0..1 + self.below(3)).map(|_| made(self.step(&shown, phase_repeat))).collect()
    }

    fn step(&mut self, properties: &[&'static Property], phase_repeat: usize) -> StepDocument {
        let property = self.one_of(properties);
        let repeat = if self.percent(20) { 2 } else { 1 };
        // A test in vain takes a microsecond: of such waits, short ones are long enough.
        let polls = property.finds.wait_state().is_some_and(WaitState::is_of_tests);
        let parameters: BTreeMap<_, _> = property
            .parameters
            .iter()
            .filter_map(|parameter| {
                let value = match polls && parameter.kind.is::<Seconds>() {
                    true => (self.amount() / 100.0).into(),
                    false => self.value(parameter, repeat * phase_repeat)?,
                };
                Some((made(parameter.name.to_owned()), made(value)))
            })
            .collect();
        let depth = [0, 0, 0, 1, 1, 2][self.below(6)];
        StepDocument {
            name: made(property.name.to_owned()),
            balanced: self.percent(10),
            repeat: made(repeat),
            regions: (0..depth).map(|_| made(self.one_of(&REGIONS).to_owned())).collect(),
            parameters,
        }
    }

    /// A value that may vary over the runs; `None` if the default is to stay.
    fn value(&mut self, parameter: &Parameter, runs: usize) -> Option<Value> {
        let kind = parameter.kind;
        if self.percent(10) && !kind.is::<usize>() {
            return None;
        }
        let varies = runs > 1 && self.percent(40);
        if kind.is::<Seconds>() && varies {
            Some(match self.below(3) {
                0 => (0..runs).map(|_| self.amount()).collect::<Vec<_>>().into(),
                1 => going_on(self.amount(), "step", self.amount()),
                _ => going_on(self.amount(), "factor", self.amount() * 50.0),
            })
        } else if kind.is::<Seconds>() {
            Some(self.amount().into())
        } else if kind.is::<Distribution>() {
            let is_of_elements = parameter.name == "elements";
            let first = self.distribution(if is_of_elements { 1e4 } else { 1.0 });
            let factor = self.amount() * 50.0;
            Some(if varies { going_on(first, "factor", factor) } else { first.into() })
        } else if kind.is::<usize>() {
            let ranks = parameter.name == "root";
            Some(Value::Integer(if ranks { self.below(HIGHEST_ROOT) } else { 1 + self.below(4) } as i64))
        } else if kind.is::<Bytes>() {
            Some(match self.below(3) {
                0 => Value::Integer(1 << self.below(20)),
                1 => "limit".into(),
                _ => "limit+1".into(),
            })
        } else {
            None
        }
    }

    /// Seconds, up to 50 ms; sometimes round, sometimes none.
    fn amount(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1..=6 => self.below(50) as f64 * 1e-3,
            _ => self.below(50_000_000) as f64 * 1e-9,
        }
    }

    /// Amounts of time, or this factor of something else.
    fn distribution(&mut self, times: f64) -> String {
        let shape = &SHAPES[self.below(SHAPES.len())];
        let mut text = shape.name.to_owned();
        for &field in shape.fields {
            let value = if field == "n" {
                self.below(HIGHEST_ROOT).to_string()
            } else {
                (self.amount() * times).to_string()
            };
            text += &format!(":{value}");
        }
        text
    }
}

fn going_on(first: impl Into<Value>, how: &str, by: f64) -> Value {
    Value::Table([("first".to_owned(), first.into()), (how.to_owned(), by.into())].into_iter().collect())
}
