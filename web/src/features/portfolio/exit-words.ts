/** The ways out of what is held, in words. */

import type { ExitRoute } from '@dutchbook/contract/portfolio.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { CONVERSION_VERB } from '../chain-steps/chain-words.ts';
import { type HoldingRow, isOurs } from './holding-groups.ts';

export type ExitStep = ExitRoute['steps'][number];

type Routes = { sell: ExitRoute; cash_now: ExitRoute; hold: ExitRoute; best: ExitRoute };

export type WayOut = {
  name: string;
  route: ExitRoute;
  isBest: boolean;
  /** Why this way leads nowhere now. */
  refusal: string | undefined;
};

const VERB: Record<ExitStep['kind'], string> = { ...CONVERSION_VERB, sell: 'Sell', hold: 'Hold' };

export const USABLE: Record<ExitStep['usable'], string> = {
  after_settlement: 'When the sales have settled',
  after_confirmation: 'When the chain has confirmed',
  at_resolution: 'When the event has resolved',
};

export const SELL = 'Sell';
export const CASH_NOW = 'Cash Now';
const HOLD = 'Hold';

/** It is done by the contracts of the venue. */
const isConversion = ({ kind }: ExitStep) => kind !== 'sell' && kind !== 'hold';

/** The three ways side by side, and the best mix behind them, which may be one of them. */
export function waysOf({ sell, cash_now, hold, best }: Routes): WayOut[] {
  const sells = sell.steps.some(({ kind }) => kind === 'sell');
  const converts = cash_now.steps.some(isConversion);
  const ways = [
    { name: SELL, route: sell, refusal: sells ? undefined : 'No bid is known for any of it now.' },
    {
      name: CASH_NOW,
      route: cash_now,
      refusal: converts ? undefined : 'The venue’s contracts convert nothing of it into dollars now.',
    },
    { name: HOLD, route: hold, refusal: undefined },
  ];
  const same = ways.find(({ route, refusal }) => refusal === undefined && isSame(route, best));
  const mix = {
    name: 'Best Mix',
    route: best,
    refusal: same && `No mix brings more than “${same.name}” alone.`,
    isBest: same === undefined,
  };
  return [...ways.map((way) => ({ ...way, isBest: way === same })), mix];
}

const isSame = (one: ExitRoute, other: ExitRoute) => JSON.stringify(one) === JSON.stringify(other);

/** What is left over pays once all has resolved: one sum, or from the least to the most. */
export function laterWords({ held_least_usd: least, held_most_usd: most, steps }: ExitRoute): string {
  if (!steps.some(({ kind }) => kind === 'hold')) return 'Nothing is left';
  return least === most ? formatUsd(least) : `${formatUsd(least)} to ${formatUsd(most)}`;
}

/** One step in full: `rows` give markets their names. */
export function stepWords(
  { kind, market_ids, shares, limit_price, usd }: ExitStep,
  rows: readonly HoldingRow[],
): string {
  const limit = limit_price === null ? '' : ` at ${formatPrice(limit_price)} or better`;
  const brings = kind === 'hold' ? `pays at least ${formatUsd(usd)}` : formatUsd(usd);
  return `${VERB[kind]} ${formatShares(shares)} sh ${placeWords(market_ids, rows)}${limit}: ${brings}`;
}

function placeWords(marketIds: readonly MarketId[], rows: readonly HoldingRow[]): string {
  const [id] = marketIds;
  if (marketIds.length !== 1 || id === undefined) return `in ${formatCount(marketIds.length)} markets`;
  const held = rows.filter((row) => row.market_id === id && isOurs(row));
  const [first] = held;
  if (first === undefined) return `in ${id}`;
  return held.length === 1 ? `of ${first.outcome}, ${first.market_name}` : `of ${first.market_name}`;
}

/** Each once. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
