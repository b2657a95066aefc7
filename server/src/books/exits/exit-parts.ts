/** What the calls that convert shares into dollars, redeem and approve work with. */
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { presentSubmission, publishSubmission } from '../../trading/chain-steps/present.ts';
import { submissionsOfRequest } from '../../trading/chain-steps/store.ts';
import type { TradingControls } from '../../trading/trading-controls/trading-controls.ts';

export type ExitParts = {
  runtime: Runtime;
  venue: Pick<Venue, 'catalogue' | 'trading' | 'chain'>;
  quotes: Quotes;
  controls: TradingControls;
  stream: StreamHub;
};

export const NO_CHAIN = 'Shares are not converted into dollars on this venue.';

/** @throws Conflict */
export function chainOrConflict({ venue: { chain } }: Pick<ExitParts, 'venue'>): VenueChain {
  if (chain === null) throw new Conflict(NO_CHAIN);
  return chain;
}

/** What was recorded for a request, as it stands now; it is published to tabs. */
export async function submittedNow({ runtime: { db }, stream }: ExitParts, requestId: string) {
  const submissions = await submissionsOfRequest(db, requestId);
  for (const { row } of submissions) await publishSubmission(db, stream, row.id);
  return { simulation: false as const, submissions: submissions.map(presentSubmission) };
}
