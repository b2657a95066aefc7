/**
 * The desk as one would write it who has all the time of the world: after everything that happens it looks at all its opportunities,
 * keeps no queue and no index, and works out what may have changed from the world as it is.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import { notional, type Usd } from '@dutchbook/units/usd.ts';
import { takeLevels, walkBook } from '../book/walk.ts';
import { profitCurve } from '../opportunity/curve.ts';
import { takerFeeOfLevels } from '../opportunity/fee.ts';
import { aboutOf } from '../opportunity/name.ts';
import { worstResolution } from '../opportunity/resolution.ts';
import { valueOpportunity } from '../opportunity/value.ts';
import type { GateQuote } from '../risk/context.ts';
import type { DeskWorld, Step } from './desk-world.fixture.ts';
import type { OpportunityRow } from './tracked.ts';

export type NaiveOpportunity = {
  row: OpportunityRow;
  isFollowed: boolean;
  isAbove: boolean;
  profitAbove: boolean | null;
  /** The numbers of its rises that are not recorded. */
  waiting: number[];
  isProposed: boolean;
  retryAt: Instant | null;
  belowSince: Instant | null;
  failedAt: Instant | null;
};

export class NaiveDesk {
  readonly all = new Map<string, NaiveOpportunity>();
  /** By opportunity, the number of the rise that is proposed. */
  readonly proposals = new Map<string, number>();
  readonly #world: DeskWorld;
  readonly #positions = new Map<string, readonly { leg: number; marketId: string; outcome: string }[]>();
  readonly #views = new Map<string, string>();
  #rises = 0;
  #says: (line: string) => void = () => {};

  constructor(world: DeskWorld) {
    this.#world = world;
  }

  process(step: Step, says: (line: string) => void): void {
    this.#says = says;
    switch (step.kind) {
      case 'books':
        this.#valueOf(new Set(step.tokenIds.filter((id) => this.#isSeenAnew(id)).map((id) => id.slice(0, 1))));
        break;
      case 'markets':
        this.#valueOf(step.marketIds);
        break;
      case 'forgotten':
        for (const tokenId of step.tokenIds) this.#views.delete(tokenId);
        break;
      case 'put':
        this.#positions.set(step.row.id, step.positions);
        this.all.set(step.row.id, {
          ...{ row: step.row, isFollowed: true, isAbove: step.row.triggered, profitAbove: null, waiting: [] },
          ...{ isProposed: false, retryAt: null, belowSince: null, failedAt: null },
        });
        break;
      case 'settings':
        this.#views.clear();
        this.#valueOf(null);
        break;
      case 'time':
        for (const [id, one] of this.all) if (this.#world.unwanted.has(id)) one.isFollowed = false;
        this.#valueOf(null);
        break;
      case 'outcome':
        this.#takeOutcome(step.id, step.outcome);
        break;
      default:
        this.#stepOf(step);
    }
  }

  #stepOf(step: Extract<Step, { id: string }>): void {
    const one = this.all.get(step.id);
    if (one === undefined) return;
    if (step.kind === 'removed') one.isFollowed = false;
    if (step.kind === 'edited' || step.kind === 'stored') this.#standsAs(one, { ...one.row, ...step.row });
    if (step.kind === 'edited') this.#look(one);
    if (step.kind === 'due' && one.isFollowed) this.#look(one);
    if (step.kind === 'again') this.#proposeIfFree(one);
    if (step.kind === 'checked') this.#price(one, step.asked, step.mayTrigger);
  }

