import type { Order } from '@dutchbook/contract/orders.ts';
import { formatShares } from '@dutchbook/units/shares.ts';

export type SaleMessage = { tone: 'success' | 'problem'; text: string };

type Sold = Pick<Order, 'status' | 'size' | 'filled_size' | 'error'> & Partial<Pick<Order, 'waiting'>>;

/** The message for a sell order as the server answered it: sold, sold in part, on its way, or not sold and why. */
export function saleMessage({ status, size, filled_size: sold, error, waiting = null }: Sold): SaleMessage {
  if (sold >= size) return { tone: 'success', text: 'Order sold successfully' };
  if (waiting !== null && (status === 'open' || status === 'partially_filled'))
    return {
      tone: 'success',
      text: 'The sale waits in the book. Its row under Orders shows what becomes of it, and cancels it.',
    };
  if (sold > 0) {
    return { tone: 'success', text: `Sold ${formatShares(sold)} of ${formatShares(size)} shares. The rest is kept.` };
  }
  if (status === 'canceled' || status === 'rejected' || status === 'failed') {
    return { tone: 'problem', text: `Failed to sell order: ${error ?? 'no bid was high enough for its shares.'}` };
  }
  return { tone: 'success', text: 'Sell order placed. Its row shows what becomes of it.' };
}
