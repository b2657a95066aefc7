import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const SOURCE = new URL('../../../exchange/src/', import.meta.url);
const MAIN = fileURLToPath(new URL('main.ts', SOURCE));
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
  const child = spawn(process.execPath, isPaused ? ['--input-type=module', '--eval', PAUSED_MAIN] : [MAIN], {
    env: { ...process.env, EXCHANGE_PORT: '0', ...environment },
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

/** The exchange's own main, started held back, which its environment has no word for. */
const PAUSED_MAIN = `
  const { startExchange } = await import('${new URL('start-exchange.ts', SOURCE).href}');
  const { readSettings } = await import('${new URL('settings.ts', SOURCE).href}');
  const exchange = await startExchange({ ...readSettings(process.env), paused: true });
  process.stdout.write(JSON.stringify({ listening: exchange.url }) + '\\n');
  process.once('SIGTERM', () => void exchange.close());
`;

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
