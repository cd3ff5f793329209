// `ATS_RENEW=1 cargo test -p ats-capi --test it generated` writes this file.

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_seconds(r#name: * const c_char) -> f64 {
    // SAFETY: the program passes a string.
    call("ats_seconds", || match unsafe { part(name, "seconds", 0) }? {
        CValue::Real(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_count(r#name: * const c_char) -> c_int {
    // SAFETY: the program passes a string.
    call("ats_count", || match unsafe { part(name, "count", 0) }? {
        CValue::Int(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_bytes(r#name: * const c_char) -> i64 {
    // SAFETY: the program passes a string.
    call("ats_bytes", || match unsafe { part(name, "bytes", 0) }? {
        CValue::Long(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_share(r#name: * const c_char) -> f64 {
    // SAFETY: the program passes a string.
    call("ats_share", || match unsafe { part(name, "share", 0) }? {
        CValue::Real(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_flag(r#name: * const c_char) -> c_int {
    // SAFETY: the program passes a string.
    call("ats_flag", || match unsafe { part(name, "flag", 0) }? {
        CValue::Int(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_seed(r#name: * const c_char) -> i64 {
    // SAFETY: the program passes a string.
    call("ats_seed", || match unsafe { part(name, "seed", 0) }? {
        CValue::Long(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_schedule(r#name: * const c_char) -> c_int {
    // SAFETY: the program passes a string.
    call("ats_schedule", || match unsafe { part(name, "schedule", 0) }? {
        CValue::Int(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_schedule_chunk(r#name: * const c_char) -> c_int {
    // SAFETY: the program passes a string.
    call("ats_schedule_chunk", || match unsafe { part(name, "schedule", 1) }? {
        CValue::Int(value) => Ok(value),
        other => unreachable!("{other:?} is no part of it"),
    })
}
