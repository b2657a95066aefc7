import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { batchOrdersQuery } from '../batches/batch-queries.ts';
import { PricedPlan } from './priced-plan.tsx';
import { sellAllRows } from './sale-rows.ts';

type SellAllPlanProps = Omit<ComponentProps<typeof PricedPlan>, 'rows'> & {
  batchId: string;
  /** Whether an order is sold at all. */
  isSold: (orderId: string) => boolean;
};

/** What selling everything that a batch holds would bring. */
export function SellAllPlan({ batchId, isSold, ...plan }: SellAllPlanProps) {
  const { data: orders } = useQuery(batchOrdersQuery(batchId));
  const rows = sellAllRows(orders?.data, plan.sale.orders).filter(({ id }) => isSold(id));
  return <PricedPlan {...plan} rows={rows} />;
}
