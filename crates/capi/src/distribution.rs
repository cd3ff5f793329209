#![allow(unsafe_code, reason = "functions that C calls, and functions of C that are called")]
#![allow(non_camel_case_types, reason = "the report's names")]
//! Distributions (report, section 3.1.2).

use std::ffi::{c_int, c_void};

use ats_distr::{Distribution, Val1, Val2, Val2N, Val3};

use crate::argument::count;
use crate::failure::{Problem, call};

/// A descriptor of whatever type its function expects.
pub(crate) type distr_t = c_void;

/// A distribution function of C; none is the null pointer.
pub(crate) type distr_func_t = Option<unsafe extern "C" fn(c_int, c_int, f64, *mut distr_t) -> f64>;

/// The descriptor of `df_same`.
#[repr(C)]
#[derive(Clone, Copy)]
struct val1_distr_t {
    val: f64,
}

/// The descriptor of `df_cyclic2`, `df_block2` and `df_linear`.
#[repr(C)]
#[derive(Clone, Copy)]
struct val2_distr_t {
    low: f64,
    high: f64,
}

/// The descriptor of `df_peak`.
#[repr(C)]
#[derive(Clone, Copy)]
struct val2_n_distr_t {
    low: f64,
    high: f64,
    n: c_int,
}

/// The descriptor of `df_cyclic3` and `df_block3`. Mind the order: `high` comes before `med`.
#[repr(C)]
#[derive(Clone, Copy)]
struct val3_distr_t {
    low: f64,
    high: f64,
    med: f64,
}

impl From<val1_distr_t> for Val1 {
    fn from(val1_distr_t { val }: val1_distr_t) -> Self {
        Val1 { val }
    }
}

impl From<val2_distr_t> for Val2 {
    fn from(val2_distr_t { low, high }: val2_distr_t) -> Self {
        Val2 { low, high }
    }
}

impl From<val3_distr_t> for Val3 {
    fn from(val3_distr_t { low, high, med }: val3_distr_t) -> Self {
        Val3 { low, med, high }
    }
}

/// Calls one of the suite's distribution functions with the arguments from C.
pub(crate) fn share<T: Copy>(
    name: &str,
    (me, sz): (c_int, c_int),
    dd: *mut distr_t,
    run: impl FnOnce(usize, usize, T) -> Result<f64, Problem>,
) -> f64 {
    call(name, || {
        let (me, sz) = (count("me", me)?, count("sz", sz)?);
        if dd.is_null() {
            return Err(Problem("the descriptor is a null pointer".to_owned()));
        }
        // SAFETY: the caller passes a descriptor of the type that the header names.
        run(me, sz, unsafe { dd.cast::<T>().read_unaligned() })
    })
}

/// Everyone gets the same: `val`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_same(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_same", (me, sz), dd, |me, sz, dd: val1_distr_t| {
        Ok(ats_distr::df_same(me, sz, scale, &dd.into()))
    })
}

/// Even participants get `low`, odd ones `high`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_cyclic2(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_cyclic2", (me, sz), dd, |me, sz, dd: val2_distr_t| {
        Ok(ats_distr::df_cyclic2(me, sz, scale, &dd.into()))
    })
}

/// The first half gets `low`, the rest `high`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_block2(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_block2", (me, sz), dd, |me, sz, dd: val2_distr_t| {
        Ok(ats_distr::df_block2(me, sz, scale, &dd.into()))
    })
}

/// From `low` for the first to `high` for the last participant, in even steps.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_linear(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_linear", (me, sz), dd, |me, sz, dd: val2_distr_t| {
        Ok(ats_distr::df_linear(me, sz, scale, &dd.into()))
    })
}

/// Participant `n` gets `high`, all others `low`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_peak(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_peak", (me, sz), dd, |me, sz, dd: val2_n_distr_t| {
        let val2_n_distr_t { low, high, n } = dd;
        Ok(ats_distr::df_peak(me, sz, scale, &Val2N { low, high, n: count("n", n)? }))
    })
}

/// `low`, `med` and `high` in turn.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_cyclic3(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_cyclic3", (me, sz), dd, |me, sz, dd: val3_distr_t| {
        Ok(ats_distr::df_cyclic3(me, sz, scale, &dd.into()))
    })
}

/// The first third gets `low`, the second `med`, the rest `high`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn df_block3(me: c_int, sz: c_int, scale: f64, dd: *mut distr_t) -> f64 {
    share("df_block3", (me, sz), dd, |me, sz, dd: val3_distr_t| {
        Ok(ats_distr::df_block3(me, sz, scale, &dd.into()))
    })
}

/// The mean share of `sz` participants: the share of each in a balanced twin.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn distr_mean(df: distr_func_t, dd: *mut distr_t, sz: c_int) -> f64 {
    // SAFETY: the program passes a function with a descriptor that it understands.
    call("distr_mean", || Ok(unsafe { distribution(df, dd) }?.mean(count("sz", sz)?, 1.0)))
}

/// A function and a descriptor of the program's.
#[derive(Clone, Copy)]
struct Pair {
    df: unsafe extern "C" fn(c_int, c_int, f64, *mut distr_t) -> f64,
    dd: *mut distr_t,
}

// SAFETY: the program hands both to a call that, in a team of threads, uses them on the threads of that team only.
unsafe impl Send for Pair {}
// SAFETY: as above.
unsafe impl Sync for Pair {}

impl Pair {
    fn value(self, me: usize, size: usize, scale: f64) -> f64 {
        // SAFETY: promised to `distribution`.
        let value = unsafe { (self.df)(me as c_int, size as c_int, scale, self.dd) };
        if !(value.is_finite() && value >= 0.0) {
            let problem = format!(
                "the distribution gives participant {me} of {size} {value}; a share is finite and not negative"
            );
            Problem(problem).throw();
        }
        value
    }
}

/// The distribution that a function and a descriptor of C are.
///
/// # Safety
/// The function understands the descriptor, which lives as long as the result.
pub(crate) unsafe fn distribution(df: distr_func_t, dd: *mut distr_t) -> Result<Distribution, Problem> {
    let df = df.ok_or_else(|| Problem("the distribution function is a null pointer".to_owned()))?;
    let pair = Pair { df, dd };
    Ok(Distribution::user("df", move |me, size, scale| pair.value(me, size, scale)))
}
