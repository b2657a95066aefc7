import '@mantine/spotlight/styles.layer.css';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { useDisarm } from '../../features/arming/use-disarm.ts';
import { useLatestRow } from '../../features/opportunities/opportunity-queries.ts';
import { Profit, useOutdated } from '../../features/opportunities/profit.tsx';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { Outdated } from '../../ui/signed.tsx';
import styles from './palette.module.css';
import { entriesFor, type Target } from './palette-entries.ts';
import { usePaletteEntries } from './use-entries.ts';

const [store, spotlight] = createSpotlight();

/** The arrow keys mark an entry in the page alone: read out is only what is rendered. */
const renderMark = () => store.setState((state) => ({ ...state }));

/** An event whose shares are to become dollars, once that is confirmed. */
export type CashNowAsked = Extract<Target, { kind: 'cash_now' }>;

type PaletteProps = { opened: boolean; onClose: () => void; onCashNow: (asked: CashNowAsked) => void };

/** Leads to any screen, opportunity, batch, event or relation, and does what is done most, by a few typed letters. */
export function Palette({ opened, onClose, onCashNow }: PaletteProps) {
  useEffect(() => {
    if (!opened) return;
    // What was typed last is cleared only once the palette has closed to its end, which a fast reader does not wait for.
    store.setState((state) => ({ ...state, query: '', selected: -1 }));
    spotlight.open();
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
      <Finder opened={opened} onCashNow={onCashNow} />
    </Spotlight.Root>
  );
}

function Finder({ opened, onCashNow }: Omit<PaletteProps, 'onClose'>) {
  // Kept up only while it is open: every price of the desk comes with it.
  useTopic(opened ? 'opportunities' : 'system');
  const { query, selected } = useSpotlight(store);
  const { entries, isReading } = usePaletteEntries(opened);
  const found = entriesFor(query, entries);
  const id = useId();
  const act = useDo(onCashNow);
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
        placeholder="A screen, words or an ID; s simulates, p places, disarm stops"
        leftSection={<Icon name="search" />}
      />
      {found.length > 0 ? (
        <div id={id} role="listbox" aria-label="Found" className={styles.found}>
          {found.map(({ key, kind, label, detail, row, target }, index) => (
            <Spotlight.Action
              key={key}
              renderRoot={(props) => <button {...props} id={`${id}-${index}`} />}
              role="option"
              aria-selected={index === selected}
              data-selected={index === selected || undefined}
              leftSection={kind}
              label={label}
              rightSection={row === undefined ? detail : <LiveProfit of={row} />}
              onClick={() => act(target)}
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

/** The profit as it moves, or grey with since when it is not of now. */
function LiveProfit({ of: read }: { of: Read<OpportunityRow> }) {
  const row = useLatestRow(read, true);
  const at = useOutdated(row);
  if (row.profit_percentage === null) return 'no price';
  if (at === undefined) return <Profit of={row} />;
  return <Outdated at={at}>{`${formatPercent(row.profit_percentage)} `}</Outdated>;
}

function useDo(onCashNow: PaletteProps['onCashNow']) {
  const navigate = useNavigate();
  const disarm = useDisarm();
  return (target: Target) => {
    switch (target.kind) {
      case 'screen':
        return void navigate({ to: target.to });
      case 'batch':
        return void navigate({ to: '/batches/$batchId', params: { batchId: target.id } });
      case 'relation':
        return void navigate({ to: '/discover/$relationId', params: { relationId: target.id } });
      case 'event':
        return void navigate({ to: '/discover', search: { q: target.title } });
      case 'disarm':
        return disarm.mutate();
      case 'cash_now':
        return onCashNow(target);
      default:
        return void navigate({
          to: '/arbitrage/$opportunityId',
          params: { opportunityId: target.id },
          search: SEARCH[target.kind],
        });
    }
  };
}

const SEARCH = { opportunity: {}, simulation: { order: 'simulate' }, placing: { order: 'place' } } as const;
