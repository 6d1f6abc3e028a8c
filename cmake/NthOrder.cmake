# NthOrder.cmake - the order in which libgomp.so.1 is linked: what each process runs comes first
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The kernel maps code in pieces of 64 KiB, as it is run. The functions of a start and of a first
# region are a fifth of the library's code, but each piece would have some of them. So the files
# that have them come first; the linker keeps the order. A file that is missing here costs a page
# fault and 64 KiB of memory, no more. tests/abi/check_sections.py knows the most important
# functions. NTH_OBJECTS is all objects.
set(nth_first_abi memory oacc_prof ompd parallel)
set(nth_first_runtime
    base/env base/objects base/os base/sleep mem/heap mem/pool
    omp/env/env_load
    omp/member/ancestors omp/member/member omp/member/roll
    omp/nano/members
    omp/process/forked omp/process/init omp/process/sde omp/process/structures
    omp/queue/task_domain
    omp/race/race
    omp/team/binding omp/team/crew omp/team/lay omp/team/parallel omp/team/region_price
    omp/team/team omp/team/team_make omp/team/team_size
    omp/told/points omp/told/stall omp/told/told omp/tool/tool
    omp/types/generation omp/types/icv
    place/cpus/cpuset place/cpus/hwloc place/cpus/quota place/cpus/sysfile
    place/domains/domains place/domains/route place/domains/tree
    place/places/allowed place/places/places
    sched/hold/lend sched/share/share
    sched/threads/group sched/threads/holder sched/threads/worker sched/threads/worker_wait
    sched/wait/apart sched/wait/crowd sched/wait/follow sched/wait/gaps sched/wait/permit
    sched/wait/ready sched/wait/request sched/wait/wait)
list(JOIN nth_first_abi "|" nth_first_abi)
list(JOIN nth_first_runtime "|" nth_first_runtime)
set(nth_first_abi "/abi/(${nth_first_abi})[.]c")
set(nth_first_runtime "/runtime/(${nth_first_runtime})[.]c")
set(NTH_OBJECTS
    $<FILTER:$<TARGET_OBJECTS:nth_abi>,INCLUDE,${nth_first_abi}>
    $<FILTER:$<TARGET_OBJECTS:nth_runtime>,INCLUDE,${nth_first_runtime}>
    $<FILTER:$<TARGET_OBJECTS:nth_runtime>,EXCLUDE,${nth_first_runtime}>
    $<FILTER:$<TARGET_OBJECTS:nth_abi>,EXCLUDE,${nth_first_abi}>)
