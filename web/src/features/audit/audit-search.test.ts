import fc from 'fast-check';
import { expect, it } from 'vitest';
import { adminSearchFrom } from './audit-search.ts';

it('reads tab, page and filters from the address', () => {
  const search = {
    page: 3,
    tab: 'audit',
    action: 'user.created',
    actor: 'ann',
    object: 'bob@example.com',
    from: '2026-02-01',
    until: '2026-02-28',
  };
  expect(adminSearchFrom(search)).toEqual(search);
});

it.each([
  [{ from: '2026-02-31' }],
  [{ until: 'yesterday' }],
  [{ from: 20260201 }],
  [{ actor: '' }],
  [{ object: ['a'] }],
  [{ page: 0 }],
])('does without %j', (raw) => {
  const kept = Object.values(adminSearchFrom(raw)).filter((value) => value !== undefined);
  expect(kept).toEqual([1]);
});

it('makes something to show of any address', () => {
  const anything = fc.record({ page: fc.anything(), actor: fc.anything(), from: fc.anything(), tab: fc.anything() });
  fc.assert(
    fc.property(anything, (raw) => {
      const { page, actor, from, tab } = adminSearchFrom(raw);
      expect(page).toBeGreaterThanOrEqual(1);
      for (const word of [actor, from, tab]) expect(['string', 'undefined']).toContain(typeof word);
    }),
  );
});
