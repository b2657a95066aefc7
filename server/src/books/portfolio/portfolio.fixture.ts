import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { VenuePosition } from '@dutchbook/venues/venue.ts';
import { expect } from 'vitest';
import { ask } from '../../platform/http/ask.fixture.ts';
import { openSellingSite } from '../../trading/batches/selling.fixture.ts';

export type PortfolioSite = Awaited<ReturnType<typeof openPortfolioSite>>;

/** A desk at a scripted venue, and its portfolio as a user reads it. */
export async function openPortfolioSite() {
  const site = await openSellingSite();
  const { headers } = await site.signedIn();
  const read = async (): Promise<Record<string, unknown>> => {
    // What was read a second ago is not read again.
    await site.test.time.advance(1100);
    const [status, body] = await ask(site, headers, 'GET', '/portfolio');
    expect(status).toBe(200);
    return body;
  };
  /** From now on the venue lists these: ten shares of a market of their own, but for what is said. */
  const showPositions = (...positions: Partial<VenuePosition>[]) => {
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    trading.positions = async () =>
      positions.map((position) => ({
        marketId: `market-${position.tokenId}`,
        tokenId: '101',
        outcome: 'Yes',
        shares: sharesFromText('10'),
        redeemable: false,
        resolvedValue: null,
        ...position,
      }));
  };
  return { site, headers, read, showPositions };
}
