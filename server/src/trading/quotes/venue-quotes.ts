import type { Quote, VenuePrices } from '@dutchbook/venues/venue.ts';
import type { SystemSettings } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import { answered } from './answered.ts';
import { inChunks } from './chunks.ts';

const POLL_MS = 2000;

export type VenueQuotes = {
  quote: (tokenId: string) => Quote | undefined;
  /** Whether pricing asks for midpoints and last trades at all: USE_ORDER_BOOK_PRICES is off. */
  areUsed: () => boolean;
  stop: () => void;
};

type Polled = { tokenIds: () => string[]; onQuotes: (tokenIds: readonly string[]) => void };

/** The venue's own midpoints and last trades, asked for only while prices do not come from order books. */
export function pollVenueQuotes(
  prices: VenuePrices,
  { timers, log }: Pick<World, 'timers' | 'log'>,
  settings: SystemSettings,
  { tokenIds, onQuotes }: Polled,
): VenueQuotes {
  const quotes = new Map<string, Quote>();
  const areUsed = () => !settings.current().USE_ORDER_BOOK_PRICES;
  const refresh = () =>
    inChunks(timers, tokenIds(), async (chunk) => {
      for (const [tokenId, quote] of await prices.fetchQuotes(chunk)) quotes.set(tokenId, quote);
      onQuotes(chunk);
    });
  const stop = timers.every(POLL_MS, async () => {
    if (areUsed()) await answered(log, 'its midpoints', refresh);
  });
  return { quote: (tokenId) => quotes.get(tokenId), areUsed, stop };
}
