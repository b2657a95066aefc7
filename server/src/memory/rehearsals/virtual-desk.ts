/** The desk of a rehearsal: books and journal as they were, instant by instant, and what either run makes of them. */
import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { PricedLevels } from '@dutchbook/engine/desk/priced-levels.ts';
import { canTrigger } from '@dutchbook/engine/desk/quote.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { subjectOf } from '@dutchbook/engine/opportunity/subject.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { JournalRow, JournalState } from '../../market/decision-journal/read.ts';
import { pricingSettings } from '../../people/system-settings/in-units.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf, type VirtualBook, VirtualBooks } from './virtual-books.ts';
import { FoundAnew } from './virtual-found.ts';
import {
  followOpportunity,
  loseStates,
  type RunState,
  resolveQuotes,
  showNow,
  type TakenDecision,
  type VirtualOpportunity,
} from './virtual-opportunity.ts';
import type { VirtualRun } from './virtual-run.ts';

/** So long after books have been seen at most they are recorded. */
const NOTED_LATER_MS = 250;

type Span = { from: Instant; until: Instant };

type Runs = { present: VirtualRun; proposed: VirtualRun };

/**
 * `settingsOf`: those that the runs decide by while these are in force. `discoveryOf`: the same of discovery, whose finds are then
 * found anew by either; null where what was really found stands.
 */
type DeskPlan = {
  shared: SharedState;
  runs: Runs;
  settingsOf: (settings: Settings) => Record<keyof Runs, Settings>;
  discoveryOf: ((form: DiscoverySettingsForm) => Record<keyof Runs, DiscoverySettingsForm>) | null;
};

