//! Calling contexts, and the calls of functions that they keep apart.

use std::collections::BTreeMap;

use ats_model::CallSite;
use ats_model::definitions::{CallingContext, Region, RegionRole};
use ats_model::event::RegionRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::Budget;
use super::cursor::Fault;
use super::definitions::{CallingContextProperty, GlobalDefinitions, PropertyValue, SourceCodeLocation};
use super::references::{IdTable, Reference};
use crate::format::call;

/// The calling contexts, each after its parent. Those that are their own callers, as only a damaged archive has them,
/// and those of functions that are not defined, are left out.
pub(super) fn calling_contexts(
    raw: &GlobalDefinitions<'_>,
    regions: &IdTable<'_>,
    budget: &mut Budget,
) -> Result<(Vec<u32>, Vec<CallingContext>), Fault> {
    let places: FxHashMap<u32, &SourceCodeLocation> =
        raw.source_code_locations.iter().map(|place| (place.id, place)).collect();
    let by_id: FxHashMap<u32, _> = raw.calling_contexts.iter().map(|context| (context.id, context)).collect();
    let (mut ids, mut contexts) = (Vec::new(), Vec::new());
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut asked: FxHashSet<u32> = FxHashSet::default();
    for innermost in raw.calling_contexts.iter().map(|context| context.id) {
        let parent = |&id: &u32| Some(by_id[&id].parent).filter(|parent| by_id.contains_key(parent));
        let mut not_asked = |id: u32| asked.insert(id).then_some(id);
        let chain: Vec<u32> =
            std::iter::successors(not_asked(innermost), |id| parent(id).and_then(&mut not_asked)).collect();
        for id in chain.into_iter().rev() {
            let context = by_id[&id];
            let Reference::To(function) = regions.get(context.region) else { continue };
            budget.spend(size_of::<CallingContext>())?;
            let place = places.get(&context.source_code_location);
            numbers.insert(id, contexts.len() as u32);
            ids.push(id);
            contexts.push(CallingContext {
                function: RegionRef(function),
                file: place.map_or(Ok(String::new()), |place| budget.text(raw, place.file))?,
                line: place.map_or(0, |place| place.line),
                parent: numbers.get(&context.parent).copied(),
            });
        }
    }
    Ok((ids, contexts))
}

/// Gives the calls of functions that are kept apart regions of their own, which their calling contexts name from now on.
pub(super) fn calls(
    raw: &GlobalDefinitions<'_>,
    ids: &[u32],
    contexts: &mut [CallingContext],
    regions: &mut Vec<Region>,
    budget: &mut Budget,
) -> Result<BTreeMap<RegionRef, RegionRef>, Fault> {
    let numbers: FxHashMap<u32, u32> = ids.iter().copied().zip(0..).collect();
    let mut properties: BTreeMap<u32, (Option<&[u8]>, Option<RegionRole>)> = BTreeMap::new();
    for CallingContextProperty { context, name, value } in &raw.calling_context_properties {
        let (Some(name), Some(&number)) = (raw.strings.get(name), numbers.get(context)) else { continue };
        match value {
            PropertyValue::String(site) if *name == call::SITE.as_bytes() => {
                properties.entry(number).or_default().0 = raw.strings.get(site).copied();
            }
            PropertyValue::Uint8(role) if *name == call::ROLE.as_bytes() => {
                properties.entry(number).or_default().1 = Some(RegionRole::from_otf2(*role));
            }
            _ => {}
        }
    }
    let mut calls = BTreeMap::new();
    let mut known: FxHashMap<_, RegionRef> = FxHashMap::default();
    for (number, (site, role)) in properties {
        let function = &mut contexts[number as usize].function;
        let call = match known.get(&(*function, site, role)) {
            Some(&call) => call,
            None => {
                let of = regions[function.0 as usize].clone();
                let text = String::from_utf8_lossy(site.unwrap_or_default());
                budget.spend(size_of::<Region>() + of.name.len() + of.file.len() + text.len())?;
                let call_site = CallSite::of_description(&text);
                let call = RegionRef(regions.len() as u32);
                regions.push(Region { role: role.unwrap_or(of.role), call_site, ..of });
                known.insert((*function, site, role), call);
                calls.insert(call, *function);
                call
            }
        };
        *function = call;
    }
    Ok(calls)
}
