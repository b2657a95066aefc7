import { setTimeout as pause } from 'node:timers/promises';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { describe } from 'vitest';
import { CONFORMANCE_CASES } from '../conformance/cases.ts';
import { ExchangeControl, type QuotedLevels } from '../conformance/control.ts';
import { startExchangeProcess } from '../conformance/exchange-process.ts';
import { runCases } from './run-cases.fixture.ts';

/** What is different where a venue is mirrored: catalogue, books, orders that meet them, streams, positions, and merging. */
const CASES_OF_A_MIRROR = [
  ...[
    1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37,
    38,
  ],
  ...[54, 55, 60, 61, 62, 63, 66, 67, 80, 81, 83, 88],
];
const POLL_MS = 10;

/** Books move at the venue that is mirrored; everything else happens at the mirror. */
class MirroredControl extends ExchangeControl {
  readonly #url: string;
  readonly #real: { readonly url: string; readonly control: ExchangeControl };

  constructor(url: string, realUrl: string) {
    super(url);
    this.#url = url;
    this.#real = { url: realUrl, control: new ExchangeControl(realUrl) };
  }

  override async quote(tokenId: TokenId, bids: QuotedLevels, asks: QuotedLevels): Promise<void> {
    await this.#real.control.quote(tokenId, bids, asks);
    while ((await topOf(this.#url, tokenId)) !== (await topOf(this.#real.url, tokenId))) await pause(POLL_MS);
  }

  override async setTick(tokenId: TokenId, tick: string): Promise<void> {
    await this.#real.control.setTick(tokenId, tick);
    const { url } = this.#real;
    while ((await bookOf(this.#url, tokenId)).tick_size !== (await bookOf(url, tokenId)).tick_size)
      await pause(POLL_MS);
  }

  override editRules(marketId: MarketId, rules: string): Promise<void> {
    return this.#real.control.editRules(marketId, rules);
  }

  override async resolve(marketId: MarketId, outcome: string): Promise<void> {
    await this.#real.control.resolve(marketId, outcome);
    for (;;) {
      const response = await fetch(`${this.#url}/gamma/markets?condition_ids=${marketId}&closed=true`);
      if (((await response.json()) as unknown[]).length > 0) return;
      await pause(POLL_MS);
    }
  }
}

type WireBook = { bids?: unknown[]; asks?: unknown[]; tick_size?: string };

async function bookOf(url: string, tokenId: TokenId): Promise<WireBook> {
  return (await (await fetch(`${url}/book?token_id=${tokenId}`)).json()) as WireBook;
}

async function topOf(url: string, tokenId: TokenId): Promise<string> {
  const { bids, asks } = await bookOf(url, tokenId);
  return JSON.stringify([bids?.at(-1), asks?.at(-1)]);
}

describe('Polymarket on a mirror of it, for paper trading', () => {
  runCases(
    {},
    CONFORMANCE_CASES.filter(({ number }) => CASES_OF_A_MIRROR.includes(number)),
    async () => {
      const real = await startExchangeProcess({ isPaused: true });
      const PAPER_UPSTREAM = `${real.url}/gamma,${real.url},${real.url.replace('http', 'ws')}/ws`;
      const environment = { PAPER_UPSTREAM, PAPER_FILLS: 'touch', PAPER_CASH: '10000' };
      const paper = await startExchangeProcess({ environment });
      const stop = async () => {
        await paper.stop();
        await real.stop();
      };
      return { exchange: { url: paper.url, stop }, control: new MirroredControl(paper.url, real.url) };
    },
  );
});