  /** Whether what pricing sees of the book is not what it was. */
  #isSeenAnew(tokenId: string): boolean {
    const held = this.#world.book(tokenId);
    const { useOrderBookPrices, useCumulativePricing, cumulativeThreshold } = this.#world.settings.pricing;
    let offered = 0;
    const enough = held?.book.asks.find(({ price, size }) => {
      offered += price * size;
      return offered >= cumulativeThreshold * MICRO;
    });
    const best = [held?.book.bids[0]?.price ?? null, held?.book.asks[0]?.price ?? null];
    const middle = best.includes(null) ? null : Math.ceil(((best[0] ?? 0) + (best[1] ?? 0)) / 2);
    const price = useOrderBookPrices ? (useCumulativePricing ? (enough?.price ?? null) : best[1]) : middle;
    const view = `${price ?? null} ${held?.feed ?? 'none'}`;
    const isNew = this.#views.get(tokenId) !== view;
    this.#views.set(tokenId, view);
    return isNew;
  }

  #valueOf(marketIds: ReadonlySet<string> | null): void {
    for (const [id, one] of this.all) {
      const isTouched = this.#positions.get(id)?.some(({ marketId }) => marketIds?.has(marketId) ?? true);
      if (one.isFollowed && isTouched) this.#look(one);
    }
  }

  #quotesOf({ row }: NaiveOpportunity): GateQuote[] {
    return this.#world.current(this.#positions.get(row.id) ?? []);
  }

  #look(one: NaiveOpportunity): void {
    const quotes = this.#quotesOf(one);
    const isMissing = quotes.some((quote) => !quote.market || !quote.book || quote.midpoint === null);
    if (isMissing && !this.#world.hasAnswered(quotes)) return;
    if (!quotes.some(({ feed }) => feed === 'stale')) this.#price(one, false, true);
  }

  #price(one: NaiveOpportunity, asked: boolean, mayTrigger: boolean): void {
    const { now, settings } = this.#world;
    const { row: before } = one;
    const { id } = before;
    const quotes = this.#quotesOf(one);
    const value = valueOpportunity(quotes, before.targetPrice, settings.pricing);
    const row: OpportunityRow = { ...before, lastChecked: now };
    if (quotes.every(({ market }) => market !== undefined)) {
      row.resolution = worstResolution(quotes.map(({ market }) => market));
      row.about = aboutOf(quotes);
      row.paysAt = null;
    }
    Object.assign(row, { profitUsd: null, maxProfitableSize: null });
    one.profitAbove = value.kind === 'unpriced' ? null : before.active && value.profitPct >= settings.triggerPct;
    if (value.kind === 'unpriced') {
      row.lastError = value.reason;
      if (asked || before.lastError === null || one.failedAt === null || now - one.failedAt >= 10_000) {
        row.errorCount += 1;
        one.failedAt = now;
      }
    } else {
      Object.assign(row, { currentPrice: value.currentPrice, feesPerSet: value.feesPerSet, lastError: null });
      Object.assign(row, { profitPercentage: value.profitPct, errorCount: 0 });
      if (one.profitAbove === false) row.triggered = false;
      if (before.active) Object.assign(row, profitBySize(quotes, before.targetPrice, value));
    }
    one.row = row;
    const isOurs = this.#world.owns(id);
    if (isOurs && one.isAbove && one.profitAbove === false) {
      one.isAbove = false;
      one.belowSince = now;
      this.#says(`${id} fell`);
    }
    if (!isOurs) one.waiting = [];
    const isSafe = quotes.every(
      ({ feed, market }) => /live|verified|polled/.test(feed) && market?.differences !== null,
    );
    const rises = isOurs && mayTrigger && isSafe && this.#world.isReady && one.profitAbove === true && !one.isAbove;
    if (rises) {
      one.isAbove = true;
      one.waiting.push(this.#rises++);
      this.#says(`${id} rose`);
    }
    const change = changeOf(before, row);
    if (change !== 'none' || asked || rises) this.#says(`${id} repriced ${change} ${asked} ${rises} ${isOurs}`);
    this.#proposeIfFree(one);
  }

  #proposeIfFree(one: NaiveOpportunity): void {
    const isLate = one.retryAt === null || one.retryAt <= this.#world.now;
    if (one.waiting.length > 0 && !one.isProposed && isLate) this.#propose(one);
  }

  #propose(one: NaiveOpportunity): void {
    const isGone = !one.isAbove || one.waiting.length > 1;
    const why = this.#world.settings.placesAutomatically ? (isGone ? 'fallen' : 'bought') : 'off';
    one.isProposed = true;
    one.retryAt = null;
    this.proposals.set(one.row.id, one.waiting[0] ?? -1);
    this.#says(`${one.row.id} proposed ${why}`);
  }

  #takeOutcome(id: string, outcome: Extract<Step, { kind: 'outcome' }>['outcome']): void {
    const one = this.all.get(id);
    const rise = this.proposals.get(id);
    if (one === undefined || rise === undefined) return;
    this.proposals.delete(id);
    if (outcome.kind === 'later') one.retryAt = outcome.at;
    if (one.waiting[0] === rise) {
      const { row } = one;
      if (outcome.kind === 'overtaken')
        this.#standsAs(one, { ...row, triggered: outcome.triggered, rises: outcome.rises });
      if (outcome.kind === 'gone' || (outcome.kind === 'later' && outcome.isLost))
        this.#standsAs(one, { ...row, triggered: false });
      if (outcome.kind === 'recorded') {
        one.waiting.shift();
        const triggered = one.isAbove && one.waiting.length === 0;
        one.row = { ...row, rises: row.rises + 1, triggered, refusal: outcome.refusal };
        one.belowSince = triggered ? null : (one.belowSince ?? this.#world.now);
      }
    }
    one.isProposed = false;
    if (one.waiting.length > 0 && one.retryAt === null) this.#propose(one);
    else this.#says(`${one.row.id} recorded`);
  }

  #standsAs(one: NaiveOpportunity, row: OpportunityRow): void {
    Object.assign(one, { row, isAbove: row.triggered, waiting: [], belowSince: null });
  }
}

