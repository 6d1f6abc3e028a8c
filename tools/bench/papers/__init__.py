# __init__.py - `nanogomp bench papers`: the experiments of the five papers, beside their figures
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
