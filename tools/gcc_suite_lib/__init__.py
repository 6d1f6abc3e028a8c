# __init__.py - the parts of tools/gcc-suite
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
