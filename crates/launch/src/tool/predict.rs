//! Predictions of simulators.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ats_truth::Network;
use regex::Regex;

use super::Tool;
use super::simulator::{PLACES_OF_SIMULATOR, Simulator};
use crate::OUTPUT;
use crate::launch::{Limits, run};

/// The bytes per second of a network without limits.
const UNLIMITED: f64 = 1e15;

/// A predicted time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// Seconds from begin to end.
    pub seconds: f64,
    /// Seconds that the last digit of the answer stands for.
    pub resolution: f64,
}

impl Simulator {
    /// Predicts the run whose trace is in a folder, with so many ranks, on a network.
    ///
    /// # Errors
    /// A command cannot be started or fails, or its output has no answer.
    pub fn predict(
        &self,
        tool: &Tool,
        dir: &Path,
        ranks: usize,
        network: &Network,
        cancelled: &AtomicBool,
    ) -> Result<Predicted, String> {
        if let Some(what) = self.inexpressible(network) {
            return Err(format!("{} has whole nanoseconds: it cannot have {what}", tool.title));
        }
        let places = places(tool, dir, ranks, network);
        for (name, text) in &self.files {
            let path = dir.join(name);
            fs::write(&path, filled(text, &places))
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        let mut printed = String::new();
        for words in &self.commands {
            let words: Vec<String> = words.iter().map(|word| filled(word, &places)).collect();
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).current_dir(dir);
            let limits = Limits { time: TIME, output: OUTPUT, cancelled };
            let ended = run(command, dir, limits)
                .map_err(|error| format!("cannot start {}: {error}; {}", words[0], tool.needs.install))?;
            printed = [&ended.stdout, &ended.stderr]
                .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned())
                .join("\n");
            if crate::status(&ended).is_some() {
                let last = printed.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                return Err(format!("{} failed: {}", words[0], last.trim()));
            }
        }
        self.answer_in(&printed)
            .ok_or_else(|| format!("{} printed no time that `{}` finds", tool.title, self.answer))
    }

    /// The number of a network that whole nanoseconds, where they are asked for, cannot express, in words.
    fn inexpressible(&self, network: &Network) -> Option<String> {
        let nanoseconds = [
            ("latency_ns", "a latency", network.latency * 1e9),
            ("overhead_ns", "an overhead", network.overhead * 1e9),
            ("ns_per_byte", "a time for a byte", 1e9 / network.bandwidth),
        ];
        let is_asked_for = |place: &str| self.texts().any(|text| text.contains(&format!("{{{place}}}")));
        let is_whole = |time: f64| (time - time.round()).abs() < 1e-6;
        let (_, what, time) =
            nanoseconds.into_iter().find(|(place, _, time)| is_asked_for(place) && !is_whole(*time))?;
        Some(format!("{what} of {time} ns"))
    }

    fn answer_in(&self, printed: &str) -> Option<Predicted> {
        let digits =
            Regex::new(&self.answer).ok()?.captures_iter(printed).last()?.get(1)?.as_str().to_owned();
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let seconds = digits.parse::<f64>().ok()? * self.unit;
        Some(Predicted { seconds, resolution: self.unit * 10_f64.powi(-(decimals as i32)) })
    }
}

impl Tool {
    /// The commands that it needs and that are not on the `PATH`.
    pub fn lacking_commands(&self) -> Vec<&str> {
        let needed = self.needs.commands.iter().map(String::as_str);
        needed.filter(|command| which::which(command).is_err()).collect()
    }
}

/// The longest time that a command may take.
const TIME: Duration = Duration::from_secs(600);

/// The values of the places.
fn places(tool: &Tool, dir: &Path, ranks: usize, network: &Network) -> [(&'static str, String); 11] {
    let bandwidth = network.bandwidth.min(UNLIMITED);
    let nanoseconds = |seconds: f64| format!("{:.0}", seconds * 1e9);
    let texts = [
        dir.display().to_string(),
        tool.here.display().to_string(),
        ranks.to_string(),
        ranks.saturating_sub(1).to_string(),
        network.latency.to_string(),
        network.overhead.to_string(),
        bandwidth.to_string(),
        nanoseconds(network.latency),
        nanoseconds(network.overhead),
        nanoseconds(1.0 / bandwidth),
        network.eager_limit.to_string(),
    ];
    let mut texts = texts.into_iter();
    PLACES_OF_SIMULATOR.map(|place| (place, texts.next().unwrap_or_default()))
}

fn filled(text: &str, places: &[(&str, String)]) -> String {
    places.iter().fold(text.to_owned(), |text, (place, value)| text.replace(&format!("{{{place}}}"), value))
}
