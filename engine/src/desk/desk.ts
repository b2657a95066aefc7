/**
 * The desk turns each event into prices, rises and falls of its opportunities, and into proposals to buy. No
 * clock, no I/O: a process that trades and a rehearsal of the past are shells around it.
 */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { risingEdge } from '../opportunity/value.ts';
import type { GateQuote } from '../risk/context.ts';
import { Alerts } from './alerts.ts';
import type { DeskSettings } from './desk-settings.ts';
import type { DeskEffects, DeskEvent, DeskSurroundings } from './events.ts';
import { PricedLevels } from './priced-levels.ts';
import { canTrigger, isStreamed } from './quote.ts';
import { changeOf, countsAgain, repriced } from './reprice.ts';
import { Revaluations, SLICES, type Slices } from './revaluations.ts';
import { isFreeToRecord, noteRise, takeOutcome, whyNotBought } from './rises.ts';
import { Roster } from './roster.ts';
import { Round } from './round.ts';
import { inServingOrder } from './serving-order.ts';
import { type OpportunityRow, type Rise, resetTo, type Tracked } from './tracked.ts';

type Check = { asked: boolean; mayTrigger: boolean };

type Proposal<Item extends Tracked> = { item: Item; rise: Rise<Item['row']>; refusals: readonly string[] | null };

const OF_ITSELF: Check = { asked: false, mayTrigger: true };

export class Desk<Item extends Tracked<OpportunityRow>> {
  readonly #surroundings: DeskSurroundings<Item>;
  readonly #roster = new Roster<Item>();
  /** Opportunities that may change without a book or a setting: unpriced, aging, with counted failures, waiting. */
  readonly #restless = new Set<Item>();
  /** Their dollars change with books deeper than pricing looks. */
  readonly #paying = new Set<Item>();
  readonly #revaluations: Revaluations<Item>;
  readonly #round: Round<Item>;
  readonly #levels: PricedLevels;
  readonly #alerts = new Alerts();
  /** Proposals of the event in process. */
  readonly #proposals: Proposal<Item>[] = [];
  #settings: DeskSettings;

  constructor(settings: DeskSettings, surroundings: DeskSurroundings<Item>, slices: Slices = SLICES) {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#revaluations = new Revaluations(this.#roster, surroundings.quotes, slices);
    this.#round = new Round(this.#roster, this.#restless, this.#paying);
    this.#levels = new PricedLevels(settings.pricing);
  }

  get(id: string): Item | undefined {
    return this.#roster.get(id);
  }

  all(): MapIterator<Item> {
    return this.#roster.all();
  }

  isRestless(item: Item): boolean {
    return this.#restless.has(item);
  }

  restless(): ReadonlySet<Item> {
    return this.#restless;
  }

  /** Whether nothing is missing that may only not have come yet. */
  isComplete({ positions }: Item, known: readonly GateQuote[]): boolean {
    const lacks = known.some(
      ({ market, book, midpoint, lastTrade }) =>
        market === undefined || book === undefined || (midpoint === null && lastTrade === null),
    );
    return !lacks || this.#surroundings.quotes.hasAnswered(positions);
  }

  process(event: DeskEvent<Item>, now: Instant, effects: DeskEffects<Item>): void {
    this.#take(event, now, effects);
    const proposals = this.#proposals.splice(0);
    for (const { item, rise, refusals } of inServingOrder(proposals, now)) effects.propose(item, rise, refusals);
  }

  #take(event: DeskEvent<Item>, now: Instant, effects: DeskEffects<Item>): void {
    switch (event.kind) {
      case 'books':
        this.#takeBooks(event.tokenIds, now, effects);
        return;
      case 'markets':
        this.#revaluations.ofMarkets(event.marketIds, this.#needed(now, effects));
        return;
      case 'forgotten':
        for (const tokenId of event.tokenIds) this.#levels.forget(tokenId);
        return;
      case 'put':
        this.#roster.add(event.item);
        this.#restless.add(event.item);
        return;
      case 'stored':
        resetTo(event.item, event.row);
        return;
      case 'removed':
        this.#remove(event.item);
        return;
      case 'settings':
        this.#settings = event.settings;
        this.#levels.takeSettings(event.settings.pricing);
        this.#revaluations.ofAll(this.#needed(now, effects));
        return;
      case 'alerts':
        this.#takeAlerts(event, now, effects);
        return;
      case 'checked':
        event.item.valuedBy = this.#revaluations.lastChange;
        this.#reprice(event.item, event.quotes, event, now, effects);
        effects.looked(event.item);
        return;
      case 'due':
        this.#valueNow(event.item, now, effects);
        return;
      case 'again':
        if (isFreeToRecord(event.item, now)) this.#propose(event.item);
        return;
      case 'outcome':
        this.#takeOutcome(event, now, effects);
        return;
      case 'time':
        if (this.#round.begin()) this.#goRound(now, effects);
        return;
      case 'left':
        if (event.work === 'values') this.#revaluations.next(this.#needed(now, effects));
        else this.#goRound(now, effects);
    }
  }

