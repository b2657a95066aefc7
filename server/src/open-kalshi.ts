/** Opens the account at Kalshi; on the simulated exchange it first registers its key, which a person does on the real venue's pages. */
import { createPublicKey } from 'node:crypto';
import { modeOf } from '@dutchbook/contract/status.ts';
import { KALSHI_DEFAULTS } from '@dutchbook/venues/kalshi/config.ts';
import { openKalshi } from '@dutchbook/venues/kalshi/kalshi.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Runtime } from './platform/runtime/runtime.ts';

const TRADES = ['read', 'write::trade'];
const MOVES_CASH = ['write::transfer'];

export async function openKalshiAccount({ config, clock, random, log }: Runtime): Promise<Venue> {
  const { apiUrl, key, transferKey } = config.kalshi;
  if (modeOf(config.venueMode).onExchange === true) {
    if (key !== null) await introduce(apiUrl, key, TRADES);
    if (transferKey !== null) await introduce(apiUrl, transferKey, MOVES_CASH);
  }
  const runtime = { now: clock.now, random: random.fraction, log };
  return openKalshi({ ...KALSHI_DEFAULTS, ...config.kalshi }, runtime);
}

type Key = { id: string; privateKey: string };

async function introduce(apiUrl: string, { id, privateKey }: Key, scopes: readonly string[]): Promise<void> {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const response = await fetch(new URL('/_control/kalshi/keys', apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key_id: id, public_key: publicKey, scopes }),
  });
  if (!response.ok) throw new Error(`the simulated Kalshi does not take the key: ${response.status}`);
}
