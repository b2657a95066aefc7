import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader } from './adapters/polymarket/exchange-fixture.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

let folder: string;
let running: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-main-'));
});

afterEach(() => {
  running?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function launch(env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  return child;
}

async function listening(child: ReturnType<typeof launch>): Promise<string> {
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return (JSON.parse(line) as { listening: string }).listening;
}

async function refusal(env: Record<string, string>): Promise<{ code: number; said: string }> {
  const child = launch(env);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

describe('the exchange as a process', () => {
  it('says where it listens, and ends cleanly on SIGTERM', async () => {
    const child = launch({ EXCHANGE_SEED: '3' });
    const url = await listening(child);
    expect(await (await fetch(`${url}/version`)).json()).toEqual({ version: 2 });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('keeps what was answered when it is killed', async () => {
    const env = { EXCHANGE_JOURNAL: join(folder, 'journal.jsonl') };
    const child = launch(env);
    const url = await listening(child);
    const [market] = (await (await fetch(`${url}/gamma/markets?limit=1`)).json()) as { clobTokenIds: string }[];
    const [tokenID = ''] = JSON.parse(market?.clobTokenIds ?? '[]') as string[];
    const { client, creds } = await connectTrader(url);
    const placed = await client.createAndPostOrder({ tokenID, price: 0.01, size: 20, side: Side.BUY });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const again = await connectTrader(await listening(launch(env)));
    expect(again.creds).toEqual(creds);
    expect(await again.client.getOpenOrders()).toMatchObject([
      { id: placed.orderID, price: '0.01', original_size: '20' },
    ]);
  });

  it.each([
    ['EXCHANGE_PAUSED', 'maybe', 'on or off'],
    ['EXCHANGE_PORT', '80000', 'a whole number from 0 to 65535'],
    ['EXCHANGE_SEED', 'x', 'a whole number'],
    ['EXCHANGE_PLANTED', '5,4,2', 'events,mispriced,decoys'],
    ['EXCHANGE_AUTO_REDEEM', 'soon', 'off or a delay in milliseconds'],
    ['EXCHANGE_REPLAY_SPEED', 'fast', 'a positive number or max'],
    ['EXCHANGE_REPLAY', '/nowhere.jsonl', '/nowhere.jsonl'],
  ])('names a wrong %s and exits with an error', async (name, value, expected) => {
    const { code, said } = await refusal({ [name]: value });
    expect(code).toBe(1);
    expect(said).toContain(value);
    expect(said).toContain(expected);
    expect(said.trim().split('\n')).toHaveLength(1);
  });
});
