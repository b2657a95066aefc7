import type { Tone } from '../../ui/status-badge.tsx';

/** Every word a venue or an older server may use for the state of an order, and how it is shown. */
const TONE: Record<string, Tone> = {
  filled: 'success',
  matched: 'success',
  partial: 'warning',
  partially_filled: 'warning',
  cancelled: 'inactive',
  canceled: 'inactive',
  failed: 'error',
  rejected: 'error',
  pending: 'pending',
  open: 'pending',
  unmatched: 'pending',
  processing: 'active',
};

export function orderTone(status: string): Tone {
  return TONE[status] ?? 'inactive';
}
