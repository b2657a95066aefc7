import type { Hex } from 'viem';
import { expect, it } from 'vitest';
import { hashId } from '../../catalogue/ids.ts';
import { seededRandom } from '../../makers/random.ts';
import { payoutsOf } from '../../matching-engine/market.ts';
import { pairCall, redeemCall } from '../chain.fixture.ts';
import { COLLATERAL_ADAPTER } from '../contracts/addresses.ts';
import { drawsOf, openLedger } from './ledger-world.fixture.ts';
import { RealContract } from './real-contract.fixture.ts';

/** Takes about a second; `EXCHANGE_SEQUENCES=10000` runs all. */
const SEQUENCES = Number(process.env.EXCHANGE_SEQUENCES ?? 10);
const STEPS_MAX = 8;
const RESULTS = [0, 1, 'half'] as const;
const KINDS = ['splitPosition', 'splitPosition', 'mergePositions', 'mergePositions', 'redeem', 'resolve'] as const;
const OWNERS: readonly [Hex, Hex] = [
  '0x000000000000000000000000000000000000a11e',
  '0x0000000000000000000000000000000000000b0b',
];
const DOLLARS = 10 ** 13;

it('moves what the published bytecode of Conditional Tokens moves, to the last unit, and reverts where it reverts', async () => {
  const { below, amount, oneOf } = drawsOf(seededRandom(24).unit);
  const real = await RealContract.open(OWNERS, BigInt(DOLLARS));
  const ledger = openLedger(OWNERS, DOLLARS);
  const market = ledger.engine.directory.all().find(({ listing }) => listing.protocol === 'v1' && !listing.negRisk);
  if (market === undefined) throw new Error('the catalogue lists one');
  const conditionId = market.listing.conditionId as Hex;
  let reverted = 0;
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const condition = await real.prepare(hashId('sequence', sequence));
    ledger.forget();
    market.payouts = undefined;
    for (let step = 1 + below(STEPS_MAX); step > 0; step -= 1) {
      const owner = oneOf(OWNERS);
      const micro = amount();
      const kind = oneOf(KINDS);
      if (kind === 'resolve') {
        if (market.payouts !== undefined) continue;
        market.payouts = payoutsOf(oneOf(RESULTS));
        await real.report(condition.questionId, market.payouts.map(BigInt));
        continue;
      }
      const data = kind === 'redeem' ? redeemCall(conditionId) : pairCall(kind, conditionId, BigInt(micro));
      const isDone = ledger.call(owner, COLLATERAL_ADAPTER, data);
      if (!isDone) reverted += 1;
      const isReallyDone =
        kind === 'redeem'
          ? await real.redeem(owner, condition.conditionId)
          : await real.move(owner, kind, condition.conditionId, BigInt(micro));
      expect([sequence, kind, isDone]).toEqual([sequence, kind, isReallyDone]);
    }
    for (const owner of OWNERS) {
      const held = market.tokens.map((tokenId) => BigInt(ledger.tokens(owner, tokenId)));
      const really = [
        await real.tokensOf(owner, condition.positions[0]),
        await real.tokensOf(owner, condition.positions[1]),
      ];
      expect([sequence, ...held, BigInt(ledger.cash(owner))]).toEqual([sequence, ...really, await real.cashOf(owner)]);
    }
  }
  expect(reverted).toBeGreaterThan(0);
  const everything = OWNERS.reduce((sum, owner) => sum + ledger.cash(owner), 0);
  expect(BigInt(everything) + (await real.collateral())).toBe(BigInt(OWNERS.length * DOLLARS));
}, 3_600_000);
