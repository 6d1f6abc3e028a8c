/* config_gaps.h - the tunables of predicted gaps between regions (gaps.h), beside those of
 * config.h
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NTH_SCHED_CONFIG_GAPS_H
#define NTH_SCHED_CONFIG_GAPS_H

/* The prediction of gaps (gaps.h). For each worker: functions after which gaps are kept, a power of
 * two; the last gaps of each, and after how many of them there is a prediction; how late the last
 * timers were. */
#define NTH_GAPS_SITES 8u
#define NTH_GAPS_KEPT 7u
#define NTH_GAPS_LEAST 2u
#define NTH_GAPS_LATE 5u
/* Gaps are regular if most of them differ by no more than this part of their length; and the part
 * of a gap for which the worker spins at most, 3 %. More: fewer gaps are predicted, less is
 * spun. */
#define NTH_GAPS_SPREAD 33u
#define NTH_GAPS_SPIN 33u
/* The longest gap that is predicted: as long as libiomp5 spins. */
#define NTH_GAPS_MOST_NS 220000000u
/* Gaps of a site that are known before their longest one says how long others are spun through. */
#define NTH_GAPS_SPUN 3u
/* How late a timer is as long as none of the site has been seen: 50 us of the kernel's slack, and
 * the wake-up of an idle CPU. */
#define NTH_GAPS_LATE_NS 110000u
/* The worker is to be awake by this part of the gap before the shortest one is over; and it spins
 * for this part longer than the longest one lasted, beside the difference of both. More: a region
 * that comes a little earlier or later pays for a wake-up. Less: more is spun in vain. */
#define NTH_GAPS_MARGIN 200u
/* After n windows in a row in which no region came, the next 2^n - 1 gaps are slept through. This
 * is the largest n. */
#define NTH_GAPS_VAIN_MOST 6u
/* Regions that found the worker awake after which it sleeps through a gap to learn whether the
 * master still works in gaps. More: that is noticed later. Less: more regions pay for a wake-up. */
#define NTH_GAPS_HITS 64u
/* A worker that spins in a gap of which nothing short is known looks first after this time whether
 * the master sleeps, and each time that the gap has become twice as long. So it learns after twice
 * this time. Less: a master that sleeps for a moment, or whose CPU the host takes away, pays for a
 * wake-up. More: each such gap is spun through for longer. */
#define NTH_GAPS_LOOK_NS 60000u
/* A master that had less than this part of a CPU since the last look sleeps. */
#define NTH_GAPS_WORK_PART 4u
/* One that had half of a CPU or more for this time works in the gap. Less: a master that works for
 * a moment before it sleeps is taken for one that works, for up to 64 regions. */
#define NTH_GAPS_WORKS_NS 1000000u
/* A master reads its CPU time, 0.2 us and after a sleep 3 us, for all workers that it wakes within
 * this time. */
#define NTH_GAPS_STAMP_NS 500000u
/* After two such readings in a row that found that the master sleeps, so many stamps come without
 * one. More: a master that begins to work in its gaps pays for as many more wake-ups until that is
 * noticed. Less: each region of one that sleeps costs 3 us more of CPU time. */
#define NTH_GAPS_SPARE 7u

#endif
