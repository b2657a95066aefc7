import type { SellExecution, SellSimulation, UnwindSimulation } from '@dutchbook/contract/selling.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { presentOrder } from '../orders/present.ts';
import type { SaleOrder } from '../trading/selling/sale-orders.ts';
import type { PlannedWish } from '../trading/selling/sale-plan.ts';

export function presentSaleSimulation(batchId: string, { plan }: PlannedWish): SellSimulation {
  return {
    simulation: true,
    batch_id: batchId,
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
    })),
    warnings: plan.warnings,
    errors: plan.errors,
  };
}

export function presentUnwindSimulation(batchId: string, planned: PlannedWish): UnwindSimulation {
  return { ...presentSaleSimulation(batchId, planned), unwind_cost_usd: planned.unwindCost };
}

/** What became of the orders of one sale so far. An order that sold anything was successful. */
export function presentSaleResult(batchId: string, sales: readonly SaleOrder[]): SellExecution {
  const ended = sales.filter(({ hasEnded }) => hasEnded);
  const successful = ended.filter(({ row }) => row.filledSize > 0).length;
  const sum = (of: (sale: SaleOrder) => Usd) => sales.reduce((total, sale) => addUsd(total, of(sale)), USD_ZERO);
  return {
    simulation: false,
    batch_id: batchId,
    total_orders: sales.length,
    successful_sells: successful,
    failed_sells: ended.length - successful,
    total_proceeds: sum(({ row }) => row.filledCost),
    total_fees: sum(({ row }) => row.fee),
    summary: summaryOf(sales.length, successful, sales.length - ended.length),
    orders: sales.map(presentSale),
  };
}

function presentSale({ row, hasEnded }: SaleOrder): SellExecution['orders'][number] {
  const shown = presentOrder(row);
  const fellShort = row.filledSize < row.size ? 'The bids took no more at this price.' : null;
  return {
    order_id: row.sellsOrderId ?? row.id,
    sell_order_id: row.id,
    leg: row.leg,
    market_name: row.marketName,
    outcome: row.outcome,
    status: row.status,
    sell_size: row.size,
    sold_size: row.filledSize,
    average_price: shown.average_price,
    proceeds: row.filledCost,
    fee: row.fee,
    error: row.error ?? (hasEnded ? fellShort : null),
  };
}

function summaryOf(total: number, successful: number, underWay: number): string {
  const sold = `${successful} of ${total} orders sold`;
  return underWay === 0 ? sold : `${sold}, ${underWay} not ended yet`;
}
