// `ATS_RENEW=1 cargo test -p ats-capi --test it generated` writes this file.

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_par_do_mpi_work(r#df: distr_func_t, r#dd: * mut distr_t, r#sf: f64, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::work::par_do_mpi_work(r#df, r#dd, r#sf, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_distr_share(r#df: distr_func_t, r#dd: * mut distr_t, r#c: c_int) -> f64 {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::distribution::mpi_distr_share(r#df, r#dd, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_distr_mean(r#df: distr_func_t, r#dd: * mut distr_t, r#c: c_int) -> f64 {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::distribution::mpi_distr_mean(r#df, r#dd, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_alloc_mpi_buf(r#type: c_int, r#cnt: c_int) -> * mut mpi_buf_t {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::buffer::alloc_mpi_buf(ffi::RSMPI_Type_f2c(r#type), r#cnt) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_alloc_mpi_vbuf(r#type: c_int, r#df: distr_func_t, r#dd: * mut distr_t, r#root: c_int, r#c: c_int) -> * mut mpi_vbuf_t {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::buffer::alloc_mpi_vbuf(ffi::RSMPI_Type_f2c(r#type), r#df, r#dd, r#root, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_set_base_comm(r#type: c_int, r#cnt: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::buffer::set_base_comm(ffi::RSMPI_Type_f2c(r#type), r#cnt) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_get_base_type() -> c_int {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { ffi::RSMPI_Type_c2f(crate::mpi::buffer::get_base_type()) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_commpattern_sendrecv(r#buf: * mut mpi_buf_t, r#dir: mpi_dir_t, r#use_isend: c_int, r#use_irecv: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::pattern::mpi_commpattern_sendrecv(r#buf, r#dir, r#use_isend, r#use_irecv, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_commpattern_shift(r#sbuf: * mut mpi_buf_t, r#rbuf: * mut mpi_buf_t, r#dir: mpi_dir_t, r#use_isend: c_int, r#use_irecv: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::pattern::mpi_commpattern_shift(r#sbuf, r#rbuf, r#dir, r#use_isend, r#use_irecv, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_commpattern_chain(r#buf: * mut mpi_buf_t, r#work: f64, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::pattern::mpi_commpattern_chain(r#buf, r#work, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_commpattern_one_to_all(r#buf: * mut mpi_buf_t, r#work: f64, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::pattern::mpi_commpattern_one_to_all(r#buf, r#work, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mpi_commpattern_all_to_one(r#buf: * mut mpi_buf_t, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::pattern::mpi_commpattern_all_to_one(r#buf, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_ats_bcast(r#buf: * mut mpi_buf_t, r#root: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::pattern::ats_bcast(r#buf, r#root, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_amdahl(r#serial: f64, r#parallel: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::amdahl(r#serial, r#parallel, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_amdahl_balanced(r#serial: f64, r#parallel: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::amdahl_balanced(r#serial, r#parallel, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_big_message(r#work: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::big_message(r#work, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_big_message_balanced(r#work: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::big_message_balanced(r#work, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_blocked_sender(r#firstwork: f64, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::blocked_sender(r#firstwork, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_blocked_sender_balanced(r#firstwork: f64, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::blocked_sender_balanced(r#firstwork, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_compensated_imbalance(r#low: f64, r#high: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::compensated_imbalance(r#low, r#high, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_derived_datatype_packing(r#basework: f64, r#blocks: c_int, r#stride: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::derived_datatype_packing(r#basework, r#blocks, r#stride, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_derived_datatype_packing_balanced(r#basework: f64, r#blocks: c_int, r#stride: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::derived_datatype_packing_balanced(r#basework, r#blocks, r#stride, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_diffuse_procedure(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::diffuse_procedure(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_diffuse_procedure_balanced(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::diffuse_procedure_balanced(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_exscan(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_exscan(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_exscan_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_exscan_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_gather(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_gather(r#rootwork, r#baseextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_gather_balanced(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_gather_balanced(r#rootwork, r#baseextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_gatherv(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_gatherv(r#rootwork, r#baseextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_gatherv_balanced(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_gatherv_balanced(r#rootwork, r#baseextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_igather(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_igather(r#rootwork, r#baseextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_igather_balanced(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_igather_balanced(r#rootwork, r#baseextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_ireduce(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_ireduce(r#rootwork, r#baseextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_ireduce_balanced(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_ireduce_balanced(r#rootwork, r#baseextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_iscan(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_iscan(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_iscan_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_iscan_balanced(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_nonroot_reduce(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_nonroot_reduce(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_receive_preposted(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_receive_preposted(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_reduce(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_reduce(r#rootwork, r#baseextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_reduce_balanced(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_reduce_balanced(r#rootwork, r#baseextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_scan(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_scan(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_early_scan_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::early_scan_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_frequent_barrier(r#work: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::frequent_barrier(r#work, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_frequent_barrier_balanced(r#work: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::frequent_barrier_balanced(r#work, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_frequent_small_collectives(r#work: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::frequent_small_collectives(r#work, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_frequent_small_collectives_balanced(r#work: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::frequent_small_collectives_balanced(r#work, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver(r#border: f64, r#interior: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver(r#border, r#interior, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_barrier(r#border: f64, r#interior: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_barrier(r#border, r#interior, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_barrier_balanced(r#border: f64, r#interior: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_barrier_balanced(r#border, r#interior, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_no_overlap(r#border: f64, r#interior: f64, r#moving: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_no_overlap(r#border, r#interior, r#moving, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_no_overlap_balanced(r#border: f64, r#interior: f64, r#moving: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_no_overlap_balanced(r#border, r#interior, r#moving, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_serial_output(r#border: f64, r#interior: f64, r#output: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_serial_output(r#border, r#interior, r#output, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_serial_output_balanced(r#border: f64, r#interior: f64, r#output: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_serial_output_balanced(r#border, r#interior, r#output, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_slow_rank(r#border: f64, r#interior: f64, r#extrawork: f64, r#slow: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_slow_rank(r#border, r#interior, r#extrawork, r#slow, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_slow_rank_balanced(r#border: f64, r#interior: f64, r#extrawork: f64, r#slow: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_slow_rank_balanced(r#border, r#interior, r#extrawork, r#slow, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_wrong_order(r#border: f64, r#interior: f64, r#stagger: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_wrong_order(r#border, r#interior, r#stagger, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_heat_solver_wrong_order_balanced(r#border: f64, r#interior: f64, r#stagger: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::heat_solver_wrong_order_balanced(r#border, r#interior, r#stagger, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_comm_create(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_comm_create(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_comm_create_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_comm_create_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_comm_dup(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_comm_dup(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_comm_dup_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_comm_dup_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_comm_split(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_comm_split(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_comm_split_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_comm_split_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_iallreduce(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_iallreduce(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_iallreduce_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_iallreduce_balanced(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_ialltoall(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_ialltoall(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_ialltoall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_ialltoall_balanced(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_ibarrier_wait(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_ibarrier_wait(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_ibarrier_wait_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_ibarrier_wait_balanced(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_allgather(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_allgather(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_allgather_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_allgather_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_allgatherv(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_allgatherv(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_allgatherv_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_allgatherv_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_allreduce(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_allreduce(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_allreduce_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_allreduce_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_alltoall(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_alltoall(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_alltoall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_alltoall_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_alltoallv(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_alltoallv(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_alltoallv_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_alltoallv_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_alltoallw(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_alltoallw(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_alltoallw_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_alltoallw_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_barrier(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_barrier(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_barrier_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_barrier_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_reduce_scatter(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_reduce_scatter(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_reduce_scatter_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_reduce_scatter_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_reduce_scatter_block(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_reduce_scatter_block(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_mpi_reduce_scatter_block_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_mpi_reduce_scatter_block_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_neighbor_alltoall(r#df: distr_func_t, r#dd: * mut distr_t, r#torus: c_int, r#graph: c_int, r#nonblocking: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_neighbor_alltoall(r#df, r#dd, r#torus, r#graph, r#nonblocking, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_neighbor_alltoall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#torus: c_int, r#graph: c_int, r#nonblocking: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_neighbor_alltoall_balanced(r#df, r#dd, r#torus, r#graph, r#nonblocking, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_shift(r#df: distr_func_t, r#dd: * mut distr_t, r#up: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_shift(r#df, r#dd, r#up, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_imbalance_at_shift_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#up: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::imbalance_at_shift_balanced(r#df, r#dd, r#up, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_intensive_server(r#service: f64, r#think: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::intensive_server(r#service, r#think, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_intensive_server_balanced(r#service: f64, r#think: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::intensive_server_balanced(r#service, r#think, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_lack_of_parallelism_p2p(r#production: f64, r#consumption: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::lack_of_parallelism_p2p(r#production, r#consumption, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_lack_of_parallelism_p2p_balanced(r#production: f64, r#consumption: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::lack_of_parallelism_p2p_balanced(r#production, r#consumption, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_broadcast(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_broadcast(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_broadcast_balanced(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_broadcast_balanced(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_ibcast(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_ibcast(r#basework, r#rootextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_ibcast_balanced(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_ibcast_balanced(r#basework, r#rootextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_iscatter(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_iscatter(r#basework, r#rootextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_iscatter_balanced(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_iscatter_balanced(r#basework, r#rootextrawork, r#overlap, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_nonroot_broadcast(r#basework: f64, r#extrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_nonroot_broadcast(r#basework, r#extrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_eager(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_eager(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_isend_wait(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_isend_wait(r#basework, r#extrawork, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_isend_wait_balanced(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_isend_wait_balanced(r#basework, r#extrawork, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_persistent(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_persistent(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_persistent_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_persistent_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_waitall(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_waitall(r#df, r#dd, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_receiver_waitall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_receiver_waitall_balanced(r#df, r#dd, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_reduce_root(r#basework: f64, r#rootextrawork: f64, r#bytes: i64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_reduce_root(r#basework, r#rootextrawork, r#bytes, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_reduce_root_balanced(r#basework: f64, r#rootextrawork: f64, r#bytes: i64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_reduce_root_balanced(r#basework, r#rootextrawork, r#bytes, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_scatter(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_scatter(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_scatter_balanced(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_scatter_balanced(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_scatterv(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_scatterv(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_scatterv_balanced(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_scatterv_balanced(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_nonblocking(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#use_isend: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_nonblocking(r#basework, r#extrawork, r#overlap, r#use_isend, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_nonblocking_balanced(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#use_isend: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_nonblocking_balanced(r#basework, r#extrawork, r#overlap, r#use_isend, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_persistent(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_persistent(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_persistent_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_persistent_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_probe(r#basework: f64, r#extrawork: f64, r#matched: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_probe(r#basework, r#extrawork, r#matched, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_probe_balanced(r#basework: f64, r#extrawork: f64, r#matched: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_probe_balanced(r#basework, r#extrawork, r#matched, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_propagation(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_propagation(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_propagation_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_propagation_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_test_polling(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_test_polling(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_test_polling_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_test_polling_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_waitall(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_waitall(r#df, r#dd, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_late_sender_waitall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::late_sender_waitall_balanced(r#df, r#dd, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mapping_problem(r#n: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::mapping_problem(r#n, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_mapping_problem_balanced(r#n: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::mapping_problem_balanced(r#n, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_moving_imbalance(r#df: distr_func_t, r#dd: * mut distr_t, r#speed: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::moving_imbalance(r#df, r#dd, r#speed, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_moving_imbalance_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#speed: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::moving_imbalance_balanced(r#df, r#dd, r#speed, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_multiple_output(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::multiple_output(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_multiple_output_balanced(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::multiple_output_balanced(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_near_eager_threshold_traffic(r#basework: f64, r#extrawork: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::near_eager_threshold_traffic(r#basework, r#extrawork, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_near_eager_threshold_traffic_balanced(r#basework: f64, r#extrawork: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::near_eager_threshold_traffic_balanced(r#basework, r#extrawork, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_no_overlap_nonblocking_collective(r#overlap: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::no_overlap_nonblocking_collective(r#overlap, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_no_overlap_nonblocking_collective_balanced(r#overlap: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::no_overlap_nonblocking_collective_balanced(r#overlap, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_noise_amplification(r#work: f64, r#noise: f64, r#share: f64, r#seed: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::noise_amplification(r#work, r#noise, r#share, r#seed, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_noise_amplification_balanced(r#work: f64, r#noise: f64, r#share: f64, r#seed: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::noise_amplification_balanced(r#work, r#noise, r#share, r#seed, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_partial(r#parallel: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::partial(r#parallel, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_partial_balanced(r#parallel: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::partial_balanced(r#parallel, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_partitioned_late_ready(r#df: distr_func_t, r#dd: * mut distr_t, r#k: c_int, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::partitioned_late_ready(r#df, r#dd, r#k, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_partitioned_late_ready_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#k: c_int, r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::partitioned_late_ready_balanced(r#df, r#dd, r#k, r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_perfect_overlap(r#basework: f64, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::perfect_overlap(r#basework, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_periodic_outlier(r#basework: f64, r#extrawork: f64, r#outlier: c_int, r#period: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::periodic_outlier(r#basework, r#extrawork, r#outlier, r#period, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_periodic_outlier_balanced(r#basework: f64, r#extrawork: f64, r#outlier: c_int, r#period: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::periodic_outlier_balanced(r#basework, r#extrawork, r#outlier, r#period, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_persistent_collective_wait(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::persistent_collective_wait(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_persistent_collective_wait_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::persistent_collective_wait_balanced(r#df, r#dd, r#overlap, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_ping_pong(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::ping_pong(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_ping_pong_balanced(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::ping_pong_balanced(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_random_barrier(r#work: f64, r#seed: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::random_barrier(r#work, r#seed, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_random_barrier_balanced(r#work: f64, r#seed: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::random_barrier_balanced(r#work, r#seed, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_redundant_barrier(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::redundant_barrier(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_redundant_barrier_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::redundant_barrier_balanced(r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_rendezvous_without_progress(r#work: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::rendezvous_without_progress(r#work, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_rendezvous_without_progress_balanced(r#work: f64, r#bytes: i64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::rendezvous_without_progress_balanced(r#work, r#bytes, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_replicated(r#common: f64, r#additional: f64, r#parallel: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::replicated(r#common, r#additional, r#parallel, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_replicated_balanced(r#common: f64, r#additional: f64, r#parallel: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::replicated_balanced(r#common, r#additional, r#parallel, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_right_order(r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::right_order(r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_right_order_balanced(r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::right_order_balanced(r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_scan_rising(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::scan_rising(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_serialized_broadcast(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::serialized_broadcast(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_serialized_broadcast_balanced(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::serialized_broadcast_balanced(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_serialized_chain(r#work: f64, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::serialized_chain(r#work, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_serialized_chain_balanced(r#work: f64, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::serialized_chain_balanced(r#work, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_serialized_output(r#work: f64, r#output: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::serialized_output(r#work, r#output, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_serialized_output_balanced(r#work: f64, r#output: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::serialized_output_balanced(r#work, r#output, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_severity_growing_over_time(r#basework: f64, r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::severity_growing_over_time(r#basework, r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_severity_growing_over_time_balanced(r#basework: f64, r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::severity_growing_over_time_balanced(r#basework, r#df, r#dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_slow_slaves(r#df: distr_func_t, r#dd: * mut distr_t, r#masterwork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::slow_slaves(r#df, r#dd, r#masterwork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_slow_slaves_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#masterwork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::slow_slaves_balanced(r#df, r#dd, r#masterwork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_small_messages(r#work: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::small_messages(r#work, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_small_messages_balanced(r#work: f64, r#k: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::small_messages_balanced(r#work, r#k, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_synchronous_send_without_progress(r#basework: f64, r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::synchronous_send_without_progress(r#basework, r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_synchronous_send_without_progress_balanced(r#basework: f64, r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::synchronous_send_without_progress_balanced(r#basework, r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_token_serialized_access(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::token_serialized_access(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_token_serialized_access_balanced(r#work: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::token_serialized_access_balanced(r#work, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_uneven_message_distribution(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::uneven_message_distribution(r#work, r#elements_df, r#elements_dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_uneven_message_distribution_balanced(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::uneven_message_distribution_balanced(r#work, r#elements_df, r#elements_dd, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_uneven_vector_collective(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::uneven_vector_collective(r#work, r#elements_df, r#elements_dd, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_uneven_vector_collective_balanced(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::uneven_vector_collective_balanced(r#work, r#elements_df, r#elements_dd, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_wrong_order(r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::wrong_order(r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_wrong_order_balanced(r#basework: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::wrong_order_balanced(r#basework, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_wrong_order_same_source(r#work: f64, r#messages: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::wrong_order_same_source(r#work, r#messages, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_wrong_order_same_source_balanced(r#work: f64, r#messages: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::wrong_order_same_source_balanced(r#work, r#messages, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_zero_byte_synchronization(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::zero_byte_synchronization(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_zero_byte_synchronization_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::zero_byte_synchronization_balanced(r#basework, r#extrawork, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ats_f_zero_payload_collective(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: c_int) {
    // SAFETY: the caller keeps the rules of the function, whose handles these become.
    unsafe { crate::mpi::property::zero_payload_collective(r#basework, r#rootextrawork, r#root, r#r, ffi::RSMPI_Comm_f2c(r#c)) }
}
