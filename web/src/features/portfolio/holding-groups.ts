/** How what is held is put in order on the page. */
import type { HeldEvent, Holding, Portfolio } from '@dutchbook/contract/portfolio.ts';
import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import { addUsd, notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { distinctTitles } from '../status/distinct-titles.ts';

export type HoldingRow = Holding & { id: string };

export type HeldGroup = { event: HeldEvent; rows: HoldingRow[] };

/** A row for each token. */
export function rowsOf({ holdings }: Portfolio): HoldingRow[] {
  return holdings.map((holding) => ({ ...holding, id: holding.token_id }));
}

/** What has not resolved: what has pays cash, or nothing more, and is no part of what is still held for its resolution. */
export const openOf = (rows: readonly HoldingRow[]) => rows.filter(({ resolved_value }) => resolved_value === null);

/** `groups`: what is open, by event; `redeemable` has resolved and pays, `lost` has resolved and pays nothing. */
export function groupsOf(rows: readonly HoldingRow[], events: readonly HeldEvent[]) {
  const known = new Map(events.map((event) => [event.event_id, event]));
  const open = Map.groupBy(openOf(rows), ({ event_id }) => event_id);
  const groups = [...open].map(([id, held]): HeldGroup => ({ event: known.get(id) ?? eventOf(id, held), rows: held }));
  const titleOf = distinctTitles(groups.map(({ event: { event_id, title } }) => ({ id: event_id, title })));
  return {
    groups: groups.map(({ event, rows: held }): HeldGroup => {
      return { event: { ...event, title: titleOf(event.event_id) ?? event.title }, rows: held };
    }),
    redeemable: rows.filter(({ resolved_value }) => resolved_value !== null && resolved_value > 0),
    lost: rows.filter(({ resolved_value }) => resolved_value === 0),
  };
}

function eventOf(id: string, [first]: readonly HoldingRow[]): HeldEvent {
  return {
    event_id: id,
    title: first?.market_name ?? id,
    locked_until: first?.locked_until ?? null,
    resolution: first?.resolution ?? null,
    routes: null,
  };
}

export const isOurs = ({ shares }: Holding) => shares > 0;

/** Our fills do not explain all that the venue holds; less than can be ordered counts as nothing. */
export const isExternal = ({ external_shares }: Holding) => external_shares >= LEAST_SIZE;

/** The venue holds less than has settled of ours, but for shares that pay nothing: a venue may clear these away. */
export function isMissing({ shares, settling_shares, venue_shares, resolved_value }: Holding): boolean {
  return resolved_value !== 0 && venue_shares !== null && shares - settling_shares - venue_shares >= LEAST_SIZE;
}

/** What a resolved holding pays once it is redeemed: all of it that lies at the venue. */
export function redeemedUsd({ shares, venue_shares, resolved_value }: Holding): Usd {
  return resolved_value === null ? USD_ZERO : notional(venue_shares ?? shares, resolved_value, 'down');
}

/** `unvalued`: how many of ours have no price, and `unpriced` what those have cost. Null where none of ours has one. */
export function sumsOf(rows: readonly Holding[]) {
  const own = rows.filter(isOurs);
  const without = own.filter(({ value_usd }) => value_usd === null);
  const isKnown = own.length === 0 || without.length < own.length;
  return {
    value: isKnown ? sum(own.map(({ value_usd }) => value_usd)) : null,
    cost: sum(own.map(({ cost_usd }) => cost_usd)),
    unrealised: isKnown ? sum(own.map(({ unrealised_usd }) => unrealised_usd)) : null,
    unvalued: without.length,
    unpriced: sum(without.map(({ cost_usd }) => cost_usd)),
  };
}

/** What all that is free to leave pays once it has resolved. `unplanned`: events of which the venue does not say it. */
export function atResolution(groups: readonly HeldGroup[]) {
  const own = groups.filter(({ rows }) => rows.some(isOurs));
  const holds = own.flatMap(({ event: { routes } }) => (routes === null ? [] : [routes.hold]));
  return {
    least: sum(holds.map(({ held_least_usd }) => held_least_usd)),
    most: sum(holds.map(({ held_most_usd }) => held_most_usd)),
    unplanned: own.length - holds.length,
  };
}

const sum = (amounts: readonly (Usd | null)[]) =>
  amounts.reduce((all: Usd, usd) => addUsd(all, usd ?? USD_ZERO), USD_ZERO);
