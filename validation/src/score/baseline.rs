//! Whether a score is worse than one that was kept.

use ats_documents::Score;
use ats_documents::score::{Grade, Outcome, ProgramResult, RunStatus};

use super::repeats::badness;

/// The differences of a score from an earlier one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Answers that were right and no longer are, or that were wrong and are worse: a reason to fail.
    pub regressions: Vec<String>,
    /// Answers that are better than before.
    pub improvements: Vec<String>,
    /// Programs and answers that cannot be compared, and why.
    pub remarks: Vec<String>,
    /// The number of programs in both scores.
    pub compared: usize,
}

/// Compares program by program: those with the same name, parameters and size.
///
/// What the machine did not show in one of them, or too little to be reported, is not compared.
pub fn compare(old: &Score, new: &Score) -> Comparison {
    let mut comparison = Comparison::default();
    if old.tool != new.tool {
        comparison.remarks.push(format!("the baseline is of {}, the score of {}", old.tool, new.tool));
    }
    if old.truth_hash != new.truth_hash {
        comparison.remarks.push("the truths differ; what both have by name is compared".to_owned());
    }
    if old.totals.threshold != new.totals.threshold {
        let (old, new) = (old.totals.threshold, new.totals.threshold);
        comparison.remarks.push(format!("the reporting thresholds differ: {old} and {new}"));
    }
    for before in &old.programs {
        match new.programs.iter().find(|after| is_same(before, after)) {
            Some(after) => comparison.program(before, after),
            None => comparison.remarks.push(format!("{} is in the baseline alone", before.program)),
        }
    }
    comparison
}

impl Comparison {
    fn program(&mut self, before: &ProgramResult, after: &ProgramResult) {
        self.compared += 1;
        let name = &after.program;
        let (ran, runs) = (before.run_status == RunStatus::Ok, after.run_status == RunStatus::Ok);
        if ran != runs {
            let why = after.message.as_deref().unwrap_or("it runs again");
            self.note(ran, format!("{name}: {why}"));
        }
        for expected in &before.expectations {
            let Some(now) = after.expectations.iter().find(|now| now.id == expected.id) else {
                self.remarks.push(format!("{name}: {} is in the baseline alone", expected.id));
                continue;
            };
            let (old, new) = (expected.outcome, now.outcome);
            let is_shown = |outcome| !matches!(outcome, Outcome::NotManifested | Outcome::BelowThreshold);
            if !is_shown(old) || !is_shown(new) {
                continue;
            }
            // Of two that are wrong, the one of the lower grade is worse.
            let rank = |outcome, grade| (badness(outcome), std::cmp::Reverse(grade));
            match rank(new, now.grade).cmp(&rank(old, expected.grade)) {
                std::cmp::Ordering::Equal => {}
                order => {
                    let how = |outcome: Outcome, grade: Option<Grade>| {
                        let grade = grade.map_or(String::new(), |grade| format!(" ({})", grade.name()));
                        format!("{}{grade}", serde_json::json!(outcome).as_str().unwrap_or_default())
                    };
                    let change = format!(
                        "{} is {}, was {}",
                        expected.id,
                        how(new, now.grade),
                        how(old, expected.grade)
                    );
                    self.note(order.is_gt(), format!("{name}: {change}"));
                }
            }
        }
        let (old, new) = (before.unexpected.len(), after.unexpected.len());
        if ran && runs && old != new {
            self.note(new > old, format!("{name}: {new} false alarms, were {old}"));
        }
    }

    fn note(&mut self, worse: bool, what: String) {
        if worse { &mut self.regressions } else { &mut self.improvements }.push(what);
    }
}

fn is_same(one: &ProgramResult, other: &ProgramResult) -> bool {
    let key = |program: &ProgramResult| {
        (program.program.clone(), program.parameters.clone(), program.ranks, program.threads)
    };
    key(one) == key(other)
}
