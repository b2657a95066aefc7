import { sellOrder } from '@dutchbook/contract/selling.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import * as z from 'zod/mini';
import { readSellPrice } from './sell-prices.ts';

/** How much of an order to sell, and at what price or better; what is left empty is left out. */
export type OrderSale = { sell_size?: Shares; sell_price?: Price };

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
  if (shares === undefined) return { error: 'Enter a number of shares greater than 0' };
  return shares > held ? { error: `Only ${formatShares(held)} shares are held` } : { shares };
}
