!> ATS: performance properties with known severities, for Fortran programs.
!>
!> Functions and names are those of the APART Technical Report "Initial Design of a Test Suite for Automatic
!> Performance Analysis Tools", chapter 3. All durations are in seconds. Handles of MPI are integers: MPI_COMM_WORLD
!> of `use mpi`, MPI_COMM_WORLD%MPI_VAL of `use mpi_f08`. Everything else is as the header ats.h says.
!>
!> A distribution is a function and a descriptor of whatever type the function expects:
!>
!>     type(val2_distr_t) :: dd = val2_distr_t(low=0.01d0, high=0.06d0)
!>     call imbalance_at_mpi_barrier(df_block2, dd, 10, MPI_COMM_WORLD)
!>
!> Texts end with c_null_char: call ats_begin(0, c_null_ptr, "late_sender" // c_null_char).
!>
!> This file is generated from the suite's catalogue.
module ats
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_ptr
  implicit none
  private :: c_char, c_double, c_int, c_int64_t, c_ptr

  !> Which way messages go: to the next higher or the next lower rank.
  enum, bind(C)
    enumerator :: DIR_UP, DIR_DOWN
  end enum

  !> As an amount of bytes: the largest message that is sent eagerly, as probed; ATS_LIMIT + 1 is a byte more.
  integer(c_int64_t), parameter :: ATS_LIMIT = @limit@_c_int64_t

  !> What a program is written with.
  enum, bind(C)
    enumerator :: @paradigms@
  end enum

@structures@

  abstract interface
    !> A distribution function: what participant `me` (from 0) of `sz` gets, times `sf`; c_f_pointer makes the
    !> descriptor of `dd`.
    function distr_func_t(me, sz, sf, dd) bind(C) result(value)
      import
      integer(c_int), value :: me, sz
      real(c_double), value :: sf
      type(c_ptr), value :: dd
      real(c_double) :: value
    end function
  end interface

  interface
@functions@

@properties@
  end interface
end module
