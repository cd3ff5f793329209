! Rank 0 sends 50 ms late once, and 10 ms late ten times: two.c in Fortran. A message is the time at which it is sent.
! Right: rank 1 waits 0.05 s for a late sender in setup, and 0.1 s in halo, in calls of MPI_Recv of their own; on a busy
! machine, what it prints: the sums of the times from its calls to those of rank 0, of halo and of setup.
module steps
  implicit none
  include 'mpif.h'
  double precision :: late_in_setup = 0, late_in_halo = 0
contains
  ! Seconds by a clock that the ranks share, which that of MPI need not be.
  function now() result(seconds)
    double precision :: seconds
    integer(8) :: ticks, rate
    call system_clock(ticks, rate)
    seconds = dble(ticks) / dble(rate)
  end function now

  subroutine spin(seconds)
    double precision, intent(in) :: seconds
    double precision :: end
    end = mpi_wtime() + seconds
    do while (mpi_wtime() < end)
    end do
  end subroutine spin

  subroutine setup(rank)
    integer, intent(in) :: rank
    integer :: code
    double precision :: sent(1), begin
    if (rank == 0) then
      call spin(0.05d0)
      sent = now()
      call MPI_Send(sent, 1, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, code)
    else if (rank == 1) then
      begin = now()
      call MPI_Recv(sent, 1, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
      late_in_setup = late_in_setup + max(0d0, sent(1) - begin)
    end if
  end subroutine setup

  subroutine halo(rank)
    integer, intent(in) :: rank
    integer :: code
    double precision :: sent(1), begin
    if (rank == 0) then
      call spin(0.01d0)
      sent = now()
      call MPI_Send(sent, 1, MPI_DOUBLE_PRECISION, 1, 2, MPI_COMM_WORLD, code)
    else if (rank == 1) then
      begin = now()
      call MPI_Recv(sent, 1, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
      late_in_halo = late_in_halo + max(0d0, sent(1) - begin)
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
  if (rank == 1) print '(2f10.6)', late_in_halo, late_in_setup
  call MPI_Finalize(code)
end program two
