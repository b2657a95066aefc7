/** One of the two runs over the same records: the desk by its settings, what is decided on its rises, and what comes of that. */

import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { type Assessment, sentences } from '@dutchbook/engine/desk/assess.ts';
import { Desk } from '@dutchbook/engine/desk/desk.ts';
import type { DeskEffects, DeskEvent, DeskSurroundings } from '@dutchbook/engine/desk/events.ts';
import { PricedLevels } from '@dutchbook/engine/desk/priced-levels.ts';
import { canTrigger, isStreamed } from '@dutchbook/engine/desk/quote.ts';
import { FALLEN_AGAIN } from '@dutchbook/engine/desk/rises.ts';
import { Roster } from '@dutchbook/engine/desk/roster.ts';
import type { OpportunityRow, Rise } from '@dutchbook/engine/desk/tracked.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { isTriggered, valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import type { GateQuote } from '@dutchbook/engine/risk/context.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { decisionLine } from '../../market/decision-journal/journaled.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { deskSettings } from '../../people/system-settings/in-units.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf } from './virtual-books.ts';
import { VirtualClips } from './virtual-clips.ts';
import type { RiseMark, RunItem, TakenDecision, VirtualOpportunity } from './virtual-opportunity.ts';
import type { VirtualPlacements } from './virtual-placements.ts';

/** What is noted of settings, markets and the account is so for a moment before opportunities are valued by it. */
const SEEN_LATER_MS = 1000;

/** A rehearsal has time: everything is valued at once. */
const AT_ONCE = {
  positionsPerSlice: Number.POSITIVE_INFINITY,
  alwaysAtOnce: Number.POSITIVE_INFINITY,
  waitingMax: 1,
  frozenMarketsMax: 0,
};

export type RunSurroundings = Pick<DeskSurroundings<RunItem>, 'isReady'> & {
  quotes: Omit<DeskSurroundings<RunItem>['quotes'], 'current' | 'frozen'>;
  quotesOf: (opportunity: VirtualOpportunity) => LiveQuote[];
  /** Nothing is decided in a span of which nothing is known, nor behind the end. */
  mayDecide: () => boolean;
  /** Has it valued when what is due at this instant is over. */
  valueLater: (opportunity: VirtualOpportunity) => void;
};

type Decision = { item: RunItem; rise: Rise<OpportunityRow>; mark: RiseMark; refusals: readonly string[] | null };

export class VirtualRun {
  readonly triggers: RunTrigger[] = [];
  readonly lines: string[] = [];
  readonly placements: VirtualPlacements;
  readonly #clips: VirtualClips;
  readonly #place: 0 | 1;
  readonly #shared: SharedState;
  readonly #surroundings: RunSurroundings;
  /** The desk finds an opportunity by its positions. */
  readonly #byPositions = new Map<readonly Position[], VirtualOpportunity>();
  /** Items that the run follows and the desk does not: their state is unknown. */
  readonly #unknown = new Roster<RunItem>();
  /** Priced levels of their books. */
  #unknownLevels: PricedLevels | null = null;
  #settings: Settings | null = null;
  #desk: Desk<RunItem> | null = null;

