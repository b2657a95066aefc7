/** Opportunities on the markets of the simulated exchange, no market in two of them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';

const LISTED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;

/** One opportunity, and the token of each of its positions. */
export type OpenSet = { id: string; tokenIds: readonly string[] };

export type SetsPlan = { sets: number; positions: number; ask: string; targetPrice: number };

type Market = { id: string; outcomes: { outcome: string; token_id: string }[] };

/** Adds them through the product's API at `api`, each position at the same ask. */
export async function openSets(
  api: string,
  authorization: string,
  exchange: Pick<Exchange, 'setBook'>,
  { sets, positions, ask, targetPrice }: SetsPlan,
): Promise<OpenSet[]> {
  const headers = { authorization, 'content-type': 'application/json' };
  const data = await listedMarkets(`${api}/markets?limit=${sets * positions}`, headers, sets * positions);
  const opened: OpenSet[] = [];
  for (let from = 0; from + positions <= data.length; from += positions) {
    const legs = data.slice(from, from + positions).map(({ id, outcomes: [first] }, leg) => ({
      tokenId: first?.token_id ?? '',
      command: { leg: leg + 1, markets: [{ id, outcome: first?.outcome }] },
    }));
    for (const { tokenId } of legs) exchange.setBook({ tokenId, ask });
    const body = JSON.stringify({ market_combinations: legs.map(({ command }) => command), target_price: targetPrice });
    const added = await fetch(`${api}/arbitrage/opportunities`, { method: 'POST', headers, body });
    if (!added.ok) throw new Error(`an opportunity was not added: ${await added.text()}`);
    const { id } = (await added.json()) as { id: string };
    opened.push({ id, tokenIds: legs.map(({ tokenId }) => tokenId) });
  }
  return opened;
}

/** A product that has just started lists the markets that discovery has read so far. @throws where there are too few after a while */
async function listedMarkets(url: string, headers: Record<string, string>, count: number): Promise<Market[]> {
  for (const endMs = performance.now() + LISTED_WITHIN_MS; performance.now() < endMs; await pause(LOOK_EVERY_MS)) {
    const answer = await fetch(url, { headers });
    const { data } = (await answer.json()) as { data: Market[] };
    if (data.length >= count) return data;
  }
  throw new Error(`the product does not list ${count} markets`);
}
