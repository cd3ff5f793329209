//! Severities of properties over the sizes of runs, as pictures.

use std::collections::{BTreeMap, HashMap};

use ats_documents::Diagnosis;
use ats_documents::diagnosis::Instance;
use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use crate::template::environment;

/// The most lines of a picture: those of the greatest severity.
const MOST_LINES: usize = 8;
/// The most pictures of a page.
const MOST_PICTURES: usize = 12;
/// The least severity that is worth a picture on a page.
const LEAST: f64 = 0.01;

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

/// Severities of a property in a region, over the numbers of locations of otherwise equal runs.
struct Line {
    name: String,
    /// Locations and severity, by locations; of runs that were repeated, the mean.
    points: Vec<(u64, f64)>,
}

impl Line {
    fn most(&self) -> f64 {
        self.points.iter().map(|(_, severity)| *severity).fold(0.0, f64::max)
    }
}

#[derive(Serialize)]
struct Plot<'a> {
    property: &'a str,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    across: Vec<Tick>,
    up: Vec<Tick>,
    lines: Vec<Drawn>,
    /// The number of lines that are not drawn.
    omitted: usize,
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
    dots: Vec<Dot>,
}

#[derive(Serialize)]
struct Dot {
    x: f64,
    y: f64,
    title: String,
}

/// Draws the severities of a property over the numbers of locations as an SVG file of its own, with a line for each region.
/// Instances of single processing units, and those over several experiments, are not drawn. `None` if none is left.
///
/// The figures 7 to 9 of JavaPSL (Fahringer and Seragiotto 2001) are such pictures.
pub fn severities_svg(diagnosis: &Diagnosis, property: &str) -> Option<String> {
    let lines = lines(diagnosis, property);
    (!lines.is_empty()).then(|| drawn(property, lines))
}

/// The pictures of the properties that matter most and were evaluated for several sizes of a run.
pub(crate) fn pictures(diagnosis: &Diagnosis) -> Vec<String> {
    let of = |property: &str| {
        let several: Vec<Line> =
            lines(diagnosis, property).into_iter().filter(|line| line.points.len() > 1).collect();
        let most = several.first().map(Line::most).filter(|most| *most >= LEAST);
        most.map(|most| (most, drawn(property, several)))
    };
    let mut pictures: Vec<(f64, String)> =
        diagnosis.properties.iter().filter_map(|one| of(&one.name)).collect();
    pictures.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    pictures.into_iter().take(MOST_PICTURES).map(|(_, svg)| svg).collect()
}

/// The lines of a property, the severest first.
fn lines(diagnosis: &Diagnosis, property: &str) -> Vec<Line> {
    let mut lines: BTreeMap<(String, &str), BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for one in diagnosis.instances.iter().filter(|one| one.property == property && one.unit.is_none()) {
        let Instance { region, experiments, severity, .. } = one;
        let [experiment] = experiments[..] else { continue };
        let listed = &diagnosis.experiments[experiment as usize];
        let locations = u64::from(listed.run.ranks) * u64::from(listed.run.threads);
        let line = lines.entry((listed.curve(), region)).or_default();
        line.entry(locations).or_default().push(severity.unwrap_or_default());
    }
    let mut runs: HashMap<&str, usize> = HashMap::new();
    lines.keys().for_each(|(_, region)| *runs.entry(region).or_default() += 1);
    let line = |((curve, region), points): (&(String, &str), &BTreeMap<u64, Vec<f64>>)| Line {
        name: if runs[region] > 1 { format!("{region}, {curve}") } else { (*region).to_owned() },
        points: points.iter().map(|(at, all)| (*at, all.iter().sum::<f64>() / all.len() as f64)).collect(),
    };
    let mut lines: Vec<Line> = lines.iter().map(line).collect();
    lines.sort_by(|one, other| other.most().total_cmp(&one.most()));
    lines
}

fn drawn(property: &str, mut lines: Vec<Line>) -> String {
    let omitted = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    let mut sizes: Vec<u64> = lines.iter().flat_map(|line| &line.points).map(|(at, _)| *at).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let scale = Scale::new(&sizes, lines.iter().map(Line::most).fold(0.0, f64::max));
    let [right, bottom] = [LEFT + WIDTH, TOP + HEIGHT];
    let legend = bottom + 48.0;
    let entries = lines.len() + usize::from(omitted > 0);
    let line = |(at, line): (usize, Line)| Drawn {
        colour: STYLES[at].0,
        dashes: STYLES[at].1,
        y: legend + at as f64 * ENTRY,
        dots: line.points.iter().map(|&(at, severity)| scale.dot(at, severity)).collect(),
        name: line.name,
    };
    let plot = Plot {
        property,
        width: right + 20.0,
        height: legend + entries as f64 * ENTRY,
        left: LEFT,
        right,
        top: TOP,
        bottom,
        across: scale.across(&sizes),
        up: scale.up(),
        lines: lines.into_iter().enumerate().map(line).collect(),
        omitted,
    };
    let template = include_str!("severities/severities.svg");
    let rendered = environment().render_named_str("severities.svg", template, Value::from(Serde(plot)));
    rendered.expect("the template is part of this crate and tested")
}

