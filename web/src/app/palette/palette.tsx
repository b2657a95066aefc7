import { callQuery } from '../../calls/call-query.ts';
import '@mantine/spotlight/styles.layer.css';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useMemo } from 'react';
import { currentUserQuery } from '../../features/session/current-user.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './palette.module.css';
import {
  batchEntry,
  entriesFor,
  opportunityEntries,
  type PaletteEntry,
  screenEntries,
  type Target,
} from './palette-entries.ts';

const [store, spotlight] = createSpotlight();

/** The arrow keys mark an entry in the page alone: read out is only what is rendered. */
const renderMark = () => store.setState((state) => ({ ...state }));

type PaletteProps = { opened: boolean; onClose: () => void };

/** Leads to any screen, opportunity or batch, and to the simulation of an order, by a few typed letters. */
export function Palette({ opened, onClose }: PaletteProps) {
  useEffect(() => {
    if (opened) spotlight.open();
  }, [opened]);
  return (
    <Spotlight.Root
      store={store}
      title="Go To"
      size={620}
      shortcut={null}
      classNames={styles}
      onSpotlightClose={onClose}
      onKeyDown={renderMark}
    >
      <Finder opened={opened} />
    </Spotlight.Root>
  );
}

function Finder({ opened }: { opened: boolean }) {
  const { query, selected } = useSpotlight(store);
  const { entries, isReading } = usePaletteEntries(opened);
  const found = entriesFor(query, entries);
  const id = useId();
  const goTo = useGoTo();
  // Enter opens the first of what is found, also of what is read only after it was typed.
  const noneMarked = selected === -1 && found.length > 0;
  useEffect(() => {
    if (noneMarked) store.setState((state) => ({ ...state, listId: id, selected: 0 }));
  }, [noneMarked, id]);
  return (
    <>
      <Spotlight.Search
        role="combobox"
        aria-label="Search"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${selected}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="A screen, an ID, or words of an opportunity; s and an ID simulates"
        leftSection={<Icon name="search" />}
      />
      {found.length > 0 ? (
        <div id={id} role="listbox" aria-label="Found" className={styles.found}>
          {found.map(({ key, kind, label, detail, target }, index) => (
            <Spotlight.Action
              key={key}
              renderRoot={(props) => <button {...props} id={`${id}-${index}`} />}
              role="option"
              aria-selected={index === selected}
              data-selected={index === selected || undefined}
              leftSection={kind}
              label={label}
              rightSection={detail}
              onClick={() => goTo(target)}
            />
          ))}
        </div>
      ) : (
        <Spotlight.Empty role="status">
          {isReading ? 'Looking…' : 'Nothing has all of these words. A whole ID always leads there.'}
        </Spotlight.Empty>
      )}
    </>
  );
}

function useGoTo() {
  const navigate = useNavigate();
  return (target: Target) => {
    if (target.kind === 'screen') return void navigate({ to: target.to });
    if (target.kind === 'batch') return void navigate({ to: '/batches/$batchId', params: { batchId: target.id } });
    void navigate({
      to: '/arbitrage/$opportunityId',
      params: { opportunityId: target.id },
      search: target.kind === 'simulation' ? { order: 'simulate' } : {},
    });
  };
}

/** What somebody looks for is among the best, and among the latest; anything else is found by its whole id. */
const OPPORTUNITIES = 200;
const BATCHES = 100;
const FRESH_MS = 10_000;
const FIRST = { skip: 0, sort_order: 'desc' } as const;

const opportunitiesQuery = callQuery(
  ['palette', 'opportunities'],
  listOpportunities,
  {
    query: { ...FIRST, limit: OPPORTUNITIES, sort_by: 'profit_percentage' },
  },
  { staleTime: FRESH_MS },
);

const batchesQuery = callQuery(
  ['palette', 'batches'],
  listBatches,
  { query: { ...FIRST, limit: BATCHES, sort_by: 'created_at' } },
  { staleTime: FRESH_MS },
);

/** Everything the palette leads to, read anew when it opens. */
function usePaletteEntries(opened: boolean): { entries: readonly PaletteEntry[]; isReading: boolean } {
  const { data: user } = useQuery(currentUserQuery);
  const opportunities = useQuery({ ...opportunitiesQuery, enabled: opened });
  const batches = useQuery({ ...batchesQuery, enabled: opened });
  const entries = useMemo(
    () => [
      ...screenEntries(user),
      ...(opportunities.data?.data ?? []).flatMap(opportunityEntries),
      ...(batches.data?.data ?? []).map(batchEntry),
    ],
    [user, opportunities.data, batches.data],
  );
  return { entries, isReading: opportunities.isLoading || batches.isLoading };
}
