import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '@dutchbook/units/instant.ts';
import { tickToText } from '@dutchbook/units/price.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { surveyRecording } from './survey.ts';

const NOW = 1_780_000_000_000 as Instant;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-survey-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A level at each price, one after another, as both tokens of the market show it. */
function recordingOf(prices: readonly number[]): string {
  const rows = prices.flatMap((price, nth) => {
    const row = { timestamp: NOW + nth, size: 10, event_type: 'PRICE_CHANGE', best_bid: 0, best_ask: 1 };
    const mirrored = Math.round((1 - price) * 10_000) / 10_000;
    return [
      { ...row, price, side: 'ASK', asset_id: '1001' },
      { ...row, price: mirrored, side: 'BID', asset_id: '1002' },
    ];
  });
  const file = join(folder, 'recording.jsonl');
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return file;
}

it.each([
  ['0.01', [0.4, 0.41]],
  ['0.005', [0.4, 0.405]],
  ['0.0025', [0.405, 0.4025]],
  ['0.0025', [0.4075, 0.405, 0.41]],
  ['0.001', [0.405, 0.401]],
  ['0.0001', [0.4025, 0.401]],
])('a market is on the grid of %s, the coarsest that has all its recorded prices: %j', async (tick, prices) => {
  const [event] = await surveyRecording([recordingOf(prices)], NOW);
  expect(event?.markets.map((market) => tickToText(market.tick))).toEqual([tick]);
});
