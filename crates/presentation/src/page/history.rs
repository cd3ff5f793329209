//! Results over time, as small lines.

use ats_documents::score::Totals;
use serde::Serialize;

use super::Moment;
use crate::words;

/// One measure over time.
#[derive(Debug, Serialize)]
pub(super) struct Chart {
    name: &'static str,
    lines: Vec<Line>,
    from: String,
    to: String,
}

/// One tool in a chart.
#[derive(Debug, Serialize)]
struct Line {
    tool: String,
    last: String,
    /// An SVG path in a box of [`WIDTH`] × [`HEIGHT`], a piece for every unbroken run of values.
    path: String,
    points: Vec<Point>,
}

#[derive(Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    title: String,
}

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 48.0;

/// The name of a measure, its value, the format of its values, and its largest value if that is fixed.
type Measure = (&'static str, fn(&Totals) -> Option<f64>, fn(f64) -> String, Option<f64>);

const MEASURES: [Measure; 5] = [
    ("precision", |totals| totals.precision, |value| words::rate(Some(value)), Some(1.0)),
    ("recall", |totals| totals.recall, |value| words::rate(Some(value)), Some(1.0)),
    ("F1", |totals| totals.f1, |value| words::rate(Some(value)), Some(1.0)),
    ("false alarms", |totals| Some(totals.false_alarms as f64), |value| value.to_string(), None),
    ("farthest from observed", |totals| totals.worst_against_observed, words::percent, None),
];

/// The charts of all moments; empty if nothing can be drawn over time.
pub(super) fn charts(moments: &[Moment]) -> Vec<Chart> {
    let mut moments: Vec<&Moment> = moments.iter().collect();
    moments.sort_by(|a, b| a.time.cmp(&b.time));
    let (Some(first), Some(last)) = (moments.first(), moments.last()) else { return Vec::new() };
    let mut tools: Vec<&str> = moments.iter().map(|moment| moment.tool.as_str()).collect();
    tools.sort();
    tools.dedup();
    let chart = |&(name, value, text, fixed): &Measure| {
        let values = moments.iter().filter_map(|moment| value(&moment.totals));
        let largest = fixed.unwrap_or_else(|| values.fold(0.0, f64::max)).max(f64::MIN_POSITIVE);
        let line = |tool: &&str| {
            let of_tool: Vec<&Moment> =
                moments.iter().copied().filter(|moment| moment.tool == *tool).collect();
            line(tool, &of_tool, value, text, largest)
        };
        let lines: Vec<Line> = tools.iter().map(line).collect();
        let is_empty = lines.iter().all(|line| line.points.is_empty());
        (!is_empty).then(|| Chart { name, lines, from: first.time.clone(), to: last.time.clone() })
    };
    MEASURES.iter().filter_map(chart).collect()
}

fn line(
    tool: &str,
    moments: &[&Moment],
    value: fn(&Totals) -> Option<f64>,
    text: fn(f64) -> String,
    largest: f64,
) -> Line {
    let step = WIDTH / (moments.len().saturating_sub(1)).max(1) as f64;
    let mut line = Line {
        tool: tool.to_owned(),
        last: text_of_last(moments, value, text),
        path: String::new(),
        points: Vec::new(),
    };
    let mut is_drawing = false;
    for (index, moment) in moments.iter().enumerate() {
        let Some(value) = value(&moment.totals) else {
            is_drawing = false;
            continue;
        };
        let x = if moments.len() == 1 { WIDTH } else { index as f64 * step };
        let y = HEIGHT - (value / largest).clamp(0.0, 1.0) * HEIGHT;
        let command = if is_drawing { 'L' } else { 'M' };
        line.path += &format!("{command}{x:.1} {y:.1}");
        is_drawing = true;
        let title = format!("{} {}: {}", moment.time, moment.label, text(value));
        line.points.push(Point { x, y, title });
    }
    line
}

fn text_of_last(moments: &[&Moment], value: fn(&Totals) -> Option<f64>, text: fn(f64) -> String) -> String {
    moments.last().and_then(|moment| value(&moment.totals)).map_or_else(|| "n/a".to_owned(), text)
}
