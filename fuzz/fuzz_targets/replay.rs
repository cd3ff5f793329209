//! An archive of any bytes is run again, as it is and with changes: it ends, and no location ends before it began.
#![no_main]

mod parts;

use ats_trace::Archive;
use ats_whatif::{Changes, Network, NetworkOfReplay, NetworkOfTrace, Program, Selection, Speed};
use libfuzzer_sys::fuzz_target;
use parts::part;

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [anchor, definitions] = std::array::from_fn(|_| part(&mut input));
    let locations = (0..3).map(|id| (id, part(&mut input).to_vec(), Vec::new())).collect();
    let Ok(archive) = Archive::from_parts(anchor, definitions, locations) else { return };
    let Ok(program) = Program::new(&archive, &[], NetworkOfTrace::default()) else { return };
    let speed = Speed { selection: Selection::default(), factor: 2.0 };
    let network = NetworkOfReplay::Model(Network { latency: 1e-6, bandwidth: 1e9, ..Network::default() });
    for changes in [
        Changes::default(),
        Changes { speeds: vec![speed], ..Changes::default() },
        Changes { reorders: vec![Selection::default()], has_free_locks: true, ..Changes::default() },
        Changes { network, eager_limit: Some(0), ..Changes::default() },
    ] {
        let Ok((replayed, trace)) = program.run_in_memory(&changes) else { continue };
        assert!(replayed.ends.len() == trace.events.len());
        for events in &trace.events {
            assert!(events.is_sorted_by_key(|event| event.0), "times run backwards");
        }
    }
});
