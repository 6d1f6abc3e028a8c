# __init__.py - what the nanogomp command is made of
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
