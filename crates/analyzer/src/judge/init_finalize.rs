//! Waits in `MPI_Init` and `MPI_Finalize`, from the time stamps of the regions themselves: recorders differ in
//! whether they write a collective operation for them.

use std::{cmp::Reverse, sync::Arc};

use ats_model::{Definitions, WaitState, definitions::Communicator, delay::Extent, event::CommunicatorRef};

use crate::{
    judge::{
        account::Account,
        ledger::Ledger,
        points::{At, GroupMembers, Partners, Point, Stage},
        violations::Measure,
    },
    records::{Arrival, Span, process::Process, processes::Processes},
    words::{damage::Damage, regions::CallKind},
};

/// Whether the times of a trace's processes are taken as those of one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommonClock {
    /// They are: the trace has measured how their clocks differ, or they are to be left alone.
    Measured,
    /// They are not; the analysis derives one.
    Unknown,
}

/// The parts of all processes in `MPI_Init` and `MPI_Finalize` together.
pub(crate) struct InitFinalize {
    earliest_init_leave: Option<u64>,
    /// If times before `MPI_Init` can be compared.
    latest_init_enter: Option<Arrival>,
    latest_finalize_enter: Option<Arrival>,
    /// The shortest time in `MPI_Finalize`, in ticks.
    shortest_finalize: Option<u64>,
    world: Option<CommunicatorRef>,
    /// The locations that call `MPI_Init`, by rising number.
    initializing: Arc<GroupMembers>,
    /// The locations that call `MPI_Finalize`, by rising number.
    finalizing: Arc<GroupMembers>,
    /// The last of them to come.
    last_to_finalize: Option<At>,
    earliest_finalize_leave: u64,
}

impl InitFinalize {
    /// Sums up the parts of all processes. Before MPI is up nobody compares clocks: those of several nodes differ.
    pub(crate) fn new(definitions: &Definitions, processes: &Processes, clock: CommonClock) -> Self {
        let spans = |kind| processes.list().iter().filter_map(move |process| process.span(kind));
        let (inits, finalizes) = (|| spans(CallKind::Init), || spans(CallKind::Finalize));
        let are_on_one_node = is_one_node(definitions, processes, clock);
        let latest = finalizes().max_by_key(|finalize| (finalize.enter, Reverse(finalize.place.location)));
        InitFinalize {
            initializing: locations(spans(CallKind::Init)),
            finalizing: locations(finalizes()),
            last_to_finalize: latest.map(|latest| end_point(&latest)),
            earliest_finalize_leave: finalizes().map(|finalize| finalize.leave).min().unwrap_or(u64::MAX),
            earliest_init_leave: inits().map(|init| init.leave).min(),
            latest_init_enter: inits().map(arrival).max().filter(|_| are_on_one_node),
            latest_finalize_enter: finalizes().map(arrival).max(),
            shortest_finalize: finalizes().map(|finalize| finalize.duration()).min(),
            world: world(definitions),
        }
    }

    /// The span from the first leave of `MPI_Init` to the last enter of `MPI_Finalize`, as far as they are known.
    pub(crate) fn between(&self) -> (Option<u64>, Option<u64>) {
        (self.earliest_init_leave, self.latest_finalize_enter.map(|last| last.time))
    }

    /// Books the waits of one process.
    pub(crate) fn judge(&self, process: &Process, measure: Measure, account: &mut Account) {
        match measure {
            Measure::Times => self.judge_times(process, account),
            Measure::Durations => self.judge_durations(process, &mut account.ledger),
        }
    }

