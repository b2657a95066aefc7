import type { Rehearsal, RehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it, test } from 'vitest';
import { changesWords, resultSentence, timesWords } from './rehearsal-words.ts';

const SPAN: Pick<Rehearsal, 'from' | 'until'> = { from: instantFromMs(0), until: instantFromMs(3_600_000) };

function run(triggers: number, profits: readonly [string, string, string], unwound = 0): RehearsalResult['present'] {
  const model = (profit: string) => ({
    ...{ profit_usd: usdFromText(profit), completed: 3, unwound, unfilled: 0, worst_batch_usd: null },
  });
  const [touch, measured, pessimistic] = profits;
  return {
    ...{ triggers, batches: triggers, refused: 0, refusals: [], limit_hits: 0 },
    models: { touch: model(touch), measured: model(measured), pessimistic: model(pessimistic) },
  };
}

function result(given: Partial<RehearsalResult>): RehearsalResult {
  const same = run(17, ['1', '1', '1']);
  return {
    ...{ present: same, proposed: same, differences: 0, unknown: [], records: 1, tokens: 1, took_ms: 1 },
    latency: { measured_ms: 300, pessimistic_ms: 900, is_own: false },
    ...given,
  };
}

describe('a rehearsal in one sentence', () => {
  it('says what would have been otherwise, with the range of the models', () => {
    const proposed = run(41, ['10.40', '9.20', '7.10'], 5);
    proposed.models.measured.worst_batch_usd = usdFromText('-4.10');
    proposed.limit_hits = 2;
    const present = run(17, ['1', '1', '1'], 2);
    expect(resultSentence(SPAN, result({ present, proposed }))).toBe(
      '41 triggers instead of 17, 3 more unwound, +$8.20 (+$6.10 to +$9.40 by how orders fill), worst batch -$4.10, limits hit twice.',
    );
  });

  it('names no range where there is none, and what is less as less', () => {
    const present = run(17, ['5', '5', '5'], 2);
    const proposed = run(1, ['2.5', '2.5', '2.5'], 1);
    expect(resultSentence(SPAN, result({ present, proposed }))).toBe(
      '1 trigger instead of 17, 1 fewer unwound, -$2.50.',
    );
  });

  it('says that nothing changes', () => {
    expect(resultSentence(SPAN, result({}))).toBe('17 triggers, as many as now, $0.00.');
  });

  it('says how much of it is known, and never zero of what is not', () => {
    const part = [{ from: SPAN.from, until: instantFromMs(60_000), reason: 'not running' }];
    expect(resultSentence(SPAN, result({ unknown: part }))).toMatch(/, as far as this time is known\.$/);
    const all = [...part, { from: instantFromMs(60_000), until: SPAN.until, reason: 'an error' }];
    expect(resultSentence(SPAN, result({ unknown: all }))).toBe('Nothing is known of this time: not running.');
  });
});

test('changes are named as the forms name them', () => {
  const settings = { MIN_PROFIT_TRIGGER_THRESHOLD: 1.5, ENABLE_WEBSOCKET: false, SIZE_POLICY: 'up_to' } as const;
  const limits = { per_day_usd: null, per_batch_usd: usdFromText('12.5') };
  const discovery = { at_most_one: true, min_profit_usd: usdFromText('2'), price_low: priceFromText('0.001') };
  expect(changesWords({ settings, limits, discovery })).toEqual([
    ...['Profit that triggers 1.5', 'Live stream of the venue off', 'How much is bought Up to a Full Clip'],
    ...['Limit per day none', 'Limit per batch $12.50'],
    ...['At most one on', 'Least profit $2.00', 'Lowest price of a found position 0.0010'],
  ]);
  expect(changesWords({})).toEqual([]);
});

test.each([
  [1, 'once'],
  [2, 'twice'],
  [1234, '1,234 times'],
])('%d is %s', (times, words) => expect(timesWords(times)).toBe(words));
