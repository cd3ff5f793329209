//! How much work: do_work, its kinds and calibration, amounts of work, and the executor hook.
