import type { ReadPriority } from '../read-budget.ts';
import { createJsonApi, openReadSlots, type Query } from '../transport.ts';
import type { VenueRuntime } from '../venue.ts';
import type { KalshiConfig } from './config.ts';
import type { Signer } from './signing.ts';

/** Reads below the venue's address, signed where there is a key. Throws `VenueUnavailable`. */
export type KalshiApi = {
  readonly isSigned: boolean;
  get(path: string, query?: Query, priority?: ReadPriority): Promise<unknown>;
};

/** Of the smallest tier; all reads have one bucket. */
const READS_PER_SECOND = 20;
const ALL_READS = 'reads';

export function openApi(config: KalshiConfig, signer: Signer | null, runtime: VenueRuntime): KalshiApi {
  const limit = { calls: READS_PER_SECOND, windowMs: 1_000 };
  const takeSlot = openReadSlots(new Map([[ALL_READS, limit]]), runtime.now);
  const json = createJsonApi(config.apiUrl, config.requestTimeoutMs, {
    ...runtime,
    takeSlot: (_part, priority) => takeSlot(ALL_READS, priority),
  });
  const below = new URL(config.apiUrl).pathname.replace(/\/{1,9}$/, '');
  return {
    isSigned: signer !== null,
    get: (path, query = {}, priority) => {
      const headers = signer === null ? {} : signer('GET', `${below}${path}`, runtime.now());
      return json.get(path, query, { headers, ...(priority === undefined ? {} : { priority }) });
    },
  };
}
