//! An archive of any bytes is read or refused.
#![no_main]

mod parts;

use ats_model::attribute::AttributeType;
use ats_model::{Definitions, Event, EventSource};
use ats_trace::Archive;
use libfuzzer_sys::fuzz_target;
use parts::part;

/// Whether there is what a metric or an attribute of an event refers to.
fn is_defined(definitions: &Definitions, event: Event) -> bool {
    match event {
        Event::Metric { metric, .. } => definitions.metrics.len() > metric.0 as usize,
        Event::CallingContextSample { context, interrupts, .. } => {
            definitions.calling_contexts.len() > context.0 as usize
                && definitions.interrupt_generators.len() > interrupts.0 as usize
        }
        Event::Attribute { attribute, value } => {
            definitions.attributes.len() > attribute.0 as usize
                && match value.of {
                    AttributeType::String => definitions.strings.get(value.bits as u32).is_some(),
                    AttributeType::Region => definitions.regions.len() > value.bits as usize,
                    AttributeType::Comm => definitions.communicators.len() > value.bits as usize,
                    _ => value.number().is_some(),
                }
        }
        _ => true,
    }
}

fuzz_target!(|input: &[u8]| {
    let mut input = input;
    let [anchor, definitions, events, local] = std::array::from_fn(|_| part(&mut input));
    let location = (0, events.to_vec(), local.to_vec());
    if let Ok(mut archive) = Archive::from_parts(anchor, definitions, vec![location]) {
        for index in 0..archive.definitions().locations.len().min(4) {
            let mut handed_over = 0;
            archive.set_part_bytes(u64::MAX);
            let result = archive.read_location(index, |_, event| {
                handed_over += 1;
                assert!(is_defined(archive.definitions(), event), "{event:?}");
            });
            archive.set_part_bytes(1);
            let mut by_chunks = 0;
            let again = archive.read_location(index, |_, _| by_chunks += 1);
            assert_eq!((by_chunks, again.is_ok()), (handed_over, result.is_ok()));
            assert!(handed_over <= events.len(), "more events than bytes");
            if let Err(error) = result {
                assert!(!error.to_string().is_empty());
            }
        }
    }
});
