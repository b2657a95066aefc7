/** Holds the exchange of paper trading to what the configuration says of it: every figure is labelled by that. */
import { PAPER_FILLS, type PaperFills } from '@dutchbook/contract/status.ts';
import * as z from 'zod/mini';
import { ConfigError } from '../platform/config/config.ts';
import type { Config } from '../platform/runtime/config.ts';

const ANSWER_WITHIN_MS = 10_000;

const mirror = z.object({
  fills: z.enum(Object.keys(PAPER_FILLS) as PaperFills[]),
  venues: z._default(z.array(z.string()), ['polymarket']),
});

type Asked = Pick<Config, 'paper' | 'venues'> & { polymarket: Pick<Config['polymarket'], 'clobUrl'> };

/** @throws ConfigError where the exchange mirrors not the venues that are asked for, fills by another model, or does not answer */
export async function refuseOtherExchange({ polymarket, paper, venues }: Asked): Promise<void> {
  if (paper === null) return;
  const { fills } = paper;
  const url = polymarket.clobUrl;
  const answer = await fetch(`${url}/_control/paper`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(
    (cause: unknown) => {
      throw new ConfigError(`POLYMARKET_CLOB_URL is wrong: the exchange there does not answer`, { cause });
    },
  );
  const said = mirror.safeParse(await answer.json().catch(() => null)).data;
  if (said === undefined || !answer.ok)
    throw new ConfigError(
      'POLYMARKET_CLOB_URL is wrong: the exchange there mirrors no venue. Start it with PAPER_UPSTREAM, or by VENUE=paper npm start',
    );
  const missing = [...venues.keys()].find((name) => !said.venues.includes(name));
  if (missing !== undefined)
    throw new ConfigError(
      `VENUE is wrong: the exchange mirrors ${said.venues.join(' and ')}, not ${missing}. Start it by VENUE=paper:${[...venues.keys()].join()} npm start`,
    );
  if (said.fills !== fills)
    throw new ConfigError(`PAPER_FILLS is wrong: expected ${said.fills}, as the exchange fills orders`);
}
