import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * A process of its own is no import: the adapter meets the exchange over sockets only. `npm test` names the program that it has
 * built, which starts in a third of the time.
 */
const MAIN =
  process.env.EXCHANGE_PROGRAM ??
  join(fileURLToPath(new URL('../../..', import.meta.url)), 'exchange', 'src', 'main.ts');
const listening = z.object({ listening: z.url() });

export type ExchangeProcess = { url: string; stop(): Promise<void> };

/**
 * Starts the simulated exchange as a process of its own, the way the product meets a venue: over sockets only.
 * `environment` is added to ours. `isPaused`: nothing moves until the control says so.
 */
export async function startExchangeProcess({
  environment = {},
  isPaused = false,
}: {
  environment?: Record<string, string>;
  isPaused?: boolean;
}): Promise<ExchangeProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, EXCHANGE_PORT: '0', ...(isPaused ? { EXCHANGE_PAUSED: 'on' } : {}), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstLine(child);
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end < 0) return;
      resolve(listening.parse(JSON.parse(text.slice(0, end))).listening);
    });
    child.once('exit', (code) => reject(new Error(`the exchange ended with code ${String(code)} before it listened`)));
    child.once('error', reject);
  });
}
