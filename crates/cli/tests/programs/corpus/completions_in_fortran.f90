! Waitany and Waitsome from Fortran (indices begin at 1, statuses are columns). Rank 0 sends two rounds of three messages, tags 1 to 3, the first at once,
! the others 80 ms later each: rank 1 waits 0.16 s a round: in MPI_Waitany (2 waits), MPI_Waitsome (2 waits).
program waitf
  use mpi
  implicit none
  integer :: ierr, me, i, r, n, k, b(3), q(3), idx(3), st(MPI_STATUS_SIZE,3), done
  call MPI_Init(ierr); call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  do r = 1, 2
     call MPI_Barrier(MPI_COMM_WORLD, ierr)
     if (me == 0) then
        do i = 1, 3
           if (i > 1) call nap(80)
           call MPI_Send(i, 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, ierr)
        end do
     else
        do i = 1, 3
           call MPI_Irecv(b(i), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, q(i), ierr)
        end do
        done = 0
        do while (done < 3)
           if (r == 1) then
              call MPI_Waitany(3, q, k, st(:,1), ierr); n = 1
           else if (r == 2) then
              call MPI_Waitsome(3, q, n, idx, st, ierr)
           else
              call MPI_Testsome(3, q, n, idx, st, ierr)
           end if
           done = done + n
        end do
     end if
  end do
  if (me == 1) print '(a,3i3)', 'got', b
  call MPI_Finalize(ierr)
contains
  subroutine nap(ms)
    integer, intent(in) :: ms
    integer(8) :: c0, c1, rate
    call system_clock(c0, rate)
    do
       call system_clock(c1)
       if (c1 - c0 >= ms * rate / 1000) exit
    end do
  end subroutine
end program
