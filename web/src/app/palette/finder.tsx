import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, memo, startTransition, useCallback, useId, useMemo, useState } from 'react';
import { useDisarm } from '../../features/arming/use-disarm.ts';
import { useLatestRow } from '../../features/opportunities/opportunity-queries.ts';
import { Profit, useOutdated } from '../../features/opportunities/profit.tsx';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { Outdated } from '../../ui/signed.tsx';
import styles from './palette.module.css';
import { type CashNowAsked, entriesFor, type PaletteEntry, type Target } from './palette-entries.ts';
import { SearchField } from './search-field.tsx';
import { takeTyped } from './typed-ahead.ts';
import { usePaletteEntries } from './use-entries.ts';

export type FinderProps = {
  typed: string;
  onType: (typed: string) => void;
  onClose: () => void;
  onCashNow: (asked: CashNowAsked) => void;
  /** Opens what explains the words of the screens. */
  onWords: () => void;
};

/** How far each key moves the mark. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** What is found by the letters in the field, and what the keys do with it. */
export function Finder({ typed, onType, ...does }: FinderProps) {
  useTopic('opportunities');
  const [sought, setSought] = useState({ text: typed, marked: 0 });
  const { entries, isReading } = usePaletteEntries();
  const found = useMemo(() => entriesFor(sought.text, entries), [sought.text, entries]);
  const marked = Math.max(0, Math.min(sought.marked, found.length - 1));
  const id = useId();
  const choose = useChoose(does);
  const type = (text: string) => {
    onType(text);
    // The field shows a letter in the next frame, and the results follow.
    startTransition(() => setSought({ text, marked: 0 }));
  };
  /** The field takes what was typed before it had the focus. */
  const onFocus = () => {
    const ahead = takeTyped();
    const [entry] = ahead.isEntered ? entriesFor(ahead.text, entries) : [];
    if (entry !== undefined) return choose(entry.target);
    if (ahead.text !== '') type(`${typed}${ahead.text}`);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = STEPS[event.key];
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && step === undefined)) return;
    event.preventDefault();
    // A key acts on the results of what is typed, also before they are drawn.
    const isDrawn = typed === sought.text;
    const due = isDrawn ? found : entriesFor(typed, entries);
    const from = isDrawn ? marked : 0;
    const entry = due[from];
    if (entry === undefined) return;
    if (step === undefined) return choose(entry.target);
    const next = (from + step + due.length) % due.length;
    setSought({ text: typed, marked: next });
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <SearchField
        typed={typed}
        onType={type}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${marked}` : undefined}
      />
      {found.length > 0 ? (
        <div id={id} role="listbox" aria-label="Found" className={styles.found}>
          {found.map((entry, index) => (
            <Entry key={entry.key} id={`${id}-${index}`} entry={entry} isMarked={index === marked} onChoose={choose} />
          ))}
        </div>
      ) : (
        <p role="status" className={styles.none}>
          {isReading ? 'Looking…' : 'Nothing has all of these words. A whole ID always leads there.'}
        </p>
      )}
    </>
  );
}

type EntryProps = { id: string; entry: PaletteEntry; isMarked: boolean; onChoose: (target: Target) => void };

/** Remembered: a letter in the field draws none of them again. */
const Entry = memo(function Entry({ id, entry, isMarked, onChoose }: EntryProps) {
  const { kind, label, detail, row, target } = entry;
  return (
    <button
      type="button"
      id={id}
      role="option"
      aria-selected={isMarked}
      tabIndex={-1}
      className={styles.entry}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(target)}
    >
      <span className={styles.kind}>{kind}</span>
      <span className={styles.label}>{label}</span>
      <span className={styles.detail}>{row === undefined ? detail : <LiveProfit of={row} />}</span>
    </button>
  );
});

/** The live profit, or grey with the time since when it is outdated. */
function LiveProfit({ of: read }: { of: Read<OpportunityRow> }) {
  const row = useLatestRow(read, true);
  const at = useOutdated(row);
  if (row.profit_percentage === null) return 'no price';
  if (at === undefined) return <Profit of={row} />;
  return <Outdated at={at}>{`${formatPercent(row.profit_percentage)} `}</Outdated>;
}

/** Closes the palette, and leads where an entry leads or does what it does. */
function useChoose({ onClose, onCashNow, onWords }: Omit<FinderProps, 'typed' | 'onType'>) {
  const navigate = useNavigate();
  const { mutate: disarm } = useDisarm();
  return useCallback(
    (target: Target) => {
      onClose();
      switch (target.kind) {
        case 'screen':
          return void navigate({ to: target.to });
        case 'batch':
          return void navigate({ to: '/batches/$batchId', params: { batchId: target.id } });
        case 'relation':
          return void navigate({ to: '/discover/$relationId', params: { relationId: target.id } });
        case 'event':
          return void navigate({ to: '/discover', search: { q: target.title } });
        case 'setting':
          return void navigate({ to: '/admin/system-settings', hash: target.anchor });
        case 'words':
          return onWords();
        case 'disarm':
          return disarm();
        case 'cash_now':
          return onCashNow(target);
        default:
          return void navigate({
            to: '/arbitrage/$opportunityId',
            params: { opportunityId: target.id },
            search: SEARCH[target.kind],
          });
      }
    },
    [onClose, onCashNow, onWords, navigate, disarm],
  );
}

const SEARCH = { opportunity: {}, simulation: { order: 'simulate' }, placing: { order: 'place' } } as const;
