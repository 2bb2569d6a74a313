! SPDX-License-Identifier: GPL-2.0-only
!
! sample_fortran N: print the same as sample_simple and sample_nested, and the names and errors
! of the interface for Fortran.
!
program sample
  use pcl
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none

  interface
     subroutine exact_loop(n) bind(c)
       import :: c_int
       integer(c_int), value :: n
     end subroutine exact_loop
  end interface

  integer(PCL_DESCR_KIND) :: descr
  integer(c_int) :: rounds
  character(len=20) :: word

  call get_command_argument(1, word)
  read (word, *) rounds
  call expect(PCLinit(descr), PCL_SUCCESS)
  call simple()
  call nested()
  call refused()
  call expect(PCLexit(descr), PCL_SUCCESS)

contains

  subroutine expect(status, wanted)
    integer(c_int), intent(in) :: status, wanted

    if (status /= wanted) then
       print '(a, i0, a, i0)', "got ", status, ", want ", wanted
       stop 1
    end if
  end subroutine expect

  subroutine simple()
    integer(c_int), parameter :: events(2) = [PCL_CYCLES, PCL_INSTR]
    integer(PCL_CNT_KIND) :: counts(2)
    real(PCL_FP_CNT_KIND) :: rates(2)

    call expect(PCLquery(descr, events, 2, PCL_MODE_USER), PCL_SUCCESS)
    call expect(PCLstart(descr, events, 2, PCL_MODE_USER), PCL_SUCCESS)
    call exact_loop(rounds)
    call expect(PCLstop(descr, counts, rates, 2), PCL_SUCCESS)
    print '(i0, a, i0, a)', counts(2), " instructions in ", counts(1), " cycles"
  end subroutine simple

  subroutine nested()
    integer(c_int), parameter :: events(1) = [PCL_CYCLES]
    integer(PCL_CNT_KIND) :: all(1), each(1, 4)
    real(PCL_FP_CNT_KIND) :: rates(1)
    integer :: i

    call expect(PCLstart(descr, events, 1, PCL_MODE_USER), PCL_SUCCESS)
    do i = 1, 4
       call expect(PCLstart(descr, events, 1, PCL_MODE_USER), PCL_SUCCESS)
       call exact_loop(rounds)
       call expect(PCLstop(descr, each(:, i), rates, 1), PCL_SUCCESS)
    end do
    call expect(PCLread(descr, all, rates, 1), PCL_SUCCESS)
    call expect(PCLstop(descr, all, rates, 1), PCL_SUCCESS)
    print '(a, 4(i0, 1x), a, i0)', "used cycles: ", each, "total: ", all
  end subroutine nested

  subroutine refused()
    integer(PCL_CNT_KIND) :: counts(1)
    real(PCL_FP_CNT_KIND) :: rates(1)

    if (PCLeventname(PCL_MEM_FP_RATIO) /= "PCL_MEM_FP_RATIO") stop 2
    if (PCLeventname(PCL_L1CACHE_READ) /= "PCL_L1CACHE_READ") stop 3
    if (PCLeventname(PCL_MAX_EVENT) /= "") stop 4
    call expect(PCLquery(descr, [PCL_INTEGER_INSTR], 1, PCL_MODE_USER), PCL_NOT_SUPPORTED)
    call expect(PCLquery(descr, [PCL_MAX_EVENT], 1, PCL_MODE_USER), PCL_ILL_EVENT)
    call expect(PCLquery(descr, [PCL_INSTR], 1, 0), PCL_MODE_NOT_SUPPORTED)
    call expect(PCLstart(0_PCL_DESCR_KIND, [PCL_INSTR], 1, PCL_MODE_USER), PCL_FAILURE)
    call expect(PCLread(descr, counts, rates, 1), PCL_FAILURE)
    ! Ratios are floating-point numbers.
    call expect(PCLstart(descr, [PCL_IPC], 1, PCL_MODE_USER), PCL_SUCCESS)
    call exact_loop(rounds)
    call expect(PCLstart(descr, [PCL_INSTR], 1, PCL_MODE_USER), PCL_TOO_ILL_NESTING)
    call expect(PCLstop(descr, counts, rates, 1), PCL_SUCCESS)
    print '(f5.3, a)', rates(1), " instructions per cycle"
  end subroutine refused
end program sample
