import { REHEARSAL_SPAN_MAX_MS } from '@dutchbook/contract/rehearsals.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import styles from './rehearsal.module.css';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const LAST_MS = { '10 minutes': 10 * MINUTE_MS, hour: HOUR_MS, '6 hours': 6 * HOUR_MS, '24 hours': DAY_MS } as const;
type Last = keyof typeof LAST_MS;
const LASTS = Object.keys(LAST_MS) as readonly Last[];

/** As it is typed: `from` and `until` count where it is custom. */
export type SpanDraft = { last: Last | 'custom'; from: string; until: string };

/** `until` is missing where it is now. */
export type Span = { from: Instant; until?: Instant };

export function firstSpan(nowMs: number): SpanDraft {
  return { last: 'hour', from: localText(nowMs - HOUR_MS), until: localText(nowMs) };
}

/** The span that is meant, or what is wrong with it. */
export function spanFrom({ last, from, until }: SpanDraft, nowMs: number): Span | { problem: string } {
  if (last !== 'custom') return { from: instantFromMs(nowMs - LAST_MS[last]) };
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)];
  if (Number.isNaN(fromMs) || Number.isNaN(untilMs)) return { problem: 'Both need a date and a time' };
  if (fromMs >= untilMs) return { problem: 'It must begin before it ends' };
  if (untilMs > nowMs) return { problem: 'It must not end in the future' };
  if (untilMs - fromMs > REHEARSAL_SPAN_MAX_MS) return { problem: `At most ${REHEARSAL_SPAN_MAX_MS / DAY_MS} days` };
  return { from: instantFromMs(fromMs), until: instantFromMs(untilMs) };
}

type SpanFieldsProps = { span: SpanDraft; problem: string | null; onChange: (span: SpanDraft) => void };

export function SpanFields({ span, problem, onChange }: SpanFieldsProps) {
  return (
    <div className={styles.span}>
      <NativeSelect
        label="Span"
        data={[
          ...LASTS.map((last) => ({ value: last, label: `The last ${last}` })),
          { value: 'custom', label: 'From one moment to another' },
        ]}
        value={span.last}
        onChange={({ currentTarget }) => onChange({ ...span, last: currentTarget.value as SpanDraft['last'] })}
      />
      {span.last === 'custom' && (
        <>
          <TextInput
            type="datetime-local"
            label="From"
            step={1}
            value={span.from}
            error={problem}
            onChange={({ currentTarget }) => onChange({ ...span, from: currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label="Until"
            step={1}
            value={span.until}
            onChange={({ currentTarget }) => onChange({ ...span, until: currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}

/** As a field of this type has it, which knows no time zone: by the reader's own clock, to the second. */
function localText(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS;
  return new Date(ms - offsetMs).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}
