# twins.py - makes the body of a Fortran name from its own and the C function's prototype
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fortran passes arguments by reference; the C function takes values.

The pairs of parameter types that occur in the table, and what happens with them:

  Fortran                 C                      passed on
  T                       T                      as it is
  int32_t *               int *                  as it is
  const int32_t *         int, an enum, size_t   the value, converted
  const int64_t *         int                    the value, clipped to the range of int
  const int64_t *         size_t                 the value, converted
  const intptr_t *        a handle               the value, converted
  intptr_t, int32_t       a handle, int          the value, converted
  int64_t                 int                    the value, clipped
  int32_t *               omp_sched_t *          result without the monotonic bit
  int64_t *               int *                  result widened
  struct nth_farray *     void *, size_t         address and size of a contiguous array
  const char **, size_t * (result)               string result: address and length
"""

import table as abi_table

CLIP = """static int clip(int64_t value) {
  return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}
"""


def helpers(table, rows):
    """Functions that the bodies need."""
    text = "\n".join("\n".join(body(table, row)) for row in rows)
    return CLIP.splitlines() + [""] if "clip(" in text else []


def body(table, row):
    """Lines of the C function for one Fortran name."""
    target = table.by_name(row.c_name)
    if target is None or row.c_name in table.two_version:
        raise abi_table.TableError(f"{row.name}: no single C function {row.c_name}")
    if row.is_done and not target.is_done:
        raise abi_table.TableError(f"{row.name} is done but {target.name} is todo")
    c_ret, c_args = abi_table.split_prototype(target.prototype)
    f_ret, f_args = abi_table.split_prototype(row.prototype)
    twin = Twin(row, c_args)
    if c_ret == "const char *" and f_args[:2] == ["const char **", "size_t *"]:
        result = twin.string_result()
        f_rest = f_args[2:]
    else:
        result = scalar_result(row, c_ret, f_ret)
        f_rest = f_args
    twin.convert(f_rest, first=len(f_args) - len(f_rest))
    names = [typed(arg, f"a{i}") for i, arg in enumerate(f_args)]
    space = "" if f_ret.endswith("*") else " "
    lines = [f"{f_ret}{space}{row.name}({', '.join(names) or 'void'}) {{"]
    lines += ["  " + line for line in twin.before]
    if f_ret != "void" and twin.after:
        raise abi_table.TableError(f"{row.name}: a result and result arguments: mark it hand")
    lines += ["  " + result[0].format(call=f"{target.name}({', '.join(twin.passed)})")]
    lines += ["  " + line for line in result[1:] + twin.after]
    return lines + ["}", ""]


def scalar_result(row, c_ret, f_ret):
    """Statement that makes the call and keeps its value; the rest of the body may follow it."""
    if f_ret == "void":
        return ["{call};"]
    same = f_ret == c_ret or (f_ret, c_ret) == ("int32_t", "int")
    return ["return {call};" if same else f"return ({f_ret}){{call}};"]


def typed(arg, name):
    """'char *', 'a0' -> 'char *a0'"""
    return f"{arg}{name}" if arg.endswith("*") else f"{arg} {name}"


class Twin:
    """Argument conversion of one Fortran name; each rule is a line of the table above."""

    def __init__(self, row, c_args):
        self.row = row
        self.c_args = list(c_args)
        self.passed, self.before, self.after = [], [], []

    @staticmethod
    def string_result():
        return ["const char *text = {call};", "*a0 = text;", "*a1 = text ? strlen(text) : 0;"]

    def convert(self, f_args, first):
        """Fills passed, before and after for the parameters from number `first` on."""
        wanted = iter(self.c_args)
        for index, arg in enumerate(f_args, first):
            name = f"a{index}"
            if arg == "struct nth_farray *":
                self._expect(next(wanted, None), "void *")
                self._expect(next(wanted, None), "size_t")
                self.passed += [f"nth_farray_address({name})", f"nth_farray_size({name})"]
                continue
            self._one(arg, next(wanted, None), name)
        if next(wanted, None) is not None:
            raise abi_table.TableError(f"{self.row.name}: the C function takes more arguments")

    def _expect(self, c_arg, wanted):
        if c_arg != wanted:
            raise abi_table.TableError(f"{self.row.name}: {wanted} expected, got {c_arg}")

    def _one(self, f_arg, c_arg, name):
        if c_arg is None:
            raise abi_table.TableError(f"{self.row.name}: the C function takes fewer arguments")
        if f_arg == c_arg or (f_arg, c_arg) == ("int32_t *", "int *"):
            self.passed.append(name)
        elif f_arg == "int32_t *" and c_arg == "omp_sched_t *":
            self.before.append(f"omp_sched_t out_{name};")
            self.passed.append(f"&out_{name}")
            kind = f"(uint32_t)out_{name} & ~(uint32_t)omp_sched_monotonic"
            self.after.append(f"*{name} = (int32_t)({kind});")
        elif f_arg == "int64_t *" and c_arg == "int *":
            self.before.append(f"int out_{name};")
            self.passed.append(f"&out_{name}")
            self.after.append(f"*{name} = out_{name};")
        else:
            self.passed.append(self._value(f_arg, c_arg, name))

    def _value(self, f_arg, c_arg, name):
        by_reference = f_arg.startswith("const ") and f_arg.endswith(" *")
        f_type = f_arg[len("const ") : -len(" *")] if by_reference else f_arg
        value = f"*{name}" if by_reference else name
        if f_type not in ("int32_t", "int64_t", "intptr_t") or c_arg.endswith("*"):
            raise abi_table.TableError(f"{self.row.name}: no rule for {f_arg} -> {c_arg}")
        if self.row.twin == "logical":
            return f"{value} != 0"
        if f_type == "int64_t" and c_arg == "int":
            return f"clip({value})"
        return value if c_arg == "int" else f"({c_arg}){value}"
