//! Whether a program did the same with a tool as without: what it says of itself in its last line.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ats_work::Kind;

use crate::launch::STDOUT;

/// The line `ATS program name=value …` that a generated program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary(BTreeMap<String, String>);

/// Fields that differ from run to run.
const OF_ONE_RUN: [&str; 2] = ["wall", "eager"];

impl Summary {
    /// What a program wrote into the folder of its run; none where it wrote no summary.
    pub fn in_folder(dir: &Path, program: &str) -> Option<Summary> {
        Summary::parse(&String::from_utf8_lossy(&fs::read(dir.join(STDOUT)).ok()?), program)
    }

    /// The last summary of a program in what it printed, with or without a launcher's mark before it.
    pub fn parse(output: &str, program: &str) -> Option<Summary> {
        let mark = format!("ATS {program} ");
        let fields = output.lines().rev().find_map(|line| Some(line.split_once(&mark)?.1))?;
        let pairs = fields.split_whitespace().filter_map(|field| field.split_once('='));
        Some(Summary(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }

    /// Whether a repetition computes the same: only then a checksum can be compared. Work that lasts until a time makes
    /// as many accesses as the machine allows.
    pub fn is_repeatable(&self) -> bool {
        let kind = self.0.get("work").and_then(|kind| kind.parse::<Kind>().ok());
        matches!(kind, Some(Kind::Counted | Kind::Sleep))
    }

    /// What `other` did differently, in words; none where it did the same.
    pub fn difference(&self, other: &Summary) -> Option<String> {
        let compared = |name: &String| {
            !OF_ONE_RUN.contains(&name.as_str()) && (name != "checksum" || self.is_repeatable())
        };
        let value = |summary: &Summary, name: &String| {
            summary.0.get(name).cloned().unwrap_or_else(|| "none".to_owned())
        };
        let names = self.0.keys().chain(other.0.keys()).filter(|name| compared(name));
        names
            .map(|name| (name, value(self, name), value(other, name)))
            .find(|(_, one, other)| one != other)
            .map(|(name, one, other)| format!("{name} was {one} without the tool and is {other} with it"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(work: &str, wall: &str, checksum: &str) -> Summary {
        let line = format!(
            "ATS late_sender ranks=4 threads=1 work={work} seed=1 r=10 wall={wall} checksum={checksum}"
        );
        Summary::parse(&format!("noise\n[1,0]<stdout>:{line}\nmore noise ATS\n"), "late_sender").unwrap()
    }

    #[test]
    fn a_checksum_is_compared_where_it_can_be() {
        let difference = |work: &str, checksum: &str| {
            summary(work, "0.5", "00ff").difference(&summary(work, "0.7", checksum))
        };
        assert_eq!(difference("counted", "00ff"), None, "the time is none of it");
        assert_eq!(
            difference("counted", "00fe").unwrap(),
            "checksum was 00ff without the tool and is 00fe with it"
        );
        assert_eq!(difference("hybrid", "00fe"), None);
        assert!(summary("sleep", "1", "0").is_repeatable() && !summary("spin", "1", "0").is_repeatable());
    }

    #[test]
    fn what_was_run_is_compared_always() {
        let other = summary("hybrid", "0.5", "0");
        let changed =
            Summary::parse("ATS late_sender ranks=1 threads=1 work=hybrid seed=1 r=10", "late_sender");
        assert_eq!(
            other.difference(&changed.unwrap()).unwrap(),
            "ranks was 4 without the tool and is 1 with it"
        );
        assert_eq!(Summary::parse("nothing", "late_sender"), None);
        assert_eq!(Summary::parse("ATS late_sender_balanced ranks=1", "late_sender"), None);
    }
}
