import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import type { PlannedSale, SellExecution } from '@dutchbook/contract/selling.ts';
import { addUsd, notional, USD_ZERO } from '@dutchbook/units/usd.ts';
import { submittedWords } from '../../chain-steps/chain-words.ts';

/** What became of the orders on Cash Now: what is planned, or why nothing is. */
export type CashNowResult = { submissions: readonly ChainSubmission[] } | { error: string };

/** What came of a batch some of whose orders were sold and others converted into dollars. */
export type ExitExecution = SellExecution & { cashNow?: CashNowResult };

export type OrderSale = { planned: PlannedSale; result: Order | { error: string } };

const NOT_SOLD: readonly Order['status'][] = ['canceled', 'rejected', 'failed'];

/** One answer of those that were given order by order, with what both ways came to in one summary. */
export function exitResult(
  batchId: string,
  sales: readonly OrderSale[],
  cashNow: CashNowResult | undefined,
): ExitExecution {
  const orders = sales.map(rowOf);
  const whole = orders.filter(({ sold_size, sell_size }) => sold_size >= sell_size).length;
  const failed = orders.filter(
    ({ sold_size, sell_size, status }) => sold_size < sell_size && NOT_SOLD.includes(status),
  ).length;
  return {
    simulation: false,
    batch_id: batchId,
    total_orders: orders.length,
    successful_sells: whole,
    failed_sells: failed,
    total_proceeds: orders.reduce((sum, { proceeds }) => addUsd(sum, proceeds), USD_ZERO),
    total_fees: orders.reduce((sum, { fee }) => addUsd(sum, fee), USD_ZERO),
    summary: [soldWords(whole, orders.length, failed), cashNow && cashNowWords(cashNow)].filter(Boolean).join(' '),
    orders,
    ...(cashNow && { cashNow }),
  };
}

/** Something that was asked for did not happen. */
export function hasFailed({ failed_sells, cashNow }: ExitExecution): boolean {
  return failed_sells > 0 || (cashNow !== undefined && 'error' in cashNow);
}

function rowOf({ planned, result }: OrderSale): SellExecution['orders'][number] {
  const { order_id, leg, market_name, outcome, sell_size } = planned;
  const named = { order_id, leg, market_name, outcome };
  if (!('id' in result))
    return {
      ...named,
      ...{ sell_order_id: null, status: 'failed', sell_size, sold_size: 0 as typeof sell_size },
      ...{ average_price: null, proceeds: USD_ZERO, fee: USD_ZERO, error: result.error },
    };
  const { id, status, size, filled_size, average_price, fee, error } = result;
  const proceeds = average_price === null ? USD_ZERO : notional(filled_size, average_price, 'down');
  return {
    ...named,
    ...{ sell_order_id: id, status, sell_size: size, sold_size: filled_size, average_price, proceeds, fee, error },
  };
}

function soldWords(whole: number, all: number, failed: number): string | undefined {
  if (all === 0) return undefined;
  const open = all - whole - failed;
  return `${whole} of ${all} orders sold${open > 0 ? `, ${open} on their way` : ''}.`;
}

function cashNowWords(cashNow: CashNowResult): string {
  return 'error' in cashNow ? `Cash Now failed: ${cashNow.error}` : submittedWords(cashNow.submissions);
}
