/** How many submissions that merge the venue takes in a day, and how many of ours it has taken: other programs may use the same key. */
import type { ChainQuota } from '@dutchbook/contract/chain-steps.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { mergesSentSince } from './store.ts';

const MERGES_A_DAY = 100;
const DAY_MS = 24 * 3_600_000;

type Counted = Pick<VenueChain, 'quota' | 'callsMax'>;

/** Null where nothing is counted: who sends single calls pays their gas. */
export async function readQuota(
  db: Db,
  { clock }: Pick<Runtime, 'clock'>,
  chain: Counted | null,
  venue: VenueName,
): Promise<ChainQuota | null> {
  if (chain === null || chain.callsMax === 1) return null;
  const sent = await mergesSentSince(db, venue, (clock.now() - DAY_MS) as Instant);
  const [oldest] = sent;
  const reported = chain.quota();
  const used = reported === null ? sent.length : Math.max(sent.length, MERGES_A_DAY - reported.left);
  const freesAt = oldest === undefined ? null : ((oldest + DAY_MS) as Instant);
  return { used, allowed: MERGES_A_DAY, resets_at: reported?.resetsAt ?? freesAt };
}

/** How many more may be sent now. */
export function submissionsLeft(quota: ChainQuota | null): number {
  return quota === null ? Number.MAX_SAFE_INTEGER : Math.max(0, quota.allowed - quota.used);
}
