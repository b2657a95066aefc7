/** A market as search shows it: of one that cannot be traded, its names alone. */
import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { storedWords } from './words.ts';

type ListedEvent = Omit<MarketEvent, 'marketIds'> & { markets: number };

export type Listing = {
  question: string;
  event: ListedEvent;
  market: Pick<
    Market,
    'outcomes' | 'negRisk' | 'endDate' | 'acceptingOrders' | 'resolution' | 'tick' | 'minOrderSize' | 'feeSchedule'
  > | null;
};

export function listingOf(event: CatalogueEvent, member: EventMember, market: Market | null): Listing {
  const { id, title, exclusive, augmented, members } = event;
  return {
    question: member.question,
    event: { id, title, negRisk: exclusive !== null, augmented, markets: members.length },
    market: market && {
      outcomes: market.outcomes.map(({ outcome, tokenId }) => ({ outcome, tokenId })),
      negRisk: market.negRisk,
      endDate: market.endDate,
      acceptingOrders: market.acceptingOrders && !market.closed,
      resolution: market.resolution,
      tick: market.tick,
      minOrderSize: market.minOrderSize,
      feeSchedule: market.feeSchedule,
    },
  };
}

/** Search words that all markets of an event share: its names, the year in which it ends, and its whole id. */
export function wordsOfEvent({ id, title, slug, series, endDate }: CatalogueEvent): string[] {
  return storedWords([title, slug, series ?? '', ...yearOf(endDate), id]);
}

/** Names of the market and of what may come of it, with the year in which it ends; and ids, whole. */
export function wordsOf({ question, groupTitle, slug, outcomes, marketId, tokenIds, endDate }: EventMember): string[] {
  const names = outcomes.filter((outcome) => !/^(yes|no)$/i.test(outcome));
  return storedWords([question, groupTitle, slug, ...names, ...yearOf(endDate), marketId, ...tokenIds]);
}

function yearOf(end: Instant | null): string[] {
  return end === null ? [] : [String(new Date(end).getUTCFullYear())];
}
