import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
/** Where recordings of the venue lie, if there are any. */
export const recordings = path.resolve(repository, process.env.MARKET_DATA_DIR ?? '../shared/data', 'polymarket');
export const NONE = 'no recordings in MARKET_DATA_DIR';

export type Recorded = Record<string, unknown> & {
  closed?: boolean;
  negRisk?: boolean;
  conditionId: string;
  bestBid?: number;
  bestAsk?: number;
  events: [Record<string, unknown> & { id: string; title: string }];
};

/** The open markets of a recorded page. */
export function recordedMarkets(file: string): Recorded[] {
  const parsed = JSON.parse(gunzipSync(readFileSync(path.join(recordings, 'gamma', file))).toString()) as
    | Recorded[]
    | { markets: Recorded[] };
  return (Array.isArray(parsed) ? parsed : parsed.markets).filter(({ closed }) => closed !== true);
}
