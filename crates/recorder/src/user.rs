#![allow(unsafe_code, reason = "called from programs in any language")]
//! Regions that the program marks, and what it counts in them. It finds these functions by `dlsym`, so that nothing has to be linked.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::thread::LocalKey;

use ats_model::event::{MetricRef, RegionRef};
use rustc_hash::FxHashMap;

use crate::{clock, load, metrics, region, session, track};

/// References by name.
type Known<T> = RefCell<FxHashMap<Box<[u8]>, T>>;

thread_local! {
    static REGIONS: Known<RegionRef> = RefCell::default();
    static COUNTERS: Known<MetricRef> = RefCell::default();
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
        Some(mut track) => match track.enters(ticks) {
            Some(ticks) => {
                track.enter(ticks, region);
                track.sample(ticks);
            }
            None => track.enter_late(region),
        },
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
            let ticks = track.leaves(ticks);
            track.leave_late(ticks, region);
        }
        None => track::sealed().into_iter().for_each(|mut track| track.leave_late(ticks, region)),
    }
}

/// Counts `number` more of what the counter of this name counts, where the thread is.
///
/// # Safety
/// `name` is null, which is ignored, or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ats_region_count(name: *const c_char, number: u64) {
    let ticks = clock::now();
    // SAFETY: as the caller promises.
    let Some(metric) = (unsafe { known(&COUNTERS, name, metrics::of_program) }) else { return };
    if let Some(mut track) = load::track() {
        track.count(ticks, metric, number);
    }
}

unsafe fn region_of(name: *const c_char) -> Option<RegionRef> {
    // SAFETY: as the caller promises.
    unsafe { known(&REGIONS, name, region::of_program) }
}

/// The reference for a name; `define` makes it once for each thread.
unsafe fn known<T: Copy>(
    all: &'static LocalKey<Known<T>>,
    name: *const c_char,
    define: impl FnOnce(&str) -> T,
) -> Option<T> {
    if name.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    let name = unsafe { CStr::from_ptr(name) };
    all.try_with(|known| {
        let mut known = known.borrow_mut();
        if let Some(known) = known.get(name.to_bytes()) {
            return *known;
        }
        session::begin_marked();
        let new = define(&name.to_string_lossy());
        known.insert(name.to_bytes().into(), new);
        new
    })
    .ok()
}
