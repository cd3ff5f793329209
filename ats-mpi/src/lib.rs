//! Message passing: the Communicator trait, buffers and communication patterns; a real engine over MPI.
