//! Misses of caches of every size, from the distances between references to the same line.
