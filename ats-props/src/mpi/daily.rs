//! Situations that users meet daily: several calls and repetitions make the property.

pub mod derived_datatype_packing;
pub mod mapping_problem;
pub mod moving_imbalance;
pub mod noise_amplification;
pub mod periodic_outlier;
pub mod redundant_barrier;
pub mod serialized_output;
pub mod severity_growing_over_time;
pub mod token_serialized_access;
