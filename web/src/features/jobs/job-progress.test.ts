import type { Job } from '@dutchbook/contract/jobs.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { latestPerKind } from './job-progress.tsx';

const job = (part: Partial<Job>): Job => ({
  id: '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1',
  kind: 'check_all',
  status: 'running',
  done: 0,
  total: 10,
  message: null,
  started_at: instantFromMs(1_000),
  finished_at: null,
  ...part,
});

it('follows the youngest job of each kind in its last state', () => {
  const first = job({});
  const moved = job({ done: 5 });
  const prices = job({ kind: 'update_prices' });
  const second = job({ started_at: instantFromMs(2_000) });
  const late = job({ done: 10, status: 'done' });
  expect(latestPerKind([first, prices, moved])).toEqual([moved, prices]);
  expect(latestPerKind([first, second, late])).toEqual([second]);
});
