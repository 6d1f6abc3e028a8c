/* api_interop.c - the interop construct and its routines: there is no foreign runtime
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 14.1 and 18.12. Every interop object is omp_interop_none, which has no
 * properties. The properties that OpenMP defines have their names nevertheless.
 *
 * omp_get_num_interop_properties  properties beyond those that OpenMP defines: 0. 18.12.1
 * omp_get_interop_int             a property's value: 0 or NULL, as there is none. *rc, unless rc
 * omp_get_interop_ptr             is NULL: omp_irc_empty for a property that OpenMP defines, else
 * omp_get_interop_str             omp_irc_out_of_range. 18.12.2 to 18.12.4
 * omp_get_interop_name            a property's name; NULL: out of range. 18.12.5
 * omp_get_interop_type_desc       the name of its type: NULL, as omp_interop_none has none. 18.12.6
 * omp_get_interop_rc_desc         what a return code says, as a text; NULL: no such code, or
 *                                 omp_irc_other. 18.12.7
 *
 * Texts are constants and end in a zero byte. In Fortran they are pointers with that length.
 */
#include "abi_protos.h"

#include "abi/depend_check.h"
#include "abi/device.h"
#include "abi/tool.h"
#include "runtime/omp/member/member.h"
#include "runtime/omp/tasks/depend.h"

/* The interop construct: makes init_count objects and ends destroy_count objects; the use_count
 * objects are not changed. Waits for the dependences in any case. The compiler passes a device
 * number as routines take them, without a clause omp_default_device. */
void GOMP_interop(int device, int init_count, omp_interop_t **init, const int *target_targetsync,
                  const char **prefer_type, int use_count, omp_interop_t *use, int destroy_count,
                  omp_interop_t **destroy, unsigned flags, void **depend) {
  (void)target_targetsync;
  (void)prefer_type;
  (void)use_count;
  (void)use;
  (void)flags;
  nth_abi_check_depend(depend);
  NTH_DEPEND_WAIT(nth_member_get(), depend);
  if (init_count > 0)
    (void)nth_abi_is_host(device);
  for (int i = 0; i < init_count; i++)
    *init[i] = omp_interop_none;
  for (int i = 0; i < destroy_count; i++)
    *destroy[i] = omp_interop_none;
}

/* The number of properties beyond those that OpenMP defines. */
int omp_get_num_interop_properties(omp_interop_t interop) {
  (void)interop;
  return 0;
}

/* --- values --- */

static bool is_property(omp_interop_property_t property) {
  return (int)property >= omp_ipr_first && (int)property < 0;
}

/* Sets *rc to the reason why the property has no value. rc may be NULL. */
static void refuse(omp_interop_property_t property, omp_interop_rc_t *rc) {
  if (rc)
    *rc = is_property(property) ? omp_irc_empty : omp_irc_out_of_range;
}

omp_intptr_t omp_get_interop_int(omp_interop_t interop, omp_interop_property_t property,
                                 omp_interop_rc_t *rc) {
  (void)interop;
  refuse(property, rc);
  return 0;
}

void *omp_get_interop_ptr(omp_interop_t interop, omp_interop_property_t property,
                          omp_interop_rc_t *rc) {
  (void)interop;
  refuse(property, rc);
  return 0;
}

const char *omp_get_interop_str(omp_interop_t interop, omp_interop_property_t property,
                                omp_interop_rc_t *rc) {
  (void)interop;
  refuse(property, rc);
  return 0;
}

/* --- texts; NULL: no text --- */

const char *omp_get_interop_name(omp_interop_t interop, omp_interop_property_t property) {
  static const char *const names[] = {"fr_id",       "fr_name",        "vendor",
                                      "vendor_name", "device_num",     "platform",
                                      "device",      "device_context", "targetsync"};
  (void)interop;
  return is_property(property) ? names[-1 - (int)property] : 0;
}

const char *omp_get_interop_type_desc(omp_interop_t interop, omp_interop_property_t property) {
  (void)interop;
  (void)property;
  return 0; /* omp_interop_none has no types */
}

const char *omp_get_interop_rc_desc(omp_interop_t interop, omp_interop_rc_t rc) {
  /* from omp_irc_no_value down; omp_irc_other has no text. Programs compare them with libgomp's. */
  static const char *const texts[] = {
      "no meaningful value available",
      "successful",
      "provided interoperability object is equal to omp_interop_none",
      "property ID is out of range",
      "property type is integer; use omp_get_interop_int",
      "property type is pointer; use omp_get_interop_ptr",
      "property type is string; use omp_get_interop_str"};
  (void)interop;
  bool known = (int)rc <= omp_irc_no_value && (int)rc > omp_irc_other;
  return known ? texts[omp_irc_no_value - (int)rc] : 0;
}
