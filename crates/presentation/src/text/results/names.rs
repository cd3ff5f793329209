//! The names of programs in a table.

use std::collections::BTreeMap;

use ats_documents::score::ProgramResult;

/// The name, ranks and threads of a program.
type Key = (String, u32, u32);

type Parameters = BTreeMap<String, String>;

/// The names of programs that are shown together: each with its size if it has threads, and with the parameters that
/// distinguish it from others of the same name and size.
#[derive(Clone, Debug, Default)]
pub struct Names(BTreeMap<Key, Vec<Parameters>>);

impl Names {
    /// Of programs by name, ranks and threads, and with their parameters.
    pub fn new(programs: impl Iterator<Item = (Key, Parameters)>) -> Self {
        let mut names = Names::default();
        for (key, parameters) in programs {
            let alike = names.0.entry(key).or_default();
            if !alike.contains(&parameters) {
                alike.push(parameters);
            }
        }
        names
    }

    /// Of programs that have been run.
    pub(super) fn of_results(programs: &[ProgramResult]) -> Self {
        Names::new(programs.iter().map(|program| (key(program), program.parameters.clone())))
    }

    /// The name of one of them.
    pub(super) fn name(&self, program: &ProgramResult) -> String {
        sized(&key(program)) + &self.told_by(program)
    }

    /// The parameters that distinguish it from others.
    pub(super) fn told_by(&self, program: &ProgramResult) -> String {
        let alike = self.0.get(&key(program)).map_or(&[][..], Vec::as_slice);
        told_by(&program.parameters, alike)
    }

    /// The number of characters of the longest.
    pub(super) fn width(&self) -> usize {
        let names = self.0.iter().flat_map(|(key, alike)| {
            alike.iter().map(move |parameters| sized(key) + &told_by(parameters, alike))
        });
        names.map(|name| name.chars().count()).max().unwrap_or_default()
    }
}

fn key(program: &ProgramResult) -> Key {
    (program.program.clone(), program.ranks, program.threads)
}

/// A program runs with one number of threads or with several; the number is said where there are threads.
fn sized((name, ranks, threads): &Key) -> String {
    match (ranks, threads) {
        (_, 1) => name.clone(),
        (1, threads) => format!("{name} ×{threads}"),
        (ranks, threads) => format!("{name} {ranks}×{threads}"),
    }
}

fn told_by(parameters: &Parameters, alike: &[Parameters]) -> String {
    let differs =
        |(name, value): &(&String, &String)| alike.iter().any(|other| other.get(*name) != Some(*value));
    parameters.iter().filter(differs).map(|(name, value)| format!(" {name}={value}")).collect()
}
