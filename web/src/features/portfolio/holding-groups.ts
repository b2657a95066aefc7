/** How what is held is put in order on the page. */
import type { HeldEvent, Holding, Portfolio } from '@dutchbook/contract/portfolio.ts';
import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { distinctTitles } from '../status/distinct-titles.ts';

export type HoldingRow = Holding & { id: string };

/**
 * `lostCost`: what legs of the event have cost that have lost, of sets whose other legs are still held. `unrealised`: its part of what
 * is won or lost so far; null where that is not known of it alone.
 */
export type HeldGroup = {
  event: HeldEvent;
  rows: HoldingRow[];
  lostCost: Usd;
  unrealised: Unrealised | null;
  /** Nothing of it is held any more: its line keeps the place that it had. */
  isGone?: true;
};

/** A row for each token. */
export function rowsOf({ holdings }: Portfolio): HoldingRow[] {
  return holdings.map((holding) => ({ ...holding, id: holding.token_id }));
}

/** What has not resolved: what has pays cash, or nothing more, and is no part of what is still held for its resolution. */
export const openOf = <Row extends Holding>(rows: readonly Row[]) =>
  rows.filter(({ resolved_value }) => resolved_value === null);

/** What the legs have cost that have lost, of sets whose other legs are still held: it is part of the cost of what these pay. */
export function lostCostOf(rows: readonly Holding[], eventId?: string): Usd {
  const held = new Set(openOf(rows).flatMap(({ batch_ids }) => batch_ids));
  const lost = rows.filter(
    ({ resolved_value, event_id, batch_ids }) =>
      resolved_value === 0 && (eventId === undefined || event_id === eventId) && batch_ids.some((id) => held.has(id)),
  );
  return costInSets(lost);
}

/** Of what they have cost, that of the shares that whole sets need. */
export function costInSets(rows: readonly Holding[]): Usd {
  return sum(
    rows.map(({ cost_usd, set_shares, shares }) =>
      shares === 0 ? USD_ZERO : (Math.trunc((cost_usd * set_shares) / shares) as Usd),
    ),
  );
}

