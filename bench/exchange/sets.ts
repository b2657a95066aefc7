/** Opportunities on the markets of the simulated exchange, no market in two of them. */
import type { Exchange } from './exchange.ts';

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
  const answer = await fetch(`${api}/markets?limit=${sets * positions}`, { headers });
  const { data } = (await answer.json()) as { data: Market[] };
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
