import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Hex } from 'viem';
import { buildCatalogue } from '../../catalogue/listing.ts';
import { NO_FAULTS } from '../../faults/no-faults.fixture.ts';
import { ExchangeClock } from '../../matching-engine/clock.ts';
import { MarketDirectory } from '../../matching-engine/market.ts';
import { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { Chain } from '../chain.ts';
import { execute } from '../contracts/execution.ts';
import { book } from '../contracts/ledger.ts';

const NOW = 1_780_000_000_000 as Instant;

/** The exchange's ledger, as transactions find it. */
export function openLedger(owners: readonly Hex[], micro: number) {
  const clock = new ExchangeClock({ now: () => NOW, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(1, NOW), NOW);
  const engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
  const chain = new Chain({ engine, faultOf: () => ({ fate: {}, stuckMs: undefined, isReplaced: false }) });
  for (const owner of owners) engine.balances.setCash(chain.wallets.accountAt(owner), micro as Usd);
  const account = (owner: Hex) => chain.wallets.accountAt(owner);
  return {
    engine,
    chain,
    /** False when a contract reverts. */
    call: (from: Hex, to: Hex, data: Hex): boolean => execute([{ from, to, data }], chain.parts).revert === undefined,
    tokens: (owner: Hex, tokenId: string): number => engine.balances.tokens(account(owner), tokenId),
    cash: (owner: Hex): number => engine.balances.cash(account(owner)),
    /** Takes everything but the cash away from its owners. */
    forget: () => {
      for (const holder of engine.balances.accounts()) {
        for (const [tokenId, held] of [...engine.balances.holdings(holder)]) {
          book(engine, { account: holder, tokenId, micro: -held });
        }
      }
    },
  };
}

/** Draws from a seed, the same numbers each time. */
export function drawsOf(random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const amount = () => (random() < 0.1 ? below(3) : 1 + below(20_000_000));
  return { below, amount, oneOf: <T>(items: readonly T[]): T => items[below(items.length)] as T };
}
