# predict_deal.py - which member of a team does which step of a region
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from nanogomp_lib import predict_trace as trace


def owners_of(region, members):
    """{place among the region's steps: member} of tasks, nested regions and critical sections that
    one member has. In code that all members share they are dealt out in blocks, but for a critical
    section that comes once, as at the end of a reduction; in the master's code they are its own."""
    owners, run, share = {}, {}, trace.EACH

    def deal():
        for kind, places in run.items():
            if kind != trace.CRITICAL or len(places) > 1:
                owners.update((place, i * members // len(places))
                              for i, place in enumerate(places))
        run.clear()

    for place, step in enumerate(region.steps):
        if step[0] == trace.WORK:
            share = step[2]
        elif step[0] == trace.BARRIER:
            deal()
        elif step[0] in (trace.TASK, trace.REGION, trace.CRITICAL):
            if share == trace.SHARED:
                run.setdefault(step[0], []).append(place)
            elif share == trace.MASTER:
                owners[place] = 0
    deal()
    return owners
