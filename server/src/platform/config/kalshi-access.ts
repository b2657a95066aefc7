import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import { KALSHI_DEFAULTS } from '@dutchbook/venues/kalshi/config.ts';
import { openSigner } from '@dutchbook/venues/kalshi/signing.ts';
import type { KalshiAccess } from '../runtime/config.ts';
import type { Asked } from './paper.ts';
import type { Variables } from './variables.ts';

const KEY_ID = /^[A-Za-z0-9-]{1,100}$/;

/** A key is its id and the private half of it, given itself or as the file that it lies in. */
export function readKalshi(read: Variables, venueMode: VenueMode, { onPaper, venues }: Asked): KalshiAccess {
  const subaccount = read.text('KALSHI_SUBACCOUNT') === null ? null : read.wholeNumber('KALSHI_SUBACCOUNT', 0, 0, 63);
  if (modeOf(venueMode).onExchange)
    for (const name of ['KALSHI_API_URL', 'KALSHI_WS_URL'])
      if (isOfRealVenue(read.text(name))) read.complain(name, 'an address of the simulated exchange, or VENUE=kalshi');
  // A mirror has no address of its own: the starter of the exchange says where it listens.
  const isMirrored = onPaper && venues.includes('kalshi');
  return {
    apiUrl: read.url('KALSHI_API_URL', ['http:', 'https:'], isMirrored ? null : KALSHI_DEFAULTS.apiUrl),
    wsUrl: read.url('KALSHI_WS_URL', ['ws:', 'wss:'], isMirrored ? null : KALSHI_DEFAULTS.wsUrl),
    key: modeOf(venueMode).world === 'paper' ? null : readKey(read, 'KALSHI'),
    transferKey: modeOf(venueMode).world === 'paper' ? null : readKey(read, 'KALSHI_TRANSFER'),
    subaccount,
  };
}

/** The simulated exchange is armed without limits: orders of that must never reach the venue itself. */
function isOfRealVenue(url: string | null): boolean {
  return /(^|\.)kalshi\.(?:com|co)\.?$/.test(URL.parse(url ?? '')?.hostname ?? '');
}

/** A throw-away one, in PEM. */
export function newKalshiKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The one that trades, or the one that only moves cash. */
function readKey(read: Variables, prefix: 'KALSHI' | 'KALSHI_TRANSFER'): KalshiAccess['key'] {
  const [idName, keyName] = [`${prefix}_KEY_ID`, `${prefix}_PRIVATE_KEY`];
  const id = read.text(idName);
  const file = read.text(`${keyName}_FILE`);
  const given = read.text(keyName) ?? (file === null ? null : textOf(file));
  if (id === null && given === null && file === null) return null;
  if (id === null || !KEY_ID.test(id)) read.complain(idName, 'the id of the key, where a private key is given');
  else if (given === null) read.complain(keyName, `a private key, or ${keyName}_FILE one that can be read`);
  else if (!isUsable(given)) read.complain(keyName, 'an RSA key of 2048 bits or more, or an Ed25519 key, in PEM');
  else return { id, privateKey: given };
  return null;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function isUsable(pem: string): boolean {
  try {
    openSigner('', pem);
    return true;
  } catch {
    return false;
  }
}
