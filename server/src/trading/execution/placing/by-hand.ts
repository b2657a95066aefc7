/** Placing that a person asks for: reads the venue before there is a transaction, then places like a trigger. */
import type { WayIn } from '@dutchbook/contract/placing.ts';
import type { Assessment } from '@dutchbook/engine/desk/assess.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { positionsOf } from '../../../market/opportunities/identity.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import { verifiedQuotes } from '../../../market/prices/quotes/verified-quotes.ts';
import type { Buying, Decided, Refused } from '../../../market/prices/trigger.ts';
import { notificationWrites } from '../../../people/notifications/record.ts';
import { recordAction } from '../../../platform/audit/record.ts';
import { executeNamed } from '../../../platform/database/named.ts';
import { inOrder } from '../../../platform/database/pipelined.ts';
import { together } from '../../../platform/database/write-together.ts';
import type { OrderPriority } from '../../../platform/http/order-priority.ts';
import type { Actor } from '../../../platform/http/signed-in.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { batchCountOf } from '../../orders/batch-store.ts';
import { refreshCash } from '../../venue-desk/desks.ts';
import { changedSince, type SignedOff } from '../signed-off-batches.ts';
import { readInputs } from './inputs.ts';
import { judge, refusalsOf, wantedFor } from './judge.ts';
import { openPlacing } from './placing.ts';
import type { Carriers, PlaceParts, PlacingRequest, SplitRows } from './request.ts';
import { splitWayNow } from './split-way.ts';

/** `signedOff`: what a second person has agreed to. `priority`: of its reads at the venue. */
export type ByHand = {
  opportunity: StoredOpportunity;
  size: Shares | null;
  quotedPrice: Price | null;
  wayIn?: WayIn | undefined;
  splitRows: SplitRows;
  userId: string;
  signedOff?: SignedOff;
  priority?: OrderPriority;
};

export type Placed = { kind: 'placed'; batchId: string } | { kind: 'refused'; reasons: readonly string[] };

/** `waysIn`: which there are; they are looked for only where a user simulates, or asks for a split. */
export type AssessedNow = Assessment & { waysIn: WayIn[] };

/** Assesses a placement now, with books fresh from the venue wherever the stream is stale. Throws VenueUnavailable. */
export async function assessNow(
  parts: PlaceParts,
  byHand: Omit<ByHand, 'signedOff' | 'priority'>,
): Promise<AssessedNow> {
  const { request, hasSplit } = await requestByHand(parts, byHand, 'display');
  return { ...(await judgeNow(parts, request)), waysIn: hasSplit ? ['buy', 'split'] : ['buy'] };
}

/** A person's placement that passed the gates; it is judged again in the transaction that records it. */
export type PreparedPlacing = {
  /** In a transaction that ends with it. `bind` may claim what belongs to the batch. @throws SignOffNeeded */
  record: (tx: Db, actor: Actor, bind?: (tx: Db, batchId: string) => Promise<void>) => Promise<Placed>;
  /** Once that has ended: `isCommitted` where the batch is there. */
  end: (isCommitted: boolean) => void;
};

/** @throws SignOffNeeded where one person may not spend as much; VenueUnavailable */
export async function preparePlacing(
  parts: PlaceParts,
  carriers: Carriers,
  byHand: ByHand,
): Promise<PreparedPlacing | Refused> {
  const { opportunity, signedOff, priority = 'trading' } = byHand;
  const changed = signedOff === undefined ? [] : changedSince(signedOff, opportunity, parts.settings.current());
  if (changed.length > 0) return { refusals: changed };
  const { request } = await requestByHand(parts, byHand, priority);
  // Refused requests must take no lock that a trigger would wait for.
  const refusals = refusalsOf(parts, request, await judgeNow(parts, request));
  if (refusals.length > 0) return { refusals };
  let placing: Buying | null = null;
  let batchId: string | null = null;
  return {
    async record(tx, actor, bind) {
      placing = openPlacing(parts, carriers, request);
      const decided = await placing.look(inOrder(tx))();
      if ('refusals' in decided) return { kind: 'refused', reasons: decided.refusals };
      batchId = decided.batchId;
      await write(tx, parts, decided);
      await bind?.(tx, batchId);
      await recordAction(tx, parts.runtime, actor, decided.action);
      return { kind: 'placed', batchId };
    },
    end: (isCommitted) => placing?.end(isCommitted ? batchId : null),
  };
}

/** Records what a person has decided on, and starts it, if no gate refuses it. @throws as `preparePlacing` */
export async function placeByHand(
  parts: PlaceParts,
  carriers: Carriers,
  byHand: ByHand,
  { actor, bind }: { actor: Actor; bind?: (tx: Db, batchId: string) => Promise<void> },
): Promise<Placed> {
  const prepared = await preparePlacing(parts, carriers, byHand);
  if ('refusals' in prepared) return { kind: 'refused', reasons: prepared.refusals };
  let isCommitted = false;
  try {
    const placed = await parts.runtime.db.transaction((tx) => prepared.record(tx, actor, bind));
    isCommitted = placed.kind === 'placed';
    return placed;
  } finally {
    prepared.end(isCommitted);
  }
}

async function requestByHand(
  parts: PlaceParts,
  { opportunity, size, quotedPrice, wayIn, splitRows, userId, signedOff }: ByHand,
  priority: OrderPriority,
): Promise<{ request: PlacingRequest; hasSplit: boolean }> {
  const { runtime, settings, desks } = parts;
  const isSplit = wayIn === 'split';
  const placedBefore = await batchCountOf(runtime.db, opportunity.id);
  const [quotes] = await Promise.all([
    verifiedQuotes(parts, positionsOf(opportunity.marketCombinations), priority),
    settings.current().ORDER_SIMULATION_ENABLED
      ? null
      : refreshCash(desks, positionsOf(opportunity.marketCombinations), priority),
  ]);
  const way = isSplit || priority === 'display' ? await splitWayNow(parts, quotes, opportunity, priority) : null;
  const request = {
    ...{ opportunity, quotes, size, quotedPrice: quotedPrice ?? opportunity.currentPrice },
    askedBy: { userId, placedBefore, wayIn, signedOff: signedOff ?? null },
    split: isSplit ? { way, rows: splitRows } : null,
    decidedAt: runtime.clock.now,
  };
  return { request, hasSplit: way !== null };
}

/** Without a lock: it only shows what would be refused. */
async function judgeNow(parts: PlaceParts, request: PlacingRequest): Promise<Assessment> {
  return judge(parts, request, await readInputs(parts, wantedFor(parts, request)), request.decidedAt());
}

async function write(tx: Db, { runtime }: PlaceParts, { writes, calls, notifications }: Decided): Promise<void> {
  const notifying = notificationWrites(runtime, notifications);
  await executeNamed(tx, together([...writes, ...notifying.writes], [...calls, ...notifying.calls]));
}
