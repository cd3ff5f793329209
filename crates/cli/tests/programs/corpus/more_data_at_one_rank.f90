module field
  use mpi
contains
  subroutine relax(u, sweeps)
    real(8), intent(inout) :: u(:)
    integer, intent(in) :: sweeps
    integer :: i, s
    do s = 1, sweeps
      do i = 2, size(u)-1
        u(i) = 0.5d0*u(i) + 0.25d0*(u(i-1) + u(i+1))
      end do
    end do
  end subroutine
end module
program moredata
  use field
  implicit none
  integer :: ierr, me, np, n, it
  real(8), allocatable :: u(:)
  real(8) :: s, t
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  n = 40000
  if (me == np-1) n = 200000          ! five times the data
  allocate(u(n)); u = me
  do it = 1, 5
    call relax(u, 20)
    s = sum(u)
    call MPI_Allreduce(s, t, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  call MPI_Finalize(ierr)
end program
