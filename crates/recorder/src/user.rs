#![allow(unsafe_code, reason = "called from programs in any language")]
//! Regions that the program marks. It finds these functions by `dlsym`, so that nothing has to be linked.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};

use ats_model::event::RegionRef;
use rustc_hash::FxHashMap;

use crate::{clock, load, region, track};

thread_local! {
    static KNOWN: RefCell<FxHashMap<Box<[u8]>, RegionRef>> = RefCell::default();
}

/// Enters the region of this name.
///
/// # Safety
/// `name` is null, which is ignored, or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ats_region_enter(name: *const c_char) {
    let ticks = clock::now();
    // SAFETY: as the caller promises.
    let Some(region) = (unsafe { region_of(name) }) else { return };
    match load::track() {
        Some(mut track) => {
            if track.is_on(ticks) {
                track.enter(ticks, region);
                track.sample(ticks);
            } else {
                track.enter_late(region);
            }
        }
        None => track::sealed().into_iter().for_each(|mut track| track.enter_late(region)),
    }
}

/// Leaves the region of this name, and those that were entered in it and never left.
///
/// # Safety
/// `name` is null, which is ignored, or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ats_region_leave(name: *const c_char) {
    let ticks = clock::now();
    // SAFETY: as the caller promises.
    let Some(region) = (unsafe { region_of(name) }) else { return };
    match load::track() {
        Some(mut track) => {
            let ticks = if track.is_on(ticks) { track.sample_within(ticks) } else { ticks };
            track.leave_late(ticks, region);
        }
        None => track::sealed().into_iter().for_each(|mut track| track.leave_late(ticks, region)),
    }
}

unsafe fn region_of(name: *const c_char) -> Option<RegionRef> {
    if name.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    let name = unsafe { CStr::from_ptr(name) };
    KNOWN
        .try_with(|known| {
            let mut known = known.borrow_mut();
            if let Some(region) = known.get(name.to_bytes()) {
                return *region;
            }
            let region = region::of_program(&name.to_string_lossy());
            known.insert(name.to_bytes().into(), region);
            region
        })
        .ok()
}