export class VirtualDesk {
  readonly books = new VirtualBooks((book) => void this.#changed.add(book));
  readonly titles = new Map<string, string>();
  readonly #shared: SharedState;
  readonly #runs: Runs;
  readonly #settingsOf: DeskPlan['settingsOf'];
  readonly #opportunities = new Map<string, VirtualOpportunity>();
  readonly #markets = new Map<string, Market>();
  readonly #byBook = new Map<VirtualBook, Set<VirtualOpportunity>>();
  readonly #byMarket = new Map<string, Set<VirtualOpportunity>>();
  /** Since the last instant was over. */
  readonly #changed = new Set<VirtualBook>();
  readonly #due = new Set<VirtualOpportunity>();
  readonly #discoveryOf: DeskPlan['discoveryOf'];
  readonly #found: FoundAnew | null;
  #pricedLevels: PricedLevels[] = [];
  #withMidpoints = false;
  #isOpen = false;

  constructor({ shared, runs, settingsOf, discoveryOf }: DeskPlan) {
    this.#shared = shared;
    this.#runs = runs;
    this.#settingsOf = settingsOf;
    this.#discoveryOf = discoveryOf;
    this.#found = discoveryOf && new FoundAnew(this.books, shared.agenda, (found) => this.#followFound(found));
  }

  /**
   * What stands where the span begins, by the books that were applied before. Nothing of it triggers by the present settings.
   * `lost`: spans whose journal rows were dropped, that end later.
   */
  open(state: JournalState, lost: readonly Span[]): void {
    const { now, agenda, lostUntil } = this.#shared;
    // What was lost and noted anew before is as it stands.
    this.#shared.lostUntil = null;
    for (const [id, market] of state.market) this.#markets.set(id, market);
    for (const [id, journaled] of state.relation) this.#found?.discovery.take(id, journaled);
    for (const [id, journaled] of state.opportunity) {
      const rises = Math.max(journaled.rises, state.decision.get(id)?.rises ?? 0);
      this.#takeOpportunity(id, { ...journaled, rises });
    }
    this.#shared.account = state.account.get('') ?? null;
    this.#isOpen = true;
    const settings = state.settings.get('');
    if (settings !== undefined) this.#takeSettings(settings);
    const form = state.discovery.get('');
    if (form !== undefined) this.#takeDiscovery(form);
    this.#changed.clear();
    this.#found?.discovery.judge([], this.#shared.now);
    for (const opportunity of this.#opportunities.values()) this.#begin(opportunity);
    this.valueDue();
    if (lostUntil !== null && lostUntil > now) this.#loseStates(lostUntil);
    for (const span of lost) agenda.add(instantFromMs(Math.max(now, span.from)), () => this.#loseJournal(span));
  }

  /** Decides nothing more; what was sent is followed to its end. */
  close(): void {
    this.#isOpen = false;
    this.#found?.discovery.close();
  }

  /** How many were found anew in markets of which nothing is known but their books. */
  get leftOut(): number {
    const all = [...this.#opportunities.values()];
    return all.filter(({ isFoundAnew, quotes }) => isFoundAnew && quotes.some(({ market }) => market === undefined))
      .length;
  }

  /** Of the changes of an instant none is seen before all are made: `endInstant`. */
  apply(record: Exclude<Recorded, { kind: 'gap' }>): void {
    this.books.apply(record);
  }

  endInstant(): void {
    for (const book of this.#changed) {
      for (const run of Object.values(this.#runs)) run.placements.fills.noteChange(book);
      const held = bookOf(book);
      const seen = held && book.trust !== 'none' ? { book: held, feed: book.trust } : undefined;
      const isNew = this.#pricedLevels.map((levels) => levels.isNew(book.tokenId, seen));
      if (isNew.includes(true)) for (const opportunity of this.#byBook.get(book) ?? []) this.#due.add(opportunity);
    }
    if (this.#isOpen) this.#found?.discovery.judge(this.#changed, this.#shared.now);
    this.#changed.clear();
    this.valueDue();
    this.#shared.agenda.runUntil(this.#shared.now);
  }

  /** Nothing is known in the span, and of a book behind it nothing until that is recorded anew. */
  lose({ from, until }: Span, reason: string): void {
    this.#shared.unknown.add(from, until, reason);
    for (const run of Object.values(this.#runs)) run.placements.fills.endAll();
    this.books.forget();
    this.#changed.clear();
    this.#loseStates(until);
    for (const opportunity of this.#opportunities.values()) if (opportunity.isFoundAnew) this.#shadow(opportunity);
  }

  /** Of what decisions look at besides the books nothing is known in the span; behind it everything that stands is noted again. */
  #loseJournal({ from, until }: Span): void {
    this.#shared.unknown.add(from, until, 'the database did not take what decisions look at');
    this.#loseStates(until);
  }

  #loseStates(until: Instant): void {
    this.#shared.lostUntil = instantFromMs(Math.max(until, this.#shared.lostUntil ?? until));
    for (const opportunity of this.#opportunities.values()) loseStates(opportunity);
    this.#shared.agenda.add(until, () => this.#allAreDue());
  }

  take(row: JournalRow): void {
    switch (row.topic) {
      case 'settings':
        if (row.data !== null) this.#takeSettings(row.data);
        break;
      case 'account': {
        const wasReady = this.#isReady();
        this.#shared.account = row.data;
        if (this.#isReady() && !wasReady) this.#allAreDue();
        break;
      }
      case 'discovery':
        if (row.data !== null) this.#takeDiscovery(row.data);
        break;
      case 'relation':
        this.#found?.discovery.take(row.subject, row.data);
        break;
      case 'market':
        this.#takeMarket(row.subject, row.data);
        break;
      case 'opportunity':
        this.#takeOpportunity(row.subject, row.data);
        break;
      case 'decision':
        if (row.data !== null) this.#takeDecision(row.subject, { ...row.data, at: row.at });
        break;
      case 'lost':
    }
  }

  /** What has changed otherwise than by the books; those are over with `endInstant`. */
  valueDue(): void {
    for (const opportunity of this.#due) this.#value(opportunity);
    this.#due.clear();
  }

  #isReady(): boolean {
    return this.#shared.assumePlacing || this.#shared.account?.readiness.reconciled !== false;
  }

  #isLost(): boolean {
    const { now, lostUntil } = this.#shared;
    return lostUntil !== null && now < lostUntil;
  }

  #allAreDue(): void {
    for (const opportunity of this.#opportunities.values()) this.#due.add(opportunity);
  }

  #takeSettings(settings: Settings): void {
    const { present, proposed } = this.#runs;
    const chosen = this.#settingsOf(settings);
    this.#shared.settings = settings;
    present.takeSettings(chosen.present);
    proposed.takeSettings(chosen.proposed);
    const ways = isSamePricing(chosen.present, chosen.proposed) ? [chosen.present] : Object.values(chosen);
    this.#pricedLevels = ways.map((way) => new PricedLevels(pricingSettings(way)));
    this.#withMidpoints = ways.some(({ USE_ORDER_BOOK_PRICES }) => !USE_ORDER_BOOK_PRICES);
    this.#allAreDue();
  }

  #takeDiscovery(form: DiscoverySettingsForm): void {
    const forms = this.#discoveryOf?.(form);
    if (forms !== undefined) this.#found?.discovery.takeForms(forms.present, forms.proposed);
  }

  #takeMarket(id: string, market: Market | null): void {
    if (market === null) this.#markets.delete(id);
    else this.#markets.set(id, market);
    for (const opportunity of this.#byMarket.get(id) ?? []) this.#resolve(opportunity);
  }

  #takeOpportunity(id: string, journaled: JournaledOpportunity | null): void {
    if (this.#found !== null && journaled !== null && journaled.relationId !== null) {
      this.#found.noteReal(id, journaled);
      return;
    }
    const known = this.#opportunities.get(id);
    if (journaled === null) {
      if (known !== undefined) this.#leave(known);
      return;
    }
    if (known === undefined) {
      this.#follow(id, journaled);
      return;
    }
    for (const state of known.states) if (!state.isCounted) state.rises = Math.max(state.rises, journaled.rises);
    if (isSameBet(known.journaled, journaled)) return;
    known.journaled = journaled;
    this.#resolve(known);
  }

  #takeDecision(id: string, { at, seenAt = at, rises, batchId }: TakenDecision): void {
    const { lostUntil, agenda } = this.#shared;
    const opportunity = this.#opportunities.get(id);
    const real = batchId === null ? null : this.#shared.realBatches.get(batchId);
    if (real !== null) for (const run of Object.values(this.#runs)) run.placements.noteReal(real);
    if (lostUntil === null || opportunity?.states.every(({ isCounted }) => isCounted) !== false) return;
    for (const state of opportunity.states) if (!state.isCounted) state.rises = Math.max(state.rises, rises);
    if (seenAt <= lostUntil) return;
    agenda.add(instantFromMs(at + NOTED_LATER_MS), () => this.#catchUp(opportunity, lostUntil));
  }

  /**
   * A decision was really taken since `lostUntil`. Where the present run has not taken it, it was by what is not known here: by books
   * that were not recorded yet, or on a rise that cannot be told from others.
   */
  #catchUp(opportunity: VirtualOpportunity, lostUntil: Instant): void {
    const { states } = opportunity;
    const { now, unknown } = this.#shared;
    // Another hole has come between.
    if (this.#shared.lostUntil !== lostUntil) return;
    if (!states[0].isCounted) unknown.add(lostUntil, now, 'how opportunities stood was not recorded yet');
    for (const state of states) {
      state.aboveTrigger ||= !state.isKnown;
      state.isKnown = true;
      state.isCounted = true;
    }
    this.#due.add(opportunity);
  }

  #follow(id: string, journaled: JournaledOpportunity): void {
    const opportunity = followOpportunity(id, journaled);
    if (this.#isLost()) loseStates(opportunity);
    this.#add(id, opportunity);
  }

  #followFound({ key, opportunity }: { key: string; opportunity: VirtualOpportunity }): void {
    if (this.#opportunities.get(key) === opportunity) this.#due.add(opportunity);
    else this.#add(key, opportunity);
  }

  #add(key: string, opportunity: VirtualOpportunity): void {
    const { id, journaled } = opportunity;
    this.#opportunities.set(key, opportunity);
    this.titles.set(id, journaled.title);
    for (const { marketId } of journaled.positions) setOf(this.#byMarket, marketId).add(opportunity);
    this.#resolve(opportunity);
  }

  /** Discovery follows one outcome of each market. */
  #shadow({ quotes }: VirtualOpportunity): void {
    for (const { tokenId, market } of quotes) {
      const others = market?.outcomes.filter((outcome) => outcome.tokenId !== tokenId) ?? [];
      if (tokenId !== null && others.length === 1) this.books.shadow(tokenId, others[0]?.tokenId ?? tokenId);
    }
  }

  #leave(opportunity: VirtualOpportunity): void {
    this.#opportunities.delete(opportunity.id);
    this.#due.delete(opportunity);
    for (const { marketId } of opportunity.journaled.positions) this.#byMarket.get(marketId)?.delete(opportunity);
    for (const book of opportunity.books) if (book !== null) this.#byBook.get(book)?.delete(opportunity);
  }

  #resolve(opportunity: VirtualOpportunity): void {
    for (const book of opportunity.books) if (book !== null) this.#byBook.get(book)?.delete(opportunity);
    resolveQuotes(opportunity, this.#markets, this.books);
    const { id, quotes, isFoundAnew } = opportunity;
    if (isFoundAnew) this.#shadow(opportunity);
    // One that is found is noted before its markets have been read.
    else if (quotes.every(({ market }) => market !== undefined)) this.titles.set(id, subjectOf(quotes));
    for (const book of opportunity.books) if (book !== null) setOf(this.#byBook, book).add(opportunity);
    this.#due.add(opportunity);
  }

  /** The present run stands as it must have; the proposed one from there on as if the settings had changed now. */
  #begin(opportunity: VirtualOpportunity): void {
    const [present, proposed] = opportunity.states;
    const isTaken = { aboveTrigger: present.aboveTrigger, rises: present.rises };
    present.isKnown = false;
    this.#valueFor(opportunity, 'present');
    if (!present.isKnown) resetTo(present, isTaken);
    resetTo(proposed, present);
    this.#due.add(opportunity);
  }

  #value(opportunity: VirtualOpportunity): void {
    for (const name of ['present', 'proposed'] as const) this.#valueFor(opportunity, name);
  }

  #valueFor(opportunity: VirtualOpportunity, name: keyof Runs): void {
    const run = this.#runs[name];
    if (!this.#isOpen || this.#isLost() || run.inForce === null || !run.isIn(opportunity)) return;
    showNow(opportunity, this.#withMidpoints);
    const { quotes, journaled } = opportunity;
    // As live does: what may only not have come yet, and what is stale, is not valued.
    if (quotes.some(({ market, feed }) => market === undefined || feed === 'stale')) return;
    const value = valueOpportunity(quotes, journaled.targetPrice, run.inForce.pricing);
    const again = run.revalue(opportunity, value, canTrigger(quotes) && this.#isReady());
    if (again !== null) this.#shared.agenda.add(again, () => void this.#due.add(opportunity));
  }
}

function resetTo(state: RunState, { aboveTrigger, rises }: Pick<RunState, 'aboveTrigger' | 'rises'>): void {
  state.isKnown = true;
  state.aboveTrigger = aboveTrigger;
  state.rises = rises;
}

function setOf<Key, Item>(sets: Map<Key, Set<Item>>, key: Key): Set<Item> {
  let found = sets.get(key);
  if (found === undefined) {
    found = new Set();
    sets.set(key, found);
  }
  return found;
}

function isSamePricing(one: Settings, other: Settings): boolean {
  return (
    one.USE_ORDER_BOOK_PRICES === other.USE_ORDER_BOOK_PRICES &&
    one.USE_CUMULATIVE_PRICING === other.USE_CUMULATIVE_PRICING &&
    one.ORDER_BOOK_CUMULATIVE_THRESHOLD_USD === other.ORDER_BOOK_CUMULATIVE_THRESHOLD_USD
  );
}

function isSameBet(one: JournaledOpportunity, other: JournaledOpportunity): boolean {
  const isSamePosition = (place: number) => {
    const [before, after] = [one.positions[place], other.positions[place]];
    return before?.leg === after?.leg && before?.marketId === after?.marketId && before?.outcome === after?.outcome;
  };
  return (
    one.targetPrice === other.targetPrice &&
    one.relationId === other.relationId &&
    one.positions.length === other.positions.length &&
    one.positions.every((_, place) => isSamePosition(place))
  );
}
