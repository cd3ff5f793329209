//! Efficiencies by factors, arranged by the sizes of runs, and as a picture.

use ats_documents::Efficiencies;
use ats_documents::efficiencies::{Factor, RunEfficiencies};

use crate::curves::{Form, Line, MOST_LINES, Picture, Point, UNITS, stacked};
use crate::printable::printable;
use crate::words;

/// A factor that loses less is not marked.
const WORTH_A_MARK: f64 = 0.01;

/// The meaning of a mark.
pub(crate) const MARK: &str = "the factor that costs the run most";

/// Runs of one size and tool, which repeat each other.
pub(crate) struct Column<'a> {
    pub(crate) head: String,
    pub(crate) runs: Vec<&'a RunEfficiencies>,
}

/// The mean of what runs have, and the least and the most of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) spread: [f64; 2],
    /// The number of runs that have it.
    pub(crate) runs: usize,
}

impl<'a> Column<'a> {
    /// The runs by size, in the order of the document.
    pub(crate) fn by_size(runs: &[&'a RunEfficiencies]) -> Vec<Column<'a>> {
        let mut columns: Vec<Column<'a>> = Vec::new();
        for &run in runs {
            let head = size(run);
            match columns.iter_mut().find(|column| column.head == head) {
                Some(column) if run.tool.is_none() => column.runs.push(run),
                _ => columns.push(Column { head, runs: vec![run] }),
            }
        }
        columns
    }

    /// The mean over its runs, of those that have a value.
    pub(crate) fn mean(&self, of: impl Fn(&RunEfficiencies) -> Option<f64>) -> Option<Mean> {
        let values: Vec<f64> = self.runs.iter().filter_map(|run| of(run)).collect();
        let first = *values.first()?;
        let spread = values.iter().fold([first, first], |[least, most], of| [of.min(least), of.max(most)]);
        Some(Mean { mean: values.iter().sum::<f64>() / values.len() as f64, spread, runs: values.len() })
    }

    /// The factor with nothing known below it that costs its runs most.
    pub(crate) fn worst(&self) -> Option<&'a str> {
        let factors: Vec<(u32, &str, f64)> = hierarchy(self.runs.iter().map(|run| &run.multiplicative[..]))
            .into_iter()
            .filter_map(|(depth, name)| Some((depth, name, self.mean(|run| run.factor(name))?.mean)))
            .collect();
        let is_leaf = |at: usize| factors.get(at + 1).is_none_or(|next| next.0 <= factors[at].0);
        let leaves = (0..factors.len()).filter(|&at| is_leaf(at)).map(|at| factors[at]);
        let costs = leaves.filter(|(.., value)| *value < 1.0 - WORTH_A_MARK);
        costs.min_by(|one, other| one.2.total_cmp(&other.2)).map(|(_, name, _)| name)
    }
}

/// The heading of a run's column: its size, and the tool that reports it.
pub(crate) fn size(run: &RunEfficiencies) -> String {
    let size = words::size(run.ranks, run.threads);
    run.tool.as_ref().map_or(size.clone(), |tool| format!("{size} {}", printable(tool)))
}

/// The groups of comparable runs, by what these have in common.
pub(crate) fn groups(document: &Efficiencies) -> Vec<(&str, Vec<&RunEfficiencies>)> {
    let mut groups: Vec<(&str, Vec<&RunEfficiencies>)> = Vec::new();
    for run in &document.experiments {
        match groups.iter_mut().find(|(group, _)| *group == run.group) {
            Some((_, runs)) => runs.push(run),
            None => groups.push((&run.group, vec![run])),
        }
    }
    groups
}

/// The factors that any run has, each with the number of those above it, in the order of the hierarchy.
pub(crate) fn hierarchy<'a>(runs: impl Iterator<Item = &'a [Factor]>) -> Vec<(u32, &'a str)> {
    let mut names: Vec<(u32, &str)> = Vec::new();
    for factors in runs {
        let mut after = 0;
        for factor in factors {
            let name = (factor.depth, factor.name.as_str());
            match names.iter().position(|known| *known == name) {
                Some(at) => after = at + 1,
                None => {
                    names.insert(after, name);
                    after += 1;
                }
            }
        }
    }
    names
}

/// Draws the factors that are multiplied over the sizes of runs as an SVG file of its own: a picture for each group of comparable
/// runs, and in it a line for each factor. Repeats are a point, their mean, with a bar from the least to the most. `None` if there
/// is no run but in reports of tools.
pub fn efficiencies_svg(document: &Efficiencies) -> Option<String> {
    let of_group = |(group, runs): (&str, Vec<&RunEfficiencies>)| {
        let own: Vec<&RunEfficiencies> = runs.into_iter().filter(|run| run.tool.is_none()).collect();
        (!own.is_empty()).then(|| picture(group, &own))
    };
    let pictures: Vec<String> = groups(document).into_iter().filter_map(of_group).collect();
    match &pictures[..] {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(stacked(several)),
    }
}

