import { readBatchMoments, readOpportunityMoments, readRelationMoments } from '@dutchbook/contract/flight-recorder.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

/** On either side of the moment that is looked at. */
export const AROUND_MS = 60_000;
/** Answers read one after the other; what changes more often than that is looked at in parts. */
const PARTS_MAX = 3;
/** While a batch runs, and until its books are kept. */
const WAITING_MS = 3000;

type Part = { legs: unknown[]; moments: unknown[]; unknown: unknown[]; next: Instant | null };

/** Answers that join, as one; it ends where the legs become others, and where that is enough. */
async function joined<Answer extends Part>(read: (from: Instant | undefined) => Promise<Answer>): Promise<Answer> {
  const all = await read(undefined);
  for (let parts = 1; all.next !== null && parts < PARTS_MAX; parts += 1) {
    const part = await read(all.next);
    if (JSON.stringify(part.legs) !== JSON.stringify(all.legs)) break;
    all.moments.push(...part.moments);
    all.unknown.push(...part.unknown);
    all.next = part.next;
  }
  return all;
}

export const batchMomentsQuery = (batchId: string) =>
  queryOptions({
    queryKey: ['batches', batchId, 'moments'],
    queryFn: ({ signal }) =>
      joined((from) => call(readBatchMoments, { params: { batch_id: batchId }, query: { from }, signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? WAITING_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
  });

const around = (at: Instant) => ({
  from: instantFromMs(at - AROUND_MS),
  until: instantFromMs(Math.max(at, Math.min(at + AROUND_MS, Date.now()))),
});

type Around = ReturnType<typeof around>;

/** The moments around one, of what `key` names. */
function momentsQuery<Answer extends Part>(
  key: readonly string[],
  at: Instant,
  read: (query: Around, signal: AbortSignal) => Promise<Answer>,
) {
  return queryOptions({
    queryKey: [...key, at],
    queryFn: async ({ signal }) => {
      const span = around(at);
      return { ...(await joined((from = span.from) => read({ ...span, from }, signal))), span };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const opportunityMomentsQuery = (id: string, at: Instant) =>
  momentsQuery(['opportunity-moments', id], at, (query, signal) =>
    call(readOpportunityMoments, { params: { opportunity_id: id }, query, signal }),
  );

export const relationMomentsQuery = (id: string, at: Instant) =>
  momentsQuery(['relation-moments', id], at, (query, signal) =>
    call(readRelationMoments, { params: { relation_id: id }, query, signal }),
  );
