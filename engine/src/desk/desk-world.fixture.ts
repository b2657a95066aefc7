/** A small world of books, markets and opportunities in which things happen at random, the same ones for each seed. */
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import type { Book } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import type { Market } from '../market/market.ts';
import type { Position } from '../opportunity/position.ts';
import { feeOf, marketOf } from '../opportunity/quotes.fixture.ts';
import { seeded } from '../relation/relation.fixture.ts';
import { settings as GATES } from '../risk/context.fixture.ts';
import type { GateQuote } from '../risk/context.ts';
import type { DeskSettings } from './desk-settings.ts';
import { midpointOf } from './quote.ts';
import type { RiseOutcome } from './rises.ts';
import type { OpportunityRow } from './tracked.ts';

/** What happens, in words that both desks understand. */
export type Step =
  | { kind: 'books' | 'forgotten'; tokenIds: string[] }
  | { kind: 'markets'; marketIds: Set<string> }
  | { kind: 'put'; row: OpportunityRow; positions: Position[] }
  | { kind: 'edited' | 'stored'; id: string; row: Partial<OpportunityRow> }
  | { kind: 'removed' | 'due' | 'again' | 'opened'; id: string }
  | { kind: 'settings' }
  | { kind: 'checked'; id: string; asked: boolean; mayTrigger: boolean }
  | { kind: 'outcome'; id: string; outcome: RiseOutcome }
  | { kind: 'time' };

type HeldBook = { book: Book; feed: GateQuote['feed'] };

const MARKETS = ['a', 'b', 'c'];
const TOKENS = MARKETS.flatMap((id) => [`${id}-yes`, `${id}-no`]);
const FEEDS = ['live', 'verified', 'live', 'live', 'live', 'live', 'polled', 'stale', 'live', 'live'] as const;
const OPPORTUNITIES_MAX = 4;
const SIZES = [1, 15, 40].map(sharesFromNumber);
const PRICES = Array.from({ length: 100 }, (_, cents) => priceFromNumber(cents / 100));
/** For each position of the set: about what one costs. */
const TARGETS = [0.35, 0.42, 0.5];
const THRESHOLDS = [0, 2, 10].map(percentFromNumber);
/** Of which every kind must come often enough in some dozen steps. */
const KINDS = [
  ...Array<'books'>(14).fill('books'),
  ...Array<'outcome'>(3).fill('outcome'),
  ...Array<'time'>(2).fill('time'),
  ...([
    'put',
    'put',
    'edited',
    'stored',
    'removed',
    'due',
    'again',
    'opened',
    'closed',
    'settings',
    'checked',
    'markets',
    'answered',
  ] as const),
  ...(['forgotten', 'ready', 'owned', 'owned'] as const),
];

export class DeskWorld {
  now = instantFromMs(1_000_000);
  settings: DeskSettings;
  readonly followed = new Map<string, Position[]>();
  readonly open = new Set<string>();
  readonly unwanted = new Set<string>();
  readonly foreign = new Set<string>();
  isReady = true;
  readonly #books = new Map<string, HeldBook>();
  readonly #markets = new Map<string, Market | undefined>();
  readonly #unanswered = new Set<string>();
  readonly #random: () => number;
  #count = 0;

  constructor(seed: number) {
    this.#random = seeded(Math.imul(seed, 0x9e3779b1));
    this.settings = this.#anySettings();
    for (const id of MARKETS) this.#markets.set(id, marketOf(id, { feeSchedule: feeOf(0) }));
    for (const tokenId of TOKENS) this.#moveBook(tokenId);
  }

