import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { venueNames } from './venue-names.ts';

test.each([
  "export const isKalshi = (id: string) => id.startsWith('kalshi:');",
  'export const nameAt = (id: string) => `kalshi:$'.concat('{id}`;'),
  'export const name = (text: string) => text.replace(/^kalshi:/, "");',
  "export const venue = (marketId: string) => marketId.split(':')[0];",
  "export const at = (order: { tokenId: string }) => order.tokenId.indexOf(':');",
])('refuses a second reader of the prefix: %s', (text) => {
  for (const path of ['engine/src/a.ts', 'server/src/a.ts', 'venues/src/kalshi/a.ts', 'web/src/a.tsx'])
    expect(placesFound(venueNames, { [path]: text })).toEqual([`${path}:1`]);
  expect(placesFound(venueNames, { 'units/src/ids.ts': text })).toEqual([]);
});

test.each([
  "export const fee = (venue: string) => (venue === 'kalshi' ? 1 : 0);",
  "export const fee = (venue: string) => ('polymarket' !== venue ? 1 : 0);",
  "export const isLive = (mode: string) => mode === 'polymarket_live';",
  "export function fee(venue: string) { switch (venue) { case 'kalshi': return 1; default: return 0; } }",
])('refuses a branch on the name of a venue: %s', (text) => {
  for (const path of ['engine/src/a.ts', 'server/src/trading/a.ts', 'web/src/a.tsx'])
    expect(placesFound(venueNames, { [path]: text })).toEqual([`${path}:1`]);
  for (const path of ['venues/src/kalshi/a.ts', 'exchange/src/adapters/kalshi/a.ts', 'server/src/platform/config/a.ts'])
    expect(placesFound(venueNames, { [path]: text })).toEqual([]);
});

test.each([
  "export const LABELS = { polymarket: 'Polymarket', kalshi: 'Kalshi' };",
  "export const page = 'https://polymarket.com/event/x';",
  "export const time = (text: string) => text.split(':');",
  "export const isReplay = (mode: string) => mode === 'replay';",
])('accepts %s', (text) => {
  expect(placesFound(venueNames, { 'server/src/a.ts': text, 'server/src/a.test.ts': "'kalshi:a'" })).toEqual([]);
});
