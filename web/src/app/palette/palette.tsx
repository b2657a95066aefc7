import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import styles from './palette.module.css';
import { entriesFor, type PaletteEntry, type Target } from './palette-entries.ts';
import { usePaletteEntries } from './use-palette-entries.ts';

type PaletteProps = { opened: boolean; onClose: () => void };

/** Leads to any screen, opportunity or batch, and to the simulation of an order, by a few typed letters. */
export function Palette({ opened, onClose }: PaletteProps) {
  return (
    <Dialog opened={opened} title="Go To" size={620} unsaved={false} onClose={onClose}>
      <Finder opened={opened} onClose={onClose} />
    </Dialog>
  );
}

function Finder({ opened, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const { entries, isReading } = usePaletteEntries(opened);
  const found = entriesFor(typed, entries);
  const listId = useId();
  const goTo = useGoTo();
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    goTo(entry.target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) choose(found[marked]);
    else setMarked((marked + step + found.length) % Math.max(1, found.length));
  };
  return (
    <>
      <SearchField
        text={typed}
        list={found.length > 0 ? { id: listId, markedId: optionId(listId, marked) } : undefined}
        onText={(text) => {
          setTyped(text);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length > 0 ? (
        <Found id={listId} entries={found} marked={marked} onChoose={choose} />
      ) : (
        <p role="status" className={styles.none}>
          {isReading ? 'Looking…' : 'Nothing has all of these words. A whole ID always leads there.'}
        </p>
      )}
    </>
  );
}

type SearchFieldProps = {
  text: string;
  /** Of what is found: none while there is nothing. */
  list: { id: string; markedId: string } | undefined;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function SearchField({ text, list, onText, onKeyDown }: SearchFieldProps) {
  return (
    <div className={styles.field}>
      <Icon name="search" />
      <input
        className={styles.input}
        role="combobox"
        aria-label="Search"
        aria-expanded={list !== undefined}
        aria-controls={list?.id}
        aria-activedescendant={list?.markedId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="A screen, an ID, or words of an opportunity; s and an ID simulates"
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        data-autofocus
      />
    </div>
  );
}

type FoundProps = {
  id: string;
  entries: readonly PaletteEntry[];
  marked: number;
  onChoose: (entry: PaletteEntry) => void;
};

function Found({ id, entries, marked, onChoose }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Found" className={styles.found}>
      {entries.map((entry, index) => (
        <Option key={entry.key} id={optionId(id, index)} entry={entry} marked={index === marked} onChoose={onChoose} />
      ))}
    </div>
  );
}

type OptionProps = { id: string; entry: PaletteEntry; marked: boolean; onChoose: (entry: PaletteEntry) => void };

/** Chosen by the field's Enter key, or pressed; the focus stays in the field. */
function Option({ id, entry, marked, onChoose }: OptionProps) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      aria-selected={marked}
      tabIndex={-1}
      className={styles.option}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onChoose(entry)}
    >
      <span className={styles.kind}>{entry.kind}</span>
      <span className={styles.label}>{entry.label}</span>
      <span className={styles.detail}>{entry.detail}</span>
    </button>
  );
}

const optionId = (listId: string, index: number) => `${listId}-${index}`;

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
