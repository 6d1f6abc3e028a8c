# NthOrder.cmake - the order in which libgomp.so.1 is linked: what each process runs comes first
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The kernel maps code in pieces of 64 KiB, as it is run. The functions of a start and of a first
# region are a fifth of the library's code, but each piece would have some of them. So the files
# that have them come first, then those of tasks, loops and barriers; the linker keeps the order. A
# file that is missing here costs a page fault and 64 KiB of memory, no more.
# tests/abi/check_sections.py knows the most important functions. NTH_OBJECTS is all objects.
set(nth_first_abi memory oacc_prof ompd parallel)
set(nth_first_runtime
    base/env base/objects base/os base/sleep mem/headroom mem/heap mem/huge mem/pool
    omp/env/env_load omp/env/env_own omp/env/env_vars
    omp/member/ancestors omp/member/member omp/member/roll
    omp/nano/members omp/nano/runtimes
    omp/process/forked omp/process/init omp/process/sde omp/process/structures
    omp/queue/task_domain
    omp/race/race
    omp/team/binding omp/team/crew omp/team/lay omp/team/parallel omp/team/region_price
    omp/team/team omp/team/team_make omp/team/team_size
    omp/told/points omp/told/stall omp/told/told omp/tool/tool
    omp/types/generation omp/types/icv
    place/cpus/cpuset place/cpus/hwloc place/cpus/near place/cpus/quota place/cpus/sysfile
    place/domains/domains place/domains/route place/domains/tree
    place/places/allowed place/places/places
    sched/hold/lend sched/share/share
    sched/threads/group sched/threads/holder sched/threads/worker sched/threads/worker_list
    sched/threads/worker_wait sched/threads/worker_wake
    sched/adapt/apart sched/adapt/crowd sched/adapt/follow sched/wait/gaps sched/adapt/permit
    sched/wait/ready sched/adapt/request sched/wait/wait)
set(nth_next_abi api_team barrier critical loop parallel_loop sections single task taskgroup)
set(nth_next_runtime
    omp/queue/help omp/queue/sought omp/queue/task_list omp/queue/task_queue
    omp/sync/barrier omp/sync/lock omp/sync/suspend
    omp/taskloop/task_batch omp/taskloop/task_pack
    omp/tasks/depend omp/tasks/depend_table omp/tasks/task omp/tasks/task_finish
    omp/tasks/task_memory omp/tasks/task_run omp/tasks/task_wait omp/tasks/taskgroup
    omp/worksharing/[a-z_]+
    struct/chunks struct/claim struct/deque)

foreach(nth_set first next)
  foreach(nth_part abi runtime)
    list(JOIN nth_${nth_set}_${nth_part} "|" nth_files)
    set(nth_${nth_set}_${nth_part} "/${nth_part}/(${nth_files})[.]c")
  endforeach()
endforeach()

set(NTH_OBJECTS)
foreach(nth_set first next)
  foreach(nth_part abi runtime)
    set(nth_files ${nth_${nth_set}_${nth_part}})
    list(APPEND NTH_OBJECTS $<FILTER:$<TARGET_OBJECTS:nth_${nth_part}>,INCLUDE,${nth_files}>)
  endforeach()
endforeach()
foreach(nth_part runtime abi)
  set(nth_files "${nth_first_${nth_part}}|${nth_next_${nth_part}}")
  list(APPEND NTH_OBJECTS $<FILTER:$<TARGET_OBJECTS:nth_${nth_part}>,EXCLUDE,${nth_files}>)
endforeach()
