import { readHistories } from '@dutchbook/contract/valuation.ts';
import { formatPercent, type Percent } from '@dutchbook/units/percent.ts';
import { useQuery } from '@tanstack/react-query';
import { createContext, memo, type ReactNode, use, useDeferredValue, useMemo } from 'react';
import { pageQuery } from '../../calls/call-query.ts';
import { Sparkline } from '../../ui/sparkline.tsx';

const READ_AGAIN_MS = 60_000;

type Recent = readonly (Percent | null)[];

const RecentContext = createContext<ReadonlyMap<string, Recent>>(new Map());

/** The last hour of each row below it, read together and again each minute. */
export function RecentProfits({ ids, children }: { ids: string[]; children: ReactNode }) {
  const { data } = useQuery(
    pageQuery(
      ['histories', ids],
      readHistories,
      { query: { ids } },
      { enabled: ids.length > 0, refetchInterval: READ_AGAIN_MS },
    ),
  );
  const recent = useMemo(
    () => new Map(data?.data.map(({ opportunity_id, profit_percentages }) => [opportunity_id, profit_percentages])),
    [data],
  );
  // The rows are on screen already: they take it up in slices.
  const late = useDeferredValue(recent);
  return <RecentContext value={late}>{children}</RecentContext>;
}

/** How the profit of one of them has moved. */
export const RecentProfit = memo(function RecentProfit({ id }: { id: string }) {
  const profits = use(RecentContext).get(id) ?? [];
  const known = profits.filter((profit) => profit !== null);
  const [first, last] = [known[0], known.at(-1)];
  const label =
    first === undefined || last === undefined
      ? 'No profit known in the last hour'
      : `Profit in the last hour: from ${formatPercent(first)} to ${formatPercent(last)}`;
  return <Sparkline values={profits} label={label} />;
});
