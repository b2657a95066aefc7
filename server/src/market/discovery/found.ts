/** Hits of relations become ordinary opportunities, and are paused when the edge is gone. */
import { isDeepStrictEqual } from 'node:util';
import type { Basket } from '@dutchbook/engine/relation/baskets.ts';
import { givesWay } from '@dutchbook/engine/relation/give-way.ts';
import type { Hit } from '@dutchbook/engine/relation/hits.ts';
import { mayTrade } from '@dutchbook/engine/relation/relation.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { priceToNumber } from '@dutchbook/units/price.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { type DraftResult, readDraft } from '../opportunities/draft.ts';
import { FOUND, openFound, pauseFound } from '../opportunities/found.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import { presentRow } from '../opportunities/present.ts';
import type { ActiveBatchOf, StoredOpportunity } from '../opportunities/store.ts';
import { mayTradeUntilEnd } from '../relations/store.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import type { Watched } from './watched.ts';

/** An edge that comes back within this time has not been gone. */
export const GONE_AFTER_MS = 5_000;

/** What could not be stored, and what a batch keeps from being replaced, is tried again after this time. */
const AGAIN_AFTER_MS = 2_000;

/** What has become of a basket: it is stored as an opportunity, or could not be, or neither yet. */
type Outcome = { opportunityId: string | null; refused: string | null };
/** `openedAt`: when this basket took its place. `triedAt`: when one was last to be stored in it. */
type Open = Outcome & {
  relationId: string;
  basket: Basket;
  openedAt: Instant;
  triedAt: Instant;
  paidAt: Instant;
  isBusy: boolean;
};

export type FoundOpportunities = {
  /** What pays of the relation now, and what a basket that was found before makes by now. */
  note: (watched: Watched, found: readonly Hit[], profitNow: (basket: Basket) => Usd) => void;
  /** Of the basket that was found last and still pays, or did a moment ago. */
  outcomeOf: (relationId: string, direction: Basket['direction']) => Outcome | undefined;
  /** Pauses what has not paid for a while. */
  sweep: (pays: (relationId: string, basket: Basket) => boolean) => void;
  /** Pauses what an earlier run has left open of a relation that does not pay. */
  pause: (relationId: string) => void;
  /** It is not followed here any more: its open opportunity is paused by the process that ended it, or is another engine's. */
  leave: (relationId: string) => void;
  /** Resolves when all that was begun is stored. */
  allStored: () => Promise<void>;
};

type Parts = {
  runtime: Runtime;
  live: Pick<LivePrices, 'adopt' | 'rowsNow'>;
  stream: StreamHub;
  settings: WatchedDiscoverySettings;
  activeBatchOf: ActiveBatchOf;
};

