/** The parts of the chain loop. */
import type { Venue, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { BatchPublisher } from '../execution/runner/publish-batch.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';

export type ChainLoopParts = {
  runtime: Runtime;
  chain: VenueChain;
  trading: VenueTrading;
  catalogue: Pick<Venue['catalogue'], 'marketsById'>;
  quotes: Quotes;
  partitions: Partitions;
  controls: TradingControls;
  stream: StreamHub;
  publisher: BatchPublisher;
  /** Name for leases on batches, different from the batch runner's. */
  owner: string;
};

export const DISARMED = 'Not sent: trading is disarmed.';

/** How what the venue says begins where it has not taken a submission. */
export const REFUSED = 'Refused';
export const GIVEN_UP = 'Given up';

/** The venue's own words behind ours; one full stop. */
export function sentenceOf(what: string, reason: string): string {
  let end = reason.length;
  while (reason[end - 1] === '.') end -= 1;
  return `${what}: ${reason.slice(0, end)}.`;
}
