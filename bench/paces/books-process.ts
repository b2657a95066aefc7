/** Process that runs the product's market-channel reader and books; a counter is their only listener. */
import { randomBytes } from 'node:crypto';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { PolymarketMarketStream } from '@dutchbook/venues/polymarket/market-stream/market-stream.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { otherTokens } from '../feed/markets.ts';
import { answerReports, sideTask, wantedTokens } from './sides.ts';

const NEVER_MS = 3_600_000;
/** Switches off what would disturb the measurement: comparisons with REST, and timeouts of keep-alives that the player answers late. */
const UNDISTURBED = {
  pongLateMs: NEVER_MS,
  pongTimeoutMs: NEVER_MS,
  silenceMs: NEVER_MS,
  compareEveryMs: NEVER_MS,
  provenSilentMs: NEVER_MS,
  provenBusyMs: NEVER_MS,
};

const { url, tokens } = sideTask();
const silent = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
let frames = 0;
const stream = new PolymarketMarketStream({
  url,
  config: { ...POLYMARKET_DEFAULTS.stream, ...UNDISTURBED },
  runtime: {
    now: () => instantFromMs(Date.now()),
    random: () => randomBytes(4).readUInt32LE() / 2 ** 32,
    log: { info: () => {}, warn: () => {} },
  },
  prices: { fetchBooks: silent, fetchQuotes: silent },
  ticks: createTicks(() => instantFromMs(Date.now())),
  otherTokens,
  events: {
    onBooks: () => {},
    onTrust: () => {},
    onTick: () => {},
    onResolved: () => {},
    onFrame: () => {
      frames += 1;
    },
  },
});
stream.subscribe(wantedTokens(tokens));
answerReports(() => ({ frames, isRight: stream.health().staleTokens === 0 }));
