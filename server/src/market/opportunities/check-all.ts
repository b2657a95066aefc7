import { VenueBusy } from '@dutchbook/venues/venue.ts';
import type { JobWork } from '../../platform/jobs/job-work.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type CheckParts, checkOpportunities } from './check.ts';
import { countOpportunities, type OpportunityFilter, pagesOfOpportunities } from './store.ts';

/** Small enough that the books of a chunk are read at about one moment and the progress moves. */
const OPPORTUNITIES_PER_ROUND = 25;

type WorkRuntime = Pick<Runtime, 'db' | 'timers'>;

/** Checks all opportunities, or the active ones, against fresh books; each may trigger. */
export function checkAllWork(runtime: WorkRuntime, parts: CheckParts): JobWork {
  return async (data, run) => {
    const done = await throughAll(runtime, parts, data.active_only ? { active: true } : {}, true, run);
    return `Checked ${done} ${done === 1 ? 'opportunity' : 'opportunities'}`;
  };
}

/** Refreshes the prices of all opportunities; none triggers. */
export function updatePricesWork(runtime: WorkRuntime, parts: CheckParts): JobWork {
  return async (_data, run) => {
    const done = await throughAll(runtime, parts, {}, false, run);
    return `Updated the prices of ${done} ${done === 1 ? 'opportunity' : 'opportunities'}`;
  };
}

async function throughAll(
  { db, timers }: WorkRuntime,
  parts: CheckParts,
  filter: OpportunityFilter,
  mayTrigger: boolean,
  run: Parameters<JobWork>[1],
): Promise<number> {
  const total = await countOpportunities(db, filter);
  let done = 0;
  run.progress(done, total);
  for await (const page of pagesOfOpportunities(db, filter)) {
    for (let start = 0; start < page.length; start += OPPORTUNITIES_PER_ROUND) {
      run.signal.throwIfAborted();
      const round = page.slice(start, start + OPPORTUNITIES_PER_ROUND);
      await withSlot(timers, run.signal, () => checkOpportunities(parts, round, mayTrigger));
      done += round.length;
      run.progress(done, Math.max(done, total));
    }
  }
  return done;
}

/** Does the work once the venue takes questions again that others ask too. */
async function withSlot(timers: Runtime['timers'], signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof VenueBusy)) throw error;
      await new Promise<void>((resolve) => timers.after(error.retryAfterMs, resolve));
      signal.throwIfAborted();
    }
  }
}
