/** One of the two runs over the same records: what triggers by its settings, what is decided on that, and what comes of it. */

import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { type Assessment, sentences } from '@dutchbook/engine/desk/assess.ts';
import { isStreamed } from '@dutchbook/engine/desk/quote.ts';
import { FALLEN_AGAIN } from '@dutchbook/engine/desk/rises.ts';
import {
  isTriggered,
  type OpportunityValue,
  type PricingSettings,
  risingEdge,
} from '@dutchbook/engine/opportunity/value.ts';
import type { RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { decisionLine } from '../../market/decision-journal/journaled.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { pricingSettings, triggerThreshold } from '../../people/system-settings/in-units.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf } from './virtual-books.ts';
import type { RunState, TakenDecision, VirtualOpportunity } from './virtual-opportunity.ts';
import type { VirtualPlacements } from './virtual-placements.ts';

type Valued = Extract<OpportunityValue, { kind: 'valued' }>;

/**
 * The profit has come up to the trigger. `value` and `quotes`: as it was seen last before its record began. `decision`: what was really decided on it; null where it did not really happen.
 */
export type Rise = {
  opportunity: VirtualOpportunity;
  rises: number;
  at: Instant;
  value: Valued;
  quotes: LiveQuote[];
  decision: TakenDecision | null;
};

/** What is noted of settings, markets and the account is so for a moment before opportunities are valued by it. */
const SEEN_LATER_MS = 1000;

/** In force at the moment. */
type InForce = { settings: Settings; pricing: PricingSettings; threshold: Percent };

export class VirtualRun {
  readonly triggers: RunTrigger[] = [];
  readonly lines: string[] = [];
  readonly placements: VirtualPlacements;
  readonly #place: 0 | 1;
  readonly #shared: SharedState;
  #inForce: InForce | null = null;

  /** `place`: of its states among those of an opportunity; the run by the present settings is the first. */
  constructor(place: 0 | 1, shared: SharedState, placements: VirtualPlacements) {
    this.#place = place;
    this.#shared = shared;
    this.placements = placements;
  }

  /** Null while nothing is known of the settings. */
  get inForce(): InForce | null {
    return this.#inForce;
  }

  takeSettings(settings: Settings): void {
    this.#inForce = { settings, pricing: pricingSettings(settings), threshold: triggerThreshold(settings) };
  }

