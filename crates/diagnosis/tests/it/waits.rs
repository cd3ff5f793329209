//! Single waits of a run that are kept, and sums of all.

use ats_diagnosis::testing::{SingleWaits, Span};
use ats_documents::Wait;
use ats_model::definitions::Clock;

const CLOCK: Clock = Clock { resolution: 1_000_000_000, offset: 1_000, length: 10_000_000 };

fn wait(finding: usize, begin: u64, end: u64) -> Wait {
    Wait { finding, location: 0, begin, end, awaited: None, flushed: 0, recorded: 0 }
}

#[test]
fn a_wait_of_no_ticks_is_none() {
    let mut waits = SingleWaits::new(CLOCK);
    for (begin, end) in [(5, 5), (5, 4), (5, 7)] {
        waits.add(wait(0, begin, end));
    }
    assert_eq!(waits.of_finding(0).iter().map(Span::ticks).collect::<Vec<_>>(), [2]);
}

#[test]
fn of_many_waits_some_stretches_are_kept_and_all_are_summed_up() {
    let mut waits = SingleWaits::with_limit(CLOCK, 1_000);
    for at in 0..100_000 {
        let begin = CLOCK.offset + at * 100;
        waits.add(wait(0, begin, begin + 50));
        waits.add(wait(1, begin + 25, begin + 50));
        if at % 10_000 == 0 {
            waits.add(wait(2, begin, begin + 10));
        }
    }
    assert_eq!(waits.of_finding(2).len(), 10, "few waits are kept");
    let kept = waits.by_finding().count();
    assert!((250..=1_000).contains(&kept), "{kept}");
    let ends = |finding| waits.of_finding(finding).iter().map(|wait| wait.end);
    let (one, other): (Vec<u64>, Vec<u64>) = (ends(0).collect(), ends(1).collect());
    let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
    assert!(fewer.iter().all(|end| more.contains(end)), "they keep the same stretches");
    assert!((64..=512).contains(&waits.one_of()), "{}", waits.one_of());
    for (finding, waited) in [(0, 0.5), (1, 0.25)] {
        let sums = waits.over_time(finding).unwrap();
        assert!(sums.iter().all(|sum| (sum - waited).abs() < 1e-3), "{sums:?}");
    }
}