    fn judge_times(&self, process: &Process, Account { ledger, damages, .. }: &mut Account) {
        match (process.span(CallKind::Init), self.earliest_init_leave) {
            (Some(init), Some(first)) => {
                let mut meeting = (WaitState::InitCompletion, 0, None);
                if let Some(last) = self.latest_init_enter {
                    // From the first leave on it is completion.
                    let wait = last.time.min(first).saturating_sub(init.enter);
                    let wait = ledger.inner.outside(init.place, init.enter, wait);
                    let from = (init.enter, Some(last.location));
                    ledger.add_from(from, WaitState::WaitAtInit, init.place, wait, self.world);
                    if wait > 0 && ledger.points.extent() == Some(Extent::All) {
                        meeting = (WaitState::WaitAtInit, wait, Some(last.point(Stage::End)));
                    }
                }
                let (state, wait, led_by) = meeting;
                let begin = first.max(init.enter);
                let completion = ledger.inner.outside(init.place, begin, init.leave.saturating_sub(begin));
                ledger.add_from((begin, None), WaitState::InitCompletion, init.place, completion, self.world);
                ledger.points.add(Point {
                    at: end_point(&init),
                    state,
                    wait,
                    begin: 0,
                    completion: init.leave.saturating_sub(first),
                    since_fork: 0,
                    partners: Partners::Group(Arc::clone(&self.initializing)),
                    led_by,
                });
            }
            (None, Some(first)) => damages.add(Damage::InitMissing, process.main_location, first),
            _ => {}
        }
        match (process.span(CallKind::Finalize), self.latest_finalize_enter) {
            (Some(finalize), Some(last)) => {
                let wait = last.time.min(finalize.leave).saturating_sub(finalize.enter);
                let wait = ledger.inner.outside(finalize.place, finalize.enter, wait);
                let from = (finalize.enter, Some(last.location));
                ledger.add_from(from, WaitState::WaitAtFinalize, finalize.place, wait, self.world);
                self.meet(&finalize, wait, last.time, ledger);
            }
            (None, Some(last)) => damages.add(Damage::FinalizeMissing, process.main_location, last.time),
            _ => {}
        }
    }

    /// Adds the sync point of a process in `MPI_Finalize`.
    fn meet(&self, finalize: &Span, wait: u64, begun: u64, ledger: &mut Ledger) {
        let at = end_point(finalize);
        let late = self.last_to_finalize.filter(|_| wait > 0 && ledger.points.extent() == Some(Extent::All));
        let begun = begun.min(finalize.leave);
        ledger.points.add(Point {
            at,
            state: WaitState::WaitAtFinalize,
            wait,
            begin: 0,
            completion: finalize.leave.saturating_sub(self.earliest_finalize_leave.max(begun)),
            since_fork: 0,
            partners: Partners::Group(Arc::clone(&self.finalizing)),
            led_by: late,
        });
    }

    /// Books the waits that are known from durations alone: the excess of `MPI_Finalize` over that on the
    /// process that spends least in it.
    fn judge_durations(&self, process: &Process, ledger: &mut Ledger) {
        if let (Some(finalize), Some(shortest)) = (process.span(CallKind::Finalize), self.shortest_finalize) {
            let duration = ledger.inner.outside(finalize.place, finalize.enter, finalize.duration());
            let wait = duration.saturating_sub(shortest);
            ledger.add(WaitState::WaitAtFinalize, finalize.place, wait, self.world);
        }
    }
}

fn arrival(span: Span) -> Arrival {
    Arrival { time: span.enter, location: span.place.location, stop: span.stop }
}

/// Whether all processes have the clock of one node. A trace that names no nodes, or one machine for all, has to have
/// measured its clocks.
fn is_one_node(definitions: &Definitions, processes: &Processes, clock: CommonClock) -> bool {
    let tree = &definitions.system_tree;
    let ranks = || processes.list().iter().map(|process| process.rank);
    let names_nodes = ranks().next().is_some_and(|rank| tree.shared_memory_of(rank).is_some());
    (names_nodes || clock == CommonClock::Measured) && tree.is_one_node(ranks())
}

fn locations(spans: impl Iterator<Item = Span>) -> Arc<GroupMembers> {
    let mut locations: Vec<u32> = spans.map(|span| span.place.location).collect();
    locations.sort_unstable();
    GroupMembers::new(locations)
}

fn end_point(span: &Span) -> At {
    At { location: span.place.location, stop: span.stop, stage: Stage::End }
}

/// `MPI_COMM_WORLD`, if the trace names one.
fn world(definitions: &Definitions) -> Option<CommunicatorRef> {
    let is_world = |communicator: &Communicator| communicator.name == "MPI_COMM_WORLD";
    let index = definitions.communicators.iter().position(is_world)?;
    Some(CommunicatorRef(index as u32))
}
