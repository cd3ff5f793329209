! Rank 0 sends 50 ms late once, and 10 ms late ten times: two.c in Fortran.
! Right: rank 1 waits 0.05 s for a late sender in setup, and 0.1 s in halo, in calls of MPI_Recv of their own.
module steps
  implicit none
  include 'mpif.h'
contains
  subroutine spin(seconds)
    double precision, intent(in) :: seconds
    double precision :: end
    end = mpi_wtime() + seconds
    do while (mpi_wtime() < end)
    end do
  end subroutine spin

  subroutine setup(rank)
    integer, intent(in) :: rank
    integer :: value(1), code
    value = 0
    if (rank == 0) then
      call spin(0.05d0)
      call MPI_Send(value, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, code)
    else if (rank == 1) then
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    end if
  end subroutine setup

  subroutine halo(rank)
    integer, intent(in) :: rank
    integer :: value(1), code
    value = 0
    if (rank == 0) then
      call spin(0.01d0)
      call MPI_Send(value, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, code)
    else if (rank == 1) then
      call MPI_Recv(value, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
    end if
  end subroutine halo
end module steps

program two
  use steps
  implicit none
  integer :: rank, step, code
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call setup(rank)
  do step = 1, 10
    call halo(rank)
    call MPI_Barrier(MPI_COMM_WORLD, code)
  end do
  call MPI_Finalize(code)
end program two
