/** Pairs of positions that trigger when the exchange makes one of them cheap, and how long their orders take to come. */
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../rows.ts';
import type { Exchange } from './exchange.ts';
import type { OpenSet, SetsPlan } from './sets.ts';

/** An ask too expensive to trigger. */
const DEAR = '0.6';
export const CHEAP = '0.35';
export const PAIRS: SetsPlan = { sets: 20, positions: 2, ask: DEAR, targetPrice: 1 };
const BETWEEN_MS = 60;

/** Triggers pairs in turn, `times` in all. @returns milliseconds from frame to orders, for each */
export async function trigger(exchange: Exchange, pairs: readonly OpenSet[], times: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    const took = await triggerOnce(exchange, pairs[nth % pairs.length]);
    if (took !== null) tookMs.push(took);
  }
  if (tookMs.length < times) say(`  ${times - tookMs.length} of ${times} triggers bought nothing`);
  return tookMs;
}

async function triggerOnce(exchange: Exchange, pair: OpenSet | undefined): Promise<number | null> {
  const tokenId = pair?.tokenIds[0] ?? '';
  const found = await exchange.until('/orders', () => exchange.setBook({ tokenId, ask: CHEAP }));
  exchange.setBook({ tokenId, ask: DEAR });
  await pause(BETWEEN_MS);
  return found === null ? null : Number(found.postedNs - found.publishedNs) / 1e6;
}

/**
 * Triggers each pair once, as a warm-up, and returns those that buy. One pair never does: its event has an outcome that no market
 * lists, so that a person has to decide.
 */
export async function pairsThatBuy(exchange: Exchange, pairs: readonly OpenSet[]): Promise<OpenSet[]> {
  const buying: OpenSet[] = [];
  for (const pair of pairs) if ((await triggerOnce(exchange, pair)) !== null) buying.push(pair);
  if (buying.length < pairs.length) say(`  ${pairs.length - buying.length} of ${pairs.length} pairs buy nothing`);
  return buying;
}
