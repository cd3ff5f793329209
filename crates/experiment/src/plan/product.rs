//! All combinations of values, except excluded ones.

use std::collections::{BTreeMap, BTreeSet};

use ats_documents::experiment::{Listed, Run};
use ats_model::mistakes::nearest;

use super::reader::{Keys, Reader};
use super::values::{Axis, MOST_RUNS, SIZES};
use crate::Filter;

/// The values of a run of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combination {
    /// The number of processes, if the plan has it.
    pub ranks: Option<u32>,
    /// The number of threads of each, if the plan has it.
    pub threads: Option<u32>,
    /// The number of nodes and the number of processing units on each, if the plan has them.
    pub nodes: Option<[u32; 2]>,
    /// Whether it is of the sequential program; a command is that of one process without its launcher then.
    pub sequential: bool,
    /// All other values, and those of the nodes.
    pub parameters: BTreeMap<String, String>,
    /// The number of the run among equal ones, from 1 on.
    pub repeat: u32,
}

impl Combination {
    /// The value for a placeholder of a word; `dir` is the folder of the run.
    pub fn value(&self, name: &str, dir: &str) -> String {
        match name {
            "ranks" => self.ranks.unwrap_or(1).to_string(),
            "threads" => self.threads.unwrap_or(1).to_string(),
            "repeat" => self.repeat.to_string(),
            "dir" => dir.to_owned(),
            "sequential" => self.sequential.to_string(),
            name => self.parameters.get(name).cloned().unwrap_or_else(|| {
                // A sequential run is on one unit.
                if SIZES.contains(&name) { "1".to_owned() } else { String::new() }
            }),
        }
    }

    /// The combination as an experiment, for the conditions of filters.
    fn listed(&self) -> Listed {
        let run = Run {
            ranks: self.ranks.unwrap_or(1),
            threads: self.threads.unwrap_or(1),
            repeat: self.repeat,
            sequential: self.sequential,
            parameters: self.parameters.clone(),
            ..Run::default()
        };
        Listed { run: Run { size: run.problem_size(), ..run }, ..Listed::default() }
    }
}

/// The most conditions.
const MOST_CONDITIONS: usize = 200;

/// The conditions of combinations that are not run, and their places.
pub(super) type Excluded = Vec<(Vec<Filter>, usize)>;

/// The parts that combinations are made of.
pub(super) struct Product<'a> {
    pub(super) axes: &'a [Axis],
    pub(super) excluded: &'a Excluded,
    pub(super) repeats: u32,
    /// Whether it is a command that is run with them.
    pub(super) of_command: bool,
}

impl Product<'_> {
    /// All of them, the first value changing last.
    pub(super) fn combinations(&self, reader: &mut Reader<'_>) -> Vec<Combination> {
        let sizes = self.axes.iter().map(|axis| axis.values.len());
        let total = sizes.chain([self.repeats as usize]).try_fold(1_usize, usize::checked_mul);
        let begin = self.axes.first().map_or(0, |axis| axis.at);
        let Some(total) = total.filter(|total| *total <= MOST_RUNS) else {
            let what = format!("these are more than {} runs; make several plans of it", MOST_RUNS);
            reader.wrong(begin, what);
            return Vec::new();
        };
        let mut combinations = Vec::new();
        let mut alone = BTreeSet::new();
        let once = total / self.repeats.max(1) as usize;
        for number in 0..total {
            let mut combination = self.combination(number % once);
            combination.repeat = (number / once) as u32 + 1;
            let on_one_unit = combination.sequential && self.of_command;
            if on_one_unit {
                combination.alone();
            }
            let uneven = combination.ranks_of_nodes();
            let listed = combination.listed();
            if self.excluded.iter().any(|(conditions, _)| Filter::all_fit(conditions, &listed)) {
                continue;
            }
            // Whatever the size is of those that are compared with it, there is one.
            if on_one_unit && !alone.insert((combination.parameters.clone(), combination.repeat)) {
                continue;
            }
            match uneven {
                Some(what) => reader.wrong(begin, what),
                None => combinations.push(combination),
            }
        }
        if combinations.is_empty() && reader.count() == 0 {
            let what = format!(
                "all {total} combinations are excluded, and so there is nothing to run; exclude fewer"
            );
            reader.wrong(self.excluded.first().map_or(begin, |(_, at)| *at), what);
        }
        combinations
    }

    /// The combination of this number.
    fn combination(&self, number: usize) -> Combination {
        let (mut combination, mut rest) = (Combination::default(), number);
        for axis in self.axes.iter().rev() {
            let (text, _) = &axis.values[rest % axis.values.len()];
            rest /= axis.values.len();
            combination.set(&axis.name, text);
        }
        combination
    }
}

