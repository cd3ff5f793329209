//! From blocked time to wait states: the metric rules.
