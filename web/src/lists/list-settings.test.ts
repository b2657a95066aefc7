import { expect, test } from 'vitest';
import { settingsFrom } from './list-settings.ts';

const NOTHING = { density: 'comfortable', lists: {} };

test.each([null, '', '{', 'null', '7', '[]', '{"density":"tight","lists":[]}'])(
  'shows lists as they come from %j',
  (text) => {
    expect(settingsFrom(text)).toEqual(NOTHING);
  },
);

test('keeps of what is stored what makes sense', () => {
  const stored = {
    density: 'compact',
    lists: {
      batches: {
        pageSize: 50,
        hidden: ['time', 7],
        views: [{ name: 'Lost', search: { unhedged: true } }, { name: 8 }, null],
      },
      orders: { pageSize: 1_000_000, hidden: 'all', views: {} },
    },
  };
  expect(settingsFrom(JSON.stringify(stored))).toEqual({
    density: 'compact',
    lists: {
      batches: { pageSize: 50, hidden: ['time'], views: [{ name: 'Lost', search: { unhedged: true } }] },
      orders: { pageSize: 10, hidden: [], views: [] },
    },
  });
});
