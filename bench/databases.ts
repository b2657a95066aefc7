/** A database of its own for every question, on the server that TEST_DATABASE_URL names, and the product's variables for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshTestDatabase } from '@dutchbook/server/platform/database/test-server.fixture.ts';

export type BenchDatabase = AsyncDisposable & { variables: Record<string, string> };

/** `variables` name the database and a data folder, both empty and removed at the end. No venue answers. */
export async function openDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
  const { url, drop } = await freshTestDatabase();
  return {
    variables: {
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: 'off',
      VENUE: 'polymarket',
      POLYMARKET_CLOB_URL: 'http://127.0.0.1:9',
      POLYMARKET_GAMMA_URL: 'http://127.0.0.1:9/gamma',
      POLYMARKET_WS_URL: 'ws://127.0.0.1:9/ws',
      DATABASE_URL: url,
    },
    [Symbol.asyncDispose]: async () => {
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
