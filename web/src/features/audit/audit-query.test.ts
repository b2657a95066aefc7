import { expect, it } from 'vitest';
import { auditQueryOf } from './audit-query.ts';

it('asks from the first to the last moment of the days, as the reader’s clock has them', () => {
  const { since, until } = auditQueryOf({ from: '2026-02-27', until: '2026-02-28' });
  expect(since).toBe(new Date('2026-02-27T00:00:00.000').getTime());
  expect(until).toBe(new Date('2026-02-28T23:59:59.999').getTime());
});

it('leaves out what is not set, and an unknown action', () => {
  expect(auditQueryOf({ action: 'cow.jumped', actor: 'ann' })).toEqual({ actor: 'ann' });
  expect(auditQueryOf({ action: 'user.deleted' })).toEqual({ action: 'user.deleted' });
});
