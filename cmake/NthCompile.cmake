# NthCompile.cmake - how the runtime is compiled and how libgomp.so.1 is linked
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CheckCSourceCompiles)

# From glibc 2.34 on libc.so.6 holds threads and dlopen: nothing else may be NEEDED.
check_c_source_compiles("
#include <features.h>
#if !__GLIBC_PREREQ(2, 34)
#error old
#endif
int main(void) { return 0; }" NTH_LIBC_HAS_THREADS)

# Flags of everything that goes into the library.
function(nth_compile target)
  add_dependencies(${target} nth_abi_gen)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${NTH_GEN_DIR}
                                               ${PROJECT_SOURCE_DIR}/abi/include)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE= NTH_CHECK=${NTH_CHECK}
                                               NTH_VERSION="${PROJECT_VERSION}")
  target_compile_options(${target} PRIVATE -fvisibility=hidden -fno-plt
    $<$<COMPILE_LANGUAGE:C>:-std=gnu17 -ftls-model=initial-exec>
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wconversion -Wshadow>
    $<$<COMPILE_LANG_AND_ID:C,Clang>:-Watomic-implicit-seq-cst>) # orders have names: base/atomic.h
  if(NTH_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(NTH_SANITIZE) # undefined behaviour is a failure, not a remark
    target_compile_options(${target} PRIVATE -fsanitize=${NTH_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_compile_definitions(${target} PRIVATE NTH_SANITIZED=1)
  endif()
endfunction()

# What an OS thread does between two members: it may run on a stack whose TLS, and with it whose
# sanitizer's state, another OS thread is using (runtime/sched/nano/carrier.h).
set(NTH_BETWEEN_MEMBERS runtime/base/os.c runtime/base/sleep.c
                        runtime/sched/nano/carrier.c runtime/sched/nano/carry.c
                        runtime/sched/nano/carry_away.c runtime/sched/nano/carry_thread.c
                        runtime/sched/nano/handlers.c
                        runtime/sched/nano/overflow.c runtime/sched/nano/watchdog.c
                        runtime/sched/threads/worker_out.c runtime/sched/threads/worker_wait.c
                        runtime/sched/adapt/apart.c runtime/sched/adapt/follow.c
                        runtime/sched/wait/gaps.c runtime/sched/adapt/permit.c
                        runtime/sched/wait/wait.c)
set_source_files_properties(${NTH_BETWEEN_MEMBERS} PROPERTIES COMPILE_OPTIONS
                            "-fno-sanitize=thread;-fno-sanitize=address")

# The shared library: real file libgomp.so.1.0.0, links libgomp.so.1 and libgomp.so beside it.
function(nth_link_libgomp target)
  set(map ${NTH_GEN_DIR}/nanogomp.map)
  add_dependencies(${target} nth_abi_gen)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME gomp VERSION 1.0.0 SOVERSION 1 LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/nanogomp
    LINK_DEPENDS ${map})
  # nodelete: threads may still run our code after a dlclose. symbolic-functions: calls among
  # our own exported functions stay inside, whatever the program defines. sort-section: what few
  # processes use lies apart (runtime/arch/section.h).
  target_link_options(${target} PRIVATE
    LINKER:-z,nodelete LINKER:-z,now LINKER:-z,relro LINKER:--sort-section=name
    LINKER:-Bsymbolic-functions LINKER:--version-script=${map} LINKER:--as-needed)
  if(NTH_SANITIZE)
    target_link_options(${target} PRIVATE -fsanitize=${NTH_SANITIZE})
  else()
    # Two functions of the C library would lie at the end of the code, and each process calls them
    # (NthOrder.cmake). A copy of pthread_atfork that is asked for here lies at the beginning.
    # _fini is empty, since destructors are in .fini_array: a name that nobody has leaves it out
    target_link_options(${target} PRIVATE LINKER:-u,pthread_atfork -lc LINKER:-fini=nth_no_fini)
  endif()
  # clang leaves the sanitizer's own symbols to the program
  if(NOT (NTH_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "Clang"))
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  if(NOT NTH_LIBC_HAS_THREADS)
    target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  endif()
endfunction()
