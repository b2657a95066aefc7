/** The state of a sign-off as its requester and its approver see it. */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { Conflict } from '../../platform/http/errors.ts';
import { type SignOffRow, stateOf } from './store.ts';

const ENDED = {
  approved: 'signed it off',
  failed: 'signed it off, and it was refused',
  rejected: 'rejected it',
  withdrawn: 'withdrew it',
} as const;

/** What has become of it, in a sentence; null while it is open. */
export function endOf(row: SignOffRow, now: Instant): string | null {
  const state = stateOf(row, now);
  if (state === 'open') return null;
  if (state === 'expired')
    return `The sign-off expired at ${instantToIso(row.expiresAt)}: it has to be asked for again.`;
  const why = row.reason ?? row.outcome;
  return `${row.decidedByEmail ?? 'The product'} ${ENDED[state]}${why === null ? '.' : `: ${why}`}`;
}

/** What a call is answered that waits for a second person, or has not been done by one: the id while it waits. */
export function notDone(row: SignOffRow, now: Instant): Conflict {
  const ended = endOf(row, now);
  if (ended !== null) return new Conflict(ended);
  return new Conflict(`Asked a second person to sign this off: ${row.summary}.`, { sign_off_id: row.id });
}
