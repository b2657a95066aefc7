import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '../venue.ts';
import type { KalshiApi } from './api.ts';
import { apiKeys } from './wire.ts';

/** What a key may do and until when; `expiresAt`: the attestation of where its owner is ends. */
export type KeyTerms = { mayTrade: boolean; mayMoveMoney: boolean; expiresAt: Instant | null };

/** A key without scopes, as they were before there were any, may do everything. */
const EVERYTHING = ['read', 'write'];
const MOVES = ['write', 'write::transfer'];
const TRADES = ['write', 'write::trade'];

/** Null where the venue does not list the key. Throws VenueUnavailable. */
export async function readKey(api: KalshiApi, keyId: string): Promise<KeyTerms | null> {
  const parsed = apiKeys.safeParse(await api.get('/api_keys'));
  if (!parsed.success) throw new VenueUnavailable('the list of keys came in an unknown shape');
  const { api_keys, api_key_region_expiration_ts: seconds } = parsed.data;
  const key = api_keys.find(({ api_key_id }) => api_key_id === keyId);
  if (key === undefined) return null;
  const scopes = key.scopes ?? EVERYTHING;
  const hasAny = (some: readonly string[]) => scopes.some((scope) => some.includes(scope));
  return {
    mayTrade: hasAny(TRADES),
    mayMoveMoney: hasAny(MOVES),
    expiresAt: seconds == null ? null : instantFromMs(seconds * 1000),
  };
}
