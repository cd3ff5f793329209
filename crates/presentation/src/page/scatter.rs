//! Recall against false alarms: a tool that finds much with few false alarms lies at the top left.

use serde::Serialize;

use super::Tool;
use crate::words;

/// The width and height of the square of the points.
const SIDE: f64 = 100.0;

/// The height of a label.
const LINE: f64 = 7.0;

/// The data that the template draws.
#[derive(Debug, Serialize)]
pub(super) struct Scatter {
    points: Vec<Point>,
    /// Tools that have no point: they name no wait states, or had no program with nothing to find.
    without: Vec<String>,
}

/// Tools that are at one place.
#[derive(Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    /// The height of the label: below that of the point above it.
    label_y: f64,
    label: String,
    title: String,
    /// Whether the label stands left of it.
    is_right: bool,
}

/// A point for each tool with both rates; `None` if no tool has them.
///
/// As in the scorecard of OWASP's Benchmark: across, the share of programs with nothing to find and something
/// reported; up, the share of expected findings that were reported. A guess lies on the diagonal.
pub(super) fn scatter(tools: &[Tool<'_>]) -> Option<Scatter> {
    let mut scatter = Scatter { points: Vec::new(), without: Vec::new() };
    for tool in tools {
        let totals = &tool.score.totals;
        let (Some(recall), Some(specificity)) = (totals.recall, totals.specificity) else {
            scatter.without.push(tool.name.to_owned());
            continue;
        };
        let alarms = 1.0 - specificity;
        let (x, y) = (alarms * SIDE, (1.0 - recall) * SIDE);
        let title = format!(
            "{}: recall {}, false alarms {}",
            tool.name,
            words::rate(Some(recall)),
            words::rate(Some(alarms))
        );
        let is_there = |point: &&mut Point| (point.x - x).abs() < 1.0 && (point.y - y).abs() < 1.0;
        match scatter.points.iter_mut().find(is_there) {
            Some(point) => {
                point.label = format!("{}, {}", point.label, tool.name);
                point.title = format!("{}\n{title}", point.title);
            }
            None => {
                let label = tool.name.to_owned();
                scatter.points.push(Point { x, y, label_y: y, label, title, is_right: x > SIDE / 2.0 });
            }
        }
    }
    for is_right in [false, true] {
        let mut points: Vec<&mut Point> =
            scatter.points.iter_mut().filter(|point| point.is_right == is_right).collect();
        points.sort_by(|a, b| a.y.total_cmp(&b.y));
        let mut free = f64::MIN;
        for point in points {
            point.label_y = point.y.max(free);
            free = point.label_y + LINE;
        }
    }
    (!scatter.points.is_empty()).then_some(scatter)
}

#[cfg(test)]
mod tests {
    use ats_documents::Score;
    use ats_documents::score::Totals;

    use super::*;

    #[test]
    fn tools_lie_where_their_rates_are() {
        let result = |recall, specificity| Score {
            totals: Totals { recall, specificity, ..Totals::default() },
            ..Score::default()
        };
        let results = [
            ("good", result(Some(1.0), Some(1.0))),
            ("as good", result(Some(1.0), Some(1.0))),
            ("near", result(Some(0.98), Some(1.0))),
            ("crier", result(Some(0.5), Some(0.25))),
            ("profile", result(None, Some(1.0))),
        ];
        let tools: Vec<Tool<'_>> = results.iter().map(|(name, score)| Tool { name, score }).collect();
        let scatter = scatter(&tools).unwrap();
        let of = |point: &Point| (point.label.clone(), point.x, point.y.round(), point.is_right);
        let points: Vec<_> = scatter.points.iter().map(of).collect();
        let (good, near) = ("good, as good".to_owned(), "near".to_owned());
        assert_eq!(
            points,
            [(good, 0.0, 0.0, false), (near, 0.0, 2.0, false), ("crier".to_owned(), 75.0, 50.0, true)]
        );
        assert_eq!(scatter.points[1].label_y, LINE, "below the other's");
        assert_eq!(scatter.without, ["profile"]);
        assert!(super::scatter(&tools[4..]).is_none());
    }
}
