import { sellOrder } from '@dutchbook/contract/selling.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';
import { sizeProblem } from '../../forms/size-problem.ts';
import { readSellPrice } from './sell-prices.ts';

/** How much of an order to sell, and at what price or better; what is left empty is left out. */
export type OrderSale = { sell_size?: Shares; sell_price?: Price; wait?: boolean; wait_until?: Instant };

/** How long a sale may wait in the book at its price, by what the choice is called; the first is not to wait. */
export const WAITS = [
  { value: '', label: 'Do not wait' },
  { value: '1', label: 'Wait for 1 hour' },
  { value: '24', label: 'Wait for 1 day' },
  { value: '168', label: 'Wait for 7 days' },
  { value: '720', label: 'Wait for 30 days' },
  { value: 'canceled', label: 'Wait until canceled' },
] as const;
export type Wait = (typeof WAITS)[number]['value'];

const HOUR_MS = 3_600_000;
/** The server takes no more than 30 days from when the request gets there. */
const LONGEST_MS = 30 * 24 * HOUR_MS - 60_000;

/** What is asked of a sale that waits from now on. */
export function waitingTerms(wait: Wait, now: number): Pick<OrderSale, 'wait' | 'wait_until'> {
  if (wait === '') return {};
  if (wait === 'canceled') return { wait: true };
  return { wait: true, wait_until: instantFromMs(now + Math.min(Number(wait) * HOUR_MS, LONGEST_MS)) };
}

type Problems = { size?: string; price?: string };

/** What was typed to sell some of the `held` shares of an order, or what is wrong with it. */
export function readOrderSale(
  typed: { size: string; price: string },
  held: Shares,
): { sale: OrderSale } | { problems: Problems } {
  const size = readSize(typed.size.trim(), held);
  const price = readSellPrice(typed.price);
  if ('error' in size || 'error' in price) {
    return {
      problems: {
        ...('error' in size ? { size: size.error } : {}),
        ...('error' in price ? { price: price.error } : {}),
      },
    };
  }
  return {
    sale: {
      ...(size.shares === undefined ? {} : { sell_size: size.shares }),
      ...(price.price === undefined ? {} : { sell_price: price.price }),
    },
  };
}

function readSize(text: string, held: Shares): { shares: Shares | undefined } | { error: string } {
  if (text === '') return { shares: undefined };
  const read = z.safeDecode(sellOrder.query, { sell_size: text });
  const shares = read.success ? read.data.sell_size : undefined;
  if (shares === undefined) return { error: sizeProblem(text) };
  return shares > held ? { error: `Only ${formatShares(held)} shares are held` } : { shares };
}
