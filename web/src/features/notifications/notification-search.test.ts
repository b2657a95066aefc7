import { NOTIFICATION_STATUSES } from '@dutchbook/contract/list-values.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filterOf } from '../../lists/list-search.ts';
import { notificationSearchFrom, SORTS } from './notification-search.ts';

it('keeps what a shared link says', () => {
  const search = {
    page: 2,
    status: 'failed',
    notification_type: 'opportunity_triggered',
    opportunity_id: '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1',
    sortBy: 'attempts',
    sortOrder: 'asc',
  };
  expect(notificationSearchFrom(search)).toEqual(search);
});

it('drops a filter it cannot read', () => {
  const search = notificationSearchFrom({ status: 'lost', notification_type: 'gossip', opportunity_id: 'abc' });
  expect(filterOf(search)).toEqual({});
});

it('answers something the list can show, whatever stands in the address', () => {
  const raw = fc.record({
    page: fc.anything(),
    status: fc.anything(),
    sortBy: fc.anything(),
    sortOrder: fc.anything(),
  });
  fc.assert(
    fc.property(raw, (params) => {
      const search = notificationSearchFrom(params);
      expect(search.page).toBeGreaterThanOrEqual(1);
      expect([...NOTIFICATION_STATUSES, undefined]).toContain(search.status);
      expect(SORTS).toContain(search.sortBy);
      expect(notificationSearchFrom(search)).toEqual(search);
    }),
  );
});
