import { PRICE_CHANGED_MARKER, SUCCESS_MARKER } from '@dutchbook/contract/orders.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type OrderErrorView = { text: 'No' | 'Price Changed' | 'Warning' | 'Yes'; tone?: Tone; message?: string };

/** What the error cell of an order says: its markers tell a warning on an order that stands from a real error. */
export function orderErrorView(error: string | null): OrderErrorView {
  if (error === null || error === '') return { text: 'No' };
  if (error.includes(PRICE_CHANGED_MARKER)) return marked('Price Changed', error, PRICE_CHANGED_MARKER);
  if (error.includes(SUCCESS_MARKER)) return marked('Warning', error, SUCCESS_MARKER);
  return { text: 'Yes', tone: 'error', message: error };
}

function marked(text: 'Price Changed' | 'Warning', error: string, marker: string): OrderErrorView {
  return { text, tone: 'warning', message: error.replace(marker, '').trim() };
}
