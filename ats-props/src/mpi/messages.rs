//! Messages: waits for their sender or receiver, their order, their number and size.

pub mod big_message;
pub mod blocked_sender;
pub mod imbalance_at_shift;
pub mod intensive_server;
pub mod lack_of_parallelism_p2p;
pub mod late_receiver;
pub mod late_receiver_isend_wait;
pub mod late_receiver_persistent;
pub mod late_receiver_waitall;
pub mod late_sender;
pub mod late_sender_nonblocking;
pub mod late_sender_persistent;
pub mod late_sender_probe;
pub mod late_sender_propagation;
pub mod late_sender_waitall;
pub mod multiple_output;
pub mod near_eager_threshold_traffic;
pub mod ping_pong;
pub mod right_order;
pub mod serialized_chain;
pub mod slow_slaves;
pub mod small_messages;
pub mod uneven_message_distribution;
pub mod wrong_order;
pub mod wrong_order_same_source;
pub mod zero_byte_synchronization;
