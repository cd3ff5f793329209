//! Progress on a terminal; silent elsewhere.

use std::path::PathBuf;
use std::time::Duration;

use ats_documents::score::ProgramResult;
use ats_launch::progress::{Progress, Step};
use ats_presentation::text::{Line as Row, Names, header, lines};
use ats_truth::Planned;
use console::{Term, style, truncate_str};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::output::{Output, painted};

const SPINNER: &str = "{spinner} {elapsed} {wide_msg}";
const BAR: &str = "{bar:24} {pos}/{len}{left} {wide_msg}";

/// A line on a terminal's standard error.
#[derive(Debug)]
pub(crate) struct Line {
    bar: ProgressBar,
    /// The thing that is being built.
    building: String,
}

impl Line {
    /// An empty one.
    pub(crate) fn new(output: Output) -> Self {
        let target =
            if output.is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(in_form(SPINNER));
        bar.enable_steady_tick(Duration::from_millis(200));
        Line { bar, building: String::new() }
    }

    /// Shows the current action.
    pub(crate) fn say(&self, what: String) {
        self.bar.set_message(what);
    }

    /// Shows the current action, and how much is left.
    pub(crate) fn count(&self, what: &str, done: usize, of: usize) {
        if self.bar.length().is_none() {
            self.bar.set_style(in_form(BAR));
            self.bar.set_length(of as u64);
            self.bar.reset_eta();
        }
        self.bar.set_position(done as u64);
        self.bar.set_message(what.to_owned());
    }

    /// Nothing any more: the line is wiped.
    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Line {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Building { what, log } => {
                let here = std::env::current_dir().unwrap_or_default();
                let log: PathBuf = log.strip_prefix(here).unwrap_or(log).to_owned();
                self.building = format!("building {what} (log in {})", log.display());
                self.say(self.building.clone());
            }
            Step::Compiling(what) => self.say(format!("{}: {}", self.building, what.trim_start())),
            Step::Running { .. } | Step::Judged(_) | Step::Ended { .. } => {}
        }
    }
}

/// A bar with what is left, and above it the results, as they come.
#[derive(Debug)]
pub(crate) struct Bar {
    line: Line,
    names: Names,
    threshold: f64,
    is_first: bool,
}

impl Bar {
    /// A bar for these programs, whose planned waits above `threshold` are to be found.
    pub(crate) fn new(output: Output, programs: &[Planned], threshold: f64) -> Self {
        let planned = programs.iter().map(|Planned { subject, size }| {
            let key = (subject.name().to_owned(), size.ranks as u32, size.threads as u32);
            (key, subject.parameters())
        });
        Bar { line: Line::new(output), names: Names::new(planned), threshold, is_first: true }
    }

    /// Whether it is visible.
    pub(crate) fn is_seen(&self) -> bool {
        !self.line.bar.is_hidden()
    }

    /// The bar is wiped; what is above it stays.
    pub(crate) fn done(&self) {
        self.line.done();
    }

    fn show(&mut self, result: &ProgramResult) {
        let width = usize::from(Term::stderr().size().1);
        let say = |line: String| self.line.bar.println(truncate_str(&line, width, "…"));
        if std::mem::take(&mut self.is_first) {
            say(style(header(&self.names)).for_stderr().dim().to_string());
        }
        for Row { verdict, mood, rest } in lines(result, &self.names, self.threshold) {
            say(format!("{}{rest}", painted(&verdict, mood)));
        }
    }
}

impl Progress for Bar {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Running { program, done, of } => self.line.count(program, done, of),
            Step::Judged(result) if self.is_seen() => self.show(result),
            step => self.line.step(step),
        }
    }
}

/// A bar with what is left of a plan, and above it what failed, as it comes.
#[derive(Debug)]
pub(crate) struct OfPlan(pub(crate) Line);

impl Progress for OfPlan {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Running { program, done, of } => self.0.count(program, done, of),
            Step::Ended { program, message: Some(message) } => {
                let line = format!("failed: {program}: {}", message.lines().next().unwrap_or_default());
                let width = usize::from(Term::stderr().size().1);
                self.0.bar.println(truncate_str(&line, width, "…"));
            }
            step => self.0.step(step),
        }
    }
}

fn in_form(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    style.with_key("left", |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        // Of the first one nobody knows how long it takes.
        if state.pos() > 0 {
            let _ = write!(text, ", {} left", HumanDuration(state.eta()));
        }
    })
}
