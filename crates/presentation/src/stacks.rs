//! Collapsed stacks, as `flamegraph.pl` and inferno draw them.

use std::fmt::Write;

use ats_documents::profile::{ProcessingUnit, Profile};

/// A line for each call path with time of the selected units, `main;solve;MPI_Recv NANOSECONDS`: the time in the
/// path alone.
///
/// ```
/// use ats_documents::profile::{CallNode, ProcessingUnit, Profile, ProfiledRegion};
/// let region = |id, name: &str| ProfiledRegion { id, name: name.to_owned(), ..ProfiledRegion::default() };
/// let mut profile = Profile::new("traces.otf2");
/// profile.units = vec![ProcessingUnit { rank: 0, thread: 0, node: None }];
/// profile.regions = vec![region(0, "main"), region(1, "std::pair<a; b>")];
/// profile.call_tree =
///     vec![CallNode { id: 0, parent: None, region: 0 }, CallNode { id: 1, parent: Some(0), region: 1 }];
/// profile.values.insert("time".to_owned(), vec![(0, 0, 2.0), (1, 0, 0.5)].into());
/// let stacks = ats_presentation::stacks(&profile, |_| true);
/// assert_eq!(stacks, "main 2000000000\nmain;std::pair<a: b> 500000000\n");
/// ```
pub fn stacks(profile: &Profile, is_meant: impl Fn(ProcessingUnit) -> bool) -> String {
    let mut text = String::new();
    for (path, seconds) in (0..).zip(profile.exclusive(Profile::TIME, is_meant)) {
        let nanoseconds = (seconds * 1e9).round() as u64;
        if nanoseconds > 0 {
            let names: Vec<String> = profile.labels(path).iter().map(|name| frame(name)).collect();
            let _ = writeln!(text, "{} {nanoseconds}", names.join(";"));
        }
    }
    text
}

/// A name without characters that end a frame or a line.
fn frame(name: &str) -> String {
    let harmless = |c: char| match c {
        ';' => ':',
        c if c.is_control() => ' ',
        c => c,
    };
    name.chars().map(harmless).collect()
}
