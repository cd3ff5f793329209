//! Work of the machine for all locations.

use ats_documents::machine::{Counted, Machine};
use ats_model::{Definitions, locations::Location, own_metric::OwnMetric};

use crate::scan::Scan;

/// All that the trace tells of it; an event costs the recorder so many seconds, if that is known.
pub(crate) fn machine(definitions: &Definitions, scans: &[Scan], cost_of_event: Option<f64>) -> Machine {
    let counted = definitions.locations.iter().zip(scans).filter_map(|(location, scan)| {
        let counters = scan.counters?;
        let number = |metric: OwnMetric| counters.counted[metric as usize].round() as u64;
        let flushed = scan.recorder.flushed(0, u64::MAX);
        Some(Counted {
            location: Location { rank: location.rank, thread: location.thread },
            seconds: counters.seconds,
            processor: counters.counted[OwnMetric::ProcessorTime as usize],
            computing: counters.computing,
            not_running: counters.not_running,
            involuntary_switches: number(OwnMetric::InvoluntarySwitches),
            voluntary_switches: number(OwnMetric::VoluntarySwitches),
            page_faults: number(OwnMetric::PageFaults),
            page_faults_computing: counters.faults.round() as u64,
            recording: definitions.clock.seconds(flushed)
                + cost_of_event.unwrap_or_default() * scan.events as f64,
        })
    });
    Machine { shared: definitions.shared_processors(), locations: counted.collect() }
}
