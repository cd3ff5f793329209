//! Replay: entries and exits pinned to the stamps of a real run, its choices obeyed.

use crate::kernel::time::Picoseconds;

/// The actions of a rank in a real run, on the clock that all ranks share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankReplay {
    /// Entry into the measured part, in picoseconds.
    pub enter: Picoseconds,
    /// Exit from the measured part, in picoseconds.
    pub leave: Picoseconds,
    /// The actions of its master.
    pub master: ThreadReplay,
    /// The actions of its other threads, with their paths: the number in each team, from the outermost to the one the
    /// thread worked in, without trailing zeros.
    pub threads: Vec<(Vec<u32>, ThreadReplay)>,
}

/// The actions of a thread in a real run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThreadReplay {
    /// Every call and construct in order of entry: name, entry, exit, in picoseconds.
    pub calls: Vec<(String, Picoseconds, Picoseconds)>,
    /// Calls in a row that found nothing, which are one in `calls`: its index, how many they are, in order.
    pub repeated: Vec<(usize, u64)>,
    /// The choices of the run in them: index into `calls`, and choice (see [`ats_model::witness::Choice`]).
    pub choices: Vec<(usize, u32)>,
    /// Begin and end of each piece of its work, in picoseconds; where it is not known, work takes the time it was asked
    /// for.
    pub work: Vec<(Picoseconds, Picoseconds)>,
    /// When it began to work in a team, for each parallel region in turn, in picoseconds; where it is not known, it is
    /// taken to be at the fork.
    pub begins: Vec<Picoseconds>,
}

/// The progress of a location in its replay.
#[derive(Debug)]
pub(crate) struct Pins {
    replay: ThreadReplay,
    next: usize,
    /// The number of calls made, of those that `next` stands for.
    made_of_next: u64,
    /// The next of `repeated`.
    next_repeated: usize,
    next_begin: usize,
    next_work: usize,
    /// Without pins, where the run is.
    free: Option<Free>,
}

/// A replay of the work alone: time passes as in the run between its calls, and in them as the rules say.
#[derive(Clone, Copy, Debug)]
struct Free {
    /// The last stamp; `None` after an alignment, whose end has none.
    last: Option<Picoseconds>,
}

impl Pins {
    pub(crate) fn new(mut replay: ThreadReplay) -> Self {
        // Those of one call stay in their order.
        replay.choices.sort_by_key(|&(call, _)| call);
        Pins { replay, next: 0, made_of_next: 0, next_repeated: 0, next_begin: 0, next_work: 0, free: None }
    }

    /// Without pins, from this stamp on.
    pub(crate) fn free(self, begin: Picoseconds) -> Self {
        Pins { free: Some(Free { last: Some(begin) }), ..self }
    }

    /// The clock at a stamp: without pins, that much later than at the last one.
    fn clock(&mut self, clock: Picoseconds, stamp: Picoseconds) -> Picoseconds {
        let Some(Free { last }) = &mut self.free else { return stamp };
        let passed = last.map_or(0, |last| stamp.saturating_sub(last));
        *last = Some(stamp);
        clock.saturating_add(passed)
    }

    /// The ranks were aligned: nobody knows when.
    pub(crate) fn aligned(&mut self) {
        if let Some(free) = &mut self.free {
            free.last = None;
        }
    }

    /// The clock at the run's end, at this stamp.
    pub(crate) fn end(&mut self, clock: Picoseconds, leave: Picoseconds) -> Picoseconds {
        self.clock(clock, leave)
    }

    /// The clock at the entry into the next call, which the program says is `name`, and its pin.
    pub(crate) fn next(&mut self, name: &str, clock: Picoseconds) -> Result<(Picoseconds, Pin), String> {
        let at = self.next;
        let Some((recorded, enter, leave)) = self.replay.calls.get(at) else {
            return Err(format!("it ends after {at} calls, where the program makes another, {name}"));
        };
        if recorded != name {
            return Err(format!("its call {at} is {recorded}, where the program makes {name}"));
        }
        let (enter, leave) = (*enter, (*leave).max(*enter));
        let (enter, leave) = self.next_stamps(at, enter, leave);
        let now = self.clock(clock, enter);
        let leave = match &mut self.free {
            Some(free) => {
                free.last = Some(leave);
                None
            }
            None => Some(leave),
        };
        Ok((now, Pin { call: at as u32, leave }))
    }

    /// The stamps of the call at an index, or of the next of those that it stands for.
    fn next_stamps(
        &mut self,
        at: usize,
        enter: Picoseconds,
        leave: Picoseconds,
    ) -> (Picoseconds, Picoseconds) {
        match self.replay.repeated.get(self.next_repeated) {
            Some(&(of, times)) if of == at => {
                // They took the time in equal parts.
                let part = |number: u64| {
                    enter + (u128::from(leave - enter) * u128::from(number) / u128::from(times.max(1))) as u64
                };
                let number = self.made_of_next;
                self.made_of_next += 1;
                if self.made_of_next >= times {
                    (self.next, self.made_of_next) = (at + 1, 0);
                    self.next_repeated += 1;
                }
                (part(number), part(number + 1))
            }
            _ => {
                self.next += 1;
                (enter, leave)
            }
        }
    }

    /// When it began to work in the next team.
    pub(crate) fn next_begin(&mut self) -> Option<Picoseconds> {
        let begin = self.replay.begins.get(self.next_begin).copied();
        self.next_begin += 1;
        begin
    }

    /// The clock after its next piece of work.
    pub(crate) fn after_work(&mut self, clock: Picoseconds) -> Option<Picoseconds> {
        let (begin, end) = self.replay.work.get(self.next_work).copied()?;
        self.next_work += 1;
        let begin = self.clock(clock, begin);
        Some(self.clock(begin, end).max(clock))
    }

    /// The choices in a call, in order.
    pub(crate) fn choices(&self, call: u32) -> impl Iterator<Item = u32> + '_ {
        let call = call as usize;
        let first = self.replay.choices.partition_point(|&(of, _)| of < call);
        self.replay.choices[first..].iter().take_while(move |&&(of, _)| of == call).map(|&(_, chosen)| chosen)
    }

    /// The choice in the next call, if that is `name`, and the time when the run entered it.
    pub(crate) fn next_choice(&self, name: &str) -> Option<(u32, Picoseconds)> {
        let (recorded, enter, _) = self.replay.calls.get(self.next)?;
        (recorded == name).then(|| Some((self.choices(self.next as u32).next()?, *enter)))?
    }

    /// Whether all calls were made.
    pub(crate) fn finished(&self) -> Result<(), String> {
        let ThreadReplay { calls, repeated, .. } = &self.replay;
        if self.next == calls.len() {
            return Ok(());
        }
        let more = |repeated: &[(usize, u64)]| {
            repeated.iter().map(|&(_, times)| times.saturating_sub(1)).sum::<u64>()
        };
        let recorded = calls.len() as u64 + more(repeated);
        let made = self.next as u64 + more(&repeated[..self.next_repeated]) + self.made_of_next;
        Err(format!("it has {recorded} calls, the program makes {made}"))
    }
}

/// One call of a real run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pin {
    pub(crate) call: u32,
    /// When it left; without pins, that follows from the rules.
    pub(crate) leave: Option<Picoseconds>,
}