/// The axes: locations double at equal steps, and severities begin at 0.
struct Scale {
    least: f64,
    most: f64,
    step: f64,
    steps: usize,
}

impl Scale {
    fn new(sizes: &[u64], severity: f64) -> Self {
        let size = |size: Option<&u64>| *size.unwrap_or(&1) as f64;
        // Numbers of steps from 1 to 5 that reach the greatest severity.
        let step = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
        let step = step.into_iter().find(|step| step * 5.0 >= severity).unwrap_or(0.2);
        let steps = (severity / step - 1e-9).ceil().max(1.0) as usize;
        Scale { least: size(sizes.first()), most: size(sizes.last()), step, steps }
    }

    fn x(&self, locations: u64) -> f64 {
        let place = match self.most > self.least {
            true => (locations as f64 / self.least).ln() / (self.most / self.least).ln(),
            false => 0.5,
        };
        rounded(LEFT + 12.0 + (WIDTH - 24.0) * place)
    }

    fn y(&self, severity: f64) -> f64 {
        rounded(TOP + HEIGHT * (1.0 - severity / (self.step * self.steps as f64)))
    }

    fn dot(&self, locations: u64, severity: f64) -> Dot {
        let title = format!("{locations}: {severity:.4}");
        Dot { x: self.x(locations), y: self.y(severity), title }
    }

    /// The sizes, but for those that stand too close to the one before.
    fn across(&self, sizes: &[u64]) -> Vec<Tick> {
        let mut ticks: Vec<Tick> = Vec::new();
        for &size in sizes {
            let at = self.x(size);
            if ticks.last().is_none_or(|last| at - last.at >= APART) {
                ticks.push(Tick { at, name: size.to_string() });
            }
        }
        ticks
    }

    fn up(&self) -> Vec<Tick> {
        let digits = if self.step < 0.01 { 3 } else { 2 };
        let tick = |number: usize| number as f64 * self.step;
        (0..=self.steps)
            .map(|number| Tick { at: self.y(tick(number)), name: format!("{:.digits$}", tick(number)) })
            .collect()
    }
}

fn rounded(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use ats_documents::diagnosis::Evaluated;
    use ats_documents::experiment::{Listed, Run};

    use super::*;

    /// Severities of a property by region and number of ranks.
    fn diagnosis(severities: &[(&str, u32, Option<f64>)]) -> Diagnosis {
        let run = |ranks| Run { ranks, threads: 1, ..Run::default() };
        let experiments = severities.iter().map(|&(_, ranks, _)| Listed {
            application: "atoms".to_owned(),
            run: run(ranks),
            ..Listed::default()
        });
        let instance = |(at, &(region, _, severity)): (u32, &(&str, u32, Option<f64>))| Instance {
            property: "Imbalance".to_owned(),
            region: region.to_owned(),
            experiments: vec![at],
            holds: severity.is_some(),
            severity,
            confidence: severity.map(|_| 1.0),
            ..Instance::default()
        };
        Diagnosis {
            experiments: experiments.collect(),
            properties: vec![Evaluated { name: "Imbalance".to_owned(), ..Evaluated::default() }],
            instances: (0..).zip(severities).map(instance).collect(),
            ..Diagnosis::default()
        }
    }

    #[test]
    fn a_line_for_each_region() {
        let of = diagnosis(&[
            ("atoms", 6, None),
            ("atoms", 8, Some(0.114)),
            ("atoms", 16, Some(0.267)),
            ("atoms", 24, Some(0.25)),
            ("atoms", 24, Some(0.27)),
            ("<init>", 8, Some(0.05)),
        ]);
        insta::assert_snapshot!(severities_svg(&of, "Imbalance").unwrap());
        assert_eq!(severities_svg(&of, "Inefficiency"), None);
    }

    #[test]
    fn a_page_has_pictures_of_several_sizes_that_matter() {
        assert_eq!(pictures(&diagnosis(&[("a", 2, Some(0.5)), ("b", 4, Some(0.5))])).len(), 0);
        assert_eq!(pictures(&diagnosis(&[("a", 2, Some(0.001)), ("a", 4, Some(0.002))])).len(), 0);
        assert_eq!(pictures(&diagnosis(&[("a", 2, Some(0.1)), ("a", 4, None)])).len(), 1);
    }

    #[test]
    fn lines_beyond_the_legend_are_counted() {
        let regions: Vec<String> = (0..11).map(|number| format!("region {number}")).collect();
        let of: Vec<_> = regions.iter().map(|region| (region.as_str(), 2, Some(0.5))).collect();
        let svg = severities_svg(&diagnosis(&of), "Imbalance").unwrap();
        assert!(svg.contains("and 3 more") && svg.matches("<circle").count() == MOST_LINES, "{svg}");
    }

    #[test]
    fn the_scale_ends_above_the_greatest() {
        let ends = |severity| {
            let scale = Scale::new(&[1, 2], severity);
            (scale.up().last().unwrap().name.clone(), scale.steps)
        };
        assert_eq!(ends(0.267), ("0.30".to_owned(), 3));
        assert_eq!(ends(1.0), ("1.00".to_owned(), 5));
        assert_eq!(ends(0.0), ("0.001".to_owned(), 1));
        assert_eq!(ends(0.2), ("0.20".to_owned(), 4));
    }
}
