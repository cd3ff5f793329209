use ats_model::{
    CallPathId,
    event::{CollectiveOperation, CommunicatorRef, Root},
};

use super::{
    Collective, Completion, KeptFlags, Message, MessageEnd, MpiCall, Records,
    merge::merge,
    process::{Frontier, Process},
};
use crate::words::{
    place::{Base, Place},
    regions::CallKind,
};

/// The records of a location: a collective operation on each communicator, begun at a time and ended 5 ticks later, in
/// a call that completes a send of the call before.
fn thread(location: u32, operations: &[(u64, u32)]) -> Records {
    let place = Place { location, path: CallPathId::ROOT, base: Base::of_membership(0) };
    let mut records = Records::default();
    for &(begin, communicator) in operations {
        let call = |enter| MpiCall::new((enter, enter + 1), place, CallKind::Plain, 0);
        let start = records.calls.push(call(begin - 1));
        let send = records.sends.push(MessageEnd { start, channel: None, bytes: 4 });
        let call = records.calls.push(call(begin));
        records.completions.push(Completion { call, message: Message::Send(send) });
        let communicator = records.collectives.groups.number(CommunicatorRef(communicator));
        records.collectives.push(Collective {
            begin,
            end: begin + 5,
            place,
            communicator: Some(communicator),
            root: Root::NONE,
            operation: CollectiveOperation::Barrier,
            sends: false,
            receives: false,
            is_requested: false,
            is_among_neighbors: false,
            stop: 0,
        });
    }
    records
}

/// The begin of each collective operation, and its communicator.
fn collectives(records: &Records) -> Vec<(u64, u32)> {
    let operation = |operation: &Collective| {
        let CommunicatorRef(communicator) = records.collectives.groups.key(operation.communicator.unwrap());
        (operation.begin, communicator)
    };
    records.collectives.iter().map(operation).collect()
}

/// The time of the call of each completion.
fn completions(records: &Records) -> Vec<u64> {
    records.completions.iter().map(|completion| records.calls[completion.call as usize].enter).collect()
}

#[test]
fn records_are_merged_grouped_retimed_forgotten_and_split() {
    let threads = vec![(0, thread(0, &[(10, 7), (30, 8)])), (1, thread(1, &[(20, 8), (40, 7)]))];
    let (records, shares) = merge(threads);
    assert_eq!(collectives(&records), [(10, 7), (20, 8), (30, 8), (40, 7)]);
    assert_eq!(completions(&records), [10, 20, 30, 40]);

    let mut process = Process::new(0, 0, records, Frontier::default());
    let groups = process.collectives.groups.iter();
    let groups: Vec<_> = groups.map(|(communicator, group)| (communicator.0, group.to_vec())).collect();
    assert_eq!(groups, [(7, vec![0, 3]), (8, vec![1, 2])]);
    assert_eq!(process.records.groups(), 2);
    let recorded = process.times();
    process.retime(|time| time + 100);
    assert_eq!((process.collectives[0].end, process.calls[0].enter), (115, 109));
    process.set_times(&recorded);
    assert_eq!((process.collectives[0].end, process.calls[0].enter), (15, 9));
    process.records.each_place(|place| place.base = Base::NOTHING);
    assert!(process.collectives.iter().all(|operation| operation.place.base.is_nothing()));

    let mut left = process.into_records();
    let all_but_first = vec![false, true, true, true];
    let kept = KeptFlags {
        sends: vec![false; 4],
        completions: all_but_first.clone(),
        collectives: all_but_first,
        ..KeptFlags::default()
    };
    let numbers = left.retain(kept, &[]);
    assert_eq!((left.calls.len(), left.sends.len(), left.count()), (3, 0, 9));
    let threads = shares.split(left, numbers);
    assert_eq!(collectives(&threads[0].1), [(30, 8)]);
    assert_eq!(collectives(&threads[1].1), [(20, 8), (40, 7)]);
    assert_eq!((completions(&threads[0].1), completions(&threads[1].1)), (vec![30], vec![20, 40]));
    // The call of the second operation of the first thread.
    assert_eq!(threads[0].2.number(|numbers| &numbers.calls, 3), 0);
    assert_eq!(threads[1].2.number(|numbers| &numbers.collectives, 1), 1);
}