  /** `place`: of its items among those of an opportunity; the run by the present settings is the first. */
  constructor(place: 0 | 1, shared: SharedState, placements: VirtualPlacements, surroundings: RunSurroundings) {
    this.#place = place;
    this.#shared = shared;
    this.placements = placements;
    this.#surroundings = surroundings;
    this.#clips = new VirtualClips({
      ...{ shared, placements, settings: () => this.#settings, mayDecide: surroundings.mayDecide },
      quotesOf: ({ opportunity }) => surroundings.quotesOf(opportunity),
      onBought: (trigger) => void this.triggers.push(trigger),
    });
  }

  /** Nothing is valued by them before `valueAll`. */
  takeSettings(settings: Settings): void {
    this.#settings = settings;
    if (this.#desk !== null) return;
    this.#desk = new Desk(deskSettings(settings), this.#deskSurroundings(), AT_ONCE);
    for (const { items } of this.#byPositions.values()) this.#assign(items[this.#place]);
  }

  follow(opportunity: VirtualOpportunity): void {
    if (!opportunity.isIn[this.#place]) return;
    this.#byPositions.set(opportunity.journaled.positions, opportunity);
    this.#assign(opportunity.items[this.#place]);
  }

  leave(opportunity: VirtualOpportunity): void {
    const item = opportunity.items[this.#place];
    this.#byPositions.delete(opportunity.journaled.positions);
    this.#unknown.remove(item);
    this.#clips.leave(item);
    this.#process({ kind: 'removed', item });
  }

  /** Something that is known of how it stands has come or gone. */
  reassign(opportunity: VirtualOpportunity): void {
    if (opportunity.isIn[this.#place]) this.#assign(opportunity.items[this.#place]);
  }

  takeBooks(tokenIds: readonly TokenId[]): void {
    this.#process({ kind: 'books', tokenIds });
    if (this.#unknown.size === 0) return;
    const { book, marketIdOf } = this.#surroundings.quotes;
    const marketIds = new Set<MarketId>();
    for (const tokenId of tokenIds) {
      const marketId = marketIdOf(tokenId);
      if (marketId !== undefined && this.#unknownLevels?.isNew(tokenId, book(tokenId)) === true)
        marketIds.add(marketId);
    }
    for (const item of [...this.#unknown.affectedBy(marketIds)]) this.#value(item);
  }

  /** Values everything by the present settings. */
  valueAll(): void {
    if (this.#settings === null) return;
    const settings = deskSettings(this.#settings);
    this.#process({ kind: 'settings', settings });
    this.#unknownLevels = new PricedLevels(settings.pricing);
    for (const item of [...this.#unknown.all()]) this.#value(item);
  }

  value({ items, isIn }: VirtualOpportunity): void {
    if (isIn[this.#place]) this.#value(items[this.#place]);
  }

  /** How it stands where the span begins, of which nothing triggers; where its books do not say, as the journal does. */
  beginWith(item: RunItem): void {
    const { aboveTrigger } = item;
    item.isKnown = false;
    if (!this.#learn(item)) Object.assign(item, { isKnown: true, aboveTrigger });
  }

  #value(item: RunItem): void {
    if (!this.#learn(item)) return;
    const wasCounted = item.isCounted;
    this.#process({ kind: 'due', item });
    if (item.isCounted !== wasCounted) this.#assign(item);
  }

  /** The desk follows what is known; of the rest it is told when to value it. */
  #assign(item: RunItem): void {
    const isKnown = item.isKnown && item.isCounted;
    if (isKnown) this.#unknown.remove(item);
    else this.#unknown.add(item);
    this.#process({ kind: isKnown ? 'put' : 'removed', item });
  }

  #process(event: DeskEvent<RunItem>): void {
    this.#desk?.process(event, this.#shared.now, this.#effects);
  }

  #deskSurroundings(): DeskSurroundings<RunItem> {
    const { quotes, quotesOf, isReady } = this.#surroundings;
    const current = (positions: readonly Position[]) => {
      const opportunity = this.#byPositions.get(positions);
      return opportunity === undefined ? [] : quotesOf(opportunity);
    };
    return {
      quotes: { ...quotes, current, frozen: () => current },
      isReady,
      owns: () => true,
      isWanted: () => true,
      isOpen: () => false,
    };
  }

  readonly #effects: DeskEffects<RunItem> = {
    looked: () => {},
    repriced: () => {},
    fell: () => {},
    // Notifications are about the present market only.
    alertChanged: () => {},
    dropped: () => {},
    recorded: () => {},
    left: () => {},
    later: () => {},
    overrun: () => {},
    rose: (item) => this.#rise(item),
    propose: (item, rise, refusals) => this.#decideLater(item, rise, refusals),
  };

  /**
   * Behind a hole: whether it stands above its trigger.
   * @returns false where that cannot be known yet, so that it is not to be valued
   */
  #learn(item: RunItem): boolean {
    if (item.isKnown && item.isCounted) return true;
    const { now, agenda } = this.#shared;
    const quotes = this.#surroundings.quotesOf(item.opportunity);
    // As the desk does: what may only not have come yet, and what is stale, is not valued.
    if (this.#desk === null || quotes.some(({ market, feed }) => market === undefined || feed === 'stale'))
      return false;
    const first = this.#firstTaken(item);
    const isAbove = this.#isAbove(item, quotes);
    if (isAbove === null) return false;
    if (first !== null && (first.seenAt === undefined || first.at < now)) {
      // On which rise it was taken is not known before it was, or was not recorded.
      item.isKnown = false;
      return false;
    }
    if (item.isKnown) return true;
    const mayTrigger = canTrigger(quotes) && this.#surroundings.isReady();
    const aheadMs = (first?.seenAt ?? Number.POSITIVE_INFINITY) - now;
    // Books are recorded a moment before they are seen.
    if (isAbove && mayTrigger && aheadMs > 0 && aheadMs <= SEEN_LATER_MS && first?.seenAt !== undefined) {
      agenda.add(first.seenAt, () => this.#surroundings.valueLater(item.opportunity));
      return false;
    }
    item.isKnown = true;
    // Where it came from is not known, so that it is an edge only where it really was one.
    item.aboveTrigger = isAbove && mayTrigger && aheadMs > 0;
    return true;
  }

  /** Null where it has no price. */
  #isAbove({ row }: RunItem, quotes: readonly LiveQuote[]): boolean | null {
    if (this.#settings === null) return null;
    const { pricing, triggerPct } = deskSettings(this.#settings);
    const value = valueOpportunity(quotes, row.targetPrice, pricing);
    return value.kind === 'unpriced' ? null : isTriggered(true, value.profitPct, triggerPct);
  }

  /** Behind a hole, the first that was really taken there, as long as it is not known how many there were before it. */
  #firstTaken({ opportunity, isCounted }: RunItem): TakenDecision | null {
    const { decisions, lostUntil } = this.#shared;
    return isCounted || lostUntil === null ? null : decisions.firstAfter(opportunity.id, lostUntil);
  }

  #rise(item: RunItem): void {
    const { now } = this.#shared;
    const first = this.#firstTaken(item);
    item.risen += 1;
    if (first?.seenAt !== undefined && first.seenAt - now <= SEEN_LATER_MS) {
      item.risen = first.rises;
      item.isCounted = true;
    }
    item.marks.push({ rises: item.risen, at: now, decision: this.#decisionOn(item) });
  }

  /** Where both runs rise at once, they are decided at the same instant by the same account. */
  #decisionOn({ opportunity, risen }: RunItem): TakenDecision | null {
    const { now, decisions } = this.#shared;
    if (this.#place === 1) return opportunity.lastRise?.at === now ? opportunity.lastRise.decision : null;
    const decision = decisions.of(opportunity.id, risen, now);
    opportunity.lastRise = { at: now, decision };
    return decision;
  }

  /** When it was really decided; one whose record really began later waits for that, and is decided by what is seen last before it. */
  #decideLater(item: RunItem, rise: Rise<OpportunityRow>, refusals: readonly string[] | null): void {
    const { now, agenda } = this.#shared;
    const [mark] = item.marks;
    if (mark === undefined) return;
    const { at = now, begunAt = now } = mark.decision ?? {};
    if (begunAt > now) {
      agenda.add(now, () =>
        this.#process({ kind: 'outcome', item, rise, outcome: { kind: 'later', at: begunAt, isLost: false } }),
      );
      agenda.add(begunAt, () => this.#process({ kind: 'again', item }));
      return;
    }
    agenda.add(instantFromMs(Math.max(at, now)), () => this.#decide({ item, rise, mark, refusals }));
  }

  #decide(rise: Decision): void {
    const { item, mark } = rise;
    const { opportunity } = item;
    item.marks.shift();
    const recorded = { kind: 'outcome', item, rise: rise.rise, outcome: { kind: 'recorded', refusal: null } } as const;
    // A hole has begun since the rise: by which books it was decided is not known.
    if (!this.#surroundings.mayDecide()) {
      this.#process(recorded);
      return;
    }
    const { currentPrice, feesPerSet, profitPercentage: profitPct } = rise.rise.row;
    if (currentPrice === null || feesPerSet === null || profitPct === null) return;
    // What was really bought is gone from the books for that.
    if (mark.decision?.batchId == null) this.placements.noteShown(opportunity, rise.rise.quotes);
    const assessed = this.#assessed(rise, currentPrice);
    const isBought = assessed !== null && 'plan' in assessed && assessed.blockers.length === 0;
    const refusals = assessed === null ? [] : 'plan' in assessed ? sentences(assessed.blockers) : assessed.refusals;
    const words = {
      ...{ opportunityId: opportunity.id, rises: mark.rises, currentPrice, feesPerSet, profitPct },
      size: isBought ? assessed.plan.size : null,
      orders: isBought ? assessed.plan.orders : [],
      refusals,
    };
    const line = decisionLine(words);
    this.lines.push(line);
    const trigger: RunTrigger = {
      ...{ opportunityId: opportunity.id, at: mark.at, currentPrice, profitPct, size: words.size },
      gates: assessed === null ? null : 'plan' in assessed ? assessed.blockers.map(({ gate }) => gate) : ['fallen'],
      refusals: assessed === null ? null : refusals,
      outcomes: null,
      words: decisionLine({ ...words, rises: 0 }),
      ...{ clip: 1, atRisk: isBought ? assessed.plan.worstCaseLoss : USD_ZERO },
      until: instantFromMs(this.#shared.now + this.#shared.latency.measuredMs),
    };
    this.triggers.push(trigger);
    if (isBought) {
      const isSimulated = this.#settings?.ORDER_SIMULATION_ENABLED === true;
      const really = mark.decision?.line === line ? mark.decision : null;
      const real = really?.batchId == null ? null : this.#shared.realBatches.get(really.batchId);
      const onEnded =
        assessed.sizeBoundedBy === null ? () => {} : this.#clips.begin(item, assessed.plan, opportunity.books);
      this.placements.place(trigger, opportunity, assessed, { isSimulated, real, onEnded });
    }
    this.#process(recorded);
  }

  /** Null where no batch is asked for. */
  #assessed(
    { item, rise, mark, refusals }: Decision,
    quotedPrice: Price,
  ): Assessment | { refusals: readonly string[] } | null {
    const settings = this.#settings;
    if (settings?.AUTO_PLACE_ORDER_ENABLED !== true) return null;
    const { decision } = mark;
    const wasAsked = this.#shared.settings?.AUTO_PLACE_ORDER_ENABLED === true;
    // Books are recorded later than they are seen, so that only the decision says whether the profit had fallen by then.
    if (decision !== null && decision.account === null && wasAsked && !this.#shared.assumePlacing)
      return decision.line.includes(FALLEN_AGAIN) ? { refusals: [FALLEN_AGAIN] } : null;
    if (refusals !== null && refusals.length > 0 && (decision?.account ?? null) === null) return { refusals };
    const quotes = quotesOfRise(item.opportunity, rise.quotes, decision);
    return this.placements.assess(item.opportunity, quotes, quotedPrice, settings, { decision });
  }
}

/** With what is said by now of how far the books can be trusted. */
function quotesOfRise(
  { books }: VirtualOpportunity,
  quotes: readonly GateQuote[],
  decision: TakenDecision | null,
): LiveQuote[] {
  return quotes.map((quote, place) => {
    const held = books[place];
    const bookAgeMs = decision?.bookAges[place] ?? quote.bookAgeMs;
    if (!isStreamed(quote) || held == null || held.tokenId !== quote.tokenId) return { ...quote, bookAgeMs };
    return { ...quote, feed: bookOf(held) === undefined ? 'none' : held.trust, bookAgeMs };
  });
}
