//! Curves over the sizes of runs, as pictures.

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use crate::template::environment;

/// The most lines of a picture.
pub(crate) const MOST_LINES: usize = 8;

/// The sizes of runs, if those are the places.
pub(crate) const UNITS: &str = "ranks × threads";

/// The plot, in pixels.
const LEFT: f64 = 52.0;
const TOP: f64 = 40.0;
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 220.0;
/// The height of a line of the legend, in pixels.
const ENTRY: f64 = 20.0;
/// The least distance of two numbers below the plot, in pixels.
const APART: f64 = 26.0;

/// Colours that people with colour blindness can tell apart, and dashes for print; the Okabe–Ito palette.
const STYLES: [(&str, &str); MOST_LINES] = [
    ("#0072b2", ""),
    ("#d55e00", "6 3"),
    ("#009e73", "2 3"),
    ("#cc79a7", "9 3 2 3"),
    ("#56b4e9", ""),
    ("#e69f00", "6 3"),
    ("#000000", "2 3"),
    ("#7a7a7a", "9 3 2 3"),
];

/// A line of a picture.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    pub(crate) form: Form,
}

/// The form that the points of a line are drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// A line through dots, and bars for spreads.
    Curve,
    /// Dots and bars alone.
    Dots,
    /// A line in an area, from the least to the most of the spreads.
    Area,
}

/// A value for a size of runs.
pub(crate) struct Point {
    /// Its place across the plot, from 0 to 1.
    pub(crate) across: f64,
    pub(crate) value: f64,
    /// The least and the most of runs that were repeated.
    pub(crate) spread: Option<[f64; 2]>,
    /// Whether it is marked.
    pub(crate) is_marked: bool,
    /// Its size and value, in words.
    pub(crate) title: String,
}

/// A picture of lines.
pub(crate) struct Picture<'a> {
    pub(crate) title: &'a str,
    /// The places across the plot that have a name, in order.
    pub(crate) across: Vec<(f64, String)>,
    pub(crate) lines: Vec<Line>,
    /// The parameter that the places are values of.
    pub(crate) over: &'a str,
    /// The number of lines that are not drawn.
    pub(crate) omitted: usize,
    /// Whether values are written in per cent.
    pub(crate) in_percent: bool,
    /// The meaning of a mark.
    pub(crate) mark: Option<&'a str>,
}

#[derive(Serialize)]
struct Plot<'a> {
    title: &'a str,
    over: &'a str,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    across: Vec<Tick>,
    up: Vec<Tick>,
    lines: Vec<Drawn>,
    omitted: usize,
    mark: Option<&'a str>,
}

#[derive(Serialize)]
struct Tick {
    at: f64,
    name: String,
}

#[derive(Serialize)]
struct Drawn {
    name: String,
    colour: &'static str,
    dashes: &'static str,
    /// The height of its entry in the legend.
    y: f64,
    form: Form,
    dots: Vec<Dot>,
}

#[derive(Serialize)]
struct Dot {
    x: f64,
    y: f64,
    /// The heights of the least and the most.
    spread: Option<[f64; 2]>,
    is_marked: bool,
    title: String,
}

impl Line {
    pub(crate) fn most(&self) -> f64 {
        let most = |point: &Point| point.spread.map_or(point.value, |[_, most]| most);
        self.points.iter().map(most).fold(0.0, f64::max)
    }
}

impl Picture<'_> {
    /// An SVG file of its own.
    pub(crate) fn svg(self) -> String {
        let scale = Scale::new(self.lines.iter().map(Line::most).fold(0.0, f64::max));
        let [right, bottom] = [LEFT + WIDTH, TOP + HEIGHT];
        let legend = bottom + 48.0;
        let entries = self.lines.len() + usize::from(self.omitted > 0) + usize::from(self.mark.is_some());
        let dot = |point: Point| Dot {
            x: x(point.across),
            y: scale.y(point.value),
            spread: point.spread.map(|spread| spread.map(|value| scale.y(value))),
            is_marked: point.is_marked,
            title: point.title,
        };
        let line = |(at, line): (usize, Line)| Drawn {
            colour: STYLES[at].0,
            dashes: STYLES[at].1,
            y: legend + at as f64 * ENTRY,
            dots: line.points.into_iter().map(dot).collect(),
            form: line.form,
            name: line.name,
        };
        let plot = Plot {
            title: self.title,
            over: self.over,
            width: right + 20.0,
            height: legend + entries as f64 * ENTRY,
            left: LEFT,
            right,
            top: TOP,
            bottom,
            across: across(self.across),
            up: scale.up(self.in_percent),
            lines: self.lines.into_iter().take(MOST_LINES).enumerate().map(line).collect(),
            omitted: self.omitted,
            mark: self.mark,
        };
        let template = include_str!("curves/curves.svg");
        let rendered = environment().render_named_str("curves.svg", template, Value::from(Serde(plot)));
        rendered.expect("the template is part of this crate and tested")
    }
}

