import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { venueState } from './venue-state.ts';

test.each([
  'const cash = new Map<VenueName, Usd>();',
  'export const silent = new Set<string>();',
  'let skewMs = 0;',
  'export const skew = async (venue: Venue) => (await venue.serverTime()) - now();',
  'export function follow({ openUserStream }: Venue) { return openUserStream({ onOrder }); }',
])('refuses what two accounts would share: %s', (text) => {
  for (const path of ['server/src/trading/orders/a.ts', 'server/src/market/a.ts', 'server/src/memory/a.ts'])
    expect(placesFound(venueState, { [path]: text })).toEqual([`${path}:1`]);
  for (const path of ['server/src/trading/venue-desk/a.ts', 'server/src/trading/a.test.ts', 'venues/src/kalshi/a.ts'])
    expect(placesFound(venueState, { [path]: text })).toEqual([]);
});

test.each([
  "const NAMES = new Set(['armed', 'disarmed']);",
  'const flights = new WeakMap<Holdings, SingleFlight>();',
  'export function openLanes() { const running = new Map<VenueName, Promise<void>>(); return running; }',
  'export const time = (server: Server) => server.time();',
])('accepts %s', (text) => {
  expect(placesFound(venueState, { 'server/src/trading/a.ts': text })).toEqual([]);
});
