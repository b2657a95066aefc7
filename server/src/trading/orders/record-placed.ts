import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import type { Action } from '../../platform/audit/record.ts';
import type { BatchRow } from './batch-store.ts';

/** The audit entry of a placing. */
export function placedAction({ id, opportunityId, orderSize, quotedPrice, splitStepId }: Placed): Action {
  const after = {
    opportunity_id: opportunityId,
    order_size: sharesToNumber(orderSize),
    quoted_price: quotedPrice === null ? null : priceToNumber(quotedPrice),
    ...(splitStepId ? { way_in: 'split' } : {}),
  };
  return { action: 'order.placed', object: id, after };
}

type Placed = Pick<BatchRow, 'id' | 'opportunityId' | 'orderSize' | 'quotedPrice'> & {
  splitStepId?: string | null | undefined;
};
