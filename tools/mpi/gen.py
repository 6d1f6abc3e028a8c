#!/usr/bin/env python3
# gen.py - makes the functions of libnanogomp-mpi.so that are all alike, of mpi.def
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gen.py OUT: writes OUT/mpi_c.c and OUT/mpi_fortran.c. mpi.def tells what the rows mean."""

import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).with_name("mpi.def")
HEAD = """/* %s - made by tools/mpi/gen.py of tools/mpi/mpi.def */
#include "tools/mpi/tasks.h"
"""
C_ROW = """
NTH_MPI_EXPORT int MPI_%(name)s(%(parameters)s) {
  if (!%(where)s)
    return PMPI_%(name)s(%(names)s);
  MPI_Request request;
  int error = PMPI_I%(low)s(%(twin)s, &request);
  return error ? error : nth_mpi_await(&request, %(status)s);
}
"""
FORTRAN_ROW = """
static void nth_mpi_f_%(low)s(%(parameters)s, MPI_Fint *ierror) {
  typedef void real_call(%(types)s, MPI_Fint *);
  typedef void twin_call(%(twin_types)s, MPI_Fint *, MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, twin;
  nth_mpi_f_call *post = %(where)s ? nth_mpi_f_find(&twin, "pmpi_i%(low)s_") : NULL;
  if (!post) {
    ((real_call *)nth_mpi_f_find(&real, "pmpi_%(low)s_"))(%(names)s, ierror);
    return;
  }
  MPI_Fint request;
  ((twin_call *)post)(%(twin)s, &request, ierror);
  if (*ierror == MPI_SUCCESS)
    nth_mpi_f_await(&request, %(status)s, ierror);
}
NTH_MPI_FORTRAN(%(low)s, %(upper)s)
"""
WHERE = {"message": "nth_mpi_here()", "collective": "nth_mpi_collective()"}


def rows():
    declared, kind = {}, None
    for line in TABLE.read_text().splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif kind and line and not line.startswith("#"):
            name, names = line.split(":")
            yield name, kind, [declared[n] for n in names.split()]
        elif line and not line.startswith("#"):
            name, declaration = line.split(" = ")
            declared[name] = declaration


def name_of(parameter):
    return re.search(r"(\w+)(?:\[\])?$", parameter).group(1)


def function(name, kind, parameters):
    names = [name_of(p) for p in parameters]
    twin = [n for n in names if n != "status"]
    return C_ROW % {"name": name, "low": name.lower(), "where": WHERE[kind],
                    "parameters": ", ".join(parameters), "names": ", ".join(names),
                    "twin": ", ".join(twin),
                    "status": "status" if "status" in names else "MPI_STATUS_IGNORE"}


def fortran(name, kind, parameters):
    """All arguments are addresses."""
    names = [name_of(p) for p in parameters]
    twin = [n for n in names if n != "status"]
    return FORTRAN_ROW % {"low": name.lower(), "upper": name.upper(), "where": WHERE[kind],
                          "parameters": ", ".join("void *" + n for n in names),
                          "types": ", ".join("void *" for _ in names),
                          "twin_types": ", ".join("void *" for _ in twin),
                          "names": ", ".join(names), "twin": ", ".join(twin),
                          "status": "status" if "status" in names else "NULL"}


def main():
    out = pathlib.Path(sys.argv[1])
    for file, make in (("mpi_c.c", function), ("mpi_fortran.c", fortran)):
        (out / file).write_text(HEAD % file + "".join(make(*row) for row in rows()))


main()
