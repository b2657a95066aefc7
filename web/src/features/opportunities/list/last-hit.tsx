/** What came of an opportunity that pays no more: until when it paid, and whether the desk bought it or why it was left. */
import { listRelationHits, type RelationHit } from '@dutchbook/contract/discovery/hits.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useMemo } from 'react';
import { pageQuery } from '../../../calls/call-query.ts';
import { useReadSoon } from '../../../live/read-soon.ts';
import { LocalTime } from '../../../ui/local-time.tsx';
import { Outdated } from '../../../ui/signed.tsx';
import { APPROVE_FIRST } from '../../session/way-to-change.ts';

const READ = 100;
const AGAIN_MS = 10_000;

/** Undefined while they are being read. */
const HitsContext = createContext<ReadonlyMap<string, RelationHit> | undefined>(undefined);

type LastHitsProps = {
  /** Opportunities that were found, over or not; nothing is read while there is none. */
  ids: readonly string[];
  /** Of this relation alone. */
  relationId?: string;
  children: ReactNode;
};

/** The newest time that each of them paid, for what stands below it. */
export function LastHits({ ids, relationId, children }: LastHitsProps) {
  const query = { skip: 0, limit: READ, ...(relationId !== undefined && { relation_id: relationId }) };
  const isAsked = ids.length > 0;
  const { data, refetch } = useQuery(
    pageQuery(
      ['relation-hits', 'last', relationId, ids],
      listRelationHits,
      { query },
      { enabled: isAsked, refetchInterval: AGAIN_MS },
    ),
  );
  // The end of a hit may be written a moment after that of its opportunity.
  useReadSoon(
    hasEnded,
    useCallback(() => {
      if (isAsked) void refetch();
    }, [isAsked, refetch]),
    2,
  );
  // The newest come first, and the last entry of a key is kept.
  const hits = useMemo(
    () => data && new Map(data.data.toReversed().map((hit) => [hit.opportunity_id ?? '', hit] as const)),
    [data],
  );
  return <HitsContext value={hits}>{children}</HitsContext>;
}

const hasEnded = ({ type, data }: Change) => type === 'opportunity' && data?.active === false;

/** One line, which is there before it is known; nothing of one that pays. */
export function LastHit({ id }: { id: string }) {
  const hits = use(HitsContext);
  if (hits === undefined) return <span data-outcome>&nbsp;</span>;
  const hit = hits.get(id);
  if (hit === undefined || hit.ended_at === null) return null;
  return (
    <span data-outcome title={hit.batch_id === null ? leftWords(hit) : undefined}>
      Paid until <LocalTime at={hit.ended_at} to="clock" />:{' '}
      {hit.batch_id === null ? `left, ${inSentence(leftWords(hit))}` : <HitOutcome of={hit} bought="bought," />}
    </span>
  );
}

/** What one that is over paid at best, and of how many sets; `LastHit` beside it says until when. */
export function PaidAtBest({ id, of }: { id: string; of: 'profit' | 'size' }) {
  const hit = use(HitsContext)?.get(id);
  if (hit === undefined) return '–';
  return <Outdated>{of === 'profit' ? formatUsd(hit.profit_usd) : formatShares(hit.size)}</Outdated>;
}

type OutcomeProps = { of: RelationHit; bought: string };

/** What came of it; `bought` stands before how much of it was. */
export function HitOutcome({ of: hit, bought }: OutcomeProps) {
  const { batch_id, bought_size: size, bought_clips: clips, bounded_by } = hit;
  if (batch_id === null) return leftWords(hit);
  return (
    <Link to="/batches/$batchId" params={{ batchId: batch_id }}>
      {bought}
      {clips > 1 && ` ${formatCount(clips)} clips,`}
      {size !== null && ` ${sizeWords(size, bounded_by)}`}
    </Link>
  );
}

/** Why nothing was bought. */
function leftWords({ why_not, ended_at }: RelationHit): string {
  // Of what is over, an approval would buy nothing any more.
  if (ended_at !== null && why_not === APPROVE_FIRST) return 'It was not approved';
  if (why_not === null) return ended_at === null ? 'Just found' : 'It was gone before it could be bought';
  return plainWords(why_not);
}

const inSentence = (words: string) => `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
