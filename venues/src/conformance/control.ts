import { setTimeout as pause } from 'node:timers/promises';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { z } from 'zod';

const state = z.object({
  account: z.object({ usd: z.string(), tokens: z.record(z.string(), z.string()) }),
  orders: z.array(
    z.object({ id: z.string(), asset_id: z.string(), size_matched: z.string(), status: z.string(), side: z.string() }),
  ),
  trades: z.array(
    z.object({
      id: z.string(),
      asset_id: z.string(),
      side: z.string(),
      size: z.string(),
      price: z.string(),
      fee: z.string(),
      status: z.string(),
    }),
  ),
});
export type ExchangeState = z.infer<typeof state>;

const chainState = z.object({
  block: z.number(),
  transactions: z.array(z.object({ hash: z.string(), status: z.string(), is_success: z.boolean().nullable() })),
});
export type ChainState = z.infer<typeof chainState>;

const transferred = z.object({ hash: z.string() });
const listedMarkets = z.array(z.object({ conditionId: z.string(), version: z.string() }));
const activeFaults = z.object({ active: z.array(z.unknown()) });
const FAULT_POLL_MS = 50;

/** Levels as the wire writes them: price, size. */
export type QuotedLevels = readonly (readonly [price: string, size: string])[];

/** The strings behind the simulated exchange: what a test sets up, and the truth it compares with. */
export class ExchangeControl {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Replaces the quotes of a token; those of the other outcome follow as their mirror image. */
  async quote(tokenId: TokenId, bids: QuotedLevels, asks: QuotedLevels): Promise<void> {
    const levels = (side: QuotedLevels) => side.map(([price, size]) => ({ price, size }));
    await this.#call('POST', 'book', { token_id: tokenId, bids: levels(bids), asks: levels(asks) });
  }

  async fault(name: string, details: Record<string, unknown> = {}): Promise<void> {
    await this.#call('POST', 'faults', { name, ...details });
  }

  async clearFaults(): Promise<void> {
    await this.#call('DELETE', 'faults');
  }

  /** Resolves when every fault that was ordered has struck. */
  async untilNoFaults(): Promise<void> {
    while (activeFaults.parse(await this.#call('GET', 'faults')).active.length > 0) await pause(FAULT_POLL_MS);
  }

  async advanceClock(ms: number): Promise<void> {
    await this.#call('POST', 'clock', { advance_ms: ms });
  }

  /** Signatures may be dated by any clock from now on. */
  async takeAnyTime(): Promise<void> {
    await this.#call('POST', 'clock', { freshness_ms: Number.MAX_SAFE_INTEGER });
  }

  /** `normal`, `post_only`, `cancel_only` or `disabled`. */
  async setMode(mode: string): Promise<void> {
    await this.#call('POST', 'mode', { mode });
  }

  /** Orders of this market that would trade at once are held back for so long; 0 ends that. */
  async delayMatching(marketId: MarketId, ms: number): Promise<void> {
    await this.#call('POST', 'delay', { condition_id: marketId, ms });
  }

  /** Whether the answer to a match names its transaction; null: as the venue usually does. */
  async nameTransactions(present: boolean | null): Promise<void> {
    await this.#call('POST', 'hashes', { present });
  }

  /** Takes no fee at this market until then, where the venue announces such; one with these strings does not. */
  async waiveFees(_marketId: MarketId, _until: Instant): Promise<void> {}

  /** The ids of the markets whose tokens are positions of Protocol V2. */
  async positionMarkets(): Promise<string[]> {
    const response = await fetch(`${this.#url}/gamma/markets?limit=100`);
    const markets = listedMarkets.parse(await response.json());
    return markets.filter(({ version }) => version === 'v2').map(({ conditionId }) => conditionId);
  }

  /** What a contract may move of the account's cash or of its tokens, in base units. */
  async allow(contract: string, asset: 'COLLATERAL' | 'CONDITIONAL', amount: string): Promise<void> {
    await this.#call('POST', 'allowance', { contract, asset_type: asset, amount });
  }

  /** The most entries that a page of the catalogue has; null: as the venue usually does. */
  async clampPages(max: number | null): Promise<void> {
    await this.#call('POST', 'catalogue', { page_max: max });
  }

  async setTick(tokenId: TokenId, tick: string): Promise<void> {
    await this.#call('POST', 'tick_size', { token_id: tokenId, tick_size: tick });
  }

  async resolve(marketId: MarketId, outcome: string): Promise<void> {
    await this.#call('POST', 'resolve', { condition_id: marketId, outcome });
  }

  /** Whether the contracts know how the market was resolved. */
  async report(marketId: MarketId, reported: boolean): Promise<void> {
    await this.#call('POST', 'market', { condition_id: marketId, reported });
  }

  /** Dollars of the account become so many shares of each outcome, without a trade. */
  async split(marketId: MarketId, amount: string): Promise<void> {
    await this.#call('POST', 'split', { condition_id: marketId, amount });
  }

  /**
   * Dollars come to the account from elsewhere, or below zero go there, with the next block. `from`: `deposit`, `reward`, `rebate`,
   * `payout`, `unknown`, or an address. @returns the hash of the transaction
   */
  async transfer(usd: string, from = 'deposit'): Promise<string> {
    return transferred.parse(await this.#call('POST', 'transfer', { usd, from })).hash;
  }

  /** Whether the venue redeems for all accounts the markets that are resolved from now on, and how that pays. */
  async autoRedeem(on: boolean, pays: 'together' | 'apart' | 'never' = 'together'): Promise<void> {
    await this.#call('POST', 'auto_redeem', { on, pays });
  }

  /** What the catalogue says of a market's rules from now on. */
  async editRules(marketId: MarketId, rules: string): Promise<void> {
    await this.#call('POST', 'market', { condition_id: marketId, rules });
  }

  /** How the chain behaves from now on, and who signs for a wallet that is a contract. */
  async setChain(settings: {
    block_ms?: number;
    approved_by_default?: boolean;
    wei?: { address: string; amount: string };
    wallet?: { address: string };
    unstick?: true;
  }): Promise<void> {
    await this.#call('POST', 'chain', settings);
  }

  /** All transactions that the chain was ever sent, and its newest block. */
  async chain(): Promise<ChainState> {
    return chainState.parse(await this.#call('GET', 'chain'));
  }

  /** What converting takes of the shares and dollars of a market's event, in hundredths of a percent. */
  async setFeeBips(marketId: MarketId, bips: number): Promise<void> {
    await this.#call('POST', 'market', { condition_id: marketId, neg_risk_fee_bips: bips });
  }

  async resume(): Promise<void> {
    await this.#call('POST', 'resume', {});
  }

  async state(): Promise<ExchangeState> {
    return state.parse(await this.#call('GET', 'state'));
  }

  async #call(method: string, name: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/_control/${name}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${name}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
