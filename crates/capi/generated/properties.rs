// `ATS_RENEW=1 cargo test -p ats-capi --test it generated` writes this file.

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn amdahl(r#serial: f64, r#parallel: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::scaling::amdahl::amdahl(value("serial", &[CValue::Real(serial)])?, value("parallel", &[CValue::Real(parallel)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("amdahl", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn amdahl_balanced(r#serial: f64, r#parallel: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("amdahl_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::scaling::amdahl::balanced(value("serial", &[CValue::Real(serial)])?, value("parallel", &[CValue::Real(parallel)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("amdahl_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn big_message(r#work: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::big_message::big_message(value("work", &[CValue::Real(work)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("big_message", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn big_message_balanced(r#work: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("big_message_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::big_message::balanced(value("work", &[CValue::Real(work)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("big_message_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn blocked_sender(r#firstwork: f64, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::blocked_sender::blocked_sender(value("firstwork", &[CValue::Real(firstwork)])?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("blocked_sender", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn blocked_sender_balanced(r#firstwork: f64, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("blocked_sender_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::blocked_sender::balanced(value("firstwork", &[CValue::Real(firstwork)])?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("blocked_sender_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn compensated_imbalance(r#low: f64, r#high: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::compensated_imbalance::compensated_imbalance(value("low", &[CValue::Real(low)])?, value("high", &[CValue::Real(high)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("compensated_imbalance", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn derived_datatype_packing(r#basework: f64, r#blocks: c_int, r#stride: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::derived_datatype_packing::derived_datatype_packing(value("basework", &[CValue::Real(basework)])?, value("blocks", &[CValue::Int(blocks)])?, value("stride", &[CValue::Int(stride)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("derived_datatype_packing", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn derived_datatype_packing_balanced(r#basework: f64, r#blocks: c_int, r#stride: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("derived_datatype_packing_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::derived_datatype_packing::balanced(value("basework", &[CValue::Real(basework)])?, value("blocks", &[CValue::Int(blocks)])?, value("stride", &[CValue::Int(stride)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("derived_datatype_packing_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn diffuse_procedure(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::diffuse_procedure::diffuse_procedure(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("diffuse_procedure", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn diffuse_procedure_balanced(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("diffuse_procedure_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::diffuse_procedure::balanced(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("diffuse_procedure_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_exscan(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_exscan::early_exscan(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_exscan", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_exscan_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_exscan_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_exscan::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_exscan_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_gather(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_gather::early_gather(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_gather", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_gather_balanced(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_gather_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_gather::balanced(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_gather_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_gatherv(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_gatherv::early_gatherv(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_gatherv", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_gatherv_balanced(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_gatherv_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_gatherv::balanced(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_gatherv_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_igather(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::early_igather::early_igather(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_igather", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_igather_balanced(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_igather_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::early_igather::balanced(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_igather_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_ireduce(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::early_ireduce::early_ireduce(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_ireduce", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_ireduce_balanced(r#rootwork: f64, r#baseextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_ireduce_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::early_ireduce::balanced(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_ireduce_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_iscan(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::early_iscan::early_iscan(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_iscan", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_iscan_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_iscan_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::early_iscan::balanced(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_iscan_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_nonroot_reduce(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::early_nonroot_reduce::early_nonroot_reduce(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_nonroot_reduce", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_receive_preposted(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::early_receive_preposted::early_receive_preposted(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_receive_preposted", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_reduce(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_reduce::early_reduce(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_reduce", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_reduce_balanced(r#rootwork: f64, r#baseextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_reduce_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_reduce::balanced(value("rootwork", &[CValue::Real(rootwork)])?, value("baseextrawork", &[CValue::Real(baseextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_reduce_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_scan(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_scan::early_scan(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_scan", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn early_scan_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("early_scan_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::early_scan::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("early_scan_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn frequent_barrier(r#work: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::frequent_barrier::frequent_barrier(value("work", &[CValue::Real(work)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("frequent_barrier", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn frequent_barrier_balanced(r#work: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("frequent_barrier_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::frequent_barrier::balanced(value("work", &[CValue::Real(work)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("frequent_barrier_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn frequent_small_collectives(r#work: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::frequent_small_collectives::frequent_small_collectives(value("work", &[CValue::Real(work)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("frequent_small_collectives", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn frequent_small_collectives_balanced(r#work: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("frequent_small_collectives_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::frequent_small_collectives::balanced(value("work", &[CValue::Real(work)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("frequent_small_collectives_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver(r#border: f64, r#interior: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver::heat_solver(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_barrier(r#border: f64, r#interior: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_barrier::heat_solver_barrier(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_barrier", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_barrier_balanced(r#border: f64, r#interior: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("heat_solver_barrier_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_barrier::balanced(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_barrier_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_no_overlap(r#border: f64, r#interior: f64, r#moving: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_no_overlap::heat_solver_no_overlap(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("moving", &[CValue::Real(moving)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_no_overlap", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_no_overlap_balanced(r#border: f64, r#interior: f64, r#moving: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("heat_solver_no_overlap_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_no_overlap::balanced(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("moving", &[CValue::Real(moving)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_no_overlap_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_serial_output(r#border: f64, r#interior: f64, r#output: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_serial_output::heat_solver_serial_output(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("output", &[CValue::Real(output)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_serial_output", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_serial_output_balanced(r#border: f64, r#interior: f64, r#output: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("heat_solver_serial_output_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_serial_output::balanced(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("output", &[CValue::Real(output)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_serial_output_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_slow_rank(r#border: f64, r#interior: f64, r#extrawork: f64, r#slow: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_slow_rank::heat_solver_slow_rank(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("slow", &[CValue::Int(slow)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_slow_rank", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_slow_rank_balanced(r#border: f64, r#interior: f64, r#extrawork: f64, r#slow: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("heat_solver_slow_rank_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_slow_rank::balanced(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("slow", &[CValue::Int(slow)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_slow_rank_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_wrong_order(r#border: f64, r#interior: f64, r#stagger: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_wrong_order::heat_solver_wrong_order(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("stagger", &[CValue::Real(stagger)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_wrong_order", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn heat_solver_wrong_order_balanced(r#border: f64, r#interior: f64, r#stagger: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("heat_solver_wrong_order_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::heat::heat_solver_wrong_order::balanced(value("border", &[CValue::Real(border)])?, value("interior", &[CValue::Real(interior)])?, value("stagger", &[CValue::Real(stagger)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("heat_solver_wrong_order_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_comm_create(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::management::imbalance_at_comm_create::imbalance_at_comm_create(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_comm_create", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_comm_create_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_comm_create_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::management::imbalance_at_comm_create::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_comm_create_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_comm_dup(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::management::imbalance_at_comm_dup::imbalance_at_comm_dup(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_comm_dup", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_comm_dup_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_comm_dup_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::management::imbalance_at_comm_dup::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_comm_dup_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_comm_split(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::management::imbalance_at_comm_split::imbalance_at_comm_split(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_comm_split", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_comm_split_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_comm_split_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::management::imbalance_at_comm_split::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_comm_split_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_iallreduce(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::imbalance_at_iallreduce::imbalance_at_iallreduce(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_iallreduce", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_iallreduce_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_iallreduce_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::imbalance_at_iallreduce::balanced(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_iallreduce_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_ialltoall(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::imbalance_at_ialltoall::imbalance_at_ialltoall(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_ialltoall", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_ialltoall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_ialltoall_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::imbalance_at_ialltoall::balanced(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_ialltoall_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_ibarrier_wait(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::imbalance_at_ibarrier_wait::imbalance_at_ibarrier_wait(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_ibarrier_wait", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_ibarrier_wait_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_ibarrier_wait_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::imbalance_at_ibarrier_wait::balanced(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_ibarrier_wait_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_allgather(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_allgather::imbalance_at_mpi_allgather(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_allgather", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_allgather_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_allgather_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_allgather::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_allgather_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_allgatherv(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_allgatherv::imbalance_at_mpi_allgatherv(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_allgatherv", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_allgatherv_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_allgatherv_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_allgatherv::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_allgatherv_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_allreduce(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_allreduce::imbalance_at_mpi_allreduce(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_allreduce", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_allreduce_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_allreduce_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_allreduce::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_allreduce_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_alltoall(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_alltoall::imbalance_at_mpi_alltoall(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_alltoall", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_alltoall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_alltoall_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_alltoall::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_alltoall_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_alltoallv(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_alltoallv::imbalance_at_mpi_alltoallv(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_alltoallv", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_alltoallv_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_alltoallv_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_alltoallv::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_alltoallv_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_alltoallw(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_alltoallw::imbalance_at_mpi_alltoallw(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_alltoallw", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_alltoallw_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_alltoallw_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_alltoallw::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_alltoallw_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_barrier(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_barrier::imbalance_at_mpi_barrier(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_barrier", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_barrier_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_barrier_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_barrier::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_barrier_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_reduce_scatter(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_reduce_scatter::imbalance_at_mpi_reduce_scatter(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_reduce_scatter", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_reduce_scatter_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_reduce_scatter_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_reduce_scatter::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_reduce_scatter_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_reduce_scatter_block(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_reduce_scatter_block::imbalance_at_mpi_reduce_scatter_block(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_reduce_scatter_block", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_mpi_reduce_scatter_block_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_mpi_reduce_scatter_block_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_mpi_reduce_scatter_block::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_mpi_reduce_scatter_block_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_neighbor_alltoall(r#df: distr_func_t, r#dd: * mut distr_t, r#torus: c_int, r#graph: c_int, r#nonblocking: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_neighbor_alltoall::imbalance_at_neighbor_alltoall(unsafe { distribution(df, dd) }?, value("torus", &[CValue::Int(torus)])?, value("graph", &[CValue::Int(graph)])?, value("nonblocking", &[CValue::Int(nonblocking)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_neighbor_alltoall", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_neighbor_alltoall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#torus: c_int, r#graph: c_int, r#nonblocking: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_neighbor_alltoall_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::imbalance_at_neighbor_alltoall::balanced(unsafe { distribution(df, dd) }?, value("torus", &[CValue::Int(torus)])?, value("graph", &[CValue::Int(graph)])?, value("nonblocking", &[CValue::Int(nonblocking)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_neighbor_alltoall_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_shift(r#df: distr_func_t, r#dd: * mut distr_t, r#up: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::imbalance_at_shift::imbalance_at_shift(unsafe { distribution(df, dd) }?, value("up", &[CValue::Int(up)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_shift", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn imbalance_at_shift_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#up: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("imbalance_at_shift_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::imbalance_at_shift::balanced(unsafe { distribution(df, dd) }?, value("up", &[CValue::Int(up)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("imbalance_at_shift_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn intensive_server(r#service: f64, r#think: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::intensive_server::intensive_server(value("service", &[CValue::Real(service)])?, value("think", &[CValue::Real(think)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("intensive_server", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn intensive_server_balanced(r#service: f64, r#think: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("intensive_server_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::intensive_server::balanced(value("service", &[CValue::Real(service)])?, value("think", &[CValue::Real(think)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("intensive_server_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn lack_of_parallelism_p2p(r#production: f64, r#consumption: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::lack_of_parallelism_p2p::lack_of_parallelism_p2p(value("production", &[CValue::Real(production)])?, value("consumption", &[CValue::Real(consumption)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("lack_of_parallelism_p2p", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn lack_of_parallelism_p2p_balanced(r#production: f64, r#consumption: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("lack_of_parallelism_p2p_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::lack_of_parallelism_p2p::balanced(value("production", &[CValue::Real(production)])?, value("consumption", &[CValue::Real(consumption)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("lack_of_parallelism_p2p_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_broadcast(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_broadcast::late_broadcast(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_broadcast", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_broadcast_balanced(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_broadcast_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_broadcast::balanced(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_broadcast_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_ibcast(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::late_ibcast::late_ibcast(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_ibcast", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_ibcast_balanced(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_ibcast_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::late_ibcast::balanced(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_ibcast_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_iscatter(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::late_iscatter::late_iscatter(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_iscatter", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_iscatter_balanced(r#basework: f64, r#rootextrawork: f64, r#overlap: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_iscatter_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::late_iscatter::balanced(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_iscatter_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_nonroot_broadcast(r#basework: f64, r#extrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::late_nonroot_broadcast::late_nonroot_broadcast(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_nonroot_broadcast", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver::late_receiver(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_receiver_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_eager(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::late_receiver_eager::late_receiver_eager(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_eager", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_isend_wait(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver_isend_wait::late_receiver_isend_wait(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_isend_wait", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_isend_wait_balanced(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_receiver_isend_wait_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver_isend_wait::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_isend_wait_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_persistent(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver_persistent::late_receiver_persistent(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_persistent", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_persistent_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_receiver_persistent_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver_persistent::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_persistent_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_waitall(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver_waitall::late_receiver_waitall(unsafe { distribution(df, dd) }?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_waitall", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_receiver_waitall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_receiver_waitall_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_receiver_waitall::balanced(unsafe { distribution(df, dd) }?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_receiver_waitall_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_reduce_root(r#basework: f64, r#rootextrawork: f64, r#bytes: i64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_reduce_root::late_reduce_root(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("bytes", &[CValue::Long(bytes)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_reduce_root", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_reduce_root_balanced(r#basework: f64, r#rootextrawork: f64, r#bytes: i64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_reduce_root_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_reduce_root::balanced(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("bytes", &[CValue::Long(bytes)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_reduce_root_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_scatter(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_scatter::late_scatter(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_scatter", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_scatter_balanced(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_scatter_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_scatter::balanced(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_scatter_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_scatterv(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_scatterv::late_scatterv(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_scatterv", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_scatterv_balanced(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_scatterv_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::late_scatterv::balanced(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_scatterv_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender::late_sender(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_nonblocking(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#use_isend: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_nonblocking::late_sender_nonblocking(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("use_isend", &[CValue::Int(use_isend)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_nonblocking", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_nonblocking_balanced(r#basework: f64, r#extrawork: f64, r#overlap: f64, r#use_isend: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_nonblocking_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_nonblocking::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("overlap", &[CValue::Real(overlap)])?, value("use_isend", &[CValue::Int(use_isend)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_nonblocking_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_persistent(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_persistent::late_sender_persistent(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_persistent", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_persistent_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_persistent_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_persistent::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_persistent_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_probe(r#basework: f64, r#extrawork: f64, r#matched: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_probe::late_sender_probe(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("matched", &[CValue::Int(matched)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_probe", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_probe_balanced(r#basework: f64, r#extrawork: f64, r#matched: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_probe_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_probe::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("matched", &[CValue::Int(matched)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_probe_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_propagation(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_propagation::late_sender_propagation(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_propagation", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_propagation_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_propagation_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_propagation::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_propagation_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_test_polling(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_test_polling::late_sender_test_polling(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_test_polling", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_test_polling_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_test_polling_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_test_polling::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_test_polling_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_waitall(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_waitall::late_sender_waitall(unsafe { distribution(df, dd) }?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_waitall", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn late_sender_waitall_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("late_sender_waitall_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::late_sender_waitall::balanced(unsafe { distribution(df, dd) }?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("late_sender_waitall_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mapping_problem(r#n: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::mapping_problem::mapping_problem(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("mapping_problem", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mapping_problem_balanced(r#n: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("mapping_problem_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::mapping_problem::balanced(value("n", &[CValue::Int(n)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("mapping_problem_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn moving_imbalance(r#df: distr_func_t, r#dd: * mut distr_t, r#speed: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::moving_imbalance::moving_imbalance(unsafe { distribution(df, dd) }?, value("speed", &[CValue::Int(speed)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("moving_imbalance", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn moving_imbalance_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#speed: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("moving_imbalance_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::moving_imbalance::balanced(unsafe { distribution(df, dd) }?, value("speed", &[CValue::Int(speed)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("moving_imbalance_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn multiple_output(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::multiple_output::multiple_output(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("multiple_output", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn multiple_output_balanced(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("multiple_output_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::multiple_output::balanced(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("multiple_output_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn near_eager_threshold_traffic(r#basework: f64, r#extrawork: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::near_eager_threshold_traffic::near_eager_threshold_traffic(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("near_eager_threshold_traffic", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn near_eager_threshold_traffic_balanced(r#basework: f64, r#extrawork: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("near_eager_threshold_traffic_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::near_eager_threshold_traffic::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("near_eager_threshold_traffic_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn no_overlap_nonblocking_collective(r#overlap: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::no_overlap_nonblocking_collective::no_overlap_nonblocking_collective(value("overlap", &[CValue::Real(overlap)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("no_overlap_nonblocking_collective", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn no_overlap_nonblocking_collective_balanced(r#overlap: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("no_overlap_nonblocking_collective_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::no_overlap_nonblocking_collective::balanced(value("overlap", &[CValue::Real(overlap)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("no_overlap_nonblocking_collective_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn noise_amplification(r#work: f64, r#noise: f64, r#share: f64, r#seed: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::noise_amplification::noise_amplification(value("work", &[CValue::Real(work)])?, value("noise", &[CValue::Real(noise)])?, value("share", &[CValue::Real(share)])?, value("seed", &[CValue::Long(seed)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("noise_amplification", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn noise_amplification_balanced(r#work: f64, r#noise: f64, r#share: f64, r#seed: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("noise_amplification_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::noise_amplification::balanced(value("work", &[CValue::Real(work)])?, value("noise", &[CValue::Real(noise)])?, value("share", &[CValue::Real(share)])?, value("seed", &[CValue::Long(seed)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("noise_amplification_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn partial(r#parallel: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::scaling::partial::partial(value("parallel", &[CValue::Real(parallel)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("partial", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn partial_balanced(r#parallel: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("partial_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::scaling::partial::balanced(value("parallel", &[CValue::Real(parallel)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("partial_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn partitioned_late_ready(r#df: distr_func_t, r#dd: * mut distr_t, r#k: c_int, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::partitioned_late_ready::partitioned_late_ready(unsafe { distribution(df, dd) }?, value("k", &[CValue::Int(k)])?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("partitioned_late_ready", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn partitioned_late_ready_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#k: c_int, r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("partitioned_late_ready_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::partitioned_late_ready::balanced(unsafe { distribution(df, dd) }?, value("k", &[CValue::Int(k)])?, value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("partitioned_late_ready_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn perfect_overlap(r#basework: f64, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::perfect_overlap::perfect_overlap(value("basework", &[CValue::Real(basework)])?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("perfect_overlap", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn periodic_outlier(r#basework: f64, r#extrawork: f64, r#outlier: c_int, r#period: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::periodic_outlier::periodic_outlier(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("outlier", &[CValue::Int(outlier)])?, value("period", &[CValue::Int(period)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("periodic_outlier", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn periodic_outlier_balanced(r#basework: f64, r#extrawork: f64, r#outlier: c_int, r#period: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("periodic_outlier_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::periodic_outlier::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("outlier", &[CValue::Int(outlier)])?, value("period", &[CValue::Int(period)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("periodic_outlier_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn persistent_collective_wait(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::persistent_collective_wait::persistent_collective_wait(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("persistent_collective_wait", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn persistent_collective_wait_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#overlap: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("persistent_collective_wait_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::nonblocking::persistent_collective_wait::balanced(unsafe { distribution(df, dd) }?, value("overlap", &[CValue::Real(overlap)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("persistent_collective_wait_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ping_pong(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::ping_pong::ping_pong(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("ping_pong", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ping_pong_balanced(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("ping_pong_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::ping_pong::balanced(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("ping_pong_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn random_barrier(r#work: f64, r#seed: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::random_barrier::random_barrier(value("work", &[CValue::Real(work)])?, value("seed", &[CValue::Long(seed)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("random_barrier", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn random_barrier_balanced(r#work: f64, r#seed: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("random_barrier_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::random_barrier::balanced(value("work", &[CValue::Real(work)])?, value("seed", &[CValue::Long(seed)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("random_barrier_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn redundant_barrier(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::redundant_barrier::redundant_barrier(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("redundant_barrier", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn redundant_barrier_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("redundant_barrier_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::redundant_barrier::balanced(unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("redundant_barrier_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rendezvous_without_progress(r#work: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::rendezvous_without_progress::rendezvous_without_progress(value("work", &[CValue::Real(work)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("rendezvous_without_progress", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rendezvous_without_progress_balanced(r#work: f64, r#bytes: i64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("rendezvous_without_progress_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::rendezvous_without_progress::balanced(value("work", &[CValue::Real(work)])?, value("bytes", &[CValue::Long(bytes)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("rendezvous_without_progress_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn replicated(r#common: f64, r#additional: f64, r#parallel: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::scaling::replicated::replicated(value("common", &[CValue::Real(common)])?, value("additional", &[CValue::Real(additional)])?, value("parallel", &[CValue::Real(parallel)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("replicated", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn replicated_balanced(r#common: f64, r#additional: f64, r#parallel: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("replicated_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::scaling::replicated::balanced(value("common", &[CValue::Real(common)])?, value("additional", &[CValue::Real(additional)])?, value("parallel", &[CValue::Real(parallel)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("replicated_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn right_order(r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::right_order::right_order(value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("right_order", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn right_order_balanced(r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("right_order_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::right_order::balanced(value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("right_order_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn scan_rising(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::scan_rising::scan_rising(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("scan_rising", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn serialized_broadcast(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::serialized_broadcast::serialized_broadcast(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("serialized_broadcast", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn serialized_broadcast_balanced(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("serialized_broadcast_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::serialized_broadcast::balanced(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("serialized_broadcast_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn serialized_chain(r#work: f64, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::serialized_chain::serialized_chain(value("work", &[CValue::Real(work)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("serialized_chain", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn serialized_chain_balanced(r#work: f64, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("serialized_chain_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::serialized_chain::balanced(value("work", &[CValue::Real(work)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("serialized_chain_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn serialized_output(r#work: f64, r#output: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::serialized_output::serialized_output(value("work", &[CValue::Real(work)])?, value("output", &[CValue::Real(output)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("serialized_output", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn serialized_output_balanced(r#work: f64, r#output: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("serialized_output_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::serialized_output::balanced(value("work", &[CValue::Real(work)])?, value("output", &[CValue::Real(output)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("serialized_output_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn severity_growing_over_time(r#basework: f64, r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::severity_growing_over_time::severity_growing_over_time(value("basework", &[CValue::Real(basework)])?, unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("severity_growing_over_time", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn severity_growing_over_time_balanced(r#basework: f64, r#df: distr_func_t, r#dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("severity_growing_over_time_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::severity_growing_over_time::balanced(value("basework", &[CValue::Real(basework)])?, unsafe { distribution(df, dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("severity_growing_over_time_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn slow_slaves(r#df: distr_func_t, r#dd: * mut distr_t, r#masterwork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::slow_slaves::slow_slaves(unsafe { distribution(df, dd) }?, value("masterwork", &[CValue::Real(masterwork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("slow_slaves", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn slow_slaves_balanced(r#df: distr_func_t, r#dd: * mut distr_t, r#masterwork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("slow_slaves_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::slow_slaves::balanced(unsafe { distribution(df, dd) }?, value("masterwork", &[CValue::Real(masterwork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("slow_slaves_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn small_messages(r#work: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::small_messages::small_messages(value("work", &[CValue::Real(work)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("small_messages", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn small_messages_balanced(r#work: f64, r#k: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("small_messages_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::small_messages::balanced(value("work", &[CValue::Real(work)])?, value("k", &[CValue::Int(k)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("small_messages_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn synchronous_send_without_progress(r#basework: f64, r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::synchronous_send_without_progress::synchronous_send_without_progress(value("basework", &[CValue::Real(basework)])?, value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("synchronous_send_without_progress", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn synchronous_send_without_progress_balanced(r#basework: f64, r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("synchronous_send_without_progress_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::synchronous_send_without_progress::balanced(value("basework", &[CValue::Real(basework)])?, value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("synchronous_send_without_progress_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn token_serialized_access(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::token_serialized_access::token_serialized_access(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("token_serialized_access", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn token_serialized_access_balanced(r#work: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("token_serialized_access_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::daily::token_serialized_access::balanced(value("work", &[CValue::Real(work)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("token_serialized_access_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn uneven_message_distribution(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::uneven_message_distribution::uneven_message_distribution(value("work", &[CValue::Real(work)])?, unsafe { distribution(elements_df, elements_dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("uneven_message_distribution", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn uneven_message_distribution_balanced(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("uneven_message_distribution_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::uneven_message_distribution::balanced(value("work", &[CValue::Real(work)])?, unsafe { distribution(elements_df, elements_dd) }?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("uneven_message_distribution_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn uneven_vector_collective(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::uneven_vector_collective::uneven_vector_collective(value("work", &[CValue::Real(work)])?, unsafe { distribution(elements_df, elements_dd) }?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("uneven_vector_collective", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn uneven_vector_collective_balanced(r#work: f64, r#elements_df: distr_func_t, r#elements_dd: * mut distr_t, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("uneven_vector_collective_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::collectives::uneven_vector_collective::balanced(value("work", &[CValue::Real(work)])?, unsafe { distribution(elements_df, elements_dd) }?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("uneven_vector_collective_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn wrong_order(r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::wrong_order::wrong_order(value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("wrong_order", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn wrong_order_balanced(r#basework: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("wrong_order_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::wrong_order::balanced(value("basework", &[CValue::Real(basework)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("wrong_order_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn wrong_order_same_source(r#work: f64, r#messages: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::wrong_order_same_source::wrong_order_same_source(value("work", &[CValue::Real(work)])?, value("messages", &[CValue::Int(messages)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("wrong_order_same_source", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn wrong_order_same_source_balanced(r#work: f64, r#messages: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("wrong_order_same_source_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::wrong_order_same_source::balanced(value("work", &[CValue::Real(work)])?, value("messages", &[CValue::Int(messages)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("wrong_order_same_source_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn zero_byte_synchronization(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::zero_byte_synchronization::zero_byte_synchronization(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("zero_byte_synchronization", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn zero_byte_synchronization_balanced(r#basework: f64, r#extrawork: f64, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        let _region = ats_work::region("zero_byte_synchronization_balanced");
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::messages::zero_byte_synchronization::balanced(value("basework", &[CValue::Real(basework)])?, value("extrawork", &[CValue::Real(extrawork)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("zero_byte_synchronization_balanced", c, run) }
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn zero_payload_collective(r#basework: f64, r#rootextrawork: f64, r#root: c_int, r#r: c_int, r#c: MPI_Comm) {
    let run = |c: &dyn Communicator| {
        // SAFETY: the program passes a function with a descriptor that it understands.
        ats_props::mpi::silent::zero_payload_collective::zero_payload_collective(value("basework", &[CValue::Real(basework)])?, value("rootextrawork", &[CValue::Real(rootextrawork)])?, value("root", &[CValue::Int(root)])?, value("r", &[CValue::Int(r)])?, c);
        Ok(())
    };
    // SAFETY: the program passes a handle of MPI.
    unsafe { property("zero_payload_collective", c, run) }
}
