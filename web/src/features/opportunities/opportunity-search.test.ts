import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesFilter } from './list/listed-opportunities.ts';
import { opportunitySearchFrom, SORTS } from './opportunity-search.ts';

it('keeps what a shared link says', () => {
  const search = {
    page: 3,
    q: 'mayor',
    active: true,
    venue: 'kalshi',
    triggered: false,
    minProfitUsd: 2.5,
    minProfit: -1,
    sortBy: 'profit_percentage',
    sortOrder: 'asc',
  };
  expect(opportunitySearchFrom(search)).toEqual(search);
});

it('reads numbers and flags that arrive as text', () => {
  expect(opportunitySearchFrom({ page: '2', active: 'false' })).toMatchObject({ page: 2, active: false });
});

it('falls back where it cannot read', () => {
  expect(opportunitySearchFrom({ page: -1, active: 'maybe', sortBy: 'password', sortOrder: 'up' })).toEqual({
    page: 1,
    q: undefined,
    active: undefined,
    venue: undefined,
    triggered: undefined,
    minProfitUsd: undefined,
    minProfit: undefined,
    sortBy: 'profit_usd',
    sortOrder: 'desc',
  });
});

it('names every param, so that a refused one does not stay in the address', () => {
  expect(Object.keys(opportunitySearchFrom({}))).toEqual([
    'page',
    'q',
    'active',
    'venue',
    'triggered',
    'minProfitUsd',
    'minProfit',
    'sortBy',
    'sortOrder',
    'each',
  ]);
});

it('answers something the list can show, whatever stands in the address', () => {
  const raw = fc.record({
    page: fc.anything(),
    q: fc.anything(),
    minProfit: fc.anything(),
    active: fc.anything(),
    sortBy: fc.anything(),
    sortOrder: fc.anything(),
  });
  fc.assert(
    fc.property(raw, (params) => {
      const search = opportunitySearchFrom(params);
      expect(Number.isSafeInteger(search.page) && search.page >= 1).toBe(true);
      expect([true, false, undefined]).toContain(search.active);
      expect(SORTS).toContain(search.sortBy);
      expect(['asc', 'desc']).toContain(search.sortOrder);
      expect(opportunitySearchFrom(search)).toEqual(search);
    }),
  );
});

it.each([
  [{}, true],
  [{ active: true }, true],
  [{ triggered: false }, true],
  [{ triggered: true }, false],
  [{ active: false }, false],
  [{ active: true, triggered: true }, false],
  [{ minProfit: 1.5 }, true],
  [{ minProfit: 1.6 }, false],
])('expects one that is active, not triggered and pays 1.5 % in a list of %j: %s', (filter, expected) => {
  expect(
    matchesFilter(
      { active: true, triggered: false, profit_percentage: percentFromNumber(1.5) } as OpportunityRow,
      filter,
    ),
  ).toBe(expected);
});
