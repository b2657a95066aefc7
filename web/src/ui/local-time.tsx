import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { memo } from 'react';
import { ageWords } from './age-words.ts';
import { clockWords, dateFormat, dayWords, secondWords } from './date-format.ts';
import styles from './local-time.module.css';
import { useByNow } from './use-now.ts';

const toTheMillisecond = dateFormat({
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

type LocalTimeProps = { at: Instant; to?: 'date' | 'clock' };

/** A moment in the reader's own time zone; the exact time shows on hover. */
export function LocalTime({ at, to = 'date' }: LocalTimeProps) {
  return (
    <time dateTime={instantToIso(at)} title={exactTime(at)} className={styles.time}>
      {to === 'clock' ? clockWords(at) : secondWords(at)}
    </time>
  );
}

/** Its day in the reader's own time zone; the exact time shows on hover. */
export function LocalDay({ at }: { at: Instant }) {
  return (
    <time dateTime={instantToIso(at)} title={exactTime(at)} className={styles.time}>
      {dayWords(at)}
    </time>
  );
}

/** A moment, and how long ago that is; remembered, because it costs more to write than the prices that change beside it. */
export const Moment = memo(function Moment({ at }: { at: Instant }) {
  return (
    <>
      <LocalTime at={at} /> <Age of={at} />
    </>
  );
});

/** How long ago it was. */
export function Age({ of: at }: { of: Instant }) {
  return <span className={styles.age}>{useByNow((nowMs) => ageWords(at, nowMs))}</span>;
}

/** To the millisecond, with its day and time zone. */
export function exactTime(at: Instant): string {
  return toTheMillisecond(at);
}
