/** What a run places on the virtual clock, by the account as it would be had it placed what it has. */

import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { sizeWithin } from '@dutchbook/engine/book/walk.ts';
import { type Assessment, assess } from '@dutchbook/engine/desk/assess.ts';
import { shownDepth } from '@dutchbook/engine/order/survival.ts';
import type { BatchOutcome } from '@dutchbook/engine/rehearsal/batch-outcome.ts';
import { byModel, type RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import { RecordedSurvival } from '@dutchbook/engine/rehearsal/recorded-survival.ts';
import type { TakenShares } from '@dutchbook/engine/rehearsal/standing.ts';
import { type PlacedBatch, virtualAccounts } from '@dutchbook/engine/rehearsal/virtual-account.ts';
import type { AccountState, GateQuote, PriceBand } from '@dutchbook/engine/risk/context.ts';
import { type TokenId, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs, startOfUtcDay } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type FoundPrices, foundBandOf } from '../../market/discovery/settings.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { deskSettings } from '../../people/system-settings/in-units.ts';
import { type LimitChanges, limitsAfter } from '../../trading/trading-controls/limits-form.ts';
import type { RealBatch } from './run-real-batches.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf, type VirtualBook } from './virtual-books.ts';
import { type SentOrder, VirtualFills } from './virtual-fills.ts';
import type { TakenDecision, VirtualOpportunity } from './virtual-opportunity.ts';

/** More than any batch takes. */
const CASH_ENOUGH = 1_000_000_000_000_000 as Usd;

/** What a run decides by in place of what stood then; `placesFound` is null where it is as it was. */
export type Overlay = { limits: LimitChanges; placesFound: boolean | null; foundPrices: Partial<FoundPrices> };

/** A batch that this run alone has placed. `until`: when its last order is answered. */
type ExtraBatch = {
  id: string;
  opportunityId: string;
  until: Instant;
  hasEnded: boolean;
  /** One for each order. */
  parts: PlacedBatch[];
};

/** `taken`: from the asks of each of its orders; null where what was recorded of the books shows that. `realId`: of the batch that was really placed. */
export type EndedBatch = Pick<BatchOutcome, 'kind' | 'spent'> & {
  taken: BatchOutcome['taken'] | null;
  realId: string | null;
};

/** `real`: the batch that was really placed on the same decision. `gone`: what the clips before it have taken. `onEnded` is called when it has ended, as far as the account goes. */
export type HowPlaced = {
  isSimulated: boolean;
  real: RealBatch | null;
  gone?: ReadonlyMap<VirtualBook, TakenShares>;
  onEnded: (batch: EndedBatch) => void;
};

export class VirtualPlacements {
  readonly fills: VirtualFills;
  readonly #shared: SharedState;
  readonly #survival: RecordedSurvival;
  readonly #overlay: Overlay;
  /** Batches with orders still to be answered, the oldest first. */
  readonly #extra: ExtraBatch[] = [];
  readonly #endedExtra = new PlacedSums();
  #extraCount = 0;
  readonly #missingSums = new PlacedSums();
  /** Really placed, and not by this run. */
  readonly #missing = new Map<string, RealBatch>();
  /** Really placed, and by this run too. */
  readonly #sharedBatches = new Set<string>();

  constructor(shared: SharedState, overlay: Overlay) {
    this.#survival = new RecordedSurvival(shared.survivalKnown);
    this.#shared = shared;
    this.#overlay = overlay;
    this.fills = new VirtualFills(shared);
  }

