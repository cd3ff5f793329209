//! Properties of OpenMP programs, one file each.
//!
//! A region has as many threads as the run gives a process, unless the property is about fewer. T in the formulas is
//! that number.

pub mod all_threads_lock_contention;
pub mod all_workers_busy_single_nowait;
pub mod balanced_dynamic_loop;
pub mod coarse_dynamic_chunk;
pub mod critical_section_contention;
pub mod critical_section_overhead;
pub mod empty_tasks;
pub mod fewer_tasks_than_threads;
pub mod frequent_atomic;
pub mod frequent_explicit_barrier;
pub mod frequent_flush;
pub mod idle_threads_sequential_part;
pub mod imbalance_at_omp_barrier;
pub mod imbalance_due_to_not_enough_sections;
pub mod imbalance_due_to_uneven_section_distribution;
pub mod imbalance_in_omp_loop;
pub mod imbalance_in_omp_loop_nowait;
pub mod imbalance_in_omp_pregion;
pub mod imbalance_in_omp_sections;
pub mod imbalance_in_parallel_loop;
pub mod limited_parallelism;
pub mod machine;
pub mod nested_parallel_imbalance;
pub mod pairwise_lock_contention;
pub mod parallel_region_startup_overhead;
pub mod staggered_lock;
pub mod too_fine_grained_tasks;
pub mod unparallelized_in_master_region;
pub mod unparallelized_in_ordered_loop;
pub mod unparallelized_in_single_region;
