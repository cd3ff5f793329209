//! What is to be run, and how large.

use std::collections::BTreeMap;

use ats_compose::Subject;

use super::size::Size;

/// A program that is to be run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Which.
    pub subject: Subject,
    /// How large.
    pub size: Size,
}

impl Planned {
    /// The name of the folder that it is run in, where nothing else is but programs of other names and sizes.
    pub fn folder(&self) -> String {
        match self.size.threads {
            1 if self.subject.is_experiment() => format!("{}-{}", self.subject.name(), self.size.ranks),
            1 => self.subject.name().to_owned(),
            threads => format!("{}-{}x{threads}", self.subject.name(), self.size.ranks),
        }
    }

    /// The names of the folders that programs are run in, in their order: those that differ in their parameters alone are
    /// numbered.
    pub fn folders(programs: &[Planned]) -> Vec<String> {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut numbered = |name: String| {
            let number = numbers.entry(name.clone()).or_default();
            *number += 1;
            if *number == 1 { name } else { format!("{name}.{number}") }
        };
        programs.iter().map(|planned| numbered(planned.folder())).collect()
    }
}
