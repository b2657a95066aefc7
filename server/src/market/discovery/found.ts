/** Baskets that the desk has found become ordinary opportunities, and are paused when the edge is gone. */
import type { BasketOutcome, OpenBasket } from '@dutchbook/engine/desk/found-baskets.ts';
import type { Basket } from '@dutchbook/engine/relation/baskets.ts';
import { priceToNumber } from '@dutchbook/units/price.ts';
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

export type FoundOpportunities = {
  /** Stores the basket in the place of what is open of its direction; `onStored` is called with what became of it. */
  open: (watched: Watched, open: OpenBasket, onStored: (outcome: BasketOutcome) => void) => void;
  /** Pauses what is open of the relation, in this direction or in any. */
  pause: (relationId: string, direction: Basket['direction'] | null) => void;
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
  const { log } = runtime;
  /** The last write of each relation, which waits for the one before: a pause must not overtake an opening. */
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
  const openOne = async (watched: Watched, { basket }: OpenBasket): Promise<BasketOutcome> => {
    const result = draftOfBasket(watched, basket);
    if (result.kind === 'refused') {
      log.warn({ relation: watched.row.id, reason: result.reason }, 'found basket refused');
      return result;
    }
    const by = { relationId: watched.row.id, direction: basket.direction, basis: watched.row.basis };
    const mayOpen = (tx: Db) => mayTradeUntilEnd(tx, watched.row.id, settings.current());
    const opened = await openFound(runtime, result.draft, by, { mayOpen, activeBatchOf });
    if (opened.kind !== 'opened') return { kind: opened.kind === 'waits' ? 'waits' : 'nothing' };
    watched.row.opportunityId = opened.id;
    show(opened.changed);
    return { kind: 'opened', opportunityId: opened.id };
  };
  return {
    open: (watched, open, onStored) => {
      const store = async () => {
        let outcome: BasketOutcome = { kind: 'nothing' };
        try {
          outcome = await openOne(watched, open);
        } finally {
          onStored(outcome);
        }
      };
      begin(watched.row.id, store, 'found opportunity not stored');
    },
    pause: (relationId, direction) => {
      const store = async () => {
        const ids = [relationId];
        show(await runtime.db.transaction((tx) => pauseFound(tx, runtime, ids, direction ?? undefined)));
      };
      begin(relationId, store, 'found opportunity not paused');
    },
    allStored: async () => {
      while (storing.size > 0) await Promise.all(storing.values());
    },
  };
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
    source_details: `${row.eventTitle}: ${row.title}. ${wordsOf(legs, members)}`.slice(0, DETAILS_LENGTH_MAX),
  });
}

const DETAILS_LENGTH_MAX = 2000;

function wordsOf(legs: Basket['legs'], members: Watched['members']): string {
  const yes = legs.filter(({ outcome }) => outcome === 0).length;
  const no = legs.length - yes;
  const parts = [...(yes > 0 ? [`Yes on ${yes}`] : []), ...(no > 0 ? [`No on ${no}`] : [])];
  return `${parts.join(', ')} of ${members.length}${resolvedWords(members)}`;
}

const RESOLVED_NAMED_MAX = 3;

/** Why a set has fewer legs than its relation has members. */
function resolvedWords(members: Watched['members']): string {
  const resolved = members.flatMap(({ name, resolved: value }) => (value === null ? [] : [{ name, value }]));
  if (resolved.length === 0) return '';
  if (resolved.length > RESOLVED_NAMED_MAX) return `; ${resolved.length} have resolved already`;
  return `; ${resolved.map(({ name, value }) => `${name} has resolved already, at ${priceToNumber(value)}`).join(', ')}`;
}
