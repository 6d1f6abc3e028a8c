# __init__.py - what the nanogomp command is made of
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
VERSION = "0.1.0"  # of the project: CMakeLists.txt reads this line
