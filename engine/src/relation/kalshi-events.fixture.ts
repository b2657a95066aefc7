/** Recorded events of another venue, which says what markets have in common in fields of its own. */
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { memberOf } from './catalogue-event.fixture.ts';
import type { CatalogueEvent, EventMember, Strike } from './catalogue-event.ts';

export type RecordedMarket = {
  ticker: string;
  title: string;
  rules_primary: string;
  strike_type: string;
  floor_strike?: number;
  cap_strike?: number;
  status: string;
  close_time: string;
  yes_bid_dollars: string;
  yes_ask_dollars: string;
  no_bid_dollars: string;
};
export type RecordedEvent = {
  event_ticker: string;
  series_ticker: string;
  title: string;
  mutually_exclusive: boolean;
  collateral_return_type: string;
  markets: readonly RecordedMarket[];
};

export function catalogueEventOf(event: RecordedEvent): CatalogueEvent {
  return {
    id: event.event_ticker,
    slug: '',
    title: event.title,
    series: event.series_ticker,
    endDate: null,
    closed: false,
    exclusive: event.mutually_exclusive ? 'declared' : null,
    augmented: false,
    nested: event.collateral_return_type === 'DIRECNET' ? 'declared' : null,
    isWhole: true,
    members: event.markets.map(eventMemberOf),
  };
}

function eventMemberOf(market: RecordedMarket): EventMember {
  return memberOf(market.title, {
    marketId: market.ticker,
    rules: market.rules_primary,
    endDate: instantFromIso(market.close_time),
    strike: strikeOf(market),
    closed: market.status !== 'active',
  });
}

/** Only the type says which way a number is meant: the ticker's grammar is the same for both. */
export function strikeOf(market: Pick<RecordedMarket, 'strike_type' | 'floor_strike' | 'cap_strike'>): Strike | null {
  const { strike_type: type, floor_strike: floor = Number.NaN, cap_strike: cap = Number.NaN } = market;
  switch (type) {
    case 'greater':
    case 'greater_or_equal':
      return { kind: 'above', floor, hasFloor: type === 'greater_or_equal' };
    case 'less':
    case 'less_or_equal':
      return { kind: 'below', cap, hasCap: type === 'less_or_equal' };
    case 'between':
      return { kind: 'between', floor, cap, hasFloor: true, hasCap: true };
    default:
      return null;
  }
}
