//! Rates by grade and by class.

use std::collections::BTreeMap;

use ats_documents::score::{
    Expectation, Grade, Interval, Judgement, Outcome, ProgramResult, Rates, RunStatus,
};
use ats_model::WaitState;
use ats_model::wait_state::Class;
use ats_props::Catalogue;

use super::{harmonic_mean, rate};

/// The questions that a tool was asked, and its answers.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// Expectations whose wait state it was to name: the class, and how far each was met.
    expected: Vec<(Option<Class>, Option<Grade>)>,
    /// Expectations that were judged by consistency alone.
    by_consistency: u64,
    /// Programs with nothing to find: the class of what they might have shown, and whether they were silent.
    silence: Vec<(Option<Class>, bool)>,
    /// The classes of all false alarms.
    alarms: Vec<Option<Class>>,
    /// The number of questions that it could not answer, or was not able to.
    unanswered: u64,
    /// Grades that nothing it named contributes to.
    unsaid: Vec<Grade>,
}

impl Questions {
    pub(super) fn new(
        programs: &[&ProgramResult],
        threshold: f64,
        diagnoses: bool,
        catalogue: &Catalogue,
    ) -> Questions {
        let mut questions = Questions { unsaid: unsaid(programs), ..Questions::default() };
        for program in programs {
            questions
                .alarms
                .extend(program.unexpected.iter().map(|alarm| alarm.property.map(WaitState::class)));
            for e in &program.expectations {
                match e.outcome {
                    Outcome::Found | Outcome::Wrong | Outcome::Missed => {
                        questions.expected.push((class(e), e.reached_grade()));
                    }
                    Outcome::NotManifested | Outcome::BelowThreshold => {}
                    _ if e.is_judged() => questions.by_consistency += 1,
                    _ => questions.unanswered += 1,
                }
            }
            if !diagnoses || !program.has_nothing_to_find(threshold) {
                continue;
            }
            if program.run_status != RunStatus::Ok {
                questions.unanswered += 1;
            } else if !program.unexpected.is_empty() || program.noise.is_empty() {
                // A machine that was noisy, and rightly reported, tested nothing.
                let known = catalogue.program(&program.program).ok();
                let class = known.and_then(|known| known.property.finds.class());
                questions.silence.push((class, program.unexpected.is_empty()));
            }
        }
        questions
    }

    pub(super) fn specificity(&self) -> Option<f64> {
        self.rates(Grade::Amount, |_| true).specificity
    }

    pub(super) fn support_rate(&self) -> Option<f64> {
        let answered = self.expected.len() as u64 + self.by_consistency + self.silence.len() as u64;
        rate(answered, answered + self.unanswered)
    }

    /// Empty where nothing was asked for.
    pub(super) fn by_grade(&self) -> BTreeMap<Grade, Rates> {
        let any = !self.expected.is_empty() || !self.silence.is_empty();
        let grades = Grade::ALL.into_iter().filter(|grade| any && !self.unsaid.contains(grade));
        grades.map(|grade| (grade, self.rates(grade, |_| true))).collect()
    }

    pub(super) fn by_class(&self) -> BTreeMap<Class, Rates> {
        let asked =
            self.expected.iter().map(|(class, _)| class).chain(self.silence.iter().map(|(class, _)| class));
        let classes = asked.chain(&self.alarms).copied().flatten();
        classes.map(|class| (class, self.rates(Grade::Amount, |other| other == Some(class)))).collect()
    }

    fn rates(&self, grade: Grade, is_asked: impl Fn(Option<Class>) -> bool) -> Rates {
        let count = |holds: &dyn Fn(Option<Grade>) -> bool| {
            self.expected.iter().filter(|(class, met)| is_asked(*class) && holds(*met)).count() as u64
        };
        let true_positives = count(&|met| met >= Some(grade));
        let false_negatives = count(&|met| met < Some(grade));
        // What was reported under another name is among the alarms.
        let lower = count(&|met| met >= Some(Grade::Property) && met < Some(grade));
        let alarms = self.alarms.iter().filter(|class| is_asked(**class)).count() as u64;
        let kept = |silent: bool| {
            self.silence.iter().filter(|(class, kept)| is_asked(*class) && *kept == silent).count() as u64
        };
        rates(true_positives, false_negatives, alarms + lower, kept(true), kept(false))
    }
}

