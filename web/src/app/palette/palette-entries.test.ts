import type { Batch } from '@dutchbook/contract/batches.ts';
import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { expect, it } from 'vitest';
import { batchEntry, entriesFor, opportunityEntries, screenEntries } from './palette-entries.ts';

const OPPORTUNITY_ID = 'fb89b0dd-ac49-4969-b13c-8adf0f2b3058';
const BATCH_ID = '39d519ea-f30d-430c-ae97-f8776c149f7f';

const opportunity = {
  id: OPPORTUNITY_ID,
  name: 'Grand Regatta line honours · Yes on all 8',
  profit_percentage: null,
} as unknown as OpportunityRow;

const batch = {
  id: BATCH_ID,
  opportunity_id: OPPORTUNITY_ID,
  name: 'Grand Regatta line honours · Yes on all 8',
  status: 'partial_completed',
  total_orders: 3,
  expected_orders: 4,
} as Batch;

const entries = [...screenEntries(undefined), ...opportunityEntries(opportunity), batchEntry(batch)];
const found = (typed: string) => entriesFor(typed, entries).map(({ target }) => target);

it('shows the screens first, and to superusers the administration', () => {
  expect(
    entriesFor('', entries)
      .slice(0, 2)
      .map(({ label }) => label),
  ).toEqual(['Dashboard', 'Arbitrage']);
  expect(screenEntries(undefined).map(({ label }) => label)).not.toContain('Admin');
  expect(screenEntries({ is_superuser: true }).map(({ label }) => label)).toContain('Admin');
});

it('finds an opportunity by the start of its id or by its words, its page before its simulation', () => {
  const both = [
    { kind: 'opportunity', id: OPPORTUNITY_ID },
    { kind: 'simulation', id: OPPORTUNITY_ID },
  ];
  expect(found('FB89')).toMatchObject([...both, { kind: 'batch', id: BATCH_ID }]);
  expect(found('regatta hon')).toEqual([...both, { kind: 'batch', id: BATCH_ID }]);
});

it.each(['s fb89', 'simulate regatta', 's fb89b0dd-ac49-4969-b13c-8adf0f2b3058'])(
  'simulates at once by "%s"',
  (typed) => {
    expect(found(typed)[0]).toEqual({ kind: 'simulation', id: OPPORTUNITY_ID });
  },
);

it('finds a batch by its id and its status', () => {
  expect(found('39d519ea')).toEqual([{ kind: 'batch', id: BATCH_ID }]);
  expect(found('partially')).toEqual([]);
  expect(found('batch partial')).toEqual([{ kind: 'batch', id: BATCH_ID }]);
});

it('leads to a whole id that was not read, and to nothing by words that none has', () => {
  const unknown = '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1';
  expect(found(` ${unknown} `)).toEqual([
    { kind: 'opportunity', id: unknown },
    { kind: 'batch', id: unknown },
  ]);
  expect(found('zebra')).toEqual([]);
});