  /** An opportunity pays: of all that does at best, what is still there one latency later? */
  noteShown({ journaled, books }: VirtualOpportunity, quotes: readonly GateQuote[]): void {
    const { now, agenda, latency, lostUntil } = this.#shared;
    const { targetPrice } = journaled;
    const shown = shownDepth(quotes, targetPrice).flatMap(({ tokenId, order }) => {
      const held = books.find((book) => book?.tokenId === tokenId);
      return held == null ? [] : [{ held, order }];
    });
    agenda.add(instantFromMs(now + latency.measuredMs), () => {
      for (const { held, order } of shown) {
        const book = bookOf(held);
        // Behind a hole nothing is known of what became of it.
        if (book === undefined || this.#shared.lostUntil !== lostUntil) continue;
        this.#survival.note({ ...order, met: sizeWithin(book.asks, order.limit, 'buy') });
      }
    });
  }

  /** A batch was really placed on a trigger. */
  noteReal(batch: RealBatch): void {
    if (this.#sharedBatches.has(batch.id)) return;
    this.#missing.set(batch.id, batch);
    this.#missingSums.add(batch.parts, 1);
  }

  /**
   * Null where nothing is known of the account. `decision`: what was really decided at the same instant. `seriesSpent`: by the clips before.
   */
  assess(
    { id, journaled }: VirtualOpportunity,
    quotes: readonly LiveQuote[],
    quotedPrice: Price,
    settings: Settings,
    by: { decision: TakenDecision | null } | { seriesSpent: Usd },
  ): Assessment | null {
    const decision = 'decision' in by ? by.decision : null;
    const { now, assumePlacing } = this.#shared;
    const { targetPrice, relationId, basis = null } = journaled;
    const account = decision?.account ?? this.#shared.account;
    if (account === null) return null;
    const { readiness, ownOrders, ...holdings } = account;
    this.#endExtra(now);
    const placed = {
      extra: [...this.#extra.flatMap(({ parts }) => parts), ...this.#endedExtra.days()],
      missing: this.#missingSums.days(),
    };
    const { placesFound, foundPrices, limits } = this.#overlay;
    const asRun = ({ balance, armed, ...state }: AccountState): AccountState => ({
      ...state,
      balance: balance ?? (assumePlacing ? CASH_ENOUGH : null),
      armed: armed || assumePlacing,
      limits: limitsAfter(state.limits, limits),
    });
    const virtual = virtualAccounts(account.accounts, placed, now);
    return assess({
      opportunity: { active: true, targetPrice, relationId, basis },
      ...{ quotes, size: null, quotedPrice, automatic: true, now, ...holdings },
      settings: deskSettings(settings),
      survival: this.#survival.at(now),
      ...('seriesSpent' in by && by),
      activeBatchId: this.#activeBatchOf(id, decision, 'seriesSpent' in by),
      readiness: {
        ...readiness,
        ...(assumePlacing ? { reconciled: true, placesFound: true } : {}),
        ...(placesFound === null ? {} : { placesFound }),
        foundBand: foundBandOf({ ...formOf(readiness.foundBand), ...foundPrices }),
      },
      accounts: new Map([...virtual].map(([venue, state]) => [venue, asRun(state)])),
      ownOrders: ownOrders.filter(({ batchId }) => !this.#missing.has(batchId)),
    });
  }

  place(
    trigger: RunTrigger,
    { id, journaled, books }: VirtualOpportunity,
    { plan, quotes, feeSchedules }: Pick<Assessment, 'plan' | 'quotes' | 'feeSchedules'>,
    { isSimulated, real, gone, onEnded }: HowPlaced,
  ): void {
    const { now, latency, agenda } = this.#shared;
    if (real !== null) {
      this.#sharedBatches.add(real.id);
      if (this.#missing.delete(real.id)) this.#missingSums.add(real.parts, -1);
    }
    const outcome = real?.outcome ?? null;
    if (outcome !== null) {
      trigger.outcomes = byModel(() => outcome);
      const ended = { kind: outcome.kind, spent: real?.spent ?? USD_ZERO, taken: null, realId: real?.id ?? null };
      // One that was really placed ended sooner or later than one of the usual latency.
      trigger.until = instantFromMs(Math.max(now, real?.until ?? now));
      agenda.add(trigger.until, () => onEnded(ended));
      return;
    }
    const orders = plan.orders.flatMap(({ tokenId, size, limitPrice }): SentOrder[] => {
      const held = books[quotes.findIndex((quote) => quote.tokenId === tokenId)];
      const schedule = feeSchedules.get(tokenId);
      if (held == null || schedule === undefined) return [];
      return [{ size, limitPrice, schedule, held, gone: gone?.get(held), standing: held.book.asks }];
    });
    const part = (tokenId: TokenId, spent: Usd, held: Usd): PlacedBatch => ({
      ...{ venue: venueOf(tokenId), at: now },
      ...(isSimulated ? { spent: USD_ZERO, held: USD_ZERO } : { spent, held }),
    });
    const extra: ExtraBatch = {
      id: `rehearsed ${this.#extraCount + 1}`,
      opportunityId: id,
      until: instantFromMs(now + latency.pessimisticMs),
      hasEnded: false,
      parts: plan.orders.map(({ tokenId, reserve }) => part(tokenId, reserve, reserve)),
    };
    if (real === null) {
      this.#extra.push(extra);
      this.#extraCount += 1;
    }
    trigger.outcomes = this.fills.send(orders, journaled.targetPrice, (measured) => {
      extra.parts = orders.map(({ held: { tokenId } }, place) => {
        const { spent, held } = measured.byOrder[place] ?? { spent: USD_ZERO, held: USD_ZERO };
        return part(tokenId, spent, held);
      });
      extra.hasEnded = true;
      onEnded({ ...measured, realId: null });
    });
  }

  #endExtra(now: Instant): void {
    for (let oldest = this.#extra[0]; oldest !== undefined && oldest.until <= now; oldest = this.#extra[0]) {
      this.#endedExtra.add(oldest.parts, 1);
      this.#extra.shift();
    }
  }

  /** A further clip follows on the end of the batch before it, which the slowest orders would still wait for. */
  #activeBatchOf(opportunityId: string, decision: TakenDecision | null, isFurtherClip: boolean): string | null {
    const { now, realBatches } = this.#shared;
    const extra = this.#extra.findLast(
      (batch) => batch.opportunityId === opportunityId && batch.until > now && !(isFurtherClip && batch.hasEnded),
    );
    if (extra !== undefined) return extra.id;
    const isKnown = decision !== null && decision.account !== null;
    const real = isKnown ? decision.activeBatchId : realBatches.activeOf(opportunityId, now);
    return real === null || this.#missing.has(real) ? null : real;
  }
}

/** Sums of batches that no longer change, by UTC day and venue: there may be thousands. */
class PlacedSums {
  readonly #days = new Map<string, PlacedBatch>();

  add(parts: readonly PlacedBatch[], times: 1 | -1): void {
    for (const part of parts) this.#add(part, times);
  }

  #add({ venue, at, spent, held }: PlacedBatch, times: 1 | -1): void {
    const day = startOfUtcDay(at);
    const key = `${day} ${venue}`;
    const sum = this.#days.get(key) ?? { spent: USD_ZERO, held: USD_ZERO };
    const more = (amount: Usd, by: Usd) => addUsd(amount, (times * by) as Usd);
    this.#days.set(key, { venue, at: day, spent: more(sum.spent, spent), held: more(sum.held, held) });
  }

  days(): PlacedBatch[] {
    return [...this.#days.values()];
  }
}

function formOf(band: Partial<PriceBand> = {}): FoundPrices {
  return { price_low: band.priceLow ?? null, price_high: band.priceHigh ?? null };
}
