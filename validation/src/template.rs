//! Starting points for authors of a tool: a report that is right, and the description of a tool.

use ats_documents::finding::{LocationShare, Unit, View};
use ats_documents::{Finding, Report, Truth};
use ats_model::WaitState;
use serde::Serialize;

/// The report of a tool that gets everything right that is to be found and judged in a program.
pub fn right(truth: &Truth) -> Report {
    let judged = |finding: &&Finding| {
        finding.is_measured() && (finding.property.is_some() || !finding.unit().is_time())
    };
    Report {
        schema: Report::SCHEMA.to_owned(),
        tool: Report::UNNAMED.to_owned(),
        version: None,
        source: String::new(),
        ranks: None,
        threads: None,
        basis: Default::default(),
        names: WaitState::ALL.to_vec(),
        findings: truth.findings.iter().filter(judged).cloned().collect(),
        calls: Vec::new(),
        causes: truth.causes.clone(),
        unmapped: Vec::new(),
        clock_correction: None,
        warnings: Vec::new(),
    }
}

/// The same as the shortest document, an `ats-report/1`, with a line for each finding.
pub fn report(truth: &Truth) -> String {
    let right = right(truth);
    // Of an ideal machine, some times are 0: there is nothing to report.
    let there = right.findings.iter().filter(|finding| finding.quantity().value > 0.0);
    let findings: Vec<String> = there.map(|finding| json(&Short::new(finding))).collect();
    let (schema, findings) = (Report::SCHEMA, findings.join(",\n    "));
    format!("{{\n  \"schema\": \"{schema}\",\n  \"findings\": [\n    {findings}\n  ]\n}}\n")
}

fn json(short: &Short<'_>) -> String {
    serde_json::to_string(short).expect("it is plain data")
}

/// A finding with nothing but what has to be said.
#[derive(Default, Serialize)]
struct Short<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<View>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<WaitState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'a str>,
    call_path: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Share>,
}

#[derive(Serialize)]
struct Share {
    rank: u32,
    #[serde(skip_serializing_if = "is_master")]
    thread: u32,
    seconds: f64,
}

fn is_master(thread: &u32) -> bool {
    *thread == 0
}

impl<'a> Short<'a> {
    fn new(finding: &'a Finding) -> Self {
        let short = Short { call_path: &finding.call_path, ..Short::default() };
        let share = |&LocationShare { rank, thread, waiting_time }: &LocationShare| Share {
            rank,
            thread,
            seconds: waiting_time,
        };
        match finding.unit() {
            Unit::Seconds => Short {
                property: finding.property,
                seconds: Some(finding.waiting_time),
                locations: finding.locations.iter().map(share).collect(),
                ..short
            },
            Unit::Inclusive(_) => {
                Short { view: Some(finding.view), seconds: Some(finding.waiting_time), ..short }
            }
            Unit::Ratio(metric) => {
                Short { view: Some(finding.view), metric: Some(metric), ratio: finding.ratio, ..short }
            }
            unit => {
                let instances = Some(finding.instances);
                Short { view: Some(finding.view), metric: unit.metric(), instances, ..short }
            }
        }
    }
}

/// The description of a tool of this name, an `ats-tool/1`, with what may be in it.
pub fn tool(name: &str) -> String {
    include_str!("../templates/tool.toml").replacen("\"mine\"", &format!("\"{}\"", name.escape_default()), 1)
}

#[cfg(test)]
mod tests {
    use ats_compose::Subject;
    use ats_documents::written;
    use ats_props::Catalogue;

    use super::*;
    use crate::score::judge::{Case, Rules, judge};
    use crate::score::{Scored, score};
    use ats_launch::tool::{CallPaths, Tool};
    use ats_truth::{Planned, Size, TruthOptions, nominal};

    fn truths() -> Vec<Truth> {
        let catalogue = Catalogue::builtin();
        let planned = catalogue.properties().map(|property| {
            let program = catalogue.program(property.name).unwrap();
            let arguments = property.arguments([]).unwrap();
            Planned {
                subject: Subject::Property { program, arguments },
                size: Size::defaults(property.needs)[0],
            }
        });
        planned
            .map(|Planned { subject, size }| nominal(&subject, size, &TruthOptions::default()).unwrap())
            .collect()
    }

    #[test]
    fn the_template_of_a_report_is_right() {
        let catalogue = Catalogue::builtin();
        for truth in truths() {
            let report = written::report(report(&truth).as_bytes()).unwrap();
            let case = Case {
                nominal: &truth,
                observed: &truth,
                report: &report,
                call_paths: CallPaths::UserRegions,
                catalogue: &catalogue,
            };
            let results = vec![judge(case, &Rules::MEASURED)];
            let diagnoses = true;
            assert!(
                score(Scored { results, diagnoses, ..Scored::default() }, &catalogue).has_passed(),
                "{}",
                truth.program
            );
        }
    }

    #[test]
    fn the_template_of_a_tool_is_one() {
        let text = tool("my-tool");
        let parsed = Tool::parse(&text, "my-tool.toml").unwrap();
        assert_eq!((parsed.name.as_str(), parsed.title.as_str()), ("my-tool", "my-tool"));
        // What is commented out may be in it, too.
        let all: Vec<&str> = text.lines().map(|line| line.strip_prefix("#: ").unwrap_or(line)).collect();
        let all = Tool::parse(&all.join("\n"), "all.toml").unwrap();
        assert!(!all.report.convert.is_empty() && !all.after.is_empty() && all.needs.work.is_some());
    }
}
