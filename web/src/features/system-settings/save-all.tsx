import type { RehearsalChanges } from '@dutchbook/contract/rehearsals.ts';
import { createContext, type FormEvent, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { RehearseButton } from './rehearse-button.tsx';
import styles from './save-all.module.css';

/** What saving would change, in words. */
export type Change = { label: string; from: string; to: string };

/** One form of a page that is saved as a whole. */
export type Part = {
  changes: readonly Change[];
  sending: boolean;
  /** Shows what is wrong at its field. */
  hasProblems: () => boolean;
  submit: () => void;
  undo: () => void;
  /** The changes as a rehearsal takes them; left out where they cannot be rehearsed. */
  rehearsed?: (() => RehearsalChanges) | undefined;
};

/** The forms of one page by their titles, in the order in which they came. */
class Parts {
  readonly #parts = new Map<string, Part>();
  readonly #listeners = new Set<() => void>();
  #shown: readonly Part[] = [];

  /** A form says what it is at each render; listeners hear of it only where what is shown of it has changed. */
  readonly set = (title: string, part: Part): void => {
    const before = this.#parts.get(title);
    this.#parts.set(title, part);
    if (before === undefined || shownOf(before) !== shownOf(part)) this.#tell();
  };

  readonly drop = (title: string): void => {
    if (this.#parts.delete(title)) this.#tell();
  };

  /** Parts with changes. */
  changed(): Part[] {
    return [...this.#parts.values()].filter(({ changes }) => changes.length > 0);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = (): readonly Part[] => this.#shown;

  /** Sends each form that has changes. One with a problem is not sent, and gets the focus at the first that is wrong. */
  readonly save = (event?: FormEvent): void => {
    event?.preventDefault();
    const { wrong = [], right = [] } = Object.groupBy(this.changed(), (part) =>
      part.hasProblems() ? 'wrong' : 'right',
    );
    for (const part of right) part.submit();
    wrong[0]?.submit();
  };

  #tell(): void {
    this.#shown = this.changed();
    for (const listener of this.#listeners) listener();
  }
}

function shownOf({ changes, sending, rehearsed }: Part): string {
  return JSON.stringify([changes, sending, rehearsed === undefined]);
}

const PartsContext = createContext(new Parts());

/** Below it, every form is saved by the one bar at the end. */
export function SavedTogether({ children }: { children: ReactNode }) {
  const [parts] = useState(() => new Parts());
  return (
    <PartsContext value={parts}>
      {children}
      <SaveBar parts={parts} />
    </PartsContext>
  );
}

/** Has a form saved with the others of the page. @returns what submits all of them */
export function usePart(title: string, part: Part): (event?: FormEvent) => void {
  const parts = use(PartsContext);
  useEffect(() => parts.set(title, part));
  useEffect(() => () => parts.drop(title), [parts, title]);
  return parts.save;
}

type PartFormProps = { save: (event?: FormEvent) => void; className?: string; children: ReactNode };

/** The fields of a part. Enter in one saves the page: a form without a button that submits it does not listen to that key. */
export function PartForm({ save, className, children }: PartFormProps) {
  return (
    <form noValidate onSubmit={save} className={className}>
      {children}
      <button type="submit" hidden />
    </form>
  );
}

function SaveBar({ parts }: { parts: Parts }) {
  const shown = useSyncExternalStore(parts.subscribe, parts.snapshot);
  const changes = shown.flatMap((part) => part.changes);
  const rehearsable = shown.filter(({ rehearsed }) => rehearsed !== undefined);
  const rehearsed = () => {
    const now = parts.changed();
    if (now.filter((part) => part.hasProblems()).length > 0) return null;
    return Object.assign({}, ...now.map((part) => part.rehearsed?.())) as RehearsalChanges;
  };
  return (
    <form noValidate className={styles.bar} data-changed={changes.length > 0} onSubmit={parts.save}>
      <div className={styles.changes}>
        {changes.length === 0 ? (
          <p>No changes to save.</p>
        ) : (
          <ul aria-label="Changes to save">
            {changes.map(({ label, from, to }) => (
              <li key={label}>
                <strong>{label}</strong> from {from} to <strong>{to}</strong>
              </li>
            ))}
          </ul>
        )}
      </div>
      <RehearseButton action="Save" isChanged={rehearsable.length > 0} changes={rehearsed} />
      <FormButtons
        sending={shown.some(({ sending }) => sending)}
        unchanged={changes.length === 0}
        onCancel={() => {
          for (const part of parts.changed()) part.undo();
        }}
      />
    </form>
  );
}
