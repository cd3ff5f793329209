"""Calls MPI from functions of all kinds, without a module for it."""

import ctypes
import threading

# The recorder stands before MPI among the symbols of the program, but not among those of the library.
mpi = ctypes.CDLL(None)
try:
    world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")))
except ValueError:
    world = ctypes.c_int(0x44000000)  # of MPICH


def meet():
    mpi.MPI_Barrier(world)


class Solver:
    def step(self):
        meet()
        meet()


def halve(depth):
    meet() if depth == 0 else halve(depth - 1)


def compare(first, second):
    meet()
    return 0


def größe():
    meet()


mpi.MPI_Init_thread(None, None, 3, ctypes.byref(ctypes.c_int()))
for _ in range(2):
    Solver().step()
halve(2)
compares = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(compare)
ctypes.CDLL(None).qsort((ctypes.c_int * 2)(2, 1), 2, 4, compares)
größe()
list(meet() for _ in range(1))
thread = threading.Thread(target=meet)
thread.start()
thread.join()
mpi.MPI_Finalize()