impl Combination {
    /// Sets it to one unit, whatever numbers are given.
    fn alone(&mut self) {
        (self.ranks, self.threads, self.nodes) = (Some(1), Some(1), None);
        self.parameters.retain(|name, _| !SIZES.contains(&name.as_str()));
    }

    fn set(&mut self, name: &str, text: &str) {
        let number = || text.parse().ok();
        match name {
            "ranks" => self.ranks = number(),
            "threads" => self.threads = number(),
            "sequential" => self.sequential = text == "true",
            _ => {
                self.parameters.insert(name.to_owned(), text.to_owned());
            }
        }
    }

    /// Sets the number of ranks so that their threads fill the units of the nodes; returns a message if they do not
    /// fit.
    fn ranks_of_nodes(&mut self) -> Option<String> {
        let number = |name: &str| self.parameters.get(name)?.parse::<u32>().ok();
        let (nodes, units) = (number("nodes")?, number("units")?);
        self.nodes = Some([nodes, units]);
        let threads = self.threads.unwrap_or(1);
        let ranks = u64::from(nodes) * u64::from(units) / u64::from(threads);
        self.ranks = u32::try_from(ranks).ok().filter(|_| units % threads == 0);
        self.ranks.is_none().then(|| {
            format!(
                "{units} units of a node are not a whole number of ranks with {threads} threads each; exclude it, as \"units={units} \
                 threads={threads}\""
            )
        })
    }
}

impl Reader<'_> {
    /// The conditions of excluded runs.
    pub(super) fn excluded(&mut self, keys: &Keys<'_, '_>, axes: &[Axis]) -> Excluded {
        let mut known: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        known.extend(
            ["ranks", "threads", "repeat"]
                .into_iter()
                .filter(|own| axes.iter().all(|axis| axis.name != *own)),
        );
        let (mut excluded, mut count) = (Vec::new(), 0);
        for (text, at) in self.texts(keys, "exclude") {
            let mut conditions: Vec<Filter> = Vec::new();
            for word in text.split_whitespace() {
                match word.parse::<Filter>() {
                    Ok(condition) if !known.contains(&condition.field()) => {
                        let field = condition.field();
                        let fix = nearest(field, known.iter().copied())
                            .map_or(format!("there are {}", known.join(", ")), |name| {
                                format!("did you mean {name}?")
                            });
                        self.wrong(at, format!("no values are called `{field}`; {fix}"));
                    }
                    Ok(condition) => {
                        if let Some(text) = no_number(&condition, axes) {
                            let what =
                                format!("`{word}` compares numbers, and {text} is none; write it as one");
                            self.wrong(at, what);
                        }
                        conditions.push(condition);
                    }
                    Err(error) => self.wrong(at, error),
                }
            }
            if text.trim().is_empty() {
                self.wrong(at, "nothing is excluded; write a condition, as \"ranks>=8 size<200\"");
            }
            count += conditions.len();
            if count > MOST_CONDITIONS {
                self.wrong(
                    at,
                    format!("a plan has at most {MOST_CONDITIONS} conditions; make several plans of it"),
                );
                break;
            }
            if !conditions.is_empty() {
                excluded.push((conditions, at));
            }
        }
        excluded
    }
}

/// A value that is not a number, though it is compared as one.
fn no_number<'a>(condition: &Filter, axes: &'a [Axis]) -> Option<&'a str> {
    let axis = axes.iter().find(|axis| axis.name == condition.field() && condition.orders_numbers())?;
    axis.values.iter().map(|(text, _)| text.as_str()).find(|text| text.parse::<f64>().is_err())
}
