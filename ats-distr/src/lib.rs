//! Who gets how much: the distribution functions and descriptors of the APART Test Suite.
