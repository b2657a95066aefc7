/** What the palette leads to and does, read anew as it opens. */
import { listBatches } from '@dutchbook/contract/batches.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { useQuery } from '@tanstack/react-query';
import { use, useDeferredValue, useMemo } from 'react';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { CASH_NOW, waysOf } from '../../features/portfolio/exit-words.ts';
import { currentUserQuery } from '../../features/session/current-user.ts';
import { useIsReplay } from '../../features/status/replay-look.tsx';
import { useSystemStatus } from '../../features/status/system-status.ts';
import { readPage } from '../../live/fresher.ts';
import { ChangeRefusal } from '../../ui/changing.tsx';
import {
  batchEntry,
  cashNowEntry,
  disarmEntry,
  eventEntries,
  opportunityEntries,
  type PaletteEntry,
  relationEntry,
  screenEntries,
  WORDS_ENTRY,
} from './palette-entries.ts';

/** Most searches are for one of the best or the latest; any other row is found by its whole id. */
const OPPORTUNITIES = 200;
const BATCHES = 100;
const RELATIONS = 200;
const FRESH_MS = 10_000;
const FIRST = { skip: 0, sort_order: 'desc' } as const;

const opportunitiesQuery = {
  queryKey: ['palette', 'opportunities'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    readPage(() =>
      call(listOpportunities, {
        query: { ...FIRST, limit: OPPORTUNITIES, sort_by: 'profit_percentage' },
        signal,
      }),
    ),
  staleTime: FRESH_MS,
};

const batchesQuery = callQuery(
  ['palette', 'batches'],
  listBatches,
  { query: { ...FIRST, limit: BATCHES, sort_by: 'created_at' } },
  { staleTime: FRESH_MS },
);

const relationsQuery = callQuery(
  ['palette', 'relations'],
  listRelations,
  {
    query: {
      skip: 0,
      limit: RELATIONS,
      sort_by: 'distance',
      sort_order: 'asc',
      pairs: 'by_event',
      complete_first: false,
    },
  },
  { staleTime: FRESH_MS },
);

const settingsQuery = {
  queryKey: ['palette', 'settings'],
  queryFn: () => import('./setting-entries.ts').then((code) => code.SETTING_ENTRIES),
  staleTime: Number.POSITIVE_INFINITY,
};

const portfolioQuery = callQuery(['portfolio'], readPortfolio, {}, { staleTime: FRESH_MS });

/** An answer becomes entries after the next frame, so that letters typed meanwhile show at once. */
export function usePaletteEntries(): { entries: readonly PaletteEntry[]; isReading: boolean } {
  const { data: user } = useQuery(currentUserQuery);
  const isReplay = useIsReplay();
  const isArmed = useSystemStatus()?.armed === true;
  const mayTrade = use(ChangeRefusal) === undefined && user !== undefined && !isReplay;
  // Asked for once the field and the screens are painted.
  const enabled = useDeferredValue(true, false);
  const opportunities = useQuery({ ...opportunitiesQuery, enabled });
  const batches = useQuery({ ...batchesQuery, enabled });
  const relations = useQuery({ ...relationsQuery, enabled });
  const settings = useQuery({ ...settingsQuery, enabled: enabled && user?.is_superuser === true });
  const portfolio = useQuery({ ...portfolioQuery, enabled: enabled && mayTrade });
  const shown = {
    opportunities: useDeferredValue(opportunities.data, undefined),
    batches: useDeferredValue(batches.data, undefined),
    relations: useDeferredValue(relations.data, undefined),
    settings: useDeferredValue(settings.data, undefined),
    events: useDeferredValue(portfolio.data, undefined)?.events,
  };
  const entries = useMemo(
    () => [
      ...screenEntries(user),
      ...(user?.is_superuser && isArmed ? [disarmEntry()] : []),
      ...(shown.opportunities?.data ?? []).flatMap((row) => opportunityEntries(row, mayTrade)),
      ...(mayTrade && isArmed ? (shown.events ?? []).filter(hasCashNow).map(cashNowEntry) : []),
      ...(shown.batches?.data ?? []).map(batchEntry),
      ...eventEntries(shown.relations?.data ?? []),
      ...(shown.relations?.data ?? []).map(relationEntry),
      WORDS_ENTRY,
      ...((user?.is_superuser && shown.settings) || []),
    ],
    [user, isArmed, mayTrade, shown.opportunities, shown.events, shown.batches, shown.relations, shown.settings],
  );
  const isReading =
    isAwaited(opportunities, shown.opportunities) ||
    isAwaited(batches, shown.batches) ||
    isAwaited(relations, shown.relations) ||
    isAwaited(settings, shown.settings);
  return { entries, isReading };
}

/** Whether an answer is on its way, or has come and is not among the entries yet. */
function isAwaited<Data>({ isLoading, data }: { isLoading: boolean; data: Data | undefined }, shown: Data | undefined) {
  return isLoading || data !== shown;
}

type Held = { routes: Parameters<typeof waysOf>[0] | null };

function hasCashNow({ routes }: Held): boolean {
  return routes !== null && waysOf(routes).some(({ name, refusal }) => name === CASH_NOW && refusal === undefined);
}
