//! Whether a program did the same in two runs: what it says of itself in its last line, with the checksum of what it
//! computed and communicated.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use ats_documents::score::RunStatus;
use ats_work::Kind;

use super::folder::RunFolder;
use crate::{Failure, Run};

/// The line `ATS program name=value …` that a generated program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary(BTreeMap<String, String>);

/// Fields that may differ from run to run: how time is passed, and how long.
const OF_ONE_RUN: [&str; 3] = ["--work", "wall", "eager"];

impl Summary {
    /// The summary that a program wrote into the folder of its run; `None` if it wrote none.
    pub fn in_folder(dir: &Path, program: &str) -> Option<Summary> {
        Summary::parse(&String::from_utf8_lossy(&fs::read(RunFolder(dir).stdout()).ok()?), program)
    }

    /// The last summary of a program in what it printed, with or without a launcher's mark before it.
    pub fn parse(output: &str, program: &str) -> Option<Summary> {
        let mark = format!("ATS {program} ");
        let fields = output.lines().rev().find_map(|line| Some(line.split_once(&mark)?.1))?;
        let pairs = fields.split_whitespace().filter_map(|field| field.split_once('='));
        Some(Summary(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }

    /// The differences of `other` from this run of the program by itself, in words; `None` if both did the same.
    pub fn difference(&self, other: &Summary) -> Option<String> {
        let value = |summary: &Summary, name: &String| {
            summary.0.get(name).cloned().unwrap_or_else(|| "none".to_owned())
        };
        let names = self.0.keys().chain(other.0.keys());
        names
            .filter(|name| !OF_ONE_RUN.contains(&name.as_str()))
            .map(|name| (name, value(self, name), value(other, name)))
            .find(|(_, one, other)| one != other)
            .map(|(name, one, other)| format!("{name} is {other}, and {one} when the program runs by itself"))
    }
}

impl Run<'_> {
    /// Runs the program by itself in `dir`: nothing records it, and no time is spent on work.
    ///
    /// # Errors
    /// It did not start, or not end well.
    pub fn refer(&self, dir: &Path, cancelled: &AtomicBool) -> Result<(), Failure> {
        let mut options: Vec<OsString> = self.options.to_vec();
        options.extend(["--work".into(), Kind::None.name().into()]);
        Run { recorder: None, options: &options, ..*self }.execute(dir, cancelled).map_err(by_itself)
    }

    /// Whether the run into `dir` computed and communicated the same as the one of the program by itself into
    /// `reference`. Where it did not, the program runs by itself once more, to tell who is to blame.
    ///
    /// # Errors
    /// It did not, or did not say what it did; or the program says nothing by itself, or something else every time.
    pub fn check_semantics(
        &self,
        dir: &Path,
        reference: &Path,
        cancelled: &AtomicBool,
    ) -> Result<(), Failure> {
        let said = |dir: &Path| Summary::in_folder(dir, self.subject.name());
        let changed = |message| Err(Failure { status: RunStatus::SemanticsChanged, message });
        let Some(expected) = said(reference) else {
            let message = format!("it printed no summary; what it did print is in {}", reference.display());
            return Err(by_itself(Failure { status: RunStatus::ParseError, message }));
        };
        let Some(summary) = said(dir) else {
            return changed("it printed no summary, and one when the program runs by itself".to_owned());
        };
        let Some(difference) = expected.difference(&summary) else { return Ok(()) };
        let again = RunFolder(dir).reference_again();
        self.refer(&again, cancelled)?;
        match said(&again).map(|again| expected.difference(&again)) {
            Some(None) => changed(difference),
            Some(Some(difference)) => {
                changed(format!("it does something else whenever it runs: {difference}"))
            }
            None => changed("it printed a summary when it ran by itself, and none once more".to_owned()),
        }
    }
}

/// A failure that neither a recorder nor a tool is to blame for.
pub fn by_itself(failure: Failure) -> Failure {
    if failure.status == RunStatus::Cancelled {
        return failure;
    }
    Failure { message: format!("it fails by itself: {}", failure.message), ..failure }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(work: &str, wall: &str, checksum: &str) -> Summary {
        let line = format!(
            "ATS late_sender ranks=4 threads=1 --work={work} --seed=1 r=10 wall={wall} checksum={checksum}"
        );
        Summary::parse(&format!("noise\n[1,0]<stdout>:{line}\nmore noise ATS\n"), "late_sender").unwrap()
    }

    #[test]
    fn a_checksum_is_compared_and_how_time_passed_is_not() {
        let expected = summary("none", "0.1", "00ff");
        assert_eq!(expected.difference(&summary("spin", "0.7", "00ff")), None);
        assert_eq!(
            expected.difference(&summary("spin", "0.7", "00fe")).unwrap(),
            "checksum is 00fe, and 00ff when the program runs by itself"
        );
    }

    #[test]
    fn programs_are_compared_always() {
        let other = summary("hybrid", "0.5", "0");
        let changed = Summary::parse(
            "ATS late_sender ranks=1 threads=1 --work=hybrid --seed=1 r=10 checksum=0",
            "late_sender",
        );
        assert_eq!(
            other.difference(&changed.unwrap()).unwrap(),
            "ranks is 1, and 4 when the program runs by itself"
        );
        assert_eq!(Summary::parse("nothing", "late_sender"), None);
        assert_eq!(Summary::parse("ATS late_sender_balanced ranks=1", "late_sender"), None);
    }
}