/** `groups`: what is open, by event; `redeemable` has resolved and pays, `lost` has resolved and pays nothing. */
export function groupsOf(rows: readonly HoldingRow[], events: readonly HeldEvent[]) {
  const known = new Map(events.map((event) => [event.event_id, event]));
  const open = Map.groupBy(openOf(rows), ({ event_id }) => event_id);
  const all = Map.groupBy(rows, ({ event_id }) => event_id);
  const groups = [...open].map(([id, held]): HeldGroup => {
    const event = known.get(id) ?? eventOf(id, held);
    const { locked_usd, loose_usd } = event;
    const unrealised = locked_usd === null ? null : unrealisedOf({ locked_usd, loose_usd }, all.get(id) ?? []);
    return { event, rows: held, lostCost: lostCostOf(rows, id), unrealised };
  });
  const titleOf = distinctTitles(groups.map(({ event: { event_id, title } }) => ({ id: event_id, title })));
  return {
    groups: groups.map((group): HeldGroup => {
      const { event } = group;
      return { ...group, event: { ...event, title: titleOf(event.event_id) ?? event.title } };
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
    pays_least_usd: null,
    pays_most_usd: null,
    locked_usd: null,
    loose_usd: USD_ZERO,
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

/**
 * `unvalued`: how many of ours have no price, and `unpriced` what those have cost. `saleFees`: of selling those that have one, null where
 * a fee is not known. Null where none of ours has a price.
 */
export function sumsOf(rows: readonly Holding[]) {
  const own = rows.filter(isOurs);
  const without = own.filter(({ value_usd }) => value_usd === null);
  const isKnown = own.length === 0 || without.length < own.length;
  return {
    value: isKnown ? sum(own.map(({ value_usd }) => value_usd)) : null,
    cost: sum(own.map(({ cost_usd }) => cost_usd)),
    saleFees: own.every(({ value_usd, sale_fee_usd }) => value_usd === null || sale_fee_usd !== null)
      ? sum(own.map(({ sale_fee_usd }) => sale_fee_usd))
      : null,
    unrealised: isKnown ? sum(own.map(({ unrealised_usd }) => unrealised_usd)) : null,
    unvalued: without.length,
    unpriced: sum(without.map(({ cost_usd }) => cost_usd)),
  };
}

/** What all that is ours pays once it has resolved. `unknown`: events of which the venue does not say it. */
export function atResolution(groups: readonly HeldGroup[]) {
  const own = groups.filter(({ rows }) => rows.some(isOurs));
  return {
    least: sum(own.map(({ event }) => event.pays_least_usd)),
    most: sum(own.map(({ event }) => event.pays_most_usd)),
    unknown: own.filter(({ event }) => event.pays_least_usd === null).length,
  };
}

/** How what is held stands: a set that is whole or being bought is no loss because its shares alone would be sold below their cost. */
export type Standing =
  | { kind: 'buying' | 'in_sets' | 'unpriced' }
  | { kind: 'pays' | 'worth' | 'at_bid'; usd: Usd; gain: Usd };

/** Standing of an event: whole sets at their payout, other shares at the bid. */
export function standingOfGroup({ rows, unrealised }: Pick<HeldGroup, 'rows' | 'unrealised'>): Standing {
  const own = rows.filter(isOurs);
  const isBuying = own.some(({ buying_shares }) => buying_shares > 0);
  if (unrealised === null || (isBuying && unrealised.gain === 0)) return standingOf(own);
  const { gain, cost } = unrealised;
  const isWhole = own.every((row) => looseOf(row) < LEAST_SIZE);
  const hasSets = own.some(({ set_shares }) => set_shares > 0);
  return { kind: isWhole ? 'pays' : hasSets ? 'worth' : 'at_bid', usd: addUsd(cost, gain), gain };
}

/** Standing of shares alone, without whole sets. */
export function standingOf(rows: readonly Holding[]): Standing {
  const own = rows.filter(isOurs);
  const { value } = sumsOf(own);
  if (own.some(({ buying_shares }) => buying_shares > 0)) return { kind: 'buying' };
  if (own.length > 0 && own.every((row) => looseOf(row) < LEAST_SIZE)) return { kind: 'in_sets' };
  if (value === null) return { kind: 'unpriced' };
  return { kind: 'at_bid', usd: value, gain: sum(own.map((row) => ofLoose(row, row.unrealised_usd))) };
}

const looseOf = ({ shares, set_shares }: Holding) => shares - set_shares;

/** The part of a row's dollars that belongs to shares no whole set needs. */
function ofLoose(row: Holding, usd: Usd | null): Usd {
  return usd === null ? USD_ZERO : (Math.trunc((usd * looseOf(row)) / row.shares) as Usd);
}

export type Unrealised = { gain: Usd; cost: Usd };

/**
 * What is won or lost so far of what is open, and of which cost: whole sets at what they pay, other shares at the bid. Shares without a
 * price are left out; null where nothing else is held.
 */
export function unrealisedOf(
  { locked_usd, loose_usd }: Pick<Portfolio, 'locked_usd' | 'loose_usd'>,
  rows: readonly Holding[],
): Unrealised | null {
  const open = openOf(rows).filter(isOurs);
  const unpriced = sum(
    open
      .filter(({ value_usd, buying_shares }) => value_usd === null && buying_shares === 0)
      .map((row) => ofLoose(row, row.cost_usd)),
  );
  const cost = subtractUsd(addUsd(sum(open.map(({ cost_usd }) => cost_usd)), lostCostOf(rows)), unpriced);
  if (cost === 0 && unpriced > 0) return null;
  const sets = payingIn({ locked_usd }, rows);
  return { gain: subtractUsd(addUsd(sets, loose_usd), cost), cost };
}

/** Payout of whole sets that has not resolved yet. */
export function payingIn({ locked_usd }: Pick<Portfolio, 'locked_usd'>, rows: readonly Holding[]): Usd {
  const resolved = rows.filter((row) => isOurs(row) && row.resolved_value !== null);
  return Math.max(0, subtractUsd(locked_usd, sum(resolved.map(({ value_usd }) => value_usd)))) as Usd;
}

const sum = (amounts: readonly (Usd | null)[]) =>
  amounts.reduce((all: Usd, usd) => addUsd(all, usd ?? USD_ZERO), USD_ZERO);
