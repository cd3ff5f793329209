//! Late senders that are due to the order in which a rank receives.

use ats_mpi::{Source, Tag};
use ats_work::do_work;

use crate::common::{Wait, buf, run, waits};

const LATE: &str = "late_sender";
const SAME: &str = "late_sender_wrong_order_same_source";
const DIFFERENT: &str = "late_sender_wrong_order_different_sources";

/// The waits of rank 0 if it receives messages in this order. A message is its source and the millisecond in which it
/// is sent.
fn received(order: &[(usize, u32)]) -> Vec<Wait> {
    let ranks = 1 + order.iter().map(|(source, _)| source).max().unwrap();
    waits(&run(ranks, |c| {
        let buf = buf(c, 8);
        if c.rank() == 0 {
            for (source, sent) in order {
                c.recv(Source::Rank(*source), Tag::Is(*sent), &buf);
            }
            return;
        }
        let own = order.iter().filter(|(source, _)| *source == c.rank());
        let mut times: Vec<u32> = own.map(|(_, sent)| *sent).collect();
        times.sort_unstable();
        let mut now = 0;
        for sent in times {
            do_work(1e-3 * f64::from(sent - now));
            c.send(0, sent, &buf);
            now = sent;
        }
    }))
}

#[test]
fn waits_become_wrong_order_once_and_by_an_earlier_message_only() {
    let order = [(3, 50), (2, 60), (2, 40), (3, 30)];
    assert_eq!(received(&order[..2]), [(0, LATE, 60.0)], "a later message is in order");
    let wrong = [(0, DIFFERENT, 50.0), (0, SAME, 10.0)];
    assert_eq!(received(&order[..3]), wrong);
    assert_eq!(received(&order), wrong);
}

#[test]
fn only_the_last_hundred_are_remembered() {
    let late = (5..=105).chain([0]).map(|sent| (1, sent)).collect::<Vec<_>>();
    assert_eq!(received(&late), [(0, LATE, 5.0), (0, SAME, 100.0)]);
}

#[test]
fn waits_in_wrong_order_are_not_remembered() {
    let from_1 = |sent| (1, sent);
    let mut order = vec![from_1(1)];
    order.extend((10..70).map(from_1));
    order.push((2, 5));
    assert_eq!(received(&order), [(0, LATE, 1.0), (0, DIFFERENT, 68.0)]);
    order.extend((70..130).map(from_1));
    order.push((2, 0));
    assert_eq!(received(&order), [(0, DIFFERENT, 129.0)]);
}
