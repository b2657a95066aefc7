/** The desk of a rehearsal: books and journal as they were, instant by instant, and what either run makes of them. */

import type { DiscoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { HeldBook } from '@dutchbook/engine/desk/priced-levels.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { nameOfQuotes } from '@dutchbook/engine/opportunity/name.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { JournalRow, JournalState } from '../../market/decision-journal/read.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf, type VirtualBook, VirtualBooks } from './virtual-books.ts';
import { FoundAnew } from './virtual-found.ts';
import {
  changeBet,
  followOpportunity,
  isSameBet,
  loseStates,
  quotesNow,
  resolveQuotes,
  type TakenDecision,
  type VirtualOpportunity,
} from './virtual-opportunity.ts';
import type { RunSurroundings, VirtualRun } from './virtual-run.ts';

/** So long after books have been seen at most they are recorded. */
const NOTED_LATER_MS = 250;

type Span = { from: Instant; until: Instant };

type Runs = { present: VirtualRun; proposed: VirtualRun };

const RUNS = ['present', 'proposed'] as const;

/**
 * `settingsOf`: those that the runs decide by while these are in force. `discoveryOf`: the same of discovery, whose finds are then
 * found anew by either; null where what was really found stands.
 */
type DeskPlan = {
  shared: SharedState;
  openRuns: (surroundings: RunSurroundings) => Runs;
  settingsOf: (settings: Settings) => Record<keyof Runs, Settings>;
  discoveryOf: ((form: DiscoverySettingsForm) => Record<keyof Runs, DiscoverySettingsForm>) | null;
};

export class VirtualDesk {
  readonly books = new VirtualBooks((book) => void this.#changed.add(book));
  readonly titles = new Map<string, string>();
  readonly #shared: SharedState;
  readonly runs: Runs;
  readonly #settingsOf: DeskPlan['settingsOf'];
  readonly #opportunities = new Map<string, VirtualOpportunity>();
  readonly #markets = new Map<MarketId, Market>();
  readonly #byMarket = new Map<string, Set<VirtualOpportunity>>();
  /** Since the last instant was over. */
  readonly #changed = new Set<VirtualBook>();
  readonly #due = new Set<VirtualOpportunity>();
  readonly #discoveryOf: DeskPlan['discoveryOf'];
  readonly #found: FoundAnew | null;
  readonly #marketOfToken = new Map<string, string>();
  #areAllDue = false;
  /** When the account was noted; null while it stands as where the span begins. */
  #accountAt: Instant | null = null;
  #withMidpoints = false;
  #isOpen = false;

  constructor({ shared, openRuns, settingsOf, discoveryOf }: DeskPlan) {
    this.#shared = shared;
    this.runs = openRuns({
      quotes: {
        hasAnswered: (positions) => positions.every(({ marketId }) => this.#markets.has(marketId)),
        book: (tokenId) => heldBook(this.books.of(tokenId)),
        marketIdOf: (tokenId) => this.#marketOfToken.get(tokenId),
      },
      quotesOf: (opportunity) => quotesNow(opportunity, this.#withMidpoints),
      isReady: () => this.#isReady(),
      mayDecide: () => this.#mayValue(),
      valueLater: (opportunity) => void this.#due.add(opportunity),
    });
    this.#settingsOf = settingsOf;
    this.#discoveryOf = discoveryOf;
    this.#found =
      discoveryOf &&
      new FoundAnew(this.books, shared, {
        onFound: (place, opportunity) => this.#followFound(place, opportunity),
        onGone: (place, opportunity) => this.#runAt(place).leave(opportunity),
      });
  }

  /**
   * What stands where the span begins, by the books that were applied before. Nothing of it triggers by the present settings.
   * `lost`: spans whose journal rows were dropped, that end later.
   */
  open(state: JournalState, lost: readonly Span[]): void {
    const { now, agenda, lostUntil } = this.#shared;
    // What was lost and noted anew before is as it stands.
    this.#shared.lostUntil = null;
    for (const [id, market] of state.market) this.#knowMarket(id, market);
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
    for (const [id, journaled] of state.relation) this.#found?.discovery.take(id, journaled);
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

  /** Applies a record; decisions see it after `endInstant`, with all others of its instant. */
  apply(record: Exclude<Recorded, { kind: 'gap' }>): void {
    this.books.apply(record);
  }

  endInstant(): void {
    const tokenIds: TokenId[] = [];
    for (const book of this.#changed) {
      for (const name of RUNS) this.runs[name].placements.fills.noteChange(book);
      tokenIds.push(book.tokenId);
    }
    if (this.#isOpen) this.#found?.discovery.takeBooks(tokenIds);
    this.#changed.clear();
    if (this.#mayValue() && tokenIds.length > 0) for (const name of RUNS) this.runs[name].takeBooks(tokenIds);
    this.valueDue();
    this.#shared.agenda.runUntil(this.#shared.now);
  }

  /** Nothing is known in the span, and of a book behind it nothing until that is recorded anew. */
  lose({ from, until }: Span, reason: string): void {
    this.#shared.unknown.add(from, until, reason);
    for (const run of Object.values(this.runs)) run.placements.fills.endAll();
    this.books.forget();
    this.#changed.clear();
    this.#loseStates(until);
    for (const opportunity of this.#opportunities.values()) if (opportunity.isFoundAnew) this.#shadow(opportunity);
  }

  /** Marks the journal as unknown in the span; after it the journal has every standing state again. */
  #loseJournal({ from, until }: Span): void {
    this.#shared.unknown.add(from, until, 'the database did not take what decisions look at');
    this.#loseStates(until);
  }

  #loseStates(until: Instant): void {
    this.#shared.lostUntil = instantFromMs(Math.max(until, this.#shared.lostUntil ?? until));
    for (const opportunity of this.#opportunities.values()) {
      loseStates(opportunity);
      this.#reassign(opportunity);
    }
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
        this.#accountAt = row.at;
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
    const due = [...this.#due];
    const areAllDue = this.#areAllDue;
    this.#due.clear();
    this.#areAllDue = false;
    if (!this.#mayValue()) return;
    for (const name of RUNS) {
      if (areAllDue) this.runs[name].valueAll();
      else for (const opportunity of due) this.runs[name].value(opportunity);
    }
  }

  /** Whether anything is decided now. */
  #mayValue(): boolean {
    return this.#isOpen && !this.#isLost();
  }

  /** The account is noted up to seconds late: what was decided since shows that trading was ready by then. */
  #isReady(): boolean {
    const { assumePlacing, account, decisions, now } = this.#shared;
    return assumePlacing || account?.readiness.reconciled !== false || decisions.showReady(this.#accountAt ?? 0, now);
  }

  #isLost(): boolean {
    const { now, lostUntil } = this.#shared;
    return lostUntil !== null && now < lostUntil;
  }

  #allAreDue(): void {
    this.#areAllDue = true;
  }

  #runAt(place: 0 | 1): VirtualRun {
    return this.runs[RUNS[place]];
  }

  #reassign(opportunity: VirtualOpportunity): void {
    for (const name of RUNS) this.runs[name].reassign(opportunity);
  }

  #takeSettings(settings: Settings): void {
    const { present, proposed } = this.runs;
    const chosen = this.#settingsOf(settings);
    this.#shared.settings = settings;
    present.takeSettings(chosen.present);
    proposed.takeSettings(chosen.proposed);
    this.#withMidpoints = RUNS.some((name) => !chosen[name].USE_ORDER_BOOK_PRICES);
    this.#allAreDue();
  }

  #takeDiscovery(form: DiscoverySettingsForm): void {
    const forms = this.#discoveryOf?.(form);
    if (forms !== undefined) this.#found?.discovery.takeForms(forms.present, forms.proposed);
  }

  #takeMarket(id: string, market: Market | null): void {
    if (market === null) this.#markets.delete(id);
    else this.#knowMarket(id, market);
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
    for (const item of known.items) if (!item.isCounted) item.risen = Math.max(item.risen, journaled.rises);
    if (isSameBet(known.journaled, journaled)) return;
    this.#leave(known);
    changeBet(known, journaled);
    this.#add(known);
  }

  #takeDecision(id: string, { at, seenAt = at, rises, batchId }: TakenDecision): void {
    const { lostUntil, agenda } = this.#shared;
    const opportunity = this.#opportunities.get(id);
    const real = batchId === null ? null : this.#shared.realBatches.get(batchId);
    if (real !== null) for (const run of Object.values(this.runs)) run.placements.noteReal(real);
    if (lostUntil === null || opportunity?.items.every(({ isCounted }) => isCounted) !== false) return;
    for (const item of opportunity.items) if (!item.isCounted) item.risen = Math.max(item.risen, rises);
    if (seenAt <= lostUntil) return;
    agenda.add(instantFromMs(at + NOTED_LATER_MS), () => this.#catchUp(opportunity, lostUntil));
  }

  /**
   * A decision was really taken since `lostUntil`. Where the present run has not taken it, it was by what is not known here: by books
   * that were not recorded yet, or on a rise that cannot be told from others.
   */
  #catchUp(opportunity: VirtualOpportunity, lostUntil: Instant): void {
    const { items } = opportunity;
    const { now, unknown } = this.#shared;
    // Another hole has come between.
    if (this.#shared.lostUntil !== lostUntil) return;
    if (!items[0].isCounted) unknown.add(lostUntil, now, 'how opportunities stood was not recorded yet');
    for (const item of items) {
      item.aboveTrigger ||= !item.isKnown;
      item.isKnown = true;
      item.isCounted = true;
    }
    this.#reassign(opportunity);
    this.#due.add(opportunity);
  }

  #follow(id: string, journaled: JournaledOpportunity): void {
    const opportunity = followOpportunity(id, id, journaled);
    if (this.#isLost()) loseStates(opportunity);
    this.#add(opportunity);
  }

  #followFound(place: 0 | 1, opportunity: VirtualOpportunity): void {
    if (this.#opportunities.get(opportunity.key) === opportunity) {
      this.#runAt(place).follow(opportunity);
      this.#due.add(opportunity);
    } else this.#add(opportunity);
  }

  #add(opportunity: VirtualOpportunity): void {
    const { key, id, journaled } = opportunity;
    this.#opportunities.set(key, opportunity);
    this.titles.set(id, journaled.title);
    for (const { marketId } of journaled.positions) setOf(this.#byMarket, marketId).add(opportunity);
    this.#resolve(opportunity);
    for (const name of RUNS) this.runs[name].follow(opportunity);
  }

  /** Discovery follows one outcome of each market. */
  #shadow({ quotes }: VirtualOpportunity): void {
    for (const { tokenId, market } of quotes) {
      const others = market?.outcomes.filter((outcome) => outcome.tokenId !== tokenId) ?? [];
      if (tokenId !== null && others.length === 1) this.books.shadow(tokenId, others[0]?.tokenId ?? tokenId);
    }
  }

  #leave(opportunity: VirtualOpportunity): void {
    this.#opportunities.delete(opportunity.key);
    this.#due.delete(opportunity);
    for (const { marketId } of opportunity.journaled.positions) this.#byMarket.get(marketId)?.delete(opportunity);
    for (const name of RUNS) this.runs[name].leave(opportunity);
  }

  #knowMarket(id: string, market: Market): void {
    this.#markets.set(id, market);
    for (const { tokenId } of market.outcomes) this.#marketOfToken.set(tokenId, id);
  }

  #resolve(opportunity: VirtualOpportunity): void {
    resolveQuotes(opportunity, this.#markets, this.books);
    const { id, quotes, isFoundAnew } = opportunity;
    if (isFoundAnew) this.#shadow(opportunity);
    // One that is found is noted before its markets have been read.
    else if (quotes.every(({ market }) => market !== undefined)) this.titles.set(id, nameOfQuotes(quotes));
    this.#due.add(opportunity);
  }

  /** The present run stands as it must have; the proposed one from there on as if the settings had changed now. */
  #begin(opportunity: VirtualOpportunity): void {
    const [present, proposed] = opportunity.items;
    if (opportunity.isIn[0]) this.runs.present.beginWith(present);
    proposed.aboveTrigger = present.aboveTrigger;
    proposed.risen = present.risen;
    this.#due.add(opportunity);
  }
}

function heldBook(held: VirtualBook): HeldBook | undefined {
  const book = bookOf(held);
  return book === undefined || held.trust === 'none' ? undefined : { book, feed: held.trust };
}

function setOf<Key, Item>(sets: Map<Key, Set<Item>>, key: Key): Set<Item> {
  let found = sets.get(key);
  if (found === undefined) {
    found = new Set();
    sets.set(key, found);
  }
  return found;
}
