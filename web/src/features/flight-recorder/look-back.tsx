import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Panel } from '../../ui/panel.tsx';
import styles from './look-back.module.css';
import { AROUND_MS } from './moment-queries.ts';

export type PickedMoment = {
  /** What is looked at; nothing yet where it is missing. */
  at: Instant | undefined;
  /** Missing: nothing is looked at any more. */
  onPick: (at: Instant | undefined) => void;
};

/** Asks for a moment of the past and shows it, with what `children` know of it. */
export function LookBack({ at, onPick, children }: PickedMoment & { children: (at: Instant) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at !== undefined) place.current?.scrollIntoView({ block: 'start' });
  }, [at]);
  return (
    <div ref={place} className={styles.place}>
      <Panel
        title="Look Back"
        aside={
          at !== undefined && (
            <div className="row">
              <Button size="compact-sm" variant="default" onClick={() => onPick(instantFromMs(at - 2 * AROUND_MS))}>
                Earlier
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                disabled={at + AROUND_MS >= Date.now()}
                onClick={() => onPick(instantFromMs(Math.min(at + 2 * AROUND_MS, Date.now())))}
              >
                Later
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => onPick(undefined)}>
                Close
              </Button>
            </div>
          )
        }
      >
        <MomentForm key={`form ${at}`} at={at} onPick={onPick} />
        {at === undefined ? <p className="hint">Shows the books a minute around a moment.</p> : children(at)}
      </Panel>
    </div>
  );
}

/** A time by the reader's own clock, to the millisecond. */
function MomentForm({ at, onPick }: PickedMoment) {
  const [typed, setTyped] = useState(() => localText(at ?? Date.now() - AROUND_MS));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const ms = Date.parse(typed);
    if (Number.isNaN(ms)) return setProblem('A date and a time are needed');
    if (ms > Date.now()) return setProblem('This moment has not come yet');
    setProblem(null);
    onPick(instantFromMs(ms));
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        type="datetime-local"
        label="Moment"
        step={0.001}
        value={typed}
        error={problem}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}

/** As a field of this type has it, which knows no time zone. */
function localText(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, -1);
}
