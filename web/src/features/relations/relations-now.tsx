import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { addUsd, formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listQuery } from '../../lists/list.ts';
import { useOverview } from '../overview/use-overview.ts';
import { APPROVE_FIRST } from '../session/way-to-change.ts';
import { RELATION_SOURCE, useLatestRelation } from './relation-queries.ts';
import { NEAREST_FIRST, type RelationSearch } from './relation-search.ts';
import styles from './relations-now.module.css';

/** A cent is the least that a person calls paying. */
const PAYING = { minProfitUsd: 0.01, sortBy: 'profit_usd', sortOrder: 'desc' } as const;
const PAYING_SEARCH: RelationSearch = { ...NEAREST_FIRST, ...PAYING };
const WAITING_SEARCH: RelationSearch = { ...NEAREST_FIRST, needsApproval: true };

const AGAIN_MS = 10_000;

/** The first of them and how many there are; not read again with the list, whatever is done to that. */
const firstOf = (search: RelationSearch) => ({
  ...listQuery(RELATION_SOURCE, search, 1),
  queryKey: ['relations-now', search],
  refetchInterval: AGAIN_MS,
});

/** Whatever the list is narrowed to: what pays now, and what waits for an approval, with what was missed for it today. */
export function RelationsNow() {
  const paying = useQuery(firstOf(PAYING_SEARCH));
  const waiting = useQuery(firstOf(WAITING_SEARCH));
  const missed = useMissedForApproval();
  const [best] = paying.data?.data ?? [];
  return (
    <p className={styles.now}>
      {paying.data !== undefined && waiting.data !== undefined && (
        <>
          {best === undefined ? 'Nothing pays now.' : <Paying count={paying.data.count} best={best} />}{' '}
          {waiting.data.count > 0 && (
            <>
              <Link to="/discover" search={{ needsApproval: true }}>
                {formatCount(waiting.data.count)} {waiting.data.count === 1 ? 'waits' : 'wait'} for approval
              </Link>
              {missed > 0 && (
                <>
                  {': '}
                  <Link to="/report/missed" search={{ reason: APPROVE_FIRST }}>
                    {formatUsd(missed)} was missed for it today
                  </Link>
                </>
              )}
              .
            </>
          )}
        </>
      )}
    </p>
  );
}

function Paying({ count, best }: { count: number; best: Parameters<typeof useLatestRelation>[0] }) {
  const { id, event_title: title, profit_usd: usd }: RelationRow = useLatestRelation(best);
  // It has ceased to since they were counted.
  if (usd === 0 && count === 1) return 'Nothing pays now.';
  return (
    <>
      <Link to="/discover" search={PAYING}>
        {formatCount(count)} {count === 1 ? 'pays' : 'pay'} now
      </Link>
      , at best {formatUsd(usd)}:{' '}
      <Link to="/discover/$relationId" params={{ relationId: id }}>
        {title}
      </Link>
      .
    </>
  );
}

function useMissedForApproval(): Usd {
  const missed = useOverview().data?.missed_today ?? [];
  return missed
    .filter(({ reason }) => reason.startsWith(APPROVE_FIRST))
    .reduce((sum, { usd }) => addUsd(sum, usd), USD_ZERO);
}
