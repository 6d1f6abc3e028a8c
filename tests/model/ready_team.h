/* ready_team.h - the domains of a model's team: one, with no memory to be asked for
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_MODEL_READY_TEAM_H
#define NTH_MODEL_READY_TEAM_H

#include "tests/model/members.h"
#include "tests/unit/whole.h"

static inline void model_domain_atoms(struct nth_task_domain *d) {
  MODEL_ATOM(d->ready.idle);
  MODEL_ATOM(d->ready.put);
  MODEL_ATOM(d->ready.taken);
  MODEL_ATOM(d->word);
  for (uint32_t p = 0; p < NTH_READY_PARTS; p++) {
    MODEL_ATOM_AT(p, d->part[p].list.lock.word);
    MODEL_ATOM_AT(p, d->part[p].list.length);
    MODEL_ATOM_AT(p, d->part[p].list.top);
  }
}

/* After model_team_setup(). */
static inline void model_lay(void) {
  struct model_team *t = model_team();
  struct nth_team *team = &t->team;
  model_domain_atoms(&t->domain);
  t->domains = &t->domain.ready;
  team->ready.node = &t->domains;
  team->ready.made = 1;
  struct nth_layout l = whole_layout(&nth_domains_one, team->size);
  nth_task_domains_lay(team, &l, 0);
}

#endif