/// The picture of comparable runs.
fn picture(group: &str, runs: &[&RunEfficiencies]) -> String {
    let columns = Column::by_size(runs);
    let across = |at: usize| match columns.len() {
        1 => 0.5,
        several => at as f64 / (several - 1) as f64,
    };
    let line = |name: &str| {
        let point = |(at, column): (usize, &Column<'_>)| {
            let Mean { mean, spread, runs } = column.mean(|run| run.factor(name))?;
            Some(Point {
                across: across(at),
                value: mean,
                spread: (runs > 1).then_some(spread),
                is_marked: column.worst() == Some(name),
                title: format!("{}: {:.2} %", column.head, 100.0 * mean),
            })
        };
        Line {
            name: name.to_owned(),
            points: columns.iter().enumerate().filter_map(point).collect(),
            form: Form::Curve,
        }
    };
    let names = hierarchy(runs.iter().map(|run| &run.multiplicative[..]));
    let mut lines: Vec<Line> = names.into_iter().map(|(_, name)| line(name)).collect();
    lines.retain(|line| !line.points.is_empty());
    let omitted = lines.len().saturating_sub(MOST_LINES);
    if omitted > 0 {
        // Those that never lose anything tell least.
        let least = |line: &Line| line.points.iter().map(|point| point.value).fold(f64::INFINITY, f64::min);
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by(|&one, &other| least(&lines[one]).total_cmp(&least(&lines[other])));
        let drawn = &order[..MOST_LINES];
        let mut number = 0..;
        lines.retain(|_| number.next().is_some_and(|at| drawn.contains(&at)));
    }
    let has_marks = lines.iter().flat_map(|line| &line.points).any(|point| point.is_marked);
    let picture = Picture {
        title: group,
        across: columns.iter().enumerate().map(|(at, column)| (across(at), column.head.clone())).collect(),
        lines,
        over: UNITS,
        omitted,
        in_percent: true,
        mark: has_marks.then_some(MARK),
    };
    picture.svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of a group with these ranks, and values of the load balance and the communication efficiency.
    fn run(group: &str, ranks: u32, [balance, communication]: [f64; 2]) -> RunEfficiencies {
        let factor = |name: &str, depth, value| Factor {
            name: name.to_owned(),
            depth,
            value: Some(value),
            ..Factor::default()
        };
        RunEfficiencies {
            group: group.to_owned(),
            ranks,
            threads: 1,
            multiplicative: vec![
                factor("parallel efficiency", 0, balance * communication),
                factor("load balance", 1, balance),
                factor("communication efficiency", 1, communication),
            ],
            ..RunEfficiencies::default()
        }
    }

    fn svg(runs: Vec<RunEfficiencies>) -> String {
        efficiencies_svg(&Efficiencies { experiments: runs, ..Efficiencies::default() }).unwrap()
    }

    #[test]
    fn a_line_for_each_factor_over_the_sizes() {
        let runs = vec![
            run("heat 1", 1, [1.0, 1.0]),
            run("heat 1", 2, [0.9, 0.95]),
            run("heat 1", 2, [0.8, 0.95]),
            run("heat 1", 4, [0.75, 0.5]),
        ];
        insta::assert_snapshot!(svg(runs));
    }

    #[test]
    fn groups_have_pictures_of_their_own_and_reports_none() {
        let mut report = run("heat 1", 4, [0.1, 0.1]);
        report.tool = Some("TALP".to_owned());
        let both = svg(vec![run("heat 1", 2, [0.9, 0.5]), report.clone(), run("heat 2", 2, [0.5, 0.9])]);
        assert_eq!(both.matches("<svg ").count(), 3, "{both}");
        assert_eq!(both.matches("r=\"3.5\"").count(), 2 * 3);
        // A mark in each, and its meaning.
        assert_eq!(both.matches("r=\"7\"").count(), 2 * 2);
        assert!(both.contains(">heat 1<") && both.contains(">heat 2<") && !both.contains("TALP"));
        assert_eq!(
            efficiencies_svg(&Efficiencies { experiments: vec![report], ..Efficiencies::default() }),
            None
        );
    }

    #[test]
    fn repeats_are_their_mean_and_spread() {
        let [one, two] = [0.8, 0.6].map(|balance| run("heat 1", 2, [balance, 0.75]));
        let [column] = &Column::by_size(&[&one, &two])[..] else { panic!("one size") };
        let mean = column.mean(|run| run.factor("load balance")).unwrap();
        assert!((mean.mean - 0.7).abs() < 1e-12 && mean.spread == [0.6, 0.8] && mean.runs == 2, "{mean:?}");
        assert_eq!(column.mean(|run| run.factor("nothing")), None);
        // The load balance is 0.7 on average.
        assert_eq!(column.worst(), Some("load balance"));
        assert_eq!(Column::by_size(&[&two])[0].worst(), Some("load balance"));
        assert_eq!(Column::by_size(&[&one])[0].worst(), Some("communication efficiency"));
    }
}
