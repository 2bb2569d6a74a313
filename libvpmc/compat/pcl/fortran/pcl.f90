! SPDX-License-Identifier: LGPL-2.1-or-later
!
! This module is PCL 2.2 for Fortran. It has the functions of <pcl.h>, except for the low-level
! interface, which is only for C. Link with -lpclf -lpcl -lvpmc.
!
!   use pcl
!   integer(PCL_DESCR_KIND) :: descr
!   integer(PCL_CNT_KIND) :: counts(1)
!   real(PCL_FP_CNT_KIND) :: rates(1)
!
!   if (PCLinit(descr) /= PCL_SUCCESS) stop 1
!   if (PCLstart(descr, [PCL_INSTR], 1, PCL_MODE_USER) /= PCL_SUCCESS) stop 1
!   call work()
!   if (PCLstop(descr, counts, rates, 1) /= PCL_SUCCESS) stop 1
!   print *, PCLeventname(PCL_INSTR), counts(1)
!   if (PCLexit(descr) /= PCL_SUCCESS) stop 1
!
module pcl
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_intptr_t, &
       c_ptr, c_char, c_null_char, c_associated, c_f_pointer
  implicit none
  private :: c_int, c_int64_t, c_double, c_intptr_t, c_ptr, c_char, c_null_char, &
       c_associated, c_f_pointer

  ! These are the kinds of a handle, of counts, and of ratios.
  integer, parameter :: PCL_DESCR_KIND = c_intptr_t
  integer, parameter :: PCL_CNT_KIND = c_int64_t
  integer, parameter :: PCL_FP_CNT_KIND = c_double

  integer(c_int), parameter :: PCL_MAX_EVENT_PER_CALL = 16
  integer(c_int), parameter :: PCL_MAX_NESTING_LEVEL = 16
  integer(c_int), parameter :: PCL_COUNTER_MAX = 19

  integer(c_int), parameter :: PCL_SUCCESS = 0
  integer(c_int), parameter :: PCL_NOT_SUPPORTED = -1
  integer(c_int), parameter :: PCL_TOO_MANY_EVENTS = -2
  integer(c_int), parameter :: PCL_TOO_MANY_NESTINGS = -3
  integer(c_int), parameter :: PCL_TOO_ILL_NESTING = -4
  integer(c_int), parameter :: PCL_ILL_NESTING = PCL_TOO_ILL_NESTING
  integer(c_int), parameter :: PCL_ILL_EVENT = -5
  integer(c_int), parameter :: PCL_MODE_NOT_SUPPORTED = -6
  integer(c_int), parameter :: PCL_FAILURE = -7

  integer(c_int), parameter :: PCL_MODE_USER = 1
  integer(c_int), parameter :: PCL_MODE_SYSTEM = 2
  integer(c_int), parameter :: PCL_MODE_USER_SYSTEM = 3

  enum, bind(c)
     enumerator :: &
          PCL_L1CACHE_READ, PCL_L1CACHE_WRITE, PCL_L1CACHE_READWRITE, PCL_L1CACHE_HIT, &
          PCL_L1CACHE_MISS, PCL_L1DCACHE_READ, PCL_L1DCACHE_WRITE, PCL_L1DCACHE_READWRITE, &
          PCL_L1DCACHE_HIT, PCL_L1DCACHE_MISS, PCL_L1ICACHE_READ, PCL_L1ICACHE_WRITE, &
          PCL_L1ICACHE_READWRITE, PCL_L1ICACHE_HIT, PCL_L1ICACHE_MISS, PCL_L2CACHE_READ, &
          PCL_L2CACHE_WRITE, PCL_L2CACHE_READWRITE, PCL_L2CACHE_HIT, PCL_L2CACHE_MISS, &
          PCL_L2DCACHE_READ, PCL_L2DCACHE_WRITE, PCL_L2DCACHE_READWRITE, PCL_L2DCACHE_HIT, &
          PCL_L2DCACHE_MISS, PCL_L2ICACHE_READ, PCL_L2ICACHE_WRITE, PCL_L2ICACHE_READWRITE, &
          PCL_L2ICACHE_HIT, PCL_L2ICACHE_MISS, PCL_TLB_HIT, PCL_TLB_MISS, PCL_ITLB_HIT, &
          PCL_ITLB_MISS, PCL_DTLB_HIT, PCL_DTLB_MISS, PCL_CYCLES, PCL_ELAPSED_CYCLES, &
          PCL_INTEGER_INSTR, PCL_FP_INSTR, PCL_LOAD_INSTR, PCL_STORE_INSTR, PCL_LOADSTORE_INSTR, &
          PCL_INSTR, PCL_JUMP_SUCCESS, PCL_JUMP_UNSUCCESS, PCL_JUMP, PCL_ATOMIC_SUCCESS, &
          PCL_ATOMIC_UNSUCCESS, PCL_ATOMIC, PCL_STALL_INTEGER, PCL_STALL_FP, PCL_STALL_JUMP, &
          PCL_STALL_LOAD, PCL_STALL_STORE, PCL_STALL, PCL_MFLOPS, PCL_IPC, PCL_L1DCACHE_MISSRATE, &
          PCL_L2DCACHE_MISSRATE, PCL_MEM_FP_RATIO, PCL_MAX_EVENT
  end enum

  ! <pcl.h> describes each function.
  interface
     integer(c_int) function PCLinit(addr_descr) bind(c, name="PCLinit")
       import :: c_int, PCL_DESCR_KIND
       integer(PCL_DESCR_KIND), intent(out) :: addr_descr
     end function PCLinit

     integer(c_int) function PCLexit(descr) bind(c, name="PCLexit")
       import :: c_int, PCL_DESCR_KIND
       integer(PCL_DESCR_KIND), value :: descr
     end function PCLexit

     integer(c_int) function PCLquery(descr, counter_list, ncounter, mode) &
          bind(c, name="PCLquery")
       import :: c_int, PCL_DESCR_KIND
       integer(PCL_DESCR_KIND), value :: descr
       integer(c_int), intent(in) :: counter_list(*)
       integer(c_int), value :: ncounter, mode
     end function PCLquery

     integer(c_int) function PCLstart(descr, counter_list, ncounter, mode) &
          bind(c, name="PCLstart")
       import :: c_int, PCL_DESCR_KIND
       integer(PCL_DESCR_KIND), value :: descr
       integer(c_int), intent(in) :: counter_list(*)
       integer(c_int), value :: ncounter, mode
     end function PCLstart

     integer(c_int) function PCLread(descr, i_result_list, fp_result_list, ncounter) &
          bind(c, name="PCLread")
       import :: c_int, PCL_DESCR_KIND, PCL_CNT_KIND, PCL_FP_CNT_KIND
       integer(PCL_DESCR_KIND), value :: descr
       integer(PCL_CNT_KIND), intent(inout) :: i_result_list(*)
       real(PCL_FP_CNT_KIND), intent(inout) :: fp_result_list(*)
       integer(c_int), value :: ncounter
     end function PCLread

     integer(c_int) function PCLstop(descr, i_result_list, fp_result_list, ncounter) &
          bind(c, name="PCLstop")
       import :: c_int, PCL_DESCR_KIND, PCL_CNT_KIND, PCL_FP_CNT_KIND
       integer(PCL_DESCR_KIND), value :: descr
       integer(PCL_CNT_KIND), intent(inout) :: i_result_list(*)
       real(PCL_FP_CNT_KIND), intent(inout) :: fp_result_list(*)
       integer(c_int), value :: ncounter
     end function PCLstop
  end interface

contains

  ! Returns the name of an event, of length 0 if no event has this number.
  function PCLeventname(event) result(name)
    integer(c_int), intent(in) :: event
    character(len=:), allocatable :: name
    integer, parameter :: longest = 64
    character(kind=c_char), pointer :: chars(:)
    type(c_ptr) :: text
    integer :: i

    interface
       type(c_ptr) function eventname(number) bind(c, name="PCLeventname")
         import :: c_int, c_ptr
         integer(c_int), value :: number
       end function eventname
    end interface

    name = ""
    text = eventname(event)
    if (.not. c_associated(text)) return
    call c_f_pointer(text, chars, [longest])
    do i = 1, longest
       if (chars(i) == c_null_char) return
       name = name // chars(i)
    end do
  end function PCLeventname
end module pcl
