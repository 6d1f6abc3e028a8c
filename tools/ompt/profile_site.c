/* profile_site.c - nodes, rows and cells: found by a member's own table, made under the lock
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <string.h>

#include "tools/ompt/profile.h"
#include "tools/ompt/ticks.h"

enum { ROWS = 256 };      /* beyond them the row of a thread that has ended is used again */
enum { NODES = 1 << 14 }; /* beyond them a construct counts as what it is in */

/* --- nodes --- */

static bool is_scope(uint32_t kind) { return kind <= PROF_TASK; }

/* The node, made if it is new; the caller has the lock. NULL: no room. */
static struct prof_node *node_locked(uint32_t kind, uint64_t site, uint64_t caller,
                                     struct prof_node *up) {
  for (uint32_t i = 0; i < prof.nodes_used; i++) {
    struct prof_node *n = prof.nodes[i];
    if (n->kind == kind && n->site == site && n->caller == caller && n->up == up)
      return n;
  }
  if (prof.nodes_used == NODES)
    return 0;
  if (!prof_store_mapped(site ? site - 1 : 0))
    prof_store_maps();
  struct prof_node *n = prof_store_record(sizeof *n);
  if (!n)
    return 0;
  n->kind = kind;
  n->id = prof.nodes_used;
  n->site = site;
  n->caller = caller;
  n->parent = up ? up->id : 0;
  n->up = up;
  n->region = up && kind != PROF_REGION ? up->region : n;
  n->scope = up && !is_scope(kind) ? up->scope : n;
  prof.nodes[prof.nodes_used++] = n;
  n->record.type = PROF_NODE;
  return n;
}

/* --- cells --- */

/* The caller has the lock. NULL: no room. */
static struct prof_cell *cell_locked(struct prof_me *m, struct prof_node *n) {
  while (n->id >= m->cells_size)
    if (!prof_grow(&m->cells, &m->cells_size, sizeof *m->cells, 512))
      return 0;
  struct prof_cell *c = m->cells[n->id];
  if (c || !(c = prof_store_record(sizeof *c)))
    return c;
  c->member = m->row->number;
  c->node = n->id;
  c->at = n;
  c->record.type = PROF_CELL;
  return m->cells[n->id] = c;
}

struct prof_cell *prof_cell_slow(struct prof_me *m, struct prof_node *node) {
  pthread_mutex_lock(&prof.lock);
  struct prof_cell *c = cell_locked(m, node);
  pthread_mutex_unlock(&prof.lock);
  return c ? c : m->cell;
}

/* --- a member's table --- */

static uint32_t place_of(const struct prof_me *m, uint32_t kind, uint64_t site, uint64_t caller,
                         const struct prof_node *up) {
  uint64_t h = (site ^ caller << 17 ^ (uint64_t)(uintptr_t)up >> 5) + kind;
  return (uint32_t)(h * 0x9e3779b97f4a7c15u >> 32) & (m->table_size - 1);
}

static void table_put(struct prof_me *m, struct prof_entry e) {
  uint32_t i = place_of(m, e.kind, e.site, e.caller, e.up);
  while (m->table[i].cell)
    i = (i + 1) & (m->table_size - 1);
  m->table[i] = e;
}

/* The table is never more than half full. False: no memory for a larger one. */
static bool table_grow(struct prof_me *m) {
  uint32_t old_size = m->table_size, size = old_size ? 2 * old_size : 256;
  struct prof_entry *old = m->table, *table = prof_private(size * sizeof *table);
  if (!table)
    return false;
  m->table = table;
  m->table_size = size;
  for (uint32_t i = 0; i < old_size; i++)
    if (old[i].cell)
      table_put(m, old[i]);
  return true; /* the old one stays: it is small, and its sizes add up to the new one's */
}

static struct prof_cell *find_slow(struct prof_me *m, uint32_t kind, uint64_t site, uint64_t caller,
                                   struct prof_node *up) {
  pthread_mutex_lock(&prof.lock);
  struct prof_node *n = node_locked(kind, site, caller, up);
  struct prof_cell *c = cell_locked(m, n ? n : up);
  pthread_mutex_unlock(&prof.lock);
  if (!c)
    return m->cell;
  if (2 * m->table_used >= m->table_size && !table_grow(m))
    return c;
  m->table_used++;
  table_put(m, (struct prof_entry){site, caller, up, kind, c});
  return c;
}

struct prof_cell *prof_find(struct prof_me *m, uint32_t kind, const void *at, uint64_t caller,
                            struct prof_node *up) {
  uint64_t site = (uint64_t)(uintptr_t)at;
  uint32_t i = place_of(m, kind, site, caller, up);
  for (; m->table[i].cell; i = (i + 1) & (m->table_size - 1)) {
    const struct prof_entry *e = &m->table[i];
    if (e->site == site && e->up == up && e->caller == caller && e->kind == kind)
      return e->cell;
  }
  return find_slow(m, kind, site, caller, up);
}

/* --- members --- */

/* A row for a new member; the caller has the lock. */
static struct prof_me *new_member(void) {
  struct prof_me *m = prof_private(sizeof *m);
  if (!m || !table_grow(m) || !prof_grow(&m->frames, &m->frames_size, sizeof *m->frames, 64) ||
      !(m->row = prof_store_record(sizeof *m->row)))
    return 0;
  m->row->number = prof.rows_used++;
  m->row->bin_ticks = prof.second >> 10;
  m->cell = cell_locked(m, prof.root);
  return m->cell ? m : 0;
}

/* Begins the row's life, or a further part of it: the time between is nobody's. */
static void member_open(struct prof_me *m, bool is_initial) {
  struct prof_row *row = m->row;
  uint64_t now = ticks_now();
  row->begin = row->threads ? row->begin + (now - row->end) : now;
  row->end = 0;
  row->threads++;
  row->since = now;
  row->state = m->state = is_initial ? PROF_WORK : PROF_IDLE;
  row->is_initial = is_initial;
  m->cell = prof_cell_of(m, prof.root);
  row->node = prof.root->id;
  m->bin_end = 0;
  m->task = 0;
  m->frames_used = m->helds_used = 0;
  m->stack_known = false;
  m->stack_begin = m->stack_end = 0;
}

struct prof_me *prof_member_begin(bool is_initial) {
  pthread_mutex_lock(&prof.lock);
  struct prof_me *m = 0;
  if (prof.rows_used >= ROWS && prof.resting) {
    m = prof.resting;
    prof.resting = m->next;
  } else if (prof.root) {
    m = new_member();
    if (m)
      m->row->record.type = PROF_ROW;
  }
  pthread_mutex_unlock(&prof.lock);
  if (m)
    member_open(m, is_initial);
  return m;
}

void prof_member_end(struct prof_me *m) {
  m->row->end = m->row->since;
  pthread_mutex_lock(&prof.lock);
  m->next = prof.resting;
  prof.resting = m;
  pthread_mutex_unlock(&prof.lock);
}

bool prof_site_begin(void) {
  prof_store_maps();
  prof.nodes = prof_private(NODES * sizeof *prof.nodes);
  prof.root = prof.nodes ? node_locked(PROF_SERIAL, 0, 0, 0) : 0;
  return prof.root != 0;
}
