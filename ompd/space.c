/* space.c - libompd.so: its start, and the processes that it reads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenMP 5.2, sections 20.5.1 and 20.5.2.
 */
#include "ompd/space.h"

#include <stdio.h>
#include <string.h>

const ompd_callbacks_t *nth_ompd_call;
static ompd_callbacks_t callbacks;

enum { API = 202111, OLDEST_API = 201811 };
#define VERSION "nanogomp OMPD library " NTH_VERSION

/* --- the library --- */

ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *table) {
  if (!table || !table->alloc_memory || !table->free_memory || !table->sizeof_type ||
      !table->symbol_addr_lookup || !table->read_memory || !table->device_to_host)
    return ompd_rc_bad_input;
  if (api_version < OLDEST_API)
    return ompd_rc_unsupported;
  callbacks = *table;
  nth_ompd_call = &callbacks;
  return ompd_rc_ok;
}

ompd_rc_t ompd_finalize(void) {
  if (!nth_ompd_call)
    return ompd_rc_unsupported;
  nth_ompd_call = 0;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_api_version(ompd_word_t *version) {
  if (!version)
    return ompd_rc_bad_input;
  *version = API;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_version_string(const char **string) {
  if (!string)
    return ompd_rc_bad_input;
  *string = VERSION;
  return ompd_rc_ok;
}

/* --- reading --- */

/* The debugger's answer, as ours. A context that it does not know is as a stale handle. */
static ompd_rc_t answer(ompd_rc_t rc) {
  return rc == ompd_rc_ok || rc == ompd_rc_stale_handle ? rc : ompd_rc_callback_error;
}

bool nth_ompd_bytes(struct nth_ompd_look *look, uint64_t at, uint64_t bytes, void *to) {
  ompd_address_t address = {ompd_segment_none, at};
  if (look->rc == ompd_rc_ok)
    look->rc = at ? answer(nth_ompd_call->read_memory(look->space->context, 0, &address, bytes, to))
                  : ompd_rc_error;
  return look->rc == ompd_rc_ok;
}

uint64_t nth_ompd_number(struct nth_ompd_look *look, uint64_t at, uint32_t bytes) {
  union {
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
  } raw = {0}, host = {0};
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    nth_ompd_fail(look, ompd_rc_error);
  if (!nth_ompd_bytes(look, at, bytes, &raw))
    return 0;
  look->rc = answer(nth_ompd_call->device_to_host(look->space->context, &raw, bytes, 1, &host));
  if (look->rc != ompd_rc_ok)
    return 0;
  return bytes == 1 ? host.one : bytes == 2 ? host.two : bytes == 4 ? host.four : host.eight;
}

uint64_t nth_ompd_at(struct nth_ompd_look *look, uint64_t base, enum nth_ompd_field field) {
  if (!base)
    nth_ompd_fail(look, ompd_rc_error);
  return look->rc == ompd_rc_ok ? base + look->space->table.field[field].offset : 0;
}

uint64_t nth_ompd_get(struct nth_ompd_look *look, uint64_t base, enum nth_ompd_field field) {
  uint64_t at = nth_ompd_at(look, base, field);
  return at ? nth_ompd_number(look, at, look->space->table.field[field].bytes) : 0;
}

bool nth_ompd_tracked(struct nth_ompd_look *look) {
  return nth_ompd_get(look, nth_ompd_place(look, NTH_IN_tool), NTH_AT_tool_on) != 0;
}

/* --- memory --- */

void *nth_ompd_new(size_t bytes) {
  void *p = 0;
  if (nth_ompd_call->alloc_memory(bytes, &p) != ompd_rc_ok || !p)
    return 0;
  return memset(p, 0, bytes);
}

ompd_rc_t nth_ompd_free(void *p) { return answer(nth_ompd_call->free_memory(p)); }

/* --- processes --- */

/* Tells the user, in one line, why a process is refused. */
static ompd_rc_t refuse(const char *format, const char *theirs) {
  char line[256];
  snprintf(line, sizeof line, format, theirs);
  if (nth_ompd_call->print_string)
    nth_ompd_call->print_string(line, 0);
  return ompd_rc_incompatible;
}

/* Reads the process's table into s, and compares it with this library's. */
static ompd_rc_t read_table(ompd_address_space_handle_t *s) {
  struct nth_ompd_look look = {s, ompd_rc_ok};
  struct nth_ompd_table *t = &s->table;
  ompd_address_t address = {0, 0};
  ompd_device_type_sizes_t sizes;
  ompd_rc_t rc = answer(nth_ompd_call->sizeof_type(s->context, &sizes));
  if (rc != ompd_rc_ok)
    return rc;
  if (sizes.sizeof_pointer != sizeof(void *))
    return refuse("libompd: the process has pointers of another size%s\n", "");
  rc = nth_ompd_call->symbol_addr_lookup(s->context, 0, "nth_ompd_table", &address, "libgomp.so.1");
  if (rc != ompd_rc_ok || address.address == 0)
    return refuse("libompd: no nth_ompd_table in the process: its libgomp.so.1 is not "
                  "nanogomp%s\n",
                  "");
  if (!nth_ompd_bytes(&look, address.address, offsetof(struct nth_ompd_table, field), t))
    return look.rc;
  if (memcmp(t->magic, NTH_OMPD_MAGIC, sizeof NTH_OMPD_MAGIC) != 0)
    return refuse("libompd: the table of the process has another form than that of " VERSION "%s\n",
                  "");
  if (memchr(t->version, 0, sizeof t->version) == 0 || strcmp(t->version, NTH_VERSION) != 0)
    return refuse("libompd: the process has nanogomp %.31s, this is " VERSION
                  ": use the libompd.so beside its libgomp.so.1\n",
                  t->version);
  if (t->bytes != sizeof *t || t->text_bytes != sizeof(NTH_OMPD_TEXT) ||
      !nth_ompd_bytes(&look, address.address, sizeof *t, t) ||
      memcmp(t->text, NTH_OMPD_TEXT, sizeof(NTH_OMPD_TEXT)) != 0)
    return look.rc != ompd_rc_ok
               ? look.rc
               : refuse("libompd: nanogomp %.31s of the process is of another build: use the "
                        "libompd.so beside its libgomp.so.1\n",
                        t->version);
  return ompd_rc_ok;
}

ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
                                  ompd_address_space_handle_t **handle) {
  if (!nth_ompd_call || !context || !handle)
    return ompd_rc_bad_input;
  ompd_address_space_handle_t *s = nth_ompd_new(sizeof *s);
  if (!s)
    return ompd_rc_nomem;
  s->context = context;
  ompd_rc_t rc = read_table(s);
  if (rc != ompd_rc_ok) {
    nth_ompd_free(s);
    return rc;
  }
  s->kind = NTH_OMPD_SPACE;
  *handle = s;
  return ompd_rc_ok;
}

ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *s) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  s->kind = 0;
  return nth_ompd_free(s);
}

/* Target regions run on the host, in the process itself. */
ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *process,
                                 ompd_address_space_context_t *context, ompd_device_t kind,
                                 ompd_size_t sizeof_id, void *id,
                                 ompd_address_space_handle_t **device) {
  (void)kind, (void)sizeof_id, (void)id;
  NTH_OMPD_NEED(process, NTH_OMPD_SPACE);
  return context && device ? ompd_rc_unsupported : ompd_rc_bad_input;
}

ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *s, ompd_thread_id_t *kind,
                                          ompd_size_t *size, int *more) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!kind || !size || !more)
    return ompd_rc_bad_input;
  *kind = OMPD_THREAD_ID_PTHREAD;
  *size = sizeof(void *);
  *more = 0;
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *s, ompd_word_t *version) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!version)
    return ompd_rc_bad_input;
  *version = (ompd_word_t)s->table.number[NTH_IS_omp_version];
  return ompd_rc_ok;
}

ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *s, const char **string) {
  NTH_OMPD_NEED(s, NTH_OMPD_SPACE);
  if (!string)
    return ompd_rc_bad_input;
  *string = "OpenMP 5.2, nanogomp " NTH_VERSION; /* the process has the same version */
  return ompd_rc_ok;
}
