import type { rehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import type * as z from 'zod/mini';

const MODEL = { profit_usd: 0, completed: 0, unwound: 0, unfilled: 0, worst_batch_usd: null };
const RUN = {
  ...{ triggers: 0, batches: 0, refused: 0, refusals: [], limit_hits: 0 },
  models: { touch: MODEL, measured: MODEL, pessimistic: MODEL },
};

/** As it is on the wire. */
export const NOTHING_FOUND: z.input<typeof rehearsalResult> = {
  ...{ present: RUN, proposed: RUN, differences: 0, unknown: [], records: 0, tokens: 0, took_ms: 3 },
  latency: { measured_ms: 300, pessimistic_ms: 900, is_own: false },
};
