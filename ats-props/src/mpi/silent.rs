//! Programs with nothing to find, each with something that a careless rule would report.

pub mod compensated_imbalance;
pub mod early_nonroot_reduce;
pub mod early_receive_preposted;
pub mod late_nonroot_broadcast;
pub mod late_receiver_eager;
pub mod perfect_overlap;
pub mod scan_rising;
pub mod zero_payload_collective;
