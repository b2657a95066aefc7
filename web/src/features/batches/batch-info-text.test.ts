import { batch } from '@dutchbook/contract/batches.ts';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { batchInfoText } from './batch-info-text.ts';
import { BATCH_TONE } from './batch-values.tsx';

const created = z.decode(batch, {
  id: '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1',
  opportunity_id: '5d2a8f0b-2b61-4a39-8f5e-0d6a5c1b9e77',
  name: 'First private crew to lunar orbit · No on all 4',
  status: 'partial_completed',
  total_orders: 2,
  expected_orders: 3,
  order_size: 20,
  size_bounded_by: null,
  series_id: null,
  clip_number: null,
  target_price: 1,
  target_profit_usd: 0.384,
  actual_profit_usd: null,
  retry_count: 1,
  max_retries: 3,
  can_retry: true,
  is_active: false,
  is_final: false,
  cancel_requested: false,
  venues: ['polymarket'],
  orders_in_doubt: 0,
  simulated: false,
  automatic: false,
  unhedged: null,
  clips_max: null,
  dollars_free_since: null,
  execution_started_at: null,
  execution_completed_at: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
  last_error: null,
});

it('copies one detail per line', () => {
  expect(batchInfoText(created).split('\n')).toEqual([
    'Batch ID: 0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1',
    'Opportunity ID: 5d2a8f0b-2b61-4a39-8f5e-0d6a5c1b9e77',
    'Status: Partial completed',
    'Orders: 2/3',
    'Target Profit: $0.38',
    'Actual Profit: unknown',
    'Retries: 1/3',
    'Created: 2026-11-21T09:00:00.000Z',
  ]);
});

it('shows each status as the specification maps it', () => {
  expect(BATCH_TONE).toEqual({
    completed: 'success',
    sold: 'success',
    partial_completed: 'warning',
    failed: 'error',
    canceled: 'inactive',
    processing: 'active',
    pending: 'pending',
    retry_pending: 'pending',
  });
});
