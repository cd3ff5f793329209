//! A preloadable library that records an MPI program into an OTF2 trace.
