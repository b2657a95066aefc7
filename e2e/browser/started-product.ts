import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import { migratedDatabase } from '../product/database.ts';
import { exchangeControls } from '../product/exchange.ts';
import { runProgram } from '../product/process.ts';
import { signedInCaller } from '../product/product.ts';

/**
 * The whole product, started by the README's own command in a new data folder and on ports of its own. The superuser's
 * password is the one it printed. Found opportunities are left to the operator of the test.
 */
export async function startByReadme(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-browser-'));
  const running = runProgram('npm', ['start'], {
    DATA_DIR: dataDir,
    PORT: '0',
    EXCHANGE_PORT: '0',
    FIRST_SIZE_POLICY: 'smallest',
    RATE_LIMIT: 'off',
    API_DOCUMENT: 'when_asked',
    LOG_LEVEL: 'warn',
    ...env,
  });
  const said = async (pattern: RegExp) => (await running.line(pattern)).slice(1).map(String);
  const [exchangeUrl = ''] = await said(/The simulated exchange listens on (http:\S+\d)/);
  const [username = '', password = ''] = await said(/First superuser: (\S+) with password (\S+)/);
  const [url = ''] = await said(/Dutchbook listens on (http:\S+\d)/);
  const credentials = { username, password };
  const caller = await signedInCaller(url, credentials);
  await caller.call(writeDiscoverySettings, { body: { auto_place_found: false } });
  return {
    url,
    pid: running.pid,
    dataDir,
    credentials,
    caller,
    exchange: exchangeControls(exchangeUrl),
    output: running.output,
    async stop() {
      running.kill('SIGTERM');
      await running.ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * `startByReadme` on a migrated database of the test run's server and without discovery, for specs that look at screens.
 */
export async function startOnServer(env: Record<string, string> = {}): Promise<StartedProduct> {
  return startByReadme({ DISCOVERY: 'off', DATABASE_URL: env.DATABASE_URL ?? (await migratedDatabase()), ...env });
}

export type StartedProduct = Awaited<ReturnType<typeof startByReadme>>;