  #takeAlerts(
    { opportunityId, alerts }: Extract<DeskEvent<Item>, { kind: 'alerts' }>,
    now: Instant,
    effects: DeskEffects<Item>,
  ): void {
    this.#alerts.put(opportunityId, alerts);
    const item = this.#roster.get(opportunityId);
    if (item !== undefined && alerts.length > 0) this.#valueNow(item, now, effects);
  }

  #needed(now: Instant, effects: DeskEffects<Item>) {
    return {
      evaluate: (item: Item, quotes: GateQuote[]) => this.#evaluate(item, quotes, now, effects),
      later: () => effects.later('values'),
      overrun: effects.overrun,
    };
  }

  /** Applies all books of a group of frames before anything is valued. */
  #takeBooks(tokenIds: readonly TokenId[], now: Instant, effects: DeskEffects<Item>): void {
    const { quotes } = this.#surroundings;
    const repricedMarkets = new Set<string>();
    for (const tokenId of tokenIds) {
      const marketId = quotes.marketIdOf(tokenId);
      if (marketId !== undefined && this.#levels.isNew(tokenId, quotes.book(tokenId))) repricedMarkets.add(marketId);
    }
    if (repricedMarkets.size > 0) this.#revaluations.ofMarkets(repricedMarkets, this.#needed(now, effects));
  }

  #remove(item: Item): void {
    this.#roster.remove(item);
    this.#restless.delete(item);
    this.#paying.delete(item);
  }

  #valueNow(item: Item, now: Instant, effects: DeskEffects<Item>): void {
    item.valuedBy = this.#revaluations.lastChange;
    this.#evaluate(item, this.#surroundings.quotes.current(item.positions), now, effects);
  }

  #goRound(now: Instant, effects: DeskEffects<Item>): void {
    const isLeft = this.#round.go((item) => {
      if (this.#surroundings.isWanted(item)) {
        this.#valueNow(item, now, effects);
        return;
      }
      this.#remove(item);
      effects.left(item);
    });
    if (isLeft) effects.later('round');
  }

  #evaluate(item: Item, quotes: readonly GateQuote[], now: Instant, effects: DeskEffects<Item>): void {
    effects.looked(item);
    if (quotes.some(({ feed }) => feed === 'stale') || !this.isComplete(item, quotes)) {
      this.#restless.add(item);
      return;
    }
    this.#reprice(item, quotes, OF_ITSELF, now, effects);
    if (this.#isAtRest(item, quotes)) this.#restless.delete(item);
    else this.#restless.add(item);
    if ((item.row.maxProfitableSize ?? 0) > 0) this.#paying.add(item);
    else this.#paying.delete(item);
  }

  #reprice(
    item: Item,
    quotes: readonly GateQuote[],
    { asked, mayTrigger }: Check,
    now: Instant,
    effects: DeskEffects<Item>,
  ): void {
    const before = item.row;
    const countsFailure = asked || countsAgain(before.lastError, item.failureCountedAt, now);
    const { row, profitAboveTrigger } = repriced(before, quotes, this.#settings, { now, countsFailure });
    item.row = row;
    item.profitAboveTrigger = profitAboveTrigger;
    if (row.errorCount > before.errorCount) item.failureCountedAt = now;
    const isOwned = this.#surroundings.owns(row.id);
    // A fall lets it trigger again, so only the desk that acts on the trigger may say that it fell.
    if (isOwned && item.aboveTrigger && profitAboveTrigger === false) {
      item.aboveTrigger = false;
      item.belowTriggerSince = now;
      effects.fell(item);
    }
    if (!isOwned) item.rises = [];
    const mayAct = isOwned && mayTrigger && canTrigger(quotes);
    if (mayAct) this.#seeAlerts(item, effects);
    const mayRise = mayAct && this.#surroundings.isReady();
    const isAbove = mayRise && profitAboveTrigger === true;
    const isRise = risingEdge(item.aboveTrigger, isAbove);
    if (isAbove) this.#noteRise(item, quotes, now, effects);
    effects.repriced(item, { change: changeOf(before, row), asked, isRise, isOwned });
    if (isFreeToRecord(item, now)) this.#propose(item);
  }

  /** Uses current prices only: a row without any keeps its last one. */
  #seeAlerts(item: Item, effects: DeskEffects<Item>): void {
    const { id, active, profitPercentage, lastError } = item.row;
    if (!active || lastError !== null || profitPercentage === null) return;
    this.#alerts.see(id, profitPercentage, (alert, change) => effects.alertChanged(item, alert, change));
  }

  #noteRise(item: Item, quotes: readonly GateQuote[], now: Instant, effects: DeskEffects<Item>): void {
    const rise = noteRise(item, quotes, now);
    if (rise === 'dropped') effects.dropped(item);
    else if (rise !== null) effects.rose(item, rise);
  }

  #propose(item: Item): void {
    const [rise] = item.rises;
    if (rise === undefined) return;
    item.isTriggering = true;
    item.retryTriggerAt = null;
    this.#proposals.push({ item, rise, refusals: whyNotBought(item, this.#settings.placesAutomatically) });
  }

  /** Rises are recorded one after the other, until all are or one has to wait. */
  #takeOutcome(
    { item, rise, outcome }: Extract<DeskEvent<Item>, { kind: 'outcome' }>,
    now: Instant,
    effects: DeskEffects<Item>,
  ): void {
    takeOutcome(item, rise, outcome, now);
    if (item.rises.length > 0 && item.retryTriggerAt === null) {
      this.#propose(item);
      return;
    }
    item.isTriggering = false;
    effects.recorded(item);
  }

  /** Whether nothing but another book, settings or an edit can change what was just found out about it. */
  #isAtRest(item: Item, quotes: readonly GateQuote[]): boolean {
    const waits = item.rises.length > 0 || (item.profitAboveTrigger === true && !item.aboveTrigger);
    return item.row.lastError === null && !waits && !this.#surroundings.isOpen(item) && quotes.every(isStreamed);
  }
}
