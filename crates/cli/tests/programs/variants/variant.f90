! The program around a step in Fortran.
program variant
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function usleep(us) bind(c)
      import c_int
      integer(c_int), value :: us
    end function
  end interface
  integer :: ierr, me, np, i
  real(8) :: a(512), b(512)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, np, ierr)
  a = me
  do i = 1, STEPS
#include STEP_OF_FORTRAN
  end do
  call MPI_Finalize(ierr)
contains
  subroutine work(ms)
    integer, intent(in) :: ms
    integer(c_int) :: ignored
    ignored = usleep(1000*ms)
  end subroutine
end program
