//! Severities of properties over the sizes of runs, as pictures.

use std::collections::{BTreeMap, HashMap};

use ats_documents::Diagnosis;
use ats_documents::diagnosis::Instance;

use crate::curves::{Form, Line, MOST_LINES, Picture, Point, UNITS};

/// The most pictures of a page.
const MOST_PICTURES: usize = 12;
/// The least severity that is worth a picture on a page.
const LEAST: f64 = 0.01;

/// Severities of a property in a region, over the numbers of locations of otherwise equal runs.
struct Severities {
    name: String,
    /// Locations and severity, by locations; of runs that were repeated, the mean.
    points: Vec<(u64, f64)>,
}

impl Severities {
    fn most(&self) -> f64 {
        self.points.iter().map(|(_, severity)| *severity).fold(0.0, f64::max)
    }
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
        let several: Vec<Severities> =
            lines(diagnosis, property).into_iter().filter(|line| line.points.len() > 1).collect();
        let most = several.first().map(Severities::most).filter(|most| *most >= LEAST);
        most.map(|most| (most, drawn(property, several)))
    };
    let mut pictures: Vec<(f64, String)> =
        diagnosis.properties.iter().filter_map(|one| of(&one.name)).collect();
    pictures.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    pictures.into_iter().take(MOST_PICTURES).map(|(_, svg)| svg).collect()
}

/// The lines of a property, the severest first.
fn lines(diagnosis: &Diagnosis, property: &str) -> Vec<Severities> {
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
    let line = |((curve, region), points): (&(String, &str), &BTreeMap<u64, Vec<f64>>)| Severities {
        name: if runs[region] > 1 { format!("{region}, {curve}") } else { (*region).to_owned() },
        points: points.iter().map(|(at, all)| (*at, all.iter().sum::<f64>() / all.len() as f64)).collect(),
    };
    let mut lines: Vec<Severities> = lines.iter().map(line).collect();
    lines.sort_by(|one, other| other.most().total_cmp(&one.most()));
    lines
}

fn drawn(property: &str, mut lines: Vec<Severities>) -> String {
    let omitted = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    let mut sizes: Vec<u64> = lines.iter().flat_map(|line| &line.points).map(|(at, _)| *at).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let size = |size: Option<&u64>| *size.unwrap_or(&1) as f64;
    let [least, most] = [size(sizes.first()), size(sizes.last())];
    // Locations double at equal steps.
    let across = |size: u64| match most > least {
        true => (size as f64 / least).ln() / (most / least).ln(),
        false => 0.5,
    };
    let point = |&(size, severity): &(u64, f64)| Point {
        across: across(size),
        value: severity,
        spread: None,
        is_marked: false,
        title: format!("{size}: {severity:.4}"),
    };
    let line = |line: &Severities| Line {
        name: line.name.clone(),
        points: line.points.iter().map(point).collect(),
        form: Form::Curve,
    };
    let picture = Picture {
        title: property,
        across: sizes.iter().map(|&size| (across(size), size.to_string())).collect(),
        lines: lines.iter().map(line).collect(),
        over: UNITS,
        omitted,
        in_percent: false,
        mark: None,
    };
    picture.svg()
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
}
