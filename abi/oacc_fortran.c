/* oacc_fortran.c - OpenACC's Fortran names that do not follow from their C names by rule
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenACC 2.6, section 3.2.6. Numbers come by value. A CHARACTER argument is an address; its length
 * comes last.
 */
#include <string.h>

#include "abi_protos.h"

/* Writes the text, cut where it does not fit, and pads it with blanks; no text: all blank. */
void acc_get_property_string_h_(int32_t number, int32_t type, int32_t property, char *text,
                                size_t size) {
  const char *found = acc_get_property_string(number, type, property);
  size_t length = found ? strlen(found) : 0;
  if (length > size)
    length = size;
  if (length > 0)
    memcpy(text, found, length); /* NOLINT(bugprone-not-null-terminated-result): Fortran's text */
  memset(text + length, ' ', size - length);
}
