//! Numbers that programs count themselves, and counters of the operating system.

use super::Foreign;

#[test]
fn counts_are_in_the_profile_by_call_path() {
    let foreign = Foreign::compiled("counted.c");
    // The launch within a script has the options, too.
    foreign.write_script("mpirun.openmpi --timeout 60 -np 2 ./program");
    foreign.answer(&["record", "-o", "trace", "--metrics", "syscw,wchar,page_faults", "--", "./run.sh"]);
    let profile = foreign.profile();
    let alone = |metric: &str, region: &str| -> f64 {
        let numbers = (0..).zip(profile.exclusive(metric, |_| true));
        numbers
            .filter(|&(path, _)| profile.path(path).last() == Some(&region))
            .map(|(_, number)| number)
            .sum()
    };
    let of_steps = ["faces", "syscw", "wchar"].map(|metric| alone(metric, "step"));
    assert_eq!(of_steps, [30.0, 40.0, 40.0], "{:?}", profile.values);
    let faults = alone("page_faults", "pages");
    assert!((1000.0..1100.0).contains(&faults), "{faults}");
    let text = foreign.answer(&["profile", "trace"]);
    assert!(["faces", "syscw", "wchar"].iter().all(|metric| text.contains(metric)), "{text}");
}