/// Of place and locations, those that were judged of no wait that was named, where any was.
fn unsaid(programs: &[&ProgramResult]) -> Vec<Grade> {
    let named = || {
        let expectations = programs.iter().flat_map(|program| &program.expectations);
        expectations.filter(|e| e.unit().is_time() && e.property == Judgement::Yes)
    };
    let is_unsaid = |of: fn(&Expectation) -> Judgement| {
        named().next().is_some() && named().all(|e| of(e) == Judgement::NotApplicable)
    };
    let grades = [(Grade::Place, is_unsaid(|e| e.place)), (Grade::Locations, is_unsaid(|e| e.locations))];
    grades.into_iter().filter(|(_, is_unsaid)| *is_unsaid).map(|(grade, _)| grade).collect()
}

fn class(expectation: &Expectation) -> Option<Class> {
    match expectation.unit().is_time() {
        true => expectation.wait_state.map(WaitState::class),
        false => Some(Class::Count),
    }
}

fn rates(
    true_positives: u64,
    false_negatives: u64,
    false_positives: u64,
    silent: u64,
    alarmed: u64,
) -> Rates {
    let precision = rate(true_positives, true_positives + false_positives);
    let recall = rate(true_positives, true_positives + false_negatives);
    let specificity = rate(silent, silent + alarmed);
    Rates {
        true_positives,
        false_negatives,
        false_positives,
        silent,
        alarmed,
        precision,
        recall,
        specificity,
        f1: harmonic_mean(precision, recall),
        youden_j: recall.zip(specificity).map(|(recall, specificity)| recall + specificity - 1.0),
        mcc: mcc([true_positives, false_negatives, silent, alarmed].map(|count| count as f64)),
        precision_interval: wilson(true_positives, true_positives + false_positives),
        recall_interval: wilson(true_positives, true_positives + false_negatives),
        specificity_interval: wilson(silent, silent + alarmed),
    }
}

/// Matthews' correlation coefficient of true positives, false negatives, true and false negative programs.
fn mcc([tp, fal, tn, fp]: [f64; 4]) -> Option<f64> {
    let squared = (tp + fp) * (tp + fal) * (tn + fp) * (tn + fal);
    (squared > 0.0).then(|| (tp * tn - fp * fal) / squared.sqrt())
}

/// Wilson's score interval for a share of `part` in `whole`, 95 %.
fn wilson(part: u64, whole: u64) -> Option<Interval> {
    /// The normal distribution's quantile of 97.5 %.
    const Z: f64 = 1.959_963_984_540_054;
    let n = whole as f64;
    let share = rate(part, whole)?;
    let (scale, middle) = (1.0 + Z * Z / n, share + Z * Z / (2.0 * n));
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(Interval { low: ((middle - half) / scale).max(0.0), high: ((middle + half) / scale).min(1.0) })
}

/// The mean of each rate over those that have it; counts and intervals have none.
pub(super) fn mean<'a>(rates: impl Iterator<Item = &'a Rates> + Clone) -> Rates {
    let mean = |rate: fn(&Rates) -> Option<f64>| {
        let values: Vec<f64> = rates.clone().filter_map(rate).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    Rates {
        precision: mean(|rates| rates.precision),
        recall: mean(|rates| rates.recall),
        specificity: mean(|rates| rates.specificity),
        f1: mean(|rates| rates.f1),
        youden_j: mean(|rates| rates.youden_j),
        mcc: mean(|rates| rates.mcc),
        ..Rates::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_has_known_values() {
        // Computed by hand.
        let close = |part, whole, low: f64, high: f64| {
            let interval = wilson(part, whole).unwrap();
            assert!((interval.low - low).abs() < 5e-4 && (interval.high - high).abs() < 5e-4, "{interval:?}");
        };
        close(0, 10, 0.0, 0.2775);
        close(5, 10, 0.2366, 0.7634);
        close(10, 10, 0.7225, 1.0);
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn mcc_of_all_right_all_wrong_and_nothing() {
        assert_eq!(mcc([3.0, 0.0, 5.0, 0.0]), Some(1.0));
        assert_eq!(mcc([0.0, 3.0, 0.0, 5.0]), Some(-1.0));
        assert_eq!(mcc([2.0, 2.0, 3.0, 3.0]), Some(0.0));
        assert_eq!(mcc([3.0, 0.0, 0.0, 0.0]), None);
    }

    #[test]
    fn classes_without_a_rate_have_no_share_in_its_mean() {
        let with_recall = |found, missed| rates(found, missed, 0, 0, 0);
        let mean = mean([with_recall(1, 0), with_recall(1, 1), rates(0, 0, 0, 1, 0)].iter());
        assert_eq!((mean.recall, mean.specificity, mean.mcc), (Some(0.75), Some(1.0), None));
    }
}
