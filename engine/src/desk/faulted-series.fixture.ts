/**
 * One opportunity that two processes buy in clips, against a venue that fills what it likes. What is stored stays when a process dies,
 * which it may before each step; everything is decided by the functions of the desk, and added up here once more without them.
 */
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { ONE_SHARE, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import type { BatchStatus } from '../batch/life.ts';
import { takeLevels, totalSize, walkBook } from '../book/walk.ts';
import { takerFeeOfLevels } from '../opportunity/fee.ts';
import { bookOf, marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import type { PlannedOrder } from '../order/plan.ts';
import { seeded } from '../relation/relation.fixture.ts';
import { account, settings as gates, NOW } from '../risk/context.fixture.ts';
import type { GateQuote, TradingLimits } from '../risk/context.ts';
import { NO_LIMITS } from '../risk/limits/touched.ts';
import { type Assessment, assess } from './assess.ts';
import { isNextClipDue, type SeriesState } from './next-clip.ts';

type StoredOrder = PlannedOrder & { filled: number; spent: number };

/** As the database has it. `owner`: the process that carries it out; null once that has died. */
export type StoredClip = {
  number: number;
  status: BatchStatus;
  orders: StoredOrder[];
  isMarked: boolean;
  owner: number | null;
};

type Doing =
  | { kind: 'nothing' }
  | { kind: 'decided'; clips: number }
  | { kind: 'carrying'; clip: StoredClip; isPosted: boolean };

const PROCESSES = 2;
const STEPS_MAX = 400;
const TARGET = setPriceFromNumber(1);
const PRICING = { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: usdFromNumber(10) };
const READY = { reconciled: true, placesFound: false, corruptSettings: [] };

export class FaultedSeries {
  readonly clips: StoredClip[] = [];
  /** What the desk did that it must not. */
  readonly violations: string[] = [];
  /** By clip and leg: how often the venue carried the order out. */
  readonly carriedOut = new Map<string, number>();
  kills = 0;
  readonly #random: () => number;
  readonly #doing: Doing[] = Array.from({ length: PROCESSES }, () => ({ kind: 'nothing' }));
  readonly #fills = new Map<string, { filled: number; spent: number }>();
  readonly #soldClips = new Set<StoredClip>();
  readonly #cash: Usd;
  readonly #limits: TradingLimits;
  readonly #signOffAbove: Usd | null;
  readonly #settings;
  #quotes: GateQuote[];
  #isCalm = false;

  constructor(seed: number) {
    this.#random = seeded(seed * 7919 + 1);
    const maybe = (usd: number) => (this.#chance(0.4) ? this.#dollars(usd) : null);
    this.#cash = this.#dollars(600);
    this.#limits = { perOrder: maybe(60), perBatch: maybe(120), perDay: maybe(400), openExposure: maybe(400) };
    this.#signOffAbove = maybe(400);
    this.#settings = {
      ...{ pricing: PRICING, gates: { ...gates, minOrderValue: usdFromNumber(1) }, practice: false },
      ...{ triggerPct: percentFromNumber(0.5), placesAutomatically: true },
      size: {
        kind: this.#chance(0.5) ? ('best' as const) : ('up_to' as const),
        clipsMax: 1 + this.#below(8),
        clip: this.#dollars(100),
        lossAllowance: this.#dollars(60),
      },
    };
    this.#quotes = this.#drawQuotes();
  }

  /** Lets it happen until nothing more is due. */
  run(): void {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      this.#isCalm = step > STEPS_MAX / 2;
      const process = this.#below(PROCESSES);
      if (!this.#isCalm && this.#chance(0.12)) this.#kill(process);
      if (!this.#isCalm && this.#chance(0.05)) this.#surprise();
      this.#go(process);
    }
  }

  get clipsMax(): number {
    return this.#settings.size.clipsMax;
  }

  #go(process: number): void {
    const doing = this.#doing[process];
    if (doing === undefined) return;
    if (doing.kind === 'nothing') this.#doing[process] = this.#look(process);
    else if (doing.kind === 'decided') this.#doing[process] = this.#record(process, doing.clips);
    else this.#doing[process] = this.#carry(doing);
  }

  #look(process: number): Doing {
    const left = this.clips.find((clip) => isUnderWay(clip) && clip.owner === null);
    if (left !== undefined) {
      left.owner = process;
      return { kind: 'carrying', clip: left, isPosted: false };
    }
    return this.#isDue() ? { kind: 'decided', clips: this.clips.length } : { kind: 'nothing' };
  }

  /** In a transaction. */
  #record(process: number, clips: number): Doing {
    const { plan, blockers } = this.#assessed();
    const isChanged = this.clips.length !== clips || !this.#isDue();
    if (isChanged || blockers.length > 0) return { kind: 'nothing' };
    this.#checkLimits(plan.orders);
    const orders = plan.orders.map((order) => ({ ...order, filled: 0, spent: 0 }));
    const clip: StoredClip = { number: clips + 1, status: 'pending', orders, isMarked: false, owner: process };
    this.clips.push(clip);
    return { kind: 'carrying', clip, isPosted: false };
  }

  #carry(doing: Extract<Doing, { kind: 'carrying' }>): Doing {
    const { clip, isPosted } = doing;
    if (!clip.isMarked) {
      clip.isMarked = true;
      clip.status = 'processing';
      return doing;
    }
    if (!isPosted) {
      for (const order of clip.orders) this.#post(clip, order);
      return { ...doing, isPosted: true };
    }
    for (const order of clip.orders) Object.assign(order, this.#fills.get(keyOf(clip, order)));
    clip.status = statusOf(clip);
    clip.owner = null;
    return { kind: 'nothing' };
  }

  /** The venue carries out the bytes that it does not know. */
  #post(clip: StoredClip, order: StoredOrder): void {
    const key = keyOf(clip, order);
    if (this.#fills.has(key)) return;
    this.carriedOut.set(key, (this.carriedOut.get(key) ?? 0) + 1);
    const quote = this.#quotes.find(({ leg }) => leg === order.leg);
    const asks = quote?.book?.asks.filter(({ price }) => price <= order.limitPrice) ?? [];
    const part = this.#chance(0.85) ? 1 : this.#random() * 0.9;
    const size = Math.floor(Math.min(order.size, totalSize(asks)) * part) as typeof order.size;
    const taken = takeLevels(asks, size);
    const schedule = quote?.market?.feeSchedule;
    const fee = schedule == null ? 0 : takerFeeOfLevels(taken, schedule);
    this.#fills.set(key, { filled: size, spent: walkBook(taken, size, 'buy').cost + fee });
    this.#take(order.leg, size);
  }

  #take(leg: number, size: number): void {
    this.#quotes = this.#quotes.map((quote) => {
      if (quote.leg !== leg) return quote;
      let left = size;
      const asks = (quote.book?.asks ?? []).flatMap((level) => {
        const gone = Math.min(left, level.size);
        left -= gone;
        return level.size === gone ? [] : [[level.price / 1e6, (level.size - gone) / 1e6] as const];
      });
      return { ...quote, book: bookOf(asks) };
    });
  }

  #kill(process: number): void {
    this.kills += 1;
    for (const clip of this.clips) if (clip.owner === process) clip.owner = null;
    this.#doing[process] = { kind: 'nothing' };
  }

  /** Books fill up again; a trade fails on its way to the chain; what is uneven is sold. */
  #surprise(): void {
    const kind = this.#below(3);
    if (kind === 0) this.#quotes = this.#drawQuotes();
    const ended = this.clips.filter((clip) => !isUnderWay(clip));
    const clip = ended[this.#below(ended.length)];
    if (clip === undefined) return;
    if (kind === 1 && !this.#soldClips.has(clip)) {
      Object.assign(clip.orders[this.#below(clip.orders.length)] ?? {}, { filled: 0, spent: 0 });
      clip.status = statusOf(clip);
    }
    if (kind === 2 && isUneven(clip)) {
      this.#soldClips.add(clip);
      clip.status = 'sold';
    }
  }

  #isDue(): boolean {
    const last = this.clips.at(-1);
    const opportunity = { active: true, triggered: true };
    return last === undefined || isNextClipDue(this.#series(last), opportunity, this.#settings);
  }

  #series({ status }: StoredClip): SeriesState {
    const isAnyUneven = this.clips.some((clip) => this.#isOpenUneven(clip));
    const state = { status, cancelRequested: false, isDisarmedSince: false };
    return { ...state, isUneven: isAnyUneven, clips: this.clips.length };
  }

  #isOpenUneven(clip: StoredClip): boolean {
    return !isUnderWay(clip) && isUneven(clip) && !this.#soldClips.has(clip);
  }

  #assessed(): Assessment {
    const active = this.clips.find(isUnderWay);
    const standing = { balance: (this.#cash - this.#spent()) as Usd, placedToday: this.#spent() };
    const openExposure = this.#spent((clip) => !this.#soldClips.has(clip));
    return assess({
      opportunity: { active: true, targetPrice: TARGET, relationId: null },
      ...{ quotes: this.#quotes, size: null, quotedPrice: null, automatic: true, settings: this.#settings, now: NOW },
      ...{
        activeBatchId: active === undefined ? null : 'active',
        readiness: { ...READY, signOffAbove: this.#signOffAbove },
      },
      ...{ deskLimits: NO_LIMITS, ownOrders: [], spentBefore: [] },
      accounts: new Map([['polymarket', { ...account, ...standing, openExposure, limits: this.#limits }]]),
      ...(this.clips.length > 0 && { seriesSpent: this.#spent() }),
    });
  }

  /** What clips have taken, or may still take. */
  #spent(such: (clip: StoredClip) => boolean = () => true): Usd {
    const orders = this.clips.filter(such).flatMap((clip) => clip.orders.map((order) => ({ clip, order })));
    return orders.reduce((sum, { clip, order }) => sum + (isUnderWay(clip) ? order.reserve : order.spent), 0) as Usd;
  }

  #checkLimits(orders: readonly PlannedOrder[]): void {
    const reserve = orders.reduce((sum, order) => sum + order.reserve, 0);
    const planned = orders.map(({ cost, fee }) => cost + fee);
    const atRisk = planned.reduce((sum, dollars) => sum + dollars, 0) - Math.min(...planned);
    const { clip, lossAllowance, clipsMax } = this.#settings.size;
    const { perOrder, perBatch, perDay, openExposure } = this.#limits;
    const within = (name: string, amount: number, most: number | null) => {
      if (most !== null && amount > most) this.violations.push(`${name}: ${amount} of ${most}`);
    };
    within('clips', this.clips.length + 1, clipsMax);
    within('uneven', this.clips.filter((one) => this.#isOpenUneven(one)).length, 0);
    within('under way', this.clips.filter(isUnderWay).length, 0);
    // One order of the smallest size is no clip of the policy's.
    within('clip', reserve, clip);
    within('loss allowance', atRisk, lossAllowance);
    within('order limit', Math.max(...orders.map((order) => order.reserve)), perOrder);
    within('batch limit', reserve, perBatch);
    within('day limit', this.#spent() + reserve, perDay);
    within('exposure', this.#spent((one) => !this.#soldClips.has(one)) + reserve, openExposure);
    within('sign-off', this.#spent() + reserve, this.#signOffAbove);
    within('cash', this.#spent() + reserve, this.#cash);
  }

  #drawQuotes(): GateQuote[] {
    const legs = 2 + this.#below(3);
    const count = this.#quotes === undefined ? legs : this.#quotes.length;
    return Array.from({ length: count }, (_, index) => {
      let cents = Math.floor((0.82 + 0.14 * this.#random()) * (100 / count));
      const asks = Array.from({ length: 1 + this.#below(3) }, () => {
        const level = [cents / 100, 5 + this.#below(80)] as const;
        cents += 1 + this.#below(2);
        return level;
      });
      const schedule = { rate: fractionFromNumber(this.#chance(0.5) ? 0 : 0.02), step: usdFromNumber(0.00001) };
      const market = marketOf(`m${index}`, {
        feeSchedule: schedule,
        minOrderSize: sharesFromNumber(5),
        sizeStep: ONE_SHARE,
      });
      return { ...quoteOf(index + 1, asks, { market, marketId: market.id }), feed: 'live' as const, bookAgeMs: 400 };
    });
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #dollars(most: number): Usd {
    return usdFromNumber(Number((5 + this.#random() * most).toFixed(6)));
  }
}

const keyOf = ({ number }: StoredClip, { leg }: StoredOrder) => `clip ${number}, leg ${leg}`;

function isUnderWay({ status }: StoredClip): boolean {
  return status === 'pending' || status === 'processing';
}

function isUneven({ orders }: StoredClip): boolean {
  return new Set(orders.map(({ filled }) => filled)).size > 1;
}

function statusOf({ orders }: StoredClip): BatchStatus {
  if (orders.every(({ filled }) => filled === 0)) return 'failed';
  return orders.every(({ filled, size }) => filled === size) ? 'completed' : 'partial_completed';
}
