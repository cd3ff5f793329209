//! What is going on, for whoever waits at a terminal; silent elsewhere.

use std::time::Duration;

use ats_validation::run::progress::{Progress, Step};
use indicatif::{ProgressBar, ProgressStyle};

/// A line on a terminal's standard error.
#[derive(Debug)]
pub(crate) struct Line(ProgressBar);

impl Line {
    /// An empty one.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Line(bar)
    }

    /// What is being done.
    pub(crate) fn say(&self, what: String) {
        self.0.set_message(what);
    }

    /// Nothing any more: the line is wiped.
    pub(crate) fn done(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Line {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Building(what) => self.say(format!("building {what}")),
            Step::Running { program, done, of } => self.say(format!("{}/{of} {program}", done + 1)),
            Step::Judged(_) => {}
        }
    }
}