  stateOf({ states }: VirtualOpportunity): RunState {
    return states[this.#place];
  }

  /** What is found anew may be there in one run alone. */
  isIn({ isIn }: VirtualOpportunity): boolean {
    return isIn[this.#place];
  }

  /**
   * As it was valued now. `mayTrigger`: its books may be acted on, and trading is ready.
   * @returns when it is to be valued again though nothing else may change
   */
  revalue(opportunity: VirtualOpportunity, value: OpportunityValue, mayTrigger: boolean): Instant | null {
    if (value.kind === 'unpriced' || this.#inForce === null) return null;
    const state = this.stateOf(opportunity);
    const profitAboveTrigger = isTriggered(true, value.profitPct, this.#inForce.threshold);
    const first = this.#firstTaken(opportunity, state);
    if (first !== null && (first.seenAt === undefined || first.at < this.#shared.now)) {
      // On which rise it was taken is not known before it was, or was not recorded.
      state.isKnown = false;
      return null;
    }
    if (!state.isKnown) {
      const aheadMs = (first?.seenAt ?? Number.POSITIVE_INFINITY) - this.#shared.now;
      // Books are recorded a moment before they are seen.
      if (profitAboveTrigger && mayTrigger && aheadMs > 0 && aheadMs <= SEEN_LATER_MS) return first?.seenAt ?? null;
      state.isKnown = true;
      // Where it came from is not known, so that it is an edge only where it really was one.
      state.aboveTrigger = profitAboveTrigger && mayTrigger && aheadMs > 0;
    }
    if (!profitAboveTrigger) state.aboveTrigger = false;
    if (!mayTrigger || !profitAboveTrigger) return null;
    if (!risingEdge(state.aboveTrigger, profitAboveTrigger)) this.#seeAgain(opportunity, state, value);
    else this.#rise(opportunity, state, value, first);
    return null;
  }

  /** Behind a hole, the first that was really taken there, as long as it is not known how many there were before it. */
  #firstTaken({ id }: VirtualOpportunity, { isCounted }: RunState): TakenDecision | null {
    const { decisions, lostUntil } = this.#shared;
    return isCounted || lostUntil === null ? null : decisions.firstAfter(id, lostUntil);
  }

  /** `first`: what was really decided on this rise or on a later one. */
  #rise(opportunity: VirtualOpportunity, state: RunState, value: Valued, first: TakenDecision | null): void {
    const { now } = this.#shared;
    state.aboveTrigger = true;
    state.rises += 1;
    if (first?.seenAt !== undefined && first.seenAt - now <= SEEN_LATER_MS) {
      state.rises = first.rises;
      state.isCounted = true;
    }
    const decision = this.#decisionOn(opportunity, state.rises);
    const quotes = opportunity.quotes.map((quote) => ({ ...quote }));
    const rise: Rise = { opportunity, rises: state.rises, at: now, value, quotes, decision };
    state.waiting.push(rise);
    const decidedAt = Math.max(decision?.at ?? now, now) as Instant;
    this.#shared.agenda.add(decidedAt, () => this.#decide(rise, state));
  }

  /** One whose record has to wait is decided by what was seen last before it begins. */
  #seeAgain({ quotes }: VirtualOpportunity, { waiting }: RunState, value: Valued): void {
    const last = waiting.at(-1);
    if (last?.decision == null || last.decision.begunAt <= this.#shared.now) return;
    last.value = value;
    last.quotes = quotes.map((quote) => ({ ...quote }));
  }

  /** Where both runs rise at once, they are decided at the same instant by the same account. */
  #decisionOn(opportunity: VirtualOpportunity, rises: number): TakenDecision | null {
    const { now, decisions } = this.#shared;
    if (this.#place === 1) return opportunity.lastRise?.at === now ? opportunity.lastRise.decision : null;
    const decision = decisions.of(opportunity.id, rises, now);
    opportunity.lastRise = { at: now, decision };
    return decision;
  }

  #decide(rise: Rise, state: RunState): void {
    const { opportunity, value, decision } = rise;
    state.waiting = state.waiting.filter((other) => other !== rise);
    const assessed = this.#assessed(rise);
    const isBought = assessed !== null && 'plan' in assessed && assessed.blockers.length === 0;
    const refusals = assessed === null ? [] : 'plan' in assessed ? sentences(assessed.blockers) : assessed.refusals;
    const { currentPrice, feesPerSet, profitPct } = value;
    const words = {
      ...{ opportunityId: opportunity.id, rises: rise.rises, currentPrice, feesPerSet, profitPct },
      size: isBought ? assessed.plan.size : null,
      orders: isBought ? assessed.plan.orders : [],
      refusals,
    };
    const line = decisionLine(words);
    this.lines.push(line);
    const trigger: RunTrigger = {
      ...{ opportunityId: opportunity.id, at: rise.at, currentPrice, profitPct, size: words.size },
      gates: assessed === null ? null : 'plan' in assessed ? assessed.blockers.map(({ gate }) => gate) : ['fallen'],
      refusals: assessed === null ? null : refusals,
      outcomes: null,
      words: decisionLine({ ...words, rises: 0 }),
    };
    this.triggers.push(trigger);
    if (!isBought) return;
    const isSimulated = this.#inForce?.settings.ORDER_SIMULATION_ENABLED === true;
    const really = decision?.line === line ? decision : null;
    this.placements.place(trigger, opportunity, assessed, { isSimulated, really });
  }

  /** Null where no batch is asked for. */
  #assessed(rise: Rise): Assessment | { refusals: readonly string[] } | null {
    const { settings } = this.#inForce ?? {};
    if (settings?.AUTO_PLACE_ORDER_ENABLED !== true) return null;
    const { decision } = rise;
    const wasAsked = this.#shared.settings?.AUTO_PLACE_ORDER_ENABLED === true;
    // Nothing else says how long its record had to wait.
    if (decision !== null && decision.account === null && wasAsked && !this.#shared.assumePlacing)
      return decision.line.includes(FALLEN_AGAIN) ? { refusals: [FALLEN_AGAIN] } : null;
    return this.placements.assess(rise.opportunity, this.#quotesNow(rise), rise.value.currentPrice, settings, decision);
  }

  /** With what is said by now of how far the books can be trusted. */
  #quotesNow({ opportunity, quotes, decision }: Rise): LiveQuote[] {
    return quotes.map((quote, place) => {
      const held = opportunity.books[place];
      const bookAgeMs = decision?.bookAges[place] ?? quote.bookAgeMs;
      if (!isStreamed(quote) || held == null || held.tokenId !== quote.tokenId) return { ...quote, bookAgeMs };
      return { ...quote, feed: bookOf(held) === undefined ? 'none' : held.trust, bookAgeMs };
    });
  }
}
