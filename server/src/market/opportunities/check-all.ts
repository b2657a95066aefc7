import { venueOf } from '@dutchbook/units/ids.ts';
import { VenueBusy, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { JobWork } from '../../platform/jobs/job-work.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type CheckParts, checkOpportunities } from './check.ts';
import { positionsOf } from './identity.ts';
import { countOpportunities, type OpportunityFilter, pagesOfOpportunities, type StoredOpportunity } from './store.ts';

/** Small enough that the books of a chunk are read at about one moment and the progress moves. */
const OPPORTUNITIES_PER_ROUND = 25;

type WorkRuntime = Pick<Runtime, 'db' | 'timers'>;

/** Checks all opportunities, or the active ones, against fresh books; each may trigger. */
export function checkAllWork(runtime: WorkRuntime, parts: CheckParts): JobWork {
  return async (data, run) => {
    const which = { filter: data.active_only ? { active: true } : {}, mayTrigger: true };
    const done = await throughAll(runtime, parts, which, run);
    return `Checked ${counted(done)}`;
  };
}

/** Refreshes the prices of all opportunities; none triggers. */
export function updatePricesWork(runtime: WorkRuntime, parts: CheckParts): JobWork {
  return async (_data, run) => {
    const done = await throughAll(runtime, parts, { filter: {}, mayTrigger: false }, run);
    return `Updated the prices of ${counted(done)}`;
  };
}

type Done = { checked: number; left: number };

function counted({ checked, left }: Done): string {
  const opportunities = (count: number) => `${count} ${count === 1 ? 'opportunity' : 'opportunities'}`;
  return left === 0 ? opportunities(checked) : `${opportunities(checked)}; the venue of ${left} more did not answer`;
}

/**
 * Checks them in rounds, each by venue. A venue that has not answered once is not asked again: its opportunities keep their prices.
 * Throws VenueUnavailable where no venue has answered.
 */
async function throughAll(
  { db, timers }: WorkRuntime,
  parts: CheckParts,
  { filter, mayTrigger }: { filter: OpportunityFilter; mayTrigger: boolean },
  run: Parameters<JobWork>[1],
): Promise<Done> {
  const total = await countOpportunities(db, filter);
  const done = { checked: 0, left: 0 };
  /** The failure by venues of an opportunity; null where they answer. */
  const answers = new Map<string, VenueUnavailable | null>();
  run.progress(0, total);
  for await (const page of pagesOfOpportunities(db, filter)) {
    for (let start = 0; start < page.length; start += OPPORTUNITIES_PER_ROUND) {
      run.signal.throwIfAborted();
      const round = page.slice(start, start + OPPORTUNITIES_PER_ROUND);
      for (const [venues, rows] of Map.groupBy(round, venuesOf)) {
        const isSilent = (answers.get(venues) ?? null) !== null;
        const check = () => withSlot(timers, run.signal, () => checkOpportunities(parts, rows, mayTrigger));
        if (!isSilent) answers.set(venues, await unavailable(check));
        done[answers.get(venues) === null ? 'checked' : 'left'] += rows.length;
      }
      const seen = done.checked + done.left;
      run.progress(seen, Math.max(seen, total));
    }
  }
  const failures = [...answers.values()].filter((failure) => failure !== null);
  if (failures.length > 0 && failures.length === answers.size) throw failures[0];
  return done;
}

function venuesOf({ marketCombinations }: StoredOpportunity): string {
  const venues = new Set(positionsOf(marketCombinations).map(({ marketId }) => venueOf(marketId)));
  return [...venues].toSorted().join();
}

async function unavailable(work: () => Promise<unknown>): Promise<VenueUnavailable | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof VenueUnavailable) return error;
    throw error;
  }
}

/** Does the work; while the reads that are kept for trading leave no room for it, waits as long as the refusal says and tries again. */
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
