import type { JobWork } from '../jobs/job-work.ts';
import type { Db } from '../world/world.ts';
import { type CheckParts, checkOpportunities } from './check.ts';
import { countOpportunities, type OpportunityFilter, pagesOfOpportunities } from './store.ts';

/** Small enough that the books of a chunk are read at about one moment and the progress moves. */
const OPPORTUNITIES_PER_ROUND = 25;

/** Checks all opportunities, or the active ones, against fresh books; each may trigger. */
export function checkAllWork(db: Db, parts: CheckParts): JobWork {
  return async (data, run) => {
    const done = await throughAll(db, parts, data.active_only ? { active: true } : {}, true, run);
    return `Checked ${done} ${done === 1 ? 'opportunity' : 'opportunities'}`;
  };
}

/** Refreshes the prices of all opportunities; none triggers. */
export function updatePricesWork(db: Db, parts: CheckParts): JobWork {
  return async (_data, run) => {
    const done = await throughAll(db, parts, {}, false, run);
    return `Updated the prices of ${done} ${done === 1 ? 'opportunity' : 'opportunities'}`;
  };
}

async function throughAll(
  db: Db,
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
      await checkOpportunities(parts, round, mayTrigger);
      done += round.length;
      run.progress(done, Math.max(done, total));
    }
  }
  return done;
}