/// One picture of several, one below the other.
pub(crate) fn stacked(pictures: &[String]) -> String {
    let size = |svg: &str, name: &str| -> f64 {
        let value = svg.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next());
        value.and_then(|value| value.parse().ok()).unwrap_or_default()
    };
    let width = pictures.iter().map(|svg| size(svg, "width")).fold(0.0, f64::max);
    let (mut height, mut inner) = (0.0, String::new());
    for svg in pictures {
        inner += &svg.replacen("<svg ", &format!("<svg y=\"{height}\" "), 1);
        height += size(svg, "height");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         {inner}</svg>\n"
    )
}

/// The places with names, but for those that stand too close to the one before.
fn across(places: Vec<(f64, String)>) -> Vec<Tick> {
    let mut ticks: Vec<Tick> = Vec::new();
    for (place, name) in places {
        let at = x(place);
        if ticks.last().is_none_or(|last| at - last.at >= APART) {
            ticks.push(Tick { at, name });
        }
    }
    ticks
}

fn x(across: f64) -> f64 {
    rounded(LEFT + 12.0 + (WIDTH - 24.0) * across)
}

/// The axis of values, which begin at 0.
struct Scale {
    step: f64,
    steps: usize,
}

impl Scale {
    fn new(most: f64) -> Self {
        // Numbers of steps from 1 to 5 that reach the greatest value.
        let mut steps = (-9..300).flat_map(|power| [1.0, 2.0, 5.0].map(|times| format!("{times}e{power}")));
        let reaches = |step: &f64| step * 5.0 >= most;
        let step = steps.find_map(|step| step.parse().ok().filter(reaches)).filter(|_| most > 0.0);
        let step = step.unwrap_or(0.001);
        let steps = (most / step - 1e-9).ceil().max(1.0) as usize;
        Scale { step, steps }
    }

    fn y(&self, value: f64) -> f64 {
        rounded(TOP + HEIGHT * (1.0 - value / (self.step * self.steps as f64)))
    }

    fn up(&self, in_percent: bool) -> Vec<Tick> {
        let digits = if self.step < 1.0 { (-self.step.log10()).ceil().max(2.0) as usize } else { 0 };
        let tick = |number: usize| number as f64 * self.step;
        let name = |value: f64| match in_percent {
            true => format!("{:.*} %", digits.saturating_sub(2), 100.0 * value),
            false => format!("{value:.digits$}"),
        };
        (0..=self.steps).map(|number| Tick { at: self.y(tick(number)), name: name(tick(number)) }).collect()
    }
}

fn rounded(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_ends_above_the_greatest() {
        let ends = |most, in_percent| {
            let scale = Scale::new(most);
            (scale.up(in_percent).last().unwrap().name.clone(), scale.steps)
        };
        assert_eq!(ends(0.267, false), ("0.30".to_owned(), 3));
        assert_eq!(ends(1.0, false), ("1.00".to_owned(), 5));
        assert_eq!(ends(0.0, false), ("0.001".to_owned(), 1));
        assert_eq!(ends(0.2, false), ("0.20".to_owned(), 4));
        assert_eq!(ends(1.13, true), ("150 %".to_owned(), 3));
        assert_eq!(ends(73.0, false), ("80".to_owned(), 4));
        assert_eq!(ends(3.3e-6, false), ("0.000004".to_owned(), 4));
        assert_eq!(ends(0.004, true), ("0.4 %".to_owned(), 4));
    }
}
