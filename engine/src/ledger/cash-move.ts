/**
 * Cash that is moved between two pockets of an account by a call that a venue has no name for: what both pockets hold proves whether it
 * was made, and a call whose end is not known is never made again.
 */
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import { tellApart } from '../risk/wording.ts';

/** Cash in the pockets that it leaves and comes to. */
export type PocketsOfMove = { from: Usd; to: Usd };

/** `isTaken`: the venue has said that it makes the move. `holdsOrders`: orders of both pockets have waited since it was recorded. */
export type SentMove = { amount: Usd; before: PocketsOfMove; isTaken: boolean; holdsOrders: boolean; sentAt: Instant };

/** A move that both pockets do not show by then is one to look up at the venue. */
export const SHOWN_WITHIN_MS = 120_000;

/** A move that is not sent by then is rejected: cash never moves long after it was asked for, and orders do not wait for it. */
export const SENT_WITHIN_MS = 120_000;

/** The call leaves as soon as it is marked; an engine that was stopped between the two makes it no more. */
export const CALLED_WITHIN_MS = 2_000;

/**
 * `made`: the destination has gained as much and the source has lost as much, one of them to the cent, since payouts and sales come to
 * both; where the venue has said that it makes the move, the source has lost something. Once orders go on beside it, what both have
 * gained and lost proves it only to the cent.
 * `now`: null where the venue does not say; read after the call was sent.
 */
export function judgeCashMove(
  { amount, before, isTaken, holdsOrders, sentAt }: SentMove,
  now: PocketsOfMove | null,
  at: Instant,
): 'made' | 'waiting' | 'unknown' {
  if (now !== null) {
    const [gained, lost] = [subtractUsd(now.to, before.to), subtractUsd(before.from, now.from)];
    if (gained === amount && lost === amount) return 'made';
    const isShown = lost >= amount && (gained === amount || lost === amount);
    if (holdsOrders && gained >= amount && (isShown || (isTaken && lost > 0))) return 'made';
  }
  return elapsedMs(sentAt, at) < SHOWN_WITHIN_MS ? 'waiting' : 'unknown';
}

/** What is known of a pocket before cash is moved. */
export type PocketBefore = { name: string; cash: Usd | undefined; takesMoves: boolean };

/** Why cash is not moved, before anything was sent; null where nothing speaks against it. */
export function whyNotMoved(amount: Usd, from: PocketBefore | undefined, to: PocketBefore | undefined): string | null {
  if (from === undefined || to === undefined) return 'the venue does not name both shards';
  if (from.cash === undefined || to.cash === undefined) return 'the cash of both shards is not known';
  const closed = [from, to].find(({ takesMoves }) => !takesMoves);
  if (closed !== undefined) return `shard ${closed.name} takes no transfers now`;
  if (from.cash >= amount) return null;
  const [has, needs] = tellApart(from.cash, amount);
  return `shard ${from.name} has $${has}, and $${needs} were to be moved`;
}
