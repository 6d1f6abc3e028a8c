/* trace_row.c - the rows of the trace: their blocks, threads that come and go
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "tools/ompt/trace_row.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

enum {
  FIRST_BYTES = 4 * TRACE_PAGE, /* a thread with few events takes no more */
  GROWTH = 4                    /* each next block is so much larger, up to `most` */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the lists and of `count` */
static struct trace_row *rows, *free_rows;
static uint32_t count, most = FIRST_BYTES;

void trace_row_begin(uint32_t bytes) { most = bytes < FIRST_BYTES ? FIRST_BYTES : bytes; }

struct trace_row *trace_row_new(void) {
  pthread_mutex_lock(&lock);
  struct trace_row *r = free_rows;
  if (r)
    free_rows = r->free;
  pthread_mutex_unlock(&lock);
  if (r)
    return r;
  /* not of the program's heap; new memory is 0 */
  r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (r == MAP_FAILED)
    return NULL;
  r->bytes = FIRST_BYTES;
  pthread_mutex_lock(&lock);
  r->number = count++;
  r->older = rows;
  rows = r;
  pthread_mutex_unlock(&lock);
  return r;
}

void trace_row_free(struct trace_row *r) {
  pthread_mutex_lock(&lock);
  r->free = free_rows;
  free_rows = r;
  pthread_mutex_unlock(&lock);
}

/* An event that finds no room. */
static struct trace_event *drop(struct trace_row *r) {
  uint64_t *dropped = r->block ? &r->block->dropped : &r->dropped;
  ++*dropped;
  r->is_over = true;
  r->end = &r->spare + 1;
  return &r->spare;
}

struct trace_event *trace_row_more(struct trace_row *r) {
  struct trace_block *b = r->is_over ? NULL : trace_file_block(r->number, r->turn, r->bytes);
  if (!b)
    return drop(r);
  if (r->block)
    munmap(r->block, r->block->bytes);
  r->block = b;
  r->turn++;
  r->bytes = b->bytes < most / GROWTH ? b->bytes * GROWTH : most;
  struct trace_event *first = (struct trace_event *)(b + 1);
  r->end = first + (b->bytes - sizeof *b) / sizeof *first;
  return first;
}

uint64_t trace_row_dropped(void) {
  uint64_t sum = 0;
  pthread_mutex_lock(&lock);
  for (const struct trace_row *r = rows; r; r = r->older)
    sum += r->dropped;
  pthread_mutex_unlock(&lock);
  return sum;
}

void trace_row_forked(struct trace_row *mine) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  free_rows = NULL;
  for (struct trace_row *r = rows; r; r = r->older) {
    if (r->block)
      munmap(r->block, r->block->bytes);
    r->block = NULL;
    r->next = r->end = NULL;
    r->turn = 0;
    r->bytes = FIRST_BYTES;
    r->is_over = false;
    r->dropped = 0;
    if (r != mine) {
      r->free = free_rows;
      free_rows = r;
    }
  }
}
