//! Small traces with their root causes, calculated by hand from `docs/delays.md`.
//!
//! Each example is a title after `==`, a trace in the notation of `ats_analyzer::notation` with the calculation in
//! comments, and after `=` the values that it must give: `METRIC CALL/PATH RANK:TICKS RANK.THREAD:TICKS …`. The costs of
//! delays and the waits that propagate are complete; the critical path is given where an example is about that.

use super::Values;

/// A trace and its root causes.
#[derive(Clone, Debug)]
pub struct Example {
    /// The rule that it shows, in a few words.
    pub title: &'static str,
    /// The trace, as text.
    pub trace: String,
    /// The values, as [`Example::rows`] writes them.
    pub expected: Vec<String>,
}

/// Examples of messages whose sender is late.
pub const LATE_SENDER: &str = include_str!("examples/late_sender.txt");
/// Examples of messages whose receiver is late.
pub const LATE_RECEIVER: &str = include_str!("examples/late_receiver.txt");
/// Examples of collective operations.
pub const COLLECTIVE: &str = include_str!("examples/collective.txt");
/// Examples of `MPI_Init`, `MPI_Finalize` and the critical path between them.
pub const INIT_FINALIZE: &str = include_str!("examples/init_finalize.txt");
/// Examples of teams of threads.
pub const THREADS: &str = include_str!("examples/threads.txt");
/// Examples of waits that Scalasca does not analyze, and others beside them.
pub const BEYOND: &str = include_str!("examples/beyond.txt");

impl Example {
    /// The examples in a text.
    pub fn parse(text: &'static str) -> impl Iterator<Item = Example> {
        text.split("== ").skip(1).map(|example| {
            let (title, lines) = example.split_once('\n').expect("a title has a line of its own");
            let expected = lines.lines().filter_map(|line| line.strip_prefix("= "));
            let mut expected: Vec<String> = expected.map(str::to_owned).collect();
            expected.sort_unstable();
            let trace = lines.lines().filter(|line| !line.starts_with("= "));
            Example { title, trace: trace.collect::<Vec<_>>().join("\n"), expected }
        })
    }

    /// The values as text, those alone that the example gives; `locations` are the rank and the thread of each.
    pub fn rows(&self, values: &Values, locations: &[(u32, u32)]) -> Vec<String> {
        let shows_path = self.expected.iter().any(|row| row.starts_with("critical_path "));
        let is_given = |metric: &str| match metric {
            "critical_path" => shows_path,
            metric => ["delay_", "mpi_wait_indirect_", "mpi_wait_propagating_"]
                .iter()
                .any(|prefix| metric.starts_with(prefix)),
        };
        let mut rows: Vec<(&str, &str, String)> = Vec::new();
        for ((metric, path, location), &ticks) in values {
            let number = format!("{ticks:.6}");
            let number = number.trim_end_matches('0').trim_end_matches('.');
            if number == "0" || !is_given(metric) {
                continue;
            }
            if rows.last().is_none_or(|&(of, at, _)| (of, at) != (metric, path)) {
                rows.push((metric, path, format!("{metric} {path}")));
            }
            let thread = match locations[*location as usize] {
                (rank, 0) => rank.to_string(),
                (rank, thread) => format!("{rank}.{thread}"),
            };
            rows.last_mut().expect("one was added").2 += &format!(" {thread}:{number}");
        }
        let mut rows: Vec<String> = rows.into_iter().map(|(.., row)| row).collect();
        rows.sort_unstable();
        rows
    }
}
