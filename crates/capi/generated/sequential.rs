// `ATS_RENEW=1 cargo test -p ats-capi --test it generated` writes this file.

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn branch_misprediction(r#n: c_int, r#share: f64, r#seed: i64, r#r: c_int) {
    property("branch_misprediction", || {
        ats_props::sequential::branch_misprediction::branch_misprediction(value("n", &[CValue::Int(n)])?, value("share", &[CValue::Real(share)])?, value("seed", &[CValue::Long(seed)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn branch_misprediction_balanced(r#n: c_int, r#share: f64, r#seed: i64, r#r: c_int) {
    property("branch_misprediction_balanced", || {
        let _region = ats_work::region("branch_misprediction_balanced");
        ats_props::sequential::branch_misprediction::balanced(value("n", &[CValue::Int(n)])?, value("share", &[CValue::Real(share)])?, value("seed", &[CValue::Long(seed)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn denormal_arithmetic(r#n: c_int, r#r: c_int) {
    property("denormal_arithmetic", || {
        ats_props::sequential::denormal_arithmetic::denormal_arithmetic(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn denormal_arithmetic_balanced(r#n: c_int, r#r: c_int) {
    property("denormal_arithmetic_balanced", || {
        let _region = ats_work::region("denormal_arithmetic_balanced");
        ats_props::sequential::denormal_arithmetic::balanced(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn frequent_allocation(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("frequent_allocation", || {
        ats_props::sequential::frequent_allocation::frequent_allocation(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn frequent_allocation_balanced(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("frequent_allocation_balanced", || {
        let _region = ats_work::region("frequent_allocation_balanced");
        ats_props::sequential::frequent_allocation::balanced(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn hot_procedure(r#hotwork: f64, r#others: c_int, r#otherwork: f64, r#r: c_int) {
    property("hot_procedure", || {
        ats_props::sequential::hot_procedure::hot_procedure(value("hotwork", &[CValue::Real(hotwork)])?, value("others", &[CValue::Int(others)])?, value("otherwork", &[CValue::Real(otherwork)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn hot_procedure_balanced(r#hotwork: f64, r#others: c_int, r#otherwork: f64, r#r: c_int) {
    property("hot_procedure_balanced", || {
        let _region = ats_work::region("hot_procedure_balanced");
        ats_props::sequential::hot_procedure::balanced(value("hotwork", &[CValue::Real(hotwork)])?, value("others", &[CValue::Int(others)])?, value("otherwork", &[CValue::Real(otherwork)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn int_float_conversion(r#n: c_int, r#r: c_int) {
    property("int_float_conversion", || {
        ats_props::sequential::int_float_conversion::int_float_conversion(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn int_float_conversion_balanced(r#n: c_int, r#r: c_int) {
    property("int_float_conversion_balanced", || {
        let _region = ats_work::region("int_float_conversion_balanced");
        ats_props::sequential::int_float_conversion::balanced(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn intrinsic_function_call(r#k: c_int, r#r: c_int) {
    property("intrinsic_function_call", || {
        ats_props::sequential::intrinsic_function_call::intrinsic_function_call(value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn intrinsic_function_call_balanced(r#k: c_int, r#r: c_int) {
    property("intrinsic_function_call_balanced", || {
        let _region = ats_work::region("intrinsic_function_call_balanced");
        ats_props::sequential::intrinsic_function_call::balanced(value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn l1_cache_misses(r#lines: c_int, r#cache: c_int, r#r: c_int) {
    property("l1_cache_misses", || {
        ats_props::sequential::l1_cache_misses::l1_cache_misses(value("lines", &[CValue::Int(lines)])?, value("cache", &[CValue::Int(cache)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn l1_cache_misses_balanced(r#lines: c_int, r#cache: c_int, r#r: c_int) {
    property("l1_cache_misses_balanced", || {
        let _region = ats_work::region("l1_cache_misses_balanced");
        ats_props::sequential::l1_cache_misses::balanced(value("lines", &[CValue::Int(lines)])?, value("cache", &[CValue::Int(cache)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn l2_cache_misses(r#lines: c_int, r#cache: c_int, r#r: c_int) {
    property("l2_cache_misses", || {
        ats_props::sequential::l2_cache_misses::l2_cache_misses(value("lines", &[CValue::Int(lines)])?, value("cache", &[CValue::Int(cache)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn l2_cache_misses_balanced(r#lines: c_int, r#cache: c_int, r#r: c_int) {
    property("l2_cache_misses_balanced", || {
        let _region = ats_work::region("l2_cache_misses_balanced");
        ats_props::sequential::l2_cache_misses::balanced(value("lines", &[CValue::Int(lines)])?, value("cache", &[CValue::Int(cache)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn l3_cache_misses(r#lines: c_int, r#cache: c_int, r#r: c_int) {
    property("l3_cache_misses", || {
        ats_props::sequential::l3_cache_misses::l3_cache_misses(value("lines", &[CValue::Int(lines)])?, value("cache", &[CValue::Int(cache)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn l3_cache_misses_balanced(r#lines: c_int, r#cache: c_int, r#r: c_int) {
    property("l3_cache_misses_balanced", || {
        let _region = ats_work::region("l3_cache_misses_balanced");
        ats_props::sequential::l3_cache_misses::balanced(value("lines", &[CValue::Int(lines)])?, value("cache", &[CValue::Int(cache)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn low_instruction_throughput(r#n: c_int, r#r: c_int) {
    property("low_instruction_throughput", || {
        ats_props::sequential::low_instruction_throughput::low_instruction_throughput(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn low_instruction_throughput_balanced(r#n: c_int, r#r: c_int) {
    property("low_instruction_throughput_balanced", || {
        let _region = ats_work::region("low_instruction_throughput_balanced");
        ats_props::sequential::low_instruction_throughput::balanced(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn memory_bandwidth_bound(r#elements: c_int, r#r: c_int) {
    property("memory_bandwidth_bound", || {
        ats_props::sequential::memory_bandwidth_bound::memory_bandwidth_bound(value("elements", &[CValue::Int(elements)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn memory_bandwidth_bound_balanced(r#elements: c_int, r#r: c_int) {
    property("memory_bandwidth_bound_balanced", || {
        let _region = ats_work::region("memory_bandwidth_bound_balanced");
        ats_props::sequential::memory_bandwidth_bound::balanced(value("elements", &[CValue::Int(elements)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn page_faults(r#pages: c_int, r#r: c_int) {
    property("page_faults", || {
        ats_props::sequential::page_faults::page_faults(value("pages", &[CValue::Int(pages)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn page_faults_balanced(r#pages: c_int, r#r: c_int) {
    property("page_faults_balanced", || {
        let _region = ats_work::region("page_faults_balanced");
        ats_props::sequential::page_faults::balanced(value("pages", &[CValue::Int(pages)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn sequential_io(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("sequential_io", || {
        ats_props::sequential::sequential_io::sequential_io(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn sequential_io_balanced(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("sequential_io_balanced", || {
        let _region = ats_work::region("sequential_io_balanced");
        ats_props::sequential::sequential_io::balanced(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn small_writes(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("small_writes", || {
        ats_props::sequential::small_writes::small_writes(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn small_writes_balanced(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("small_writes_balanced", || {
        let _region = ats_work::region("small_writes_balanced");
        ats_props::sequential::small_writes::balanced(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn system_time(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("system_time", || {
        ats_props::sequential::system_time::system_time(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn system_time_balanced(r#k: c_int, r#bytes: c_int, r#r: c_int) {
    property("system_time_balanced", || {
        let _region = ats_work::region("system_time_balanced");
        ats_props::sequential::system_time::balanced(value("k", &[CValue::Int(k)])?, value("bytes", &[CValue::Int(bytes)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn tlb_misses(r#pages: c_int, r#buffer: c_int, r#r: c_int) {
    property("tlb_misses", || {
        ats_props::sequential::tlb_misses::tlb_misses(value("pages", &[CValue::Int(pages)])?, value("buffer", &[CValue::Int(buffer)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn tlb_misses_balanced(r#pages: c_int, r#buffer: c_int, r#r: c_int) {
    property("tlb_misses_balanced", || {
        let _region = ats_work::region("tlb_misses_balanced");
        ats_props::sequential::tlb_misses::balanced(value("pages", &[CValue::Int(pages)])?, value("buffer", &[CValue::Int(buffer)])?, value("r", &[CValue::Int(r)])?, );
        Ok(())
    })
}
