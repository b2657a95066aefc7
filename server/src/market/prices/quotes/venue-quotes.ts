import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Quote, VenuePrices } from '@dutchbook/venues/venue.ts';
import type { WatchedSettings } from '../../../people/system-settings/watched-settings.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { answered, inChunks } from './venue-reads.ts';

const POLL_MS = 2000;

export type VenueQuotes = {
  quote: (tokenId: TokenId) => Quote | undefined;
  /** Whether pricing asks for midpoints and last trades at all: USE_ORDER_BOOK_PRICES is off. */
  areUsed: () => boolean;
  /** Whether the venue has been asked for this token's, where they are used. */
  hasAnswered: (tokenId: TokenId) => boolean;
  forget: () => void;
  stop: () => void;
};

type Polled = { tokenIds: () => string[]; onQuotes: (tokenIds: readonly TokenId[]) => void };

/** The venue's own midpoints and last trades, asked for only while prices do not come from order books. */
export function pollVenueQuotes(
  prices: VenuePrices,
  { timers, log }: Pick<Runtime, 'timers' | 'log'>,
  settings: WatchedSettings,
  { tokenIds, onQuotes }: Polled,
): VenueQuotes {
  const quotes = new Map<TokenId, Quote>();
  const answeredFor = new Set<string>();
  const areUsed = () => !settings.current().USE_ORDER_BOOK_PRICES;
  const refresh = () =>
    inChunks(timers, tokenIds(), async (chunk) => {
      for (const [tokenId, quote] of await prices.fetchQuotes(chunk, 'following')) quotes.set(tokenId, quote);
      for (const tokenId of chunk) answeredFor.add(tokenId);
      onQuotes(chunk);
    });
  const refreshIfUsed = async () => {
    if (areUsed()) await answered(log, 'quotes', refresh);
  };
  const forget = () => {
    quotes.clear();
    answeredFor.clear();
    timers.after(0, refreshIfUsed);
  };
  let wereUsed = areUsed();
  const stops = [
    timers.every(POLL_MS, refreshIfUsed),
    settings.onChange(() => {
      // Answers from before a pause in use are out of date.
      if (areUsed() && !wereUsed) forget();
      wereUsed = areUsed();
    }),
  ];
  return {
    quote: (tokenId) => quotes.get(tokenId),
    areUsed,
    hasAnswered: (tokenId) => !areUsed() || answeredFor.has(tokenId),
    forget,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