export function openFoundOpportunities({ runtime, live, stream, settings, activeBatchOf }: Parts): FoundOpportunities {
  const { clock, log } = runtime;
  const openOf = new Map<string, Open>();
  /** What is stored of a relation last, after all that was before: a pause that overtook an opening would stand. */
  const storing = new Map<string, Promise<void>>();

  const begin = (relationId: string, work: () => Promise<void>, what: string) => {
    const done = (storing.get(relationId) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => log.error({ err: error, relation: relationId }, what))
      .finally(() => {
        if (storing.get(relationId) === done) storing.delete(relationId);
      });
    storing.set(relationId, done);
  };
  const show = (rows: readonly StoredOpportunity[]) => {
    live.adopt(rows);
    for (const row of live.rowsNow(rows))
      stream.publish({ topic: 'opportunities', type: 'opportunity', id: row.id, data: presentRow(row) });
  };
  /** @returns whether the open one stays, because a batch is buying it */
  const openOne = async (watched: Watched, open: Open): Promise<boolean> => {
    const { basket } = open;
    const result = draftOfBasket(watched, basket);
    if (result.kind === 'refused') {
      open.refused = result.reason;
      log.warn({ relation: watched.row.id, reason: result.reason }, 'found basket refused');
      return false;
    }
    const by = { relationId: watched.row.id, direction: basket.direction, basis: watched.row.basis };
    const mayOpen = (tx: Db) => mayTradeUntilEnd(tx, watched.row.id, settings.current());
    const opened = await openFound(runtime, result.draft, by, { mayOpen, activeBatchOf });
    if (opened.kind === 'opened') {
      watched.row.opportunityId = opened.id;
      open.opportunityId = opened.id;
      show(opened.changed);
    }
    return opened.kind === 'waits';
  };
  const open = (watched: Watched, { basket }: Hit, before: Open | undefined) => {
    const now = clock.now();
    const next: Open = {
      relationId: watched.row.id,
      basket,
      ...{ openedAt: now, triedAt: now, paidAt: now },
      isBusy: true,
      ...{ opportunityId: null, refused: null },
    };
    const key = keyOf(watched.row.id, basket.direction);
    openOf.set(key, next);
    const store = async () => {
      try {
        const stays = await openOne(watched, next);
        if (stays && before !== undefined && openOf.get(key) === next) openOf.set(key, { ...before, triedAt: now });
      } finally {
        next.isBusy = false;
      }
    };
    begin(watched.row.id, store, 'found opportunity not stored');
  };
  /** Whether the hit takes the place of what is open, which is noted to pay where it does. */
  const takesPlace = ({ basket, profit }: Hit, before: Open, profitNow: (basket: Basket) => Usd): boolean => {
    const now = clock.now();
    const isStored = before.opportunityId !== null;
    const openProfit = isStored ? profitNow(before.basket) : USD_ZERO;
    if (before.isBusy || openProfit > 0) before.paidAt = now;
    if (before.isBusy || (before.refused !== null && isSame(basket, before.basket))) return false;
    // Nothing was stored, or nothing could be replaced: again, but not with every frame.
    const wasTried = !isStored || before.triedAt > before.openedAt;
    if (wasTried && elapsedMs(before.triedAt, now) < AGAIN_AFTER_MS) return false;
    const contest = { openProfit, openForMs: elapsedMs(before.openedAt, now), profit };
    return givesWay({ ...contest, leastGain: settings.current().min_profit_usd });
  };
  const pause = (relationId: string, direction?: Basket['direction']) =>
    begin(
      relationId,
      async () => {
        show(await runtime.db.transaction((tx) => pauseFound(tx, runtime, [relationId], direction)));
      },
      'found opportunity not paused',
    );

  return {
    note: (watched, found, profitNow) => {
      const form = settings.current();
      if (!form.enabled || !mayTrade(watched.row, form)) return;
      for (const hit of found) {
        if (hit.profit < form.min_profit_usd) continue;
        const before = openOf.get(keyOf(watched.row.id, hit.basket.direction));
        if (before === undefined || takesPlace(hit, before, profitNow)) open(watched, hit, before);
      }
    },
    outcomeOf: (relationId, direction) => openOf.get(keyOf(relationId, direction)),
    sweep: (pays) => {
      const now = clock.now();
      for (const [key, open] of openOf) {
        const { relationId, basket } = open;
        if (open.isBusy || pays(relationId, basket)) open.paidAt = now;
        if (now - open.paidAt < GONE_AFTER_MS) continue;
        openOf.delete(key);
        pause(relationId, basket.direction);
      }
    },
    pause: (relationId) => pause(relationId),
    leave: (relationId) => {
      for (const [key, open] of openOf) if (open.relationId === relationId) openOf.delete(key);
    },
    allStored: async () => {
      while (storing.size > 0) await Promise.all(storing.values());
    },
  };
}

function isSame(one: Basket, other: Basket): boolean {
  return one.payout === other.payout && isDeepStrictEqual(one.legs, other.legs);
}

function keyOf(relationId: string, direction: Basket['direction']): string {
  return `${relationId} ${direction}`;
}

/** One leg for each position, in the order of the members. */
function draftOfBasket({ row, members }: Watched, { legs, payout }: Basket): DraftResult {
  const positions = legs.map(({ member, outcome }, index) => ({
    leg: index + 1,
    markets: [{ id: members[member]?.marketId ?? '', outcome: members[member]?.outcomes[outcome] ?? '' }],
  }));
  return readDraft({
    market_combinations: positions,
    target_price: priceToNumber(payout),
    active: true,
    source: FOUND,
    source_details: `${row.eventTitle}: ${row.title}. ${wordsOf(legs, members.length)}`.slice(0, DETAILS_LENGTH_MAX),
  });
}

const DETAILS_LENGTH_MAX = 2000;

function wordsOf(legs: Basket['legs'], members: number): string {
  const yes = legs.filter(({ outcome }) => outcome === 0).length;
  const no = legs.length - yes;
  const parts = [...(yes > 0 ? [`Yes on ${yes}`] : []), ...(no > 0 ? [`No on ${no}`] : [])];
  return `${parts.join(', ')} of ${members}`;
}
