/** What the calls that convert shares into dollars, redeem and approve work with. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Venue, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { presentSubmission, publishSubmission } from '../../trading/chain-steps/present.ts';
import { submissionsOfRequest } from '../../trading/chain-steps/store.ts';
import { chosenOf, type NamedIn, oneOf } from '../../trading/trading-controls/by-venue.ts';
import type { TradingControls } from '../../trading/trading-controls/trading-controls.ts';
import type { Desks, VenueDesk } from '../../trading/venue-desk/desks.ts';

type AnyVenue = {
  runtime: Runtime;
  quotes: Quotes;
  stream: StreamHub;
};

/** At one venue. */
export type ExitParts = AnyVenue & {
  venue: Pick<Venue, 'catalogue' | 'trading' | 'chain'>;
  controls: TradingControls;
};

type ExitDesk = Pick<VenueDesk, 'name' | 'trading' | 'chain' | 'controls'>;

/** What the calls work with: the desk of each venue. */
export type ExitCalls = AnyVenue & { catalogue: Venue['catalogue']; desks: Pick<Desks<ExitDesk>, 'all'> };

export type ConvertingParts = AnyVenue & {
  catalogue: Venue['catalogue'];
  chain: VenueChain;
  trading: VenueTrading;
  controls: TradingControls;
};

const NO_CHAIN = 'Shares are not converted into dollars on this venue.';

/** `venue`: the one that a call names. `among`: those that it may be about. */
type AskedAt = { venue?: VenueName | undefined; among?: ReadonlySet<VenueName> | undefined; where?: NamedIn };

/**
 * The venue with a chain that a call is about. @throws Conflict where there is none, Invalid where it has to be named or is not
 * configured
 */
export function convertingAt({ desks, ...parts }: ExitCalls, { venue, among, where }: AskedAt): ConvertingParts {
  const all = desks.all.map((desk) => ({ venue: desk.name, ...desk }));
  const named = chosenOf(all, venue, where);
  const meant = named.filter((desk) => desk.chain !== null && (among === undefined || among.has(desk.name)));
  if (meant.length === 0) throw new Conflict(NO_CHAIN);
  const { chain, trading, controls } = oneOf(meant, undefined, where);
  if (chain === null || trading === null) throw new Conflict(NO_CHAIN);
  return { ...parts, chain, trading, controls };
}

/** What was recorded for a request, as it stands now; it is published to tabs. */
export async function submittedNow({ runtime: { db }, stream }: AnyVenue, requestId: string) {
  const submissions = await submissionsOfRequest(db, requestId);
  for (const { row } of submissions) await publishSubmission(db, stream, row.id);
  return { simulation: false as const, submissions: submissions.map(presentSubmission) };
}
