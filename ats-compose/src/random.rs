//! Random compositions: valid ones, for testing an analyzer against exact truth.

use std::collections::BTreeMap;

use ats_distr::{Distribution, SHAPES};
use ats_props::{Catalogue, Paradigm, Parameter, ParameterType, Property, Seconds};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use toml::{Spanned, Value};

use crate::Composition;
use crate::composition::to_toml;
use crate::document::{Document, GroupDocument, PhaseDocument, StepDocument, made};

/// Names for regions of the programs' own.
const REGIONS: [&str; 6] = ["solver", "halo", "assemble", "output", "exchange", "step"];

/// Highest number of a root, on purpose above most numbers of ranks.
const HIGHEST_ROOT: usize = 40;

impl Composition {
    /// A valid composition of properties of MPI, the same for the same arguments: varied distributions and roots, groups
    /// of ranks, own regions, repetitions with growing severities, some phases without alignment, some balanced twins.
    pub fn random(catalogue: &Catalogue, seed: u64, ranks: usize, phases: usize) -> Self {
        let properties: Vec<_> =
            catalogue.properties().filter(|property| property.paradigm == Paradigm::Mpi).collect();
        let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(seed));
        let document = Document {
            schema: made(Composition::SCHEMA.to_owned()),
            name: made(format!("random_{seed}")),
            description: String::new(),
            ranks: made(ranks.max(1)),
            threads: made(1),
            phase: (0..phases.max(1)).map(|_| made(dice.phase(&properties, ranks))).collect(),
        };
        let file = format!("random composition {seed}");
        Composition::parse(&to_toml(&document), &file, catalogue).expect("random compositions are valid")
    }
}

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// From 0 up to below `end`.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn phase(&mut self, properties: &[&'static Property], ranks: usize) -> PhaseDocument {
        let repeat = if self.percent(25) { 2 + self.below(2) } else { 1 };
        let mut phase = PhaseDocument {
            align: self.percent(70),
            repeat: made(repeat),
            property: Vec::new(),
            team: Vec::new(),
            group: Vec::new(),
        };
        let divided = if self.percent(50) { self.divided(ranks) } else { Vec::new() };
        for (named, size) in divided {
            let property = self.steps(properties, size, repeat);
            if !property.is_empty() {
                phase.group.push(made(GroupDocument { ranks: made(named), property, team: Vec::new() }));
            }
        }
        if phase.group.is_empty() {
            phase.property = self.steps(properties, ranks, repeat);
        }
        phase
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

    /// Some properties that a group of so many ranks shows; none where there are none.
    fn steps(
        &mut self,
        properties: &[&'static Property],
        ranks: usize,
        phase_repeat: usize,
    ) -> Vec<Spanned<StepDocument>> {
        let shown: Vec<_> =
            properties.iter().copied().filter(|property| property.min_ranks <= ranks).collect();
        if shown.is_empty() {
            return Vec::new();
        }
        (0..1 + self.below(3)).map(|_| made(self.step(&shown, phase_repeat))).collect()
    }

    fn step(&mut self, properties: &[&'static Property], phase_repeat: usize) -> StepDocument {
        let property = self.one_of(properties);
        let repeat = if self.percent(20) { 2 } else { 1 };
        let parameters: BTreeMap<_, _> = property
            .parameters
            .iter()
            .filter_map(|parameter| {
                let value = self.value(parameter, repeat * phase_repeat)?;
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

    /// A value that may vary over the runs; none where the default is to stay.
    fn value(&mut self, parameter: &Parameter, runs: usize) -> Option<Value> {
        if self.percent(10) && parameter.name != "r" {
            return None;
        }
        let varies = runs > 1 && self.percent(40);
        Some(match (parameter.kind, varies) {
            (Seconds::KIND, false) => self.amount().into(),
            (Seconds::KIND, true) => match self.below(3) {
                0 => (0..runs).map(|_| self.amount()).collect::<Vec<_>>().into(),
                1 => going_on(self.amount(), "step", self.amount()),
                _ => going_on(self.amount(), "factor", self.amount() * 50.0),
            },
            (Distribution::KIND, false) => self.distribution().into(),
            (Distribution::KIND, true) => going_on(self.distribution(), "factor", self.amount() * 50.0),
            (usize::KIND, _) if parameter.name == "r" => Value::Integer(1 + self.below(4) as i64),
            (usize::KIND, _) => Value::Integer(self.below(HIGHEST_ROOT) as i64),
            _ => return None,
        })
    }

    /// Seconds, up to 50 ms; sometimes round, sometimes none.
    fn amount(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1..=6 => self.below(50) as f64 * 1e-3,
            _ => self.below(50_000_000) as f64 * 1e-9,
        }
    }

    fn distribution(&mut self) -> String {
        let shape = &SHAPES[self.below(SHAPES.len())];
        let mut text = shape.name.to_owned();
        for &field in shape.fields {
            let value =
                if field == "n" { self.below(HIGHEST_ROOT).to_string() } else { self.amount().to_string() };
            text += &format!(":{value}");
        }
        text
    }
}

fn going_on(first: impl Into<Value>, how: &str, by: f64) -> Value {
    Value::Table([("first".to_owned(), first.into()), (how.to_owned(), by.into())].into_iter().collect())
}
