import { formatCount } from '@dutchbook/units/count.ts';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import styles from './live-table.module.css';

type Repeats = { behind: ReadonlyMap<string, { last: string; count: number }>; opened: ReadonlySet<string> };
type Shared = Repeats & { toggle: (last: string) => void };

const NOTHING: Shared = { behind: new Map(), opened: new Set(), toggle: () => {} };

const RepeatsContext = createContext<Shared>(NOTHING);

/** Rows that say the like of the one above them, as `keyOf` has it, fold behind it. @returns what is shown, and what draws the buttons */
export function useRepeats<Row extends { id: string }>(
  rows: readonly Row[],
  keyOf: ((row: Row) => string | null) | undefined,
) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(NOTHING.opened);
  const { shown, behind } = useMemo(() => folded(rows, keyOf, opened), [rows, keyOf, opened]);
  const shared = useMemo(() => {
    // By the oldest of them: others come in front.
    const toggle = (last: string) =>
      setOpened((before) => {
        const after = new Set(before);
        if (!after.delete(last)) after.add(last);
        return after;
      });
    return { behind, opened, toggle };
  }, [behind, opened]);
  return { shown, shared };
}

export function RepeatsScope({ shared, children }: { shared: Shared; children: ReactNode }) {
  return <RepeatsContext value={shared}>{children}</RepeatsContext>;
}

/** Shows what folds behind the row, where anything does. */
export function RepeatsButton({ id }: { id: string }) {
  const { behind, opened, toggle } = use(RepeatsContext);
  const repeats = behind.get(id);
  if (repeats === undefined) return null;
  const { last, count } = repeats;
  const isOpened = opened.has(last);
  return (
    <button type="button" className={styles.repeats} aria-expanded={isOpened} onClick={() => toggle(last)}>
      {isOpened ? 'Show less' : `${formatCount(count)} more of it`}
    </button>
  );
}

export function folded<Row extends { id: string }>(
  rows: readonly Row[],
  keyOf: ((row: Row) => string | null) | undefined,
  opened: ReadonlySet<string>,
): { shown: readonly Row[]; behind: Repeats['behind'] } {
  if (keyOf === undefined) return { shown: rows, behind: NOTHING.behind };
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const key = keyOf(row);
    if (group !== undefined && key !== null && keyOf(group[0]) === key) group.push(row);
    else groups.push([row]);
  }
  const behind: Repeats['behind'] = new Map(
    groups.flatMap((group) => {
      const last = group.at(-1);
      return last === undefined || group.length === 1
        ? []
        : [[group[0].id, { last: last.id, count: group.length - 1 }] as const];
    }),
  );
  const shown = groups.flatMap((group) => (opened.has(group.at(-1)?.id ?? '') ? group : [group[0]]));
  return { shown, behind };
}
