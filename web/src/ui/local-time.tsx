import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';

const short = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'full',
  timeStyle: 'long',
});

/** A moment in the reader's own time zone; the exact time shows on hover. */
export function LocalTime({ at }: { at: Instant }) {
  return (
    <time dateTime={instantToIso(at)} title={exact.format(at)} style={{ whiteSpace: 'nowrap' }}>
      {short.format(at)}
    </time>
  );
}
