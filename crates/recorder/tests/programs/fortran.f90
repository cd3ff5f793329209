! Calls from Fortran. 2 ranks. The test puts in the interface and its REQUEST_TYPE.
program calls
  use mpi
  implicit none
  integer :: rank, error, values(4)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  values = rank
  if (rank == 0) then
    call MPI_Ssend(values, 4, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, error)
  else
    call receive()
  end if
  call MPI_Allreduce(MPI_IN_PLACE, values, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(values /= 0)) error stop 'wrong sum'
  call MPI_Finalize(error)
contains
  subroutine receive()
    REQUEST_TYPE :: request
    call MPI_Irecv(values, 4, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, request, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine
end program
