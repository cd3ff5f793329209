//! A trace of 64 locations and a million events, as the pages of real programs have to show them.

use ats_analyzer::{Options, analyze_and_profile_with, notation::parse};
use ats_documents::{Analysis, Profile, Wait};
use ats_model::source::InMemory;
use ats_presentation::{Found, Limits, Page, Program, Timeline, page, timeline};

const RANKS: u64 = 64;
const PERIODS: u64 = 1600;
const PERIOD: u64 = 1000;

/// Again and again each rank works, passes something on to the next one and reduces, never for the same time.
fn trace() -> InMemory {
    let mut random = 1u64;
    let mut below = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let mut text = String::new();
    for rank in 0..RANKS {
        let (next, last) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
        text += &format!("{rank}: 0 enter main");
        for period in 0..PERIODS {
            let begin = period * PERIOD;
            let sent = begin + 100 + below(300);
            let reduced = sent + below(200);
            let (received, done) = (begin + 600, begin + 900 + below(50));
            let kernel = below(20);
            text += &format!(
                "; {begin}..{sent} kernel_{kernel}; {sent}..{received} MPI_Sendrecv send {next}, recv {last}; \
                 {}..{done} MPI_Allreduce allreduce",
                received + (reduced - sent)
            );
        }
        text += &format!("; {} leave\n", PERIODS * PERIOD);
    }
    parse(&text).unwrap()
}

/// The trace, and the findings of the analyzer in it.
pub(crate) struct Large {
    pub(crate) trace: InMemory,
    analysis: Analysis,
    profile: Profile,
    waits: Vec<Wait>,
}

impl Large {
    pub(crate) fn new() -> Self {
        let trace = trace();
        let (analysis, profile, waits) = analyzed(&trace);
        Large { trace, analysis, profile, waits }
    }

    /// The number of its events.
    pub(crate) fn events(&self) -> usize {
        self.trace.events.iter().map(Vec::len).sum()
    }

    /// Its timeline.
    pub(crate) fn timeline(&self) -> Timeline {
        timeline(&self.trace, Some((&self.analysis, &self.waits)), &Limits::default())
    }

    /// Its page, with this timeline.
    pub(crate) fn page(&self, timeline: &Timeline) -> String {
        let Analysis { findings, basis, .. } = &self.analysis;
        let program = Program {
            name: "large",
            ranks: RANKS as u32,
            threads: 1,
            truth: None,
            found: vec![Found { tool: "ats-analyzer", findings, basis: Some(basis), ..Found::default() }],
            timeline: Some(timeline),
            profile: Some(&self.profile),
            ..Program::default()
        };
        page(&Page { title: "large", programs: vec![program], ..Page::default() })
    }
}

/// The analysis of a trace, its profile and its single waits.
pub(crate) fn analyzed(trace: &InMemory) -> (Analysis, Profile, Vec<Wait>) {
    let mut waits = Vec::new();
    let observe = &mut |wait| waits.push(wait);
    let (analysis, profile) = analyze_and_profile_with(trace, "large", &Options::default(), observe).unwrap();
    (analysis, profile, waits)
}