  readonly marketIdOf = (tokenId: string): string | undefined => tokenId.split('-')[0];
  readonly book = (tokenId: string): HeldBook | undefined => this.#books.get(tokenId);
  readonly owns = (id: string): boolean => !this.foreign.has(id);
  readonly hasAnswered = (positions: readonly Position[]): boolean =>
    !positions.some(({ marketId }) => this.#unanswered.has(marketId));
  readonly current = (positions: readonly Position[]): GateQuote[] =>
    positions.map((position) => this.#quoteOf(position, this.book));
  readonly frozen = (marketIds: ReadonlySet<string>) => {
    const then = new Map<string, HeldBook>();
    for (const [tokenId, { book, feed }] of this.#books) {
      if (marketIds.has(this.marketIdOf(tokenId) ?? '')) then.set(tokenId, { book: copied(book), feed });
    }
    const bookThen = (tokenId: string) => then.get(tokenId) ?? this.book(tokenId);
    return (positions: readonly Position[]) => positions.map((position) => this.#quoteOf(position, bookThen));
  };

  /** Lets something happen. `waiting`: the opportunities of which a proposal waits for its outcome. */
  next(waiting: readonly string[]): Step {
    this.now = instantFromMs(this.now + (this.#chance(0.8) ? this.#below(50) : this.#below(11_000)));
    for (;;) {
      const step = this.#step(this.#of(KINDS), waiting);
      if (step !== null) return step;
    }
  }

  /** The books of some tokens move, and nothing else happens. */
  moveBooks(count: number): Step {
    const tokenIds = Array.from({ length: count }, () => this.#of(TOKENS));
    for (const tokenId of tokenIds) this.#moveBook(tokenId, 'live');
    return { kind: 'books', tokenIds };
  }

  changeSettings(): Step {
    this.settings = this.#anySettings();
    return { kind: 'settings' };
  }

  put(): Step {
    const id = `${this.#count++}`;
    const count = 1 + this.#below(3);
    const first = this.#below(MARKETS.length);
    const positions = Array.from({ length: count }, (_, leg) => ({
      leg: leg + 1,
      marketId: MARKETS[(first + leg) % MARKETS.length] ?? '',
      outcome: this.#chance(0.5) ? 'Yes' : 'No',
    }));
    this.followed.set(id, positions);
    if (this.#chance(0.15)) this.foreign.add(id);
    return { kind: 'put', row: this.#anyRow(id, count), positions };
  }

  #step(kind: (typeof KINDS)[number], waiting: readonly string[]): Step | null {
    const id = this.#of([...this.followed.keys(), '']);
    switch (kind) {
      case 'books':
        return this.#moveAny(1 + this.#below(2));
      case 'put':
        return this.followed.size < OPPORTUNITIES_MAX ? this.put() : null;
      case 'settings':
        return this.changeSettings();
      case 'time':
        return { kind };
      case 'forgotten':
        return { kind, tokenIds: [this.#of(TOKENS)] };
      case 'outcome':
        return waiting.length === 0 ? null : { kind, id: this.#of(waiting), outcome: this.#anyOutcome() };
      case 'markets':
        return this.#changeMarket(this.#of(MARKETS));
      case 'answered': {
        const marketId = this.#of(MARKETS);
        if (!this.#unanswered.delete(marketId)) this.#unanswered.add(marketId);
        return { kind: 'markets', marketIds: new Set([marketId]) };
      }
      case 'ready':
        this.isReady = this.#chance(0.7);
        return { kind: 'time' };
      default:
        return id === '' ? null : this.#stepOf(kind, id);
    }
  }

  #stepOf(
    kind: 'edited' | 'stored' | 'removed' | 'due' | 'again' | 'opened' | 'closed' | 'checked' | 'owned',
    id: string,
  ): Step {
    switch (kind) {
      case 'edited': {
        const { active, targetPrice, triggered, rises } = this.#anyRow(id);
        return { kind, id, row: { active, targetPrice, triggered, rises } };
      }
      case 'stored': {
        const { triggered, rises } = this.#anyRow(id);
        return { kind: this.owns(id) || !this.open.has(id) ? 'edited' : kind, id, row: { triggered, rises } };
      }
      case 'removed':
        this.followed.delete(id);
        return { kind, id };
      case 'opened':
        this.open.add(id);
        return { kind, id };
      case 'closed':
        if (this.open.delete(id)) this.unwanted.add(id);
        return { kind: 'time' };
      case 'owned':
        if (!this.foreign.delete(id)) this.foreign.add(id);
        return { kind: 'due', id };
      case 'checked':
        return { kind, id, asked: this.#chance(0.5), mayTrigger: this.#chance(0.7) };
      case 'due':
      case 'again':
        return { kind, id };
    }
  }

  #moveAny(count: number): Step {
    const tokenIds = Array.from({ length: count }, () => this.#of(TOKENS));
    for (const tokenId of tokenIds) this.#moveBook(tokenId);
    return { kind: 'books', tokenIds };
  }

  #changeMarket(id: string): Step {
    const changes: Partial<Market>[] = [
      { feeSchedule: feeOf(this.#of([0, 0, 0.05])) },
      { closed: true },
      { resolution: this.#of([null, 'proposed', 'disputed']) },
      { differences: this.#chance(0.5) ? null : [] },
    ];
    this.#markets.set(
      id,
      this.#chance(0.1) ? undefined : marketOf(id, { feeSchedule: feeOf(0), ...this.#of(changes) }),
    );
    return { kind: 'markets', marketIds: new Set([id]) };
  }

  #anyRow(id: string, positions = this.followed.get(id)?.length ?? 1): OpportunityRow {
    return {
      id,
      active: this.#chance(0.9),
      targetPrice: setPriceFromNumber(positions * this.#of(TARGETS)),
      ...{ currentPrice: null, feesPerSet: null, profitPercentage: null, annualisedReturn: null },
      ...{ profitUsd: null, maxProfitableSize: null, paysAt: null, about: null },
      triggered: this.#chance(0.2),
      rises: this.#below(3),
      ...{ refusal: null, lastChecked: null, lastError: null, errorCount: 0, augmentedEvent: false, resolution: null },
    };
  }

  #anyOutcome(): RiseOutcome {
    const soon = instantFromMs(this.now + this.#below(5000));
    const outcomes: RiseOutcome[] = [
      { kind: 'recorded', refusal: null },
      { kind: 'recorded', refusal: 'Trading is disarmed.' },
      { kind: 'recorded', refusal: null },
      { kind: 'overtaken', triggered: this.#chance(0.5), rises: this.#below(9) },
      { kind: 'gone' },
      { kind: 'later', at: soon, isLost: false },
      { kind: 'later', at: soon, isLost: true },
    ];
    return this.#of(outcomes);
  }

  #anySettings(): DeskSettings {
    return {
      pricing: {
        useOrderBookPrices: this.#chance(0.8),
        useCumulativePricing: this.#chance(0.5),
        cumulativeThreshold: usdFromNumber(5),
      },
      gates: GATES,
      triggerPct: this.#of(THRESHOLDS),
      size: { kind: 'smallest', clipsMax: 20, clip: usdFromNumber(100), lossAllowance: usdFromNumber(25) },
      practice: false,
      placesAutomatically: this.#chance(0.8),
    };
  }

  /** Most moves are of the size of a level or of a deep level, as on a venue. */
  #moveBook(tokenId: string, feed: GateQuote['feed'] = this.#of(FEEDS)): void {
    if (this.#chance(0.03)) {
      this.#books.delete(tokenId);
      return;
    }
    const [bids, asks]: [Level[], Level[]] = [[], []];
    const best = 15 + this.#below(55);
    const count = this.#chance(0.05) ? 0 : 1 + this.#below(2);
    for (let level = 0; level < count; level += 1)
      asks.push({ price: PRICES[best + level * 3] ?? priceFromNumber(0.5), size: this.#of(SIZES) });
    if (this.#chance(0.9)) bids.push({ price: PRICES[best - 4] ?? priceFromNumber(0.1), size: this.#of(SIZES) });
    const before = this.#books.get(tokenId);
    // Deeper than pricing looks, as most changes are.
    if (before !== undefined && this.#chance(0.3)) this.#books.set(tokenId, { ...before, book: deeper(before.book) });
    else this.#books.set(tokenId, { book: { bids, asks }, feed });
  }

  #quoteOf(position: Position, bookOf: (tokenId: string) => HeldBook | undefined): GateQuote {
    const { marketId, outcome } = position;
    const market = this.#markets.get(marketId);
    const tokenId = market === undefined ? null : `${marketId}-${outcome.toLowerCase()}`;
    const held = tokenId === null ? undefined : bookOf(tokenId);
    return {
      ...position,
      ...{ tokenId, market, book: held?.book, lastTrade: null, bookAgeMs: held === undefined ? null : 0 },
      midpoint: midpointOf(held?.book),
      feed: held?.feed ?? 'none',
    };
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #of<One>(all: readonly One[]): One {
    return all[this.#below(all.length)] as One;
  }
}

function deeper({ bids, asks }: Book): Book {
  return { bids, asks: [...asks, { price: priceFromNumber(0.99), size: SIZES[0] ?? sharesFromNumber(1) }] };
}

function copied({ bids, asks }: Book): Book {
  const levels = (side: Book['asks']) => side.map((level) => ({ ...level }));
  return { bids: levels(bids), asks: levels(asks) };
}
