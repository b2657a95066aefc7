import type { HeldSaleExecution, HeldSaleSimulation } from '@dutchbook/contract/selling.ts';
import { addShares, SHARES_ZERO, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { SoldOrder } from '../execution/selling/sale-orders.ts';
import type { PlannedSale } from '../execution/selling/sale-plan.ts';
import { presentOrder } from '../orders/present.ts';
import type { OrderRow } from '../orders/store.ts';

export function presentSaleSimulation({ plan }: PlannedSale): HeldSaleSimulation {
  return {
    simulation: true,
    total_orders: plan.totalOrders,
    sellable_orders: plan.sellableOrders,
    total_original_value: plan.totalOriginalValue,
    estimated_proceeds: plan.estimatedProceeds,
    estimated_fees: plan.estimatedFees,
    estimated_profit: plan.estimatedProfit,
    estimated_profit_percentage: plan.estimatedProfitPct,
    average_original_price: plan.averageOriginalPrice,
    average_sell_price: plan.averageSellPrice,
    orders: plan.orders.map((sale) => ({
      order_id: sale.orderId,
      leg: sale.leg,
      market_id: sale.marketId,
      market_name: sale.marketName,
      token_id: sale.tokenId,
      outcome: sale.outcome,
      sell_size: sale.sellSize,
      sell_price: sale.limitPrice,
      average_price: sale.averagePrice,
      proceeds: sale.proceeds,
      fee: sale.fee,
      original_value: sale.originalValue,
      buy_fee: sale.buyFees,
    })),
    settling: plan.settling.map(({ orderId, shares }) => ({ order_id: orderId, shares })),
    warnings: plan.warnings,
    errors: plan.errors,
  };
}

export function presentUnwindSimulation(planned: PlannedSale) {
  return { ...presentSaleSimulation(planned), unwind_cost_usd: planned.unwindCost };
}

type NameOf = (bought: OrderRow) => string;

/**
 * The state of one sale. An order that sold less than it was to sell has failed; `nameOf` names it in the summary.
 */
export function presentSaleResult(
  sales: readonly SoldOrder[],
  nameOf: NameOf = ({ leg }) => `leg ${leg}`,
): HeldSaleExecution {
  const ended = sales.filter(({ hasEnded }) => hasEnded);
  const successful = ended.filter(({ row, wanted }) => soldOf(row) >= wanted).length;
  const sum = (of: (row: OrderRow) => Usd) =>
    sales.reduce((total, { row }) => (row === null ? total : addUsd(total, of(row))), USD_ZERO);
  return {
    simulation: false,
    total_orders: sales.length,
    successful_sells: successful,
    failed_sells: ended.length - successful,
    total_proceeds: sum(({ filledCost }) => filledCost),
    total_fees: sum(({ fee }) => fee),
    summary: summaryOf(sales, successful, nameOf),
    orders: sales.map(presentSale),
  };
}

function presentSale({ row, bought, wanted, hasEnded }: SoldOrder): HeldSaleExecution['orders'][number] {
  const sold = soldOf(row);
  const fellShort =
    hasEnded && sold < wanted ? `The bids took ${sharesToText(sold)} of ${sharesToText(wanted)} shares.` : null;
  return {
    order_id: bought.id,
    sell_order_id: row?.id ?? null,
    leg: bought.leg,
    market_name: bought.marketName,
    outcome: bought.outcome,
    status: row?.status ?? 'failed',
    sell_size: wanted,
    sold_size: sold,
    average_price: row === null ? null : presentOrder(row).average_price,
    proceeds: row?.filledCost ?? USD_ZERO,
    fee: row?.fee ?? USD_ZERO,
    error: row?.error ?? fellShort,
  };
}

/** "1 of 2 orders sold, 8 of 10 shares of leg 2". */
function summaryOf(sales: readonly SoldOrder[], successful: number, nameOf: NameOf): string {
  const fellShort = sales.filter(({ row, wanted, hasEnded }) => hasEnded && soldOf(row) < wanted);
  const short = [...Map.groupBy(fellShort, ({ bought }) => nameOf(bought))].map(([name, orders]) => {
    const sold = orders.map(({ row }) => soldOf(row)).reduce(addShares, SHARES_ZERO);
    const wanted = orders.map((order) => order.wanted).reduce(addShares, SHARES_ZERO);
    return `${sharesToText(sold)} of ${sharesToText(wanted)} shares of ${name}`;
  });
  const underWay = sales.filter(({ hasEnded }) => !hasEnded).length;
  const rest = underWay === 0 ? [] : [`${underWay} not ended yet`];
  return [`${successful} of ${sales.length} orders sold`, ...short, ...rest].join(', ');
}

function soldOf(row: OrderRow | null): Shares {
  return row?.filledSize ?? SHARES_ZERO;
}
