import type { RehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { CommandRefused } from '../recordings/command-line.ts';
import { parseRehearse, sayRehearsed } from './command.ts';

const NOW = instantFromIso('2026-11-26T12:00:00Z');
const parse = (line: string) => parseRehearse(line.split(' '), NOW);

describe('npm run rehearse', () => {
  it('takes times from now back or as they are, and values by the rules of the forms', () => {
    const line =
      '--from -2h --until 2026-11-26T11:30:00Z --set MIN_PROFIT_TRIGGER_THRESHOLD=0.5 --set ENABLE_WEBSOCKET=false ' +
      '--limit per_day_usd=200 --limit per_order_usd=null --discovery min_profit_usd=2 --assume-placing --json';
    expect(parse(line)).toEqual({
      from: instantFromIso('2026-11-26T10:00:00Z'),
      until: instantFromIso('2026-11-26T11:30:00Z'),
      changes: {
        settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.5, ENABLE_WEBSOCKET: false },
        limits: { per_day_usd: usdFromNumber(200), per_order_usd: null },
        discovery: { min_profit_usd: usdFromNumber(2) },
      },
      assumePlacing: true,
      isJson: true,
    });
    expect(parse('--from -90m')).toMatchObject({ until: NOW, changes: {}, assumePlacing: false, isJson: false });
  });

  it.each([
    ['--set A=1', /Say from when on/],
    ['--from yesterday', /yesterday is no time/],
    ['--from -1h --until -2h', /begin before it ends/],
    ['--from -1h --until 2026-11-26T13:00:00Z', /to come/],
    ['--from -8d', /A week/],
    ['--from -1h --set MIN_PROFIT_TRIGGER_THRESHOLD', /is not NAME=VALUE/],
    ['--from -1h --set MIN_PROFIT_TRIGGER_THRESHOLD=0', /must be at least 0.1/],
    ['--from -1h --set NO_SUCH_SETTING=1', /NO_SUCH_SETTING/],
    ['--from -1h --loudly', /--loudly/],
  ])('refuses %s', (line, why) => {
    expect(() => parse(line)).toThrow(CommandRefused);
    expect(() => parse(line)).toThrow(why);
  });

  it('answers in one sentence what is different', () => {
    const [sentence, ...rest] = sayRehearsed(RESULT, []);
    expect(sentence).toBe(
      '41 triggers instead of 17, 3 more unwound, +$8.20 (+$6.10 to +$9.40 by how orders fill), worst batch -$4.10, limits hit twice',
    );
    expect(rest).toContain('Unknown 2026-11-26T12:00:00.000Z to 2026-11-26T12:00:05.000Z: not running.');
    expect(sayRehearsed({ ...RESULT, left_out: 1 }, []).join(' ')).toMatch(
      /Left out: 1 opportunity that discovery would/,
    );
  });
});

const model = (profit: number, unwound = 0, worst: number | null = null) => ({
  ...{ profit_usd: usdFromNumber(profit), completed: 5, unwound, unfilled: 0 },
  worst_batch_usd: worst === null ? null : usdFromNumber(worst),
});
const run = (triggers: number, limitHits: number, models: RehearsalResult['present']['models']) => ({
  ...{ triggers, batches: 5, refused: 1, refusals: [], limit_hits: limitHits, models },
});

const RESULT: RehearsalResult = {
  present: run(17, 0, { touch: model(1), measured: model(1), pessimistic: model(1) }),
  proposed: run(41, 2, { touch: model(10.4), measured: model(9.2, 3, -4.1), pessimistic: model(7.1) }),
  ...{ differences: 0, records: 1, tokens: 1, took_ms: 1 },
  unknown: [{ from: NOW, until: (NOW + 5000) as typeof NOW, reason: 'not running' }],
  latency: { measured_ms: 300, pessimistic_ms: 900, is_own: false },
};
