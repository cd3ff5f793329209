//! A property that makes every call whose result is open.

use ats_mpi::{Communicator, How, MpiBuf, Op, Request, Source, Tag};
use ats_props::{Seconds, do_work, property};

/// Rank 0 takes the messages of the others by every call that leaves open which it takes, or whether it is there.
///
/// The last rank sends first. The number of calls that rank 0 makes then shows the messages it has taken, so that
/// another choice makes other calls.
#[property(finds = LateSender, formula = 0, min_ranks = 3)]
pub fn open_ended(
    /// From one message to the next.
    #[default(Seconds(0.001))]
    step: Seconds,
    c: &dyn Communicator,
) {
    run(step, c);
}

/// The same.
pub fn balanced(step: Seconds, c: &dyn Communicator) {
    run(step, c);
}

fn run(step: Seconds, c: &dyn Communicator) {
    for take in [recv, sendrecv, irecv, persistent, probe, iprobe, waitany, waitsome] {
        // All are there when the first is taken.
        collected(step, c, |c| {
            do_work(2.0 * step.0 * c.size() as f64);
            take(c);
        });
    }
    for how in [How::Test, How::Testany, How::Testsome, How::Testall] {
        collected(step, c, |c| poll(c, how, || ()));
        collected(step, c, |c| poll(c, how, || do_work(0.1 * step.0)));
    }
    collected(step, c, |c| {
        for source in others(c) {
            while c.iprobe(Source::Rank(source), Tag::Any).is_none() {}
            c.recv(Source::Rank(source), Tag::Any, &c.base_buf());
        }
    });
}

/// Every rank sends to rank 0, which does `take`.
fn collected(step: Seconds, c: &dyn Communicator, take: impl Fn(&dyn Communicator)) {
    c.barrier();
    match c.rank() {
        0 => take(c),
        rank => {
            do_work(step.0 * (c.size() - rank) as f64);
            c.send(0, 0, &c.base_buf());
        }
    }
}

fn others(c: &dyn Communicator) -> std::ops::Range<usize> {
    1..c.size()
}

/// Shows the messages taken, in calls.
fn tell(c: &dyn Communicator, taken: usize) {
    for _ in 0..=taken {
        c.call(to_itself(c, Source::Rank(0), &c.base_buf()));
    }
    assert_eq!(c.iprobe(Source::Rank(0), Tag::Any), None, "this only ends what is told");
}

fn to_itself(c: &dyn Communicator, from: Source, recv: &MpiBuf) -> Op {
    Op::Sendrecv { to: 0, send_tag: 1, send: c.base_buf(), from, recv_tag: Tag::Any, recv: recv.clone() }
}

fn recv(c: &dyn Communicator) {
    others(c).for_each(|_| tell(c, c.recv(Source::Any, Tag::Any, &c.base_buf()).source));
}

fn sendrecv(c: &dyn Communicator) {
    let buf = c.base_buf();
    let mut sources: Vec<usize> = others(c).map(|_| c.call(to_itself(c, Source::Any, &buf)).source).collect();
    // As many are left, of others or what it has sent to itself.
    sources.extend(others(c).map(|_| c.recv(Source::Any, Tag::Any, &buf).source));
    sources.into_iter().for_each(|source| tell(c, source));
}

fn irecv(c: &dyn Communicator) {
    let requests = others(c).map(|_| c.irecv(Source::Any, Tag::Any, &c.base_buf())).collect();
    c.waitall(requests).completed.into_iter().for_each(|(_, status)| tell(c, status.source));
}

fn persistent(c: &dyn Communicator) {
    let mut request = vec![c.init(Op::Recv { from: Source::Any, tag: Tag::Any, buf: c.base_buf() })];
    for _ in others(c) {
        c.restart(&request[0]);
        tell(c, c.complete(How::Wait, &mut request).completed[0].1.source);
    }
}

fn probe(c: &dyn Communicator) {
    for _ in others(c) {
        let source = c.probe(Source::Any, Tag::Any).source;
        c.recv(Source::Rank(source), Tag::Any, &c.base_buf());
        tell(c, source);
    }
}

fn iprobe(c: &dyn Communicator) {
    for _ in others(c) {
        let source = std::iter::repeat_with(|| c.iprobe(Source::Any, Tag::Any)).flatten().next();
        let source = source.expect("it is repeated until there is one").source;
        c.recv(Source::Rank(source), Tag::Any, &c.base_buf());
        tell(c, source);
    }
}

fn receives(c: &dyn Communicator) -> Vec<Request> {
    others(c).map(|from| c.irecv(Source::Rank(from), Tag::Any, &c.base_buf())).collect()
}

fn complete_by(c: &dyn Communicator, how: How) {
    let mut requests = receives(c);
    while !requests.is_empty() {
        let completed = c.complete(how, &mut requests).completed;
        completed.into_iter().for_each(|(index, _)| tell(c, index));
    }
}

fn waitany(c: &dyn Communicator) {
    complete_by(c, How::Waitany);
}

fn waitsome(c: &dyn Communicator) {
    complete_by(c, How::Waitsome);
}

fn poll(c: &dyn Communicator, how: How, between: impl Fn()) {
    let mut requests = receives(c);
    while !requests.is_empty() {
        let later = if how == How::Test { requests.split_off(1) } else { Vec::new() };
        let completed = c.complete(how, &mut requests).completed;
        if completed.is_empty() {
            between();
        }
        completed.into_iter().for_each(|(index, _)| tell(c, index));
        requests.extend(later);
    }
}