/** Tries every size of whole shares at which a level ends, and one. */
function profitBySize(
  quotes: readonly GateQuote[],
  targetPrice: Price,
  value: { currentPrice: Price; feesPerSet: Usd },
): Pick<OpportunityRow, 'profitUsd' | 'maxProfitableSize'> {
  if (quotes.some(({ market, book }) => !market || market.closed || !market.feeSchedule || !book))
    return { profitUsd: null, maxProfitableSize: null };
  const paying = profitCurve(quotes, targetPrice).filter(({ marginalCost }) => marginalCost < targetPrice);
  const size = (Math.floor((paying.at(-1)?.size ?? 0) / ONE_SHARE) * ONE_SHARE) as Shares;
  if (size === 0) {
    return {
      profitUsd: Math.min(targetPrice - value.currentPrice - value.feesPerSet, 0) as Usd,
      maxProfitableSize: size,
    };
  }
  const costs = quotes.map(({ book, market }) => {
    const asks = book?.asks ?? [];
    const fee = market?.feeSchedule ? takerFeeOfLevels(takeLevels(asks, size), market.feeSchedule) : 0;
    return walkBook(asks, size, 'buy').cost + fee;
  });
  const paid = costs.reduce((sum, cost) => sum + cost, 0);
  return { profitUsd: (notional(size, targetPrice, 'down') - paid) as Usd, maxProfitableSize: size };
}

function changeOf(before: OpportunityRow, after: OpportunityRow): 'none' | 'numbers' | 'state' {
  const differs = (...names: (keyof OpportunityRow)[]) => names.some((name) => before[name] !== after[name]);
  const isFirst = (before.currentPrice === null) !== (after.currentPrice === null);
  if (isFirst || differs('triggered', 'resolution', 'lastError', 'augmentedEvent', 'about', 'paysAt')) return 'state';
  return differs(
    ...(['currentPrice', 'feesPerSet', 'profitPercentage', 'annualisedReturn', 'errorCount'] as const),
    ...(['profitUsd', 'maxProfitableSize'] as const),
  )
    ? 'numbers'
    : 'none';
}
