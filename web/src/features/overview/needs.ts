/** What needs a person: decided once, for *Needs You* of the dashboard and for the count in the title of every page. */
import { modeOf, type SystemStatus } from '@dutchbook/contract/status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { USD_ZERO, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import type { FeedState } from '../status/system-status.ts';

export type Waiting = NonNullable<SystemStatus['waiting']>;

export const NOTHING_WAITS: Waiting = {
  unhedged_batches: 0,
  failed_notifications: 0,
  fee_stops: 0,
  redeemable: false,
};

export type NeedKind =
  | 'disarmed'
  | 'by_hand'
  | 'sign_offs'
  | 'unknown'
  | 'unhedged'
  | 'redeem'
  | 'cash'
  | 'approvals'
  | 'fee_stops'
  | 'failed'
  | 'channel'
  | 'feeds'
  | 'disk'
  | 'log';

/** `count`: how many of the kind are to be dealt with by themselves; orders, batches and notifications are so together. */
export type Need = { kind: NeedKind; count: number };

type Known = {
  status: SystemStatus;
  waiting: Waiting;
  /** Whether notifications can leave; undefined while that is not known. */
  hasChannel: boolean | undefined;
  feeds: readonly FeedState[];
  /** Approvals that are not as they should be. */
  approvals?: number | undefined;
};

/** In the order in which they are listed. */
export function needsOf({ status, waiting, hasChannel, feeds, approvals = 0 }: Known): Need[] {
  const mode = modeOf(status.venue);
  const counts: Record<NeedKind, number> = {
    disarmed: Number(!status.armed && mode.isReadOnly !== true),
    by_hand: Number(status.armed && status.automatic === 'off' && mode.isReadOnly !== true),
    sign_offs: status.open_sign_offs ?? 0,
    unknown: Number(status.unknown_orders > 0),
    unhedged: Number(waiting.unhedged_batches > 0),
    redeem: Number(waiting.redeemable),
    cash: emptyPockets(status).length,
    approvals: Number(approvals > 0),
    fee_stops: waiting.fee_stops,
    failed: Number(waiting.failed_notifications > 0),
    channel: Number(hasChannel === false && mode.world === 'real'),
    feeds: feeds.filter(isBad).length,
    disk: Number(status.disk_full === true),
    log: Number(status.log_failure !== undefined),
  };
  return (Object.keys(counts) as NeedKind[])
    .map((kind) => ({ kind, count: counts[kind] }))
    .filter(({ count }) => count > 0);
}

/** The fewest shares that markets take, five, of sets that pay up to five dollars each. */
const LEAST_BATCH = usdFromNumber(25);

export type EmptyPocket = { venue: VenueName; name: string; free: Usd; elsewhere: Usd };

/** Shards that cannot pay for a batch, of venues that have money for it in another. */
export function emptyPockets({ venues = [] }: Pick<SystemStatus, 'venues'>): EmptyPocket[] {
  return venues.flatMap(({ venue, cash }) => {
    const pockets = cash?.pockets ?? [];
    const elsewhere = pockets
      .map(({ free_usd: usd }) => usd)
      .reduce((most, usd) => (usd > most ? usd : most), USD_ZERO);
    if (elsewhere < LEAST_BATCH) return [];
    return pockets
      .filter(({ free_usd: usd }) => usd < LEAST_BATCH)
      .map(({ name, free_usd: free }) => ({ venue, name, free, elsewhere }));
  });
}

export const isBad = ({ tone }: FeedState): boolean => tone === 'error' || tone === 'warning';

/** The gates' phrase, without figures. */
const FOUND_BY_HAND = 'Found opportunities are not placed automatically';

export const isFoundByHand = (reason: string): boolean => reason.startsWith(FOUND_BY_HAND);

export function countOf(needs: readonly Need[]): number {
  return needs.reduce((sum, { count }) => sum + count, 0);
}
