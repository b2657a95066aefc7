/** An opportunity on the virtual clock: its quotes by the books of the moment, and how it stands in either run. */

import { midpointOf } from '@dutchbook/engine/desk/quote.ts';
import { type OpportunityRow, type Tracked, trackedOf } from '@dutchbook/engine/desk/tracked.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { type Position, resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { JournaledDecision, JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { bookOf, type VirtualBook, type VirtualBooks } from './virtual-books.ts';

/** A decision that was really taken, and when. */
export type TakenDecision = JournaledDecision & { at: Instant };

/** A rise that is not decided yet: the how many-th it is, and what was really decided on it; null where it did not really happen. */
export type RiseMark = { rises: number; at: Instant; decision: TakenDecision | null };

/**
 * How it stands in one of the runs. `isKnown`: whether it stands above its trigger is known, as it is not behind a hole in what was
 * recorded. `risen`: how many rises there were, decided or not; behind a hole it is the least, until `isCounted`. `marks`: of its rises,
 * in their order.
 */
export type RunItem = Omit<Tracked<OpportunityRow>, 'positions'> & {
  positions: readonly Position[];
  readonly opportunity: VirtualOpportunity;
  isKnown: boolean;
  risen: number;
  isCounted: boolean;
  marks: RiseMark[];
};

export type VirtualOpportunity = {
  /** Unique, also where another opportunity was found of the same relation. */
  readonly key: string;
  readonly id: string;
  journaled: JournaledOpportunity;
  /** As its markets say; their books are those of when they were shown last. */
  quotes: LiveQuote[];
  /** In the order of the quotes; null where the token is not known. */
  books: (VirtualBook | null)[];
  /** Items by present and by proposed settings. */
  readonly items: readonly [RunItem, RunItem];
  /** The last rise by the present settings, and what was really decided on it. */
  lastRise: { at: Instant; decision: TakenDecision | null } | null;
  /** Whether the runs follow it. */
  readonly isIn: [boolean, boolean];
  readonly isFoundAnew: boolean;
};

export function followOpportunity(
  key: string,
  id: string,
  journaled: JournaledOpportunity,
  isFoundAnew = false,
): VirtualOpportunity {
  const items: RunItem[] = [];
  const opportunity: VirtualOpportunity = {
    ...{ key, id, journaled, quotes: [], books: [], lastRise: null, isFoundAnew },
    items: items as unknown as [RunItem, RunItem],
    isIn: [!isFoundAnew, !isFoundAnew],
  };
  items.push(itemOf(opportunity), itemOf(opportunity));
  return opportunity;
}

function itemOf(opportunity: VirtualOpportunity): RunItem {
  const { key, journaled } = opportunity;
  const { targetPrice, aboveTrigger, rises, positions } = journaled;
  const row: OpportunityRow = {
    ...{ id: key, active: true, targetPrice, triggered: aboveTrigger, rises, refusal: null },
    ...{ currentPrice: null, feesPerSet: null, profitPercentage: null, annualisedReturn: null, lastChecked: null },
    ...{ lastError: null, profitUsd: null, maxProfitableSize: null, paysAt: null, about: null },
    ...{ errorCount: 0, augmentedEvent: false, resolution: null },
  };
  return { ...trackedOf(row, positions), opportunity, isKnown: true, risen: rises, isCounted: true, marks: [] };
}

/** It is another bet from now on, and stands to its trigger as before. */
export function changeBet(opportunity: VirtualOpportunity, journaled: JournaledOpportunity): void {
  opportunity.journaled = journaled;
  for (const item of opportunity.items) {
    item.positions = journaled.positions;
    item.row = { ...item.row, targetPrice: journaled.targetPrice };
  }
}

/** What has become of it meanwhile is not known. */
export function loseStates({ items }: VirtualOpportunity): void {
  for (const item of items) {
    item.isKnown = false;
    item.isCounted = false;
  }
}

/** Looks its tokens up anew: it, or what is known of its markets, has changed. */
export function resolveQuotes(
  opportunity: VirtualOpportunity,
  markets: ReadonlyMap<MarketId, Market>,
  books: VirtualBooks,
): void {
  opportunity.quotes = opportunity.journaled.positions.map((position) => {
    const market = markets.get(position.marketId);
    const found = market && resolvePosition(position, market);
    const tokenId = found?.kind === 'resolved' ? found.tokenId : null;
    const nothing = { whyLeftOut: null, book: undefined, midpoint: null, lastTrade: null, bookAgeMs: null };
    return { ...position, tokenId, market, ...nothing, feed: 'none' };
  });
  opportunity.books = opportunity.quotes.map(({ tokenId }) => (tokenId === null ? null : books.of(tokenId)));
}

/** Priced by the current books; last trades are not recorded. */
export function quotesNow({ quotes, books }: VirtualOpportunity, withMidpoints: boolean): LiveQuote[] {
  return quotes.map((quote, place) => {
    const held = books[place];
    if (held === undefined || held === null) return quote;
    const book = bookOf(held);
    return {
      ...quote,
      book,
      feed: book === undefined ? 'none' : held.trust,
      bookAgeMs: book === undefined ? null : 0,
      midpoint: withMidpoints ? midpointOf(book) : null,
    };
  });
}

export function isSameBet(one: JournaledOpportunity, other: JournaledOpportunity): boolean {
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
