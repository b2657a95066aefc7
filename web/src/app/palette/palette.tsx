import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { Icon } from '../../ui/icons.tsx';
import styles from './palette.module.css';
import { entriesFor, type Target } from './palette-entries.ts';
import { usePaletteEntries } from './use-palette-entries.ts';

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
