import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { REAL_UPSTREAM } from './paper/options.ts';
import { readSettings, SettingError } from './settings.ts';

describe('the settings of paper trading', () => {
  it('mirror no venue unless asked to, and the real one by its public addresses', () => {
    expect(readSettings({ PAPER_CASH: '5' }).paper).toBeUndefined();
    expect(readSettings({ PAPER_UPSTREAM: 'real' }).paper).toEqual({
      upstream: REAL_UPSTREAM,
      fills: 'latency',
      cash: usdFromText('1000'),
    });
  });

  it('take three addresses, a fill model and cash', () => {
    const env = {
      PAPER_UPSTREAM: 'http://127.0.0.1:1/gamma/,http://127.0.0.1:1, ws://127.0.0.1:1/ws',
      PAPER_FILLS: 'touch',
      PAPER_CASH: '250.5',
    };
    expect(readSettings(env).paper).toEqual({
      upstream: { gamma: 'http://127.0.0.1:1/gamma', clob: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1/ws' },
      fills: 'touch',
      cash: usdFromText('250.5'),
    });
  });

  it('name Kalshi, alone or beside Polymarket', () => {
    const { paper } = readSettings({ PAPER_KALSHI_UPSTREAM: 'http://127.0.0.1:1/trade-api/v2/' });
    expect(paper).toEqual({
      ...{ kalshiUpstream: 'http://127.0.0.1:1/trade-api/v2', fills: 'latency', cash: usdFromText('1000') },
    });
    const both = readSettings({ PAPER_UPSTREAM: 'real', PAPER_KALSHI_UPSTREAM: 'real' }).paper;
    expect([both?.upstream?.clob, both?.kalshiUpstream]).toEqual([
      'https://clob.polymarket.com',
      'https://external-api.kalshi.com/trade-api/v2',
    ]);
  });

  it.each([
    [{ PAPER_KALSHI_UPSTREAM: 'kalshi' }, 'PAPER_KALSHI_UPSTREAM'],
    [{ PAPER_UPSTREAM: 'https://one.example' }, 'PAPER_UPSTREAM'],
    [{ PAPER_UPSTREAM: 'https://a.example,https://b.example,https://c.example' }, 'PAPER_UPSTREAM'],
    [{ PAPER_UPSTREAM: 'real', PAPER_FILLS: 'lucky' }, 'PAPER_FILLS'],
    [{ PAPER_UPSTREAM: 'real', PAPER_CASH: '-5' }, 'PAPER_CASH'],
  ])('refuse %o', (env, name) => {
    expect(() => readSettings(env)).toThrow(SettingError);
    expect(() => readSettings(env)).toThrow(name);
  });
});

describe('a setting of the exchange that is wrong', () => {
  it.each([
    ['EXCHANGE_PAUSED', 'maybe', 'on or off'],
    ['EXCHANGE_PORT', '80000', 'a whole number from 0 to 65535'],
    ['EXCHANGE_SEED', 'x', 'a whole number'],
    ['EXCHANGE_PLANTED', '5,4,2', 'events,mispriced,decoys'],
    ['EXCHANGE_AUTO_REDEEM', 'soon', 'off or a delay in milliseconds'],
    ['EXCHANGE_REPLAY_SPEED', 'fast', 'a positive number or max'],
  ])('is named with its value and its rule: %s', (name, value, rule) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(name);
    expect(read).toThrow(value);
    expect(read).toThrow(rule);
  });
});
