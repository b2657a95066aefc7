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

  it('says in one line why it cannot start, and exits with an error', async () => {
    const { code, said } = await refusal({ EXCHANGE_REPLAY: '/nowhere.jsonl' });
    expect(code).toBe(1);
    expect(said).toContain('/nowhere.jsonl');
    expect(said.trim().split('\n')).toHaveLength(1);
  });
});
