//! The lines of a score besides its table.

use ats_documents::Score;
use ats_documents::score::{Grade, Interval, Rates};

/// A line for each thing that is known.
pub(super) fn summary(score: &Score) -> String {
    let totals = &score.totals;
    let mut text = String::new();
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text += &format!("{name} {value}\n");
        }
    };
    line("specificity", totals.specificity.map(rate));
    line("consistency", totals.consistency.map(rate));
    line("support rate", totals.support_rate.map(rate));
    let by_grade = |recall: fn(&Rates) -> Option<f64>| {
        let grades = Grade::ALL.into_iter().filter(|_| !totals.by_grade.is_empty());
        let of = grades.filter_map(|grade| match totals.by_grade.get(&grade) {
            Some(rates) => Some(format!("{} {:.3}", grade.name(), recall(rates)?)),
            None => Some(format!("{} n/a", grade.name())),
        });
        Some(of.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty())
    };
    line("recall by grade:", by_grade(|rates| rates.recall));
    line("precision by grade:", by_grade(|rates| rates.precision));
    for (class, rates) in &totals.by_class {
        line(&format!("  {}:", class.name()), Some(rate_list(rates)));
    }
    if totals.by_class.len() > 1 {
        line("  mean of the classes:", Some(rate_list(&totals.macro_average)));
    }
    line(
        "amounts are off by",
        totals.severity_error.map(|error| {
            format!("{:+.3} % (median), {:.3} % either way", error.signed * 100.0, error.absolute * 100.0)
        }),
    );
    line("Kendall's tau", totals.kendall_tau.map(rate));
    line(
        "the tool makes programs take",
        totals.intrusiveness.map(|change| {
            let severity = change.severity.map_or(String::new(), |severity| {
                format!(", and changes what they show by {:+.2} %", severity * 100.0)
            });
            format!("{:.3} times as long{severity}", change.wall_time)
        }),
    );
    for (name, spread) in &score.repeats {
        let (least, median, most) = (spread.least, spread.median, spread.most);
        line(
            &format!("{name} over {} repeats:", spread.of),
            Some(format!("{least:.3} … {median:.3} … {most:.3}")),
        );
    }
    text
}

fn rate(rate: f64) -> String {
    format!("{rate:.3}")
}

fn rate_list(rates: &Rates) -> String {
    let shown = |name: &str, value: Option<f64>, interval: Option<Interval>| {
        let interval =
            interval.map_or(String::new(), |Interval { low, high }| format!(" ({low:.2} … {high:.2})"));
        format!("{name} {}{interval}", value.map_or("n/a".to_owned(), rate))
    };
    [
        shown("precision", rates.precision, rates.precision_interval),
        shown("recall", rates.recall, rates.recall_interval),
        shown("specificity", rates.specificity, rates.specificity_interval),
        shown("F1", rates.f1, None),
    ]
    .join(", ")
}
