# Objects that rank 0 sends 100 ms late, three times; then a reduction to which rank 1 comes 100 ms late. mpi4py probes for
# each message before it receives it. Right, on 2 ranks: rank 1 waits 0.3 s in MPI_Mprobe; on a busy machine, the
# seconds that it prints.
from mpi4py import MPI
import time

comm = MPI.COMM_WORLD
received = 0.0
for i in range(3):
    comm.Barrier()
    if comm.rank == 0:
        time.sleep(0.1)
        comm.send({"i": i}, dest=1, tag=11)
    elif comm.rank == 1:
        begin = time.monotonic()
        assert comm.recv(source=0, tag=11) == {"i": i}
        received += time.monotonic() - begin
if comm.rank == 1:
    time.sleep(0.1)
    print(received)
assert comm.allreduce(1) == 2
