import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { tickFromText } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { framesOf } from '../../replay/frames.ts';
import { readRecording } from '../../replay/recording.ts';
import { surveyRecording } from '../../replay/survey.ts';
import { compare, START, type TapeFrame } from './compare-with-tape.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../../shared/data');
const GAME = ['nhl-final-2026-06-07T0130Z', 'nhl-final-2026-06-07T0145Z'].map((name) =>
  join(DATA_DIR, 'polymarket/ticks', `${name}.jsonl.gz`),
);
async function* recordedTape(): AsyncGenerator<TapeFrame> {
  for await (const frames of framesOf(readRecording(GAME))) {
    for (const frame of frames) {
      if (frame[0].kind === 'level') yield { at: frame[0].at, levels: frame };
    }
  }
}

describe('orders one latency behind the recorded game', () => {
  it.runIf(GAME.every((file) => existsSync(file))).each(['latency', 'survival'] as const)(
    'get what the recorded game says that they meet by %s',
    async (fills) => {
      const events = await surveyRecording(GAME, START as Instant);
      const listed = events.map((event) => ({
        ...event,
        markets: event.markets.map((market) => ({
          ...market,
          tick: tickFromText('0.0001'),
          feeRate: fractionFromText('0.05'),
        })),
      }));
      const counts = await compare({ events: listed, tape: recordedTape(), every: 60, fills });
      expect(counts.orders).toBeGreaterThan(2_500);
      expect(counts.filled).toBeGreaterThan(1_000);
      expect(counts.differing).toBe(0);
      expect(counts.share < 1).toBe(fills === 'survival');
    },
  );
});
