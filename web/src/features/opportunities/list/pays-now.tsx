import { listNotifications } from '@dutchbook/contract/notifications.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { callQuery } from '../../../calls/call-query.ts';
import { payingWords } from '../../../forms/paying-words.ts';
import { listQuery } from '../../../lists/list.ts';
import { NEWEST_FIRST } from '../../../lists/list-search.ts';
import type { Read } from '../../../live/fresher.ts';
import { useReadSoon } from '../../../live/read-soon.ts';
import { shortId } from '../../../ui/copyable.tsx';
import { Age } from '../../../ui/local-time.tsx';
import { useLatestRow } from '../opportunity-queries.ts';
import type { OpportunitySearch } from '../opportunity-search.ts';
import { OPPORTUNITY_SOURCE } from './listed-opportunities.ts';
import styles from './trigger-note.module.css';

const BEST = { ...NEWEST_FIRST, active: true, sortBy: 'profit_usd' } as const;
const LAST = { notification_type: 'opportunity_triggered', skip: 0, limit: 1, sort_order: 'desc' } as const;

/** Above the list, whatever it is narrowed to: what pays most now or, where nothing does, what triggered last. */
export function PaysNow() {
  const { data, refetch } = useQuery(listQuery<OpportunityRow, OpportunitySearch>(OPPORTUNITY_SOURCE, BEST, 1));
  useReadSoon(
    isOfPrices,
    useCallback(() => void refetch(), [refetch]),
  );
  const [best] = data?.data ?? [];
  return (
    <p className={styles.now}>{data !== undefined && (best === undefined ? <NothingPays /> : <Best row={best} />)}</p>
  );
}

const isOfPrices = ({ type }: Change) => type === 'opportunity' || type === 'opportunity_deleted';

function Best({ row }: { row: Read<OpportunityRow> }) {
  const { id, name, profit_usd: usd, active, outdated } = useLatestRow(row, true);
  if (!active || outdated !== null || usd === null || usd <= 0) return <NothingPays />;
  return (
    <>
      Pays most now: {payingWords(usd)},{' '}
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }}>
        {name}
      </Link>
    </>
  );
}

function NothingPays() {
  const { data } = useQuery(
    callQuery(['notifications', 'last-trigger'], listNotifications, { query: { ...LAST, sort_by: 'created_at' } }),
  );
  const [last] = data?.data ?? [];
  if (last === undefined || last.opportunity_id === null) return 'Nothing pays now.';
  const { name } = last.data;
  return (
    <>
      Nothing pays now; last triggered <Age of={last.created_at} />:{' '}
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: last.opportunity_id }}>
        {typeof name === 'string' ? name : shortId(last.opportunity_id)}
      </Link>
    </>
  );
}
