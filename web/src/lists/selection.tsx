import { Button } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { toastText } from '../calls/api-error.ts';
import { ChangeRefusal } from '../ui/changing.tsx';
import { shortId } from '../ui/copyable.tsx';
import { useQuestion } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { toastProblem, toastSuccess, toastUndoable } from '../ui/toasts.tsx';
import { runForEach, waitFor } from './run-for-each.ts';
import styles from './selection.module.css';

/** `name`: what its list calls it, where that is not its id. */
type Identified = { id: string; name?: string | null };

type UndoAction<Row> = { label: string; each: (row: Row) => Promise<unknown>; done: string };

/** What can be done with several rows at once. */
export type BulkAction<Row> = {
  label: string;
  icon: IconName;
  tone?: 'danger';
  /** Which rows it can be done with; without it, with all. */
  appliesTo?: (row: Row) => boolean;
  /** What is asked before it begins, of so many rows. */
  question?: (count: number) => string;
  /** What has become of a row: "deleted". */
  done: string;
} & (
  | {
      each: (row: Row, idempotencyKey: string) => Promise<unknown>;
      /** Takes it back. */
      undo?: UndoAction<Row>;
    }
  /** Does it with all of them in one call. */
  | { all: (rows: readonly Row[]) => Promise<unknown> }
);

type Selection = { ids: ReadonlySet<string>; toggle: (row: Identified) => void };

const SelectionContext = createContext<Selection | undefined>(undefined);

/** Which rows of a list are selected, as long as it shows the same page in the same order. */
export function useSelection<Row extends Identified>(view: string) {
  const [kept, keep] = useState<{ view: string; rows: readonly Row[] }>({ view, rows: NONE });
  const selected = kept.view === view ? kept.rows : NONE;
  const select = (rows: readonly Row[]) => keep({ view, rows });
  const shown = useRef(view);
  useEffect(() => {
    shown.current = view;
  }, [view]);
  // One value for every view without a selection: a new one would render every row again.
  const selection = useMemo(() => {
    const toggle = (row: Identified) =>
      keep((before) => {
        const rows = before.view === shown.current ? before.rows : NONE;
        const others = rows.filter(({ id }) => id !== row.id);
        return { view: shown.current, rows: others.length < rows.length ? others : [...rows, row as Row] };
      });
    return { ids: new Set(selected.map(({ id }) => id)), toggle };
  }, [selected]);
  return { selected, select, selection };
}

const NONE: readonly never[] = [];

export function SelectionScope({ selection, children }: { selection: Selection; children: ReactNode }) {
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/** The first cell of a row that can be selected. */
export function Selectable({ row, children }: { row: Identified; children: ReactNode }) {
  const selection = use(SelectionContext);
  if (selection === undefined) return children;
  return (
    <span className={styles.selectable}>
      <label className={styles.box}>
        <input
          type="checkbox"
          aria-label={row.name == null ? `Select ${shortId(row.id)}` : `Select ${row.name} (${shortId(row.id)})`}
          checked={selection.ids.has(row.id)}
          onChange={() => selection.toggle(row)}
        />
      </label>
      {children}
    </span>
  );
}

type SelectionBarProps<Row> = {
  /** What the rows are called: "batches". */
  things: string;
  /** The rows on the page, each in the newest state that was read. */
  rows: readonly Row[];
  selected: readonly Row[];
  actions: readonly BulkAction<Row>[];
  onSelect: (rows: readonly Row[]) => void;
  /** Reads the list again. */
  onDone: () => void;
};

/** What is selected and what can be done with it, over the end of the page: nothing moves when it comes. */
export function SelectionBar<Row extends Identified>(props: SelectionBarProps<Row>) {
  const { things, rows, actions, onSelect } = props;
  const newest = new Map(rows.map((row) => [row.id, row]));
  const selected = props.selected.map((row) => newest.get(row.id) ?? row);
  const { running, start, stop } = useBulkRun(props);
  if (selected.length === 0 && running === undefined) return null;
  return (
    <section aria-label={`Selected ${things}`} className={styles.bar} data-selection>
      {running === undefined ? (
        <>
          <strong>{selected.length} selected</strong>
          {actions.map((action) => (
            <ActionButton key={action.label} action={action} selected={selected} onStart={start} />
          ))}
          {selected.length < rows.length && (
            <Button size="xs" variant="subtle" onClick={() => onSelect(rows)}>
              Select All {rows.length}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={() => onSelect([])}>
            Clear Selection
          </Button>
        </>
      ) : (
        <>
          <span role="status">
            {running.label}: {running.ended} of {running.total}
          </span>
          <Button size="xs" variant="default" onClick={stop}>
            Stop
          </Button>
        </>
      )}
    </section>
  );
}

type ActionButtonProps<Row> = {
  action: BulkAction<Row>;
  selected: readonly Row[];
  onStart: (action: BulkAction<Row>, rows: readonly Row[]) => void;
};

function ActionButton<Row>({ action, selected, onStart }: ActionButtonProps<Row>) {
  const { label, icon, tone, question, appliesTo = () => true } = action;
  const rows = selected.filter(appliesTo);
  const { ask, question: dialog } = useQuestion();
  const changes = use(ChangeRefusal);
  const refusal = 'each' in action ? changes : undefined;
  const begin = () => {
    if (question === undefined) onStart(action, rows);
    else ask({ title: label, text: question(rows.length), confirm: label }, () => onStart(action, rows));
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name={icon} size={15} />}
        disabled={rows.length === 0 || refusal !== undefined}
        title={refusal}
        {...(tone === 'danger' ? { c: 'var(--error-ink)' } : {})}
        onClick={begin}
      >
        {label}
        {rows.length < selected.length && rows.length > 0 && ` ${rows.length}`}
      </Button>
      {dialog}
    </>
  );
}

type Begun<Row> = BulkAction<Row> | UndoAction<Row>;

type Running = { label: string; ended: number; total: number };

/** It goes on where the page is left, and says at the end what came of it. */
function useBulkRun<Row extends Identified>({ things, onSelect, onDone }: SelectionBarProps<Row>) {
  const [running, setRunning] = useState<Running>();
  const leave = useRef(new AbortController());
  const start = async (action: Begun<Row>, rows: readonly Row[]) => {
    const { label, done } = action;
    leave.current = new AbortController();
    const onProgress = (ended: number) => setRunning({ label, ended, total: rows.length });
    onProgress(0);
    const outcome = await carryOut(action, rows, { onProgress, signal: leave.current.signal, wait: waitFor });
    setRunning(undefined);
    const { undo } = { undo: undefined, ...action };
    const said = `${outcome.done.length} ${things} ${done}`;
    if (outcome.done.length > 0 && undo === undefined) toastSuccess(said);
    else if (outcome.done.length > 0 && undo !== undefined) toastUndoable(said, () => start(undo, outcome.done));
    const [first] = outcome.failed;
    if (first !== undefined)
      toastProblem(`${outcome.failed.length} of ${rows.length} ${things} not ${done}: ${toastText(first.error)}`);
    onSelect(outcome.failed.map(({ row }) => row));
    onDone();
  };
  return { running, start, stop: () => leave.current.abort() };
}

type Course = Pick<Parameters<typeof runForEach>[1], 'onProgress' | 'signal' | 'wait'>;

async function carryOut<Row>(action: Begun<Row>, rows: readonly Row[], course: Course) {
  if ('each' in action) return runForEach(rows, { each: action.each, ...course });
  return action.all(rows).then(
    () => ({ done: [...rows], failed: [] }),
    (error: unknown) => ({ done: [], failed: rows.map((row) => ({ row, error })) }),
  );
}
