import type { Batch } from '@dutchbook/contract/batches.ts';
import { BATCH_SCREEN_SORTS, BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { activeFilters, filterOf } from '../../lists/list-search.ts';
import { matchesFilter } from './batch-queries.ts';
import { batchSearchFrom } from './batch-search.ts';

const opportunityId = '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1';

it('keeps what a shared link says', () => {
  const search = {
    page: 2,
    status: 'failed',
    isActive: false,
    canRetry: true,
    unhedged: true,
    opportunityId,
    sortBy: 'retry_count',
    sortOrder: 'asc',
  };
  expect(batchSearchFrom(search)).toEqual(search);
  expect(activeFilters(batchSearchFrom(search))).toBe(5);
});

it('drops a filter it cannot read', () => {
  const search = batchSearchFrom({ status: 'lost', isActive: 1, opportunityId: 'abc' });
  expect(filterOf(search)).toEqual({});
  expect(activeFilters(search)).toBe(0);
});

it('filters by each status that the contract names', () => {
  for (const status of BATCH_STATUSES) expect(batchSearchFrom({ status }).status).toBe(status);
});

it('answers something the list can show, whatever stands in the address', () => {
  const raw = fc.record({ page: fc.anything(), status: fc.anything(), canRetry: fc.anything(), sortBy: fc.anything() });
  fc.assert(
    fc.property(raw, (params) => {
      const search = batchSearchFrom(params);
      expect(search.page).toBeGreaterThanOrEqual(1);
      expect([...BATCH_STATUSES, undefined]).toContain(search.status);
      expect(BATCH_SCREEN_SORTS).toContain(search.sortBy);
      expect(batchSearchFrom(search)).toEqual(search);
    }),
  );
});

it.each([
  ['any, where nothing is filtered', {}, {}, true],
  ['what has the status', {}, { status: 'failed' }, true],
  ['nothing of another status', {}, { status: 'sold' }, false],
  ['what is not active, where that is asked for', {}, { isActive: false }, true],
  ['nothing that is not active otherwise', {}, { isActive: true }, false],
  ['what can be retried', {}, { canRetry: true }, true],
  ['nothing that cannot', { can_retry: false }, { canRetry: true }, false],
  ['what is unhedged', {}, { unhedged: true }, true],
  ['nothing that is hedged', { unhedged: null }, { unhedged: true }, false],
  ['nothing that holds no real shares as unhedged', { simulated: true }, { unhedged: true }, false],
  ['nothing that is sold as unhedged', { status: 'sold' }, { unhedged: true }, false],
  ['what is hedged, where that is asked for', { unhedged: null }, { unhedged: false }, true],
  ['what is of the opportunity, however its id is written', {}, { opportunityId: opportunityId.toUpperCase() }, true],
  ['nothing of another opportunity', { opportunity_id: 'another' }, { opportunityId }, false],
  ['nothing that either of two filters refuses', {}, { status: 'failed', canRetry: false }, false],
] as const)('expects in the list %s', (_what, fields, filter, expected) => {
  const one = {
    opportunity_id: opportunityId,
    status: 'failed',
    is_active: false,
    can_retry: true,
    simulated: false,
    unhedged: {},
    ...fields,
  } as unknown as Batch;
  expect(matchesFilter(one, filter)).toBe(expected);
});
