# NthAbi.cmake - runs the generator over abi/*.def
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Result: NTH_GEN_DIR with the generated files, target nth_abi_gen that makes them.
set(NTH_GEN_DIR ${PROJECT_BINARY_DIR}/gen)
set(nth_gen_files nanogomp.map abi_protos.h abi_symver.h abi_fortran.c abi_table.h)
list(TRANSFORM nth_gen_files PREPEND ${NTH_GEN_DIR}/)
set(nth_gen_stamp ${PROJECT_BINARY_DIR}/abi_gen.stamp)

# The stamp is always new, the files only when their text changed: flipping a row in
# symbols.def compiles and links no more than it must.
add_custom_command(
  OUTPUT ${nth_gen_stamp}
  BYPRODUCTS ${nth_gen_files}
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/abi/gen.py
          --out ${NTH_GEN_DIR} --stamp ${nth_gen_stamp}
  DEPENDS abi/symbols.def abi/nodes.def abi/nth.def
          tools/abi/gen.py tools/abi/table.py tools/abi/twins.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "ABI table: version script, prototypes, Fortran names"
  VERBATIM)
set_source_files_properties(${nth_gen_files} PROPERTIES GENERATED TRUE)
add_custom_target(nth_abi_gen DEPENDS ${nth_gen_stamp})
