import type { RelationRow } from '@dutchbook/contract/relations.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { addUsd, formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { listQuery } from '../../lists/list.ts';
import { useRowsRefresh } from '../../lists/list-refresh.ts';
import { useInOrder, useWhere } from '../../lists/row-order.ts';
import { useOverview } from '../overview/use-overview.ts';
import { APPROVE_FIRST } from '../session/way-to-change.ts';
import { matchesFilter, RELATION_SOURCE, useLatestRelation } from './relation-queries.ts';
import { NEAREST_FIRST, type RelationSearch } from './relation-search.ts';
import styles from './relations-now.module.css';

/** A cent is the least that a person calls paying. */
const PAYING = { minProfitUsd: 0.01, sortBy: 'profit_usd', sortOrder: 'desc' } as const;
const PAYING_SEARCH: RelationSearch = { ...NEAREST_FIRST, ...PAYING };
const WAITING_SEARCH: RelationSearch = { ...NEAREST_FIRST, needsApproval: true };

const AGAIN_MS = 10_000;

/** More than pay at once as a rule. */
const PAYING_ROWS = 5;

/** The first of them and how many there are; not read again with the list, whatever is done to that. */
const firstOf = (search: RelationSearch, rows = 1) => ({
  ...listQuery(RELATION_SOURCE, search, rows),
  queryKey: ['relations-now', search],
  refetchInterval: AGAIN_MS,
});

/** Whatever the list is narrowed to: what pays now, and what waits for an approval, with what was missed for it today. */
export function RelationsNow() {
  const paying = usePaying();
  const waiting = useQuery(firstOf(WAITING_SEARCH));
  const missed = useMissedForApproval();
  return (
    <p className={styles.now}>
      {paying !== undefined && waiting.data !== undefined && (
        <>
          {paying.best === undefined ? 'Nothing pays now.' : <Paying count={paying.count} best={paying.best} />}{' '}
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

/** What pays at this moment, as the rows of the list say it too: the best of it and how many there are. */
function usePaying() {
  const { data, refetch } = useQuery(firstOf(PAYING_SEARCH, PAYING_ROWS));
  const rows = data?.data;
  const filter = useMemo(() => ({ count: data?.count, matches: pays }), [data?.count]);
  useRowsRefresh(
    'relation',
    rows,
    useCallback(() => void refetch(), [refetch]),
    filter,
  );
  const now = useWhere('relation', rows, pays);
  const [best] = useInOrder('relation', now, PAYING, false) ?? [];
  if (data === undefined || now === undefined) return undefined;
  return { best, count: data.count - (data.data.length - now.length) };
}

const pays = (row: RelationRow) => matchesFilter(row, PAYING_SEARCH);

function Paying({ count, best }: { count: number; best: Parameters<typeof useLatestRelation>[0] }) {
  const { id, event_title: title, profit_usd: usd }: RelationRow = useLatestRelation(best);
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
