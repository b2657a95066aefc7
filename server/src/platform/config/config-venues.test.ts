import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { modeOf } from '@dutchbook/contract/status.ts';
import { describe, expect, it } from 'vitest';
import { readingConfig } from './config.fixture.ts';

const { folder, read, complaints } = readingConfig();

describe('the venues of the configuration', () => {
  it('reads Kalshi with a key or without one, given itself or as a file', () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const file = path.join(folder(), 'kalshi.pem');
    writeFileSync(file, pem);
    expect(read({ VENUE: 'kalshi' })).toMatchObject({
      venueMode: 'kalshi_read_only',
      kalshi: { apiUrl: 'https://external-api.kalshi.com/trade-api/v2', key: null },
    });
    expect(read({ VENUE: 'kalshi', KALSHI_KEY_ID: 'a-1', KALSHI_PRIVATE_KEY: pem }).kalshi.key?.id).toBe('a-1');
    const ofFile = { VENUE: 'kalshi', KALSHI_KEY_ID: 'a-1', KALSHI_PRIVATE_KEY_FILE: file };
    expect(read(ofFile).kalshi.key).toEqual({ id: 'a-1', privateKey: pem });
    const wrong = (given: Record<string, string>) => complaints({ VENUE: 'kalshi', ...given });
    expect(wrong({ KALSHI_PRIVATE_KEY: pem })).toEqual([expect.stringMatching(/^KALSHI_KEY_ID is not set/)]);
    expect(wrong({ KALSHI_KEY_ID: 'a-1' })).toEqual([expect.stringMatching(/^KALSHI_PRIVATE_KEY is not set/)]);
    expect(wrong({ KALSHI_KEY_ID: 'a-1', KALSHI_PRIVATE_KEY: 'hunter2' })).toEqual([
      'KALSHI_PRIVATE_KEY is wrong: expected an RSA key of 2048 bits or more, or an Ed25519 key, in PEM',
    ]);
    expect(wrong({ KALSHI_KEY_ID: 'a-1', KALSHI_PRIVATE_KEY_FILE: `${file}.gone` })).toHaveLength(1);
  });

  it('opens the venues of the list, each read only without its key, and both on the simulated exchange where both listen', () => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const kalshiKey = { KALSHI_KEY_ID: 'a-1', KALSHI_PRIVATE_KEY: pem };
    const opened = (env: Record<string, string>) => {
      const { venueMode, venues } = read(env);
      return [venueMode, ...[...venues].map(([name, { isReadOnly }]) => (isReadOnly ? `${name} (read only)` : name))];
    };
    expect(opened({ VENUE: 'kalshi', ...kalshiKey })).toEqual(['kalshi_live', 'kalshi']);
    const both = { VENUE: 'kalshi, polymarket' };
    expect(opened(both)).toEqual(['several_read_only', 'polymarket (read only)', 'kalshi (read only)']);
    expect(opened({ ...both, ...kalshiKey })).toEqual(['several_live', 'polymarket (read only)', 'kalshi']);
    const keys = { ...kalshiKey, POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` };
    expect(opened({ ...both, ...keys })).toEqual(['several_live', 'polymarket', 'kalshi']);
    expect(opened({})).toEqual(['simulated', 'polymarket']);
    const listening = { KALSHI_API_URL: 'http://127.0.0.1:1/trade-api/v2', KALSHI_WS_URL: 'ws://127.0.0.1:1/ws' };
    expect(opened(listening)).toEqual(['simulated', 'polymarket', 'kalshi']);
    expect(read(listening).kalshi.key).toEqual(read(listening).kalshi.key);
    expect(opened({ ...listening, EXCHANGE_REPLAY: 'game.jsonl' })).toEqual(['replay', 'polymarket (read only)']);
    expect(complaints({ VENUE: 'polymarket,elsewhere' })).toEqual([
      'VENUE is wrong: expected simulated, paper, or any of polymarket, kalshi, separated by commas',
    ]);
    expect(complaints({ ...listening, KALSHI_API_URL: 'https://external-api.kalshi.com/trade-api/v2' })).toEqual([
      'KALSHI_API_URL is wrong: expected an address of the simulated exchange, or VENUE=kalshi',
    ]);
  });

  it('keep what holds for the whole desk where a real venue is added', () => {
    const kept = ['kalshi', 'polymarket', 'polymarket,kalshi'].map(
      (VENUE) => modeOf(read({ VENUE }).venueMode).keptUnder,
    );
    expect(new Set(kept).size).toBe(1);
  });

  it('trades on paper by the exchange that mirrors one venue or both, with keys of its own, and names what is wrong', () => {
    for (const VENUE of ['paper', 'paper:polymarket']) {
      const { venueMode, venues, polymarket, signUp, firstSizePolicy, paper } = read({ VENUE });
      expect({ venueMode, signUp, firstSizePolicy, paper }).toEqual({
        ...{
          venueMode: 'paper',
          signUp: 'open',
          firstSizePolicy: 'best',
          paper: { fills: 'latency', upstream: 'real' },
        },
      });
      expect([...venues]).toEqual([['polymarket', { isReadOnly: false }]]);
      expect(polymarket.privateKey).toMatch(/^0x[0-9a-f]{64}$/);
    }
    expect(read({ VENUE: 'paper' }).polymarket.privateKey).not.toBe(read({}).polymarket.privateKey);
    expect(read({ VENUE: 'paper', PAPER_FILLS: 'touch' }).paper).toEqual({ fills: 'touch', upstream: 'real' });
    const PAPER_UPSTREAM = 'https://a:secret@b.example/gamma/, https://b.example,wss://b.example/ws';
    expect(read({ VENUE: 'paper', PAPER_UPSTREAM }).paper?.upstream).toBe(
      'https://b.example/gamma,https://b.example,wss://b.example/ws',
    );
    const listening = { KALSHI_API_URL: 'http://127.0.0.1:1/trade-api/v2', KALSHI_WS_URL: 'ws://127.0.0.1:1/ws' };
    const both = read({ VENUE: 'paper:polymarket,kalshi', ...listening });
    expect([both.venueMode, ...both.venues.keys()]).toEqual(['paper_several', 'polymarket', 'kalshi']);
    expect(both.paper?.upstream).toBe('real kalshi=real');
    expect(both.kalshi.key).toEqual(read({ VENUE: 'paper:kalshi', ...listening }).kalshi.key);
    const PAPER_KALSHI_UPSTREAM = 'http://a:secret@b.example/trade-api/v2';
    const alone = read({ VENUE: 'paper:kalshi', PAPER_KALSHI_UPSTREAM, ...listening });
    expect([alone.venueMode, ...alone.venues.keys(), alone.paper?.upstream]).toEqual([
      ...['paper_kalshi', 'kalshi', 'kalshi=http://b.example/trade-api/v2'],
    ]);
    // Never the venue itself, whose address is the default elsewhere.
    expect(complaints({ VENUE: 'paper:kalshi' })).toEqual([
      expect.stringMatching(/^KALSHI_API_URL is not set/),
      expect.stringMatching(/^KALSHI_WS_URL is not set/),
    ]);
    expect(complaints({ VENUE: 'paper:kalshi', PAPER_UPSTREAM: 'real', ...listening })).toEqual([
      'PAPER_UPSTREAM is wrong: expected it to be unset, or VENUE=paper',
    ]);
    expect(complaints({ VENUE: 'paper', PAPER_KALSHI_UPSTREAM })).toEqual([
      'PAPER_KALSHI_UPSTREAM is wrong: expected it to be unset, or VENUE=paper:kalshi or VENUE=paper:polymarket,kalshi',
    ]);
    expect(complaints({ VENUE: 'paper:elsewhere' })).toEqual([
      'VENUE is wrong: expected paper, paper:kalshi or paper:polymarket,kalshi',
    ]);
    expect(complaints({ VENUE: 'paper', PAPER_FILLS: 'hope' })).toEqual([
      'PAPER_FILLS is wrong: expected one of touch, latency, survival',
    ]);
    expect(complaints({ VENUE: 'paper', POLYMARKET_CLOB_URL: 'https://clob.polymarket.com' })).toHaveLength(1);
  });

  it('takes no key of a real venue on paper, and no upstream without it', () => {
    const keys = {
      ...{ POLYMARKET_PRIVATE_KEY: 'hunter2', POLYMARKET_FUNDER: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      ...{ POLYMARKET_RELAYER_KEY: 'hunter2', KALSHI_KEY_ID: 'hunter2', KALSHI_PRIVATE_KEY: 'hunter2' },
      KALSHI_PRIVATE_KEY_FILE: '/hunter2',
    };
    const reported = complaints({ VENUE: 'paper', ...keys });
    expect(reported).toEqual(
      Object.keys(keys).map(
        (name) => `${name} is wrong: expected it to be unset: paper trading uses no key of a real venue`,
      ),
    );
    expect(complaints({ VENUE: 'paper', EXCHANGE_REPLAY: 'game.jsonl' })).toEqual([
      'EXCHANGE_REPLAY is wrong: expected it to be unset: paper trading follows the prices of now',
    ]);
    for (const VENUE of ['simulated', 'polymarket'])
      expect(complaints({ VENUE, PAPER_UPSTREAM: 'real' })).toEqual([
        'PAPER_UPSTREAM is wrong: expected it to be unset, or VENUE=paper',
      ]);
  });
});
