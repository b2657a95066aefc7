import type { Batch } from '@dutchbook/contract/batches.ts';
import type { PlannedSale, SellSimulation } from '@dutchbook/contract/selling.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { formatUsd, notional, subtractUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import { waitAskedMs } from '../../calls/api-error.ts';
import type { Simulated } from '../../calls/use-simulation.ts';
import { outcomeOfOrder } from './sale-loss.ts';
import { type OrderSale, WAITS, type Wait } from './sell-order-draft.ts';
import { type SellPrices, samePrices } from './sell-prices.ts';

type Planned = Pick<
  PlannedSale,
  'sell_size' | 'sell_price' | 'average_price' | 'proceeds' | 'fee' | 'original_value' | 'buy_fee'
>;

/**
 * What selling all of one order would bring at the current bids, or why it is not known. `late`: why this is not asked again
 * yet, and until when.
 */
export type OrderOutlook = (
  | { kind: 'planned'; planned: Planned }
  | { kind: 'asking' | 'failed' | 'settling' | 'none' }
) & {
  late?: string;
};

type Shown = Simulated<SellPrices, Pick<SellSimulation, 'orders' | 'settling'>> | undefined;

/** What a simulation says of one order, as long as it is about the current prices. */
export function outlookOf(orderId: string, asked: SellPrices, shown: Shown): OrderOutlook {
  if (shown === undefined || !samePrices(shown.asked, asked)) return { kind: 'asking' };
  if ('error' in shown) return { kind: 'failed', ...lateness(waitAskedMs(shown.error) > 0 ? shown.error : undefined) };
  const late = lateness(shown.late);
  const planned = shown.simulation.orders.find(({ order_id }) => order_id === orderId);
  if (planned !== undefined) return { kind: 'planned', planned, ...late };
  return {
    kind: shown.simulation.settling.some(({ order_id }) => order_id === orderId) ? 'settling' : 'none',
    ...late,
  };
}

const lateness = (late: Error | undefined) => (late === undefined ? {} : { late: late.message });

/**
 * What is sent: where no price was typed, the lowest that is shown. Without it a bid that has gone since would be answered by
 * selling further down than the user has seen. `undefined` while none is shown.
 */
export function saleAsShown(typed: OrderSale, outlook: OrderOutlook): OrderSale | undefined {
  if (typed.sell_price !== undefined) return typed;
  return outlook.kind === 'planned' ? { ...typed, sell_price: outlook.planned.sell_price } : undefined;
}

const UNPLANNED: Readonly<Record<Exclude<OrderOutlook['kind'], 'planned'>, string>> = {
  asking: 'Simulating what this sale would bring.',
  failed: 'The simulation failed, and is tried again. Enter a price to sell without it.',
  settling: 'These shares are still being settled. They can be sold as soon as the venue has credited them.',
  none: 'None of these shares can be sold now.',
};

/** What pressing the button does where the sale waits in the book instead of meeting the bids. */
export function waitingInWords({ sell_size, sell_price }: OrderSale, held: Shares, wait: Wait, bid?: Price): string {
  if (sell_price === undefined) return 'Enter the price that the sale waits for.';
  if (bid !== undefined && bid >= sell_price)
    return `The bids pay ${formatPrice(bid)} on average now: at ${formatPrice(sell_price)} these shares sell at once. Enter a higher price, or do not wait.`;
  const size = sell_size ?? held;
  const until = wait === 'canceled' ? 'until it is canceled' : `for ${wordsOf(wait)} at most`;
  return `${formatShares(size)} shares wait in the book at ${formatPrice(sell_price)}, ${until}: ${formatUsd(notional(size, sell_price, 'down'))} before fees if all are bought. Disarming trading cancels it, and so does the venue where the product is down for ten seconds.`;
}

function wordsOf(wait: Wait): string {
  return WAITS.find(({ value }) => value === wait)?.label.replace('Wait for ', '') ?? '';
}

/** What pressing the button does, or why there is nothing that it could do. The figures are those of all shares. */
export function saleInWords(typed: OrderSale, outlook: OrderOutlook): string {
  if (outlook.late === undefined) return saleOfNow(typed, outlook);
  const again = `${outlook.late} This then simulates again by itself.`;
  return outlook.kind === 'failed' && typed.sell_price === undefined ? again : `${saleOfNow(typed, outlook)} ${again}`;
}

function saleOfNow(typed: OrderSale, outlook: OrderOutlook): string {
  if (outlook.kind !== 'planned') {
    if (typed.sell_price === undefined) return UNPLANNED[outlook.kind];
    return `Sells at ${formatPrice(typed.sell_price)} or better. What finds no bid is kept.`;
  }
  const { sell_size, sell_price, average_price, proceeds, fee } = outlook.planned;
  const [size, price] = [formatShares(sell_size), formatPrice(sell_price)];
  if (typed.sell_size !== undefined) {
    return `Sells at ${price} or better, where the bids take ${size} shares now. What finds no bid is kept.`;
  }
  return `The bids take ${size} shares now, down to ${price} and ${formatPrice(average_price)} on average: ${formatUsd(proceeds)}, less a fee of ${formatUsd(fee)}, ${gainInWords(outlook.planned)}. None is sold for less.`;
}

function gainInWords(planned: Planned): string {
  const { brings, cost } = outcomeOfOrder(planned, undefined);
  const gain = subtractUsd(brings, cost);
  if (gain === USD_ZERO) return 'as much as these shares cost with fees';
  const size = formatUsd(gain > USD_ZERO ? gain : subtractUsd(USD_ZERO, gain));
  return `${size} ${gain > USD_ZERO ? 'more' : 'less'} than these shares cost with fees`;
}

type OfBatch = Pick<Batch, 'expected_orders' | 'unhedged'>;

/** What selling one order of a batch does to its sets; nothing where they are not whole, or have one position. */
export function brokenSetsInWords({ expected_orders, unhedged }: OfBatch): string | undefined {
  if (expected_orders < 2 || unhedged !== null) return undefined;
  const others = expected_orders === 2 ? 'the other position stays' : `the other ${expected_orders - 1} positions stay`;
  return `This breaks whole sets: ${others} held alone, and can lose what was paid. Sell All Orders sells whole sets.`;
}
