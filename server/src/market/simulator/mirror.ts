import type { Mirrored } from '@dutchbook/contract/discovery/census.ts';
import * as z from 'zod/mini';
import { Refusal } from '../../platform/http/errors.ts';
import type { Config } from '../../platform/runtime/config.ts';
import { Simulator } from './simulator.ts';

const REASONS_MAX = 50;
const UNREAD = { markets: 0, complete: false, left_out: [] };

const mirror = z.object({
  markets: z.int(),
  catalogue_complete: z.boolean(),
  catalogue_trouble: z.nullable(z.string()),
  left_out: z.array(z.object({ reason: z.string(), count: z.int() })),
});

/** What the exchange of paper trading says of the catalogue that it mirrors; null where nothing is on paper. */
export async function readMirror({
  paper,
  polymarket,
}: Pick<Config, 'paper' | 'polymarket'>): Promise<Mirrored | null> {
  if (paper === null) return null;
  try {
    const said = mirror.safeParse(await new Simulator(polymarket.clobUrl).read('paper')).data;
    if (said === undefined) return { ...UNREAD, trouble: 'The exchange of paper trading answers something else' };
    const { markets, catalogue_complete: complete, catalogue_trouble: trouble, left_out } = said;
    const byCount = left_out.toSorted((one, other) => other.count - one.count).slice(0, REASONS_MAX);
    return { markets, complete, trouble, left_out: byCount.map(({ reason, count }) => ({ reason, markets: count })) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...UNREAD, trouble: error.message };
  }
}
