import { encodeFunctionData, type Hex } from 'viem';
import { expect, it } from 'vitest';
import type { EventListing } from '../../catalogue/listing.ts';
import { seededRandom } from '../../makers/random.ts';
import type { Market } from '../../matching-engine/market.ts';
import { FEE_VAULT } from '../../settlement/fee-vault.ts';
import { pairCall, redeemCall } from '../chain.fixture.ts';
import { NEG_RISK_ABI } from '../contracts/abis.ts';
import { NEG_RISK_ADAPTER } from '../contracts/addresses.ts';
import { Claims } from './claims.fixture.ts';
import { drawsOf, openLedger } from './ledger-world.fixture.ts';

/** Takes about a second; `EXCHANGE_SEQUENCES=10000` runs all. */
const SEQUENCES = Number(process.env.EXCHANGE_SEQUENCES ?? 150);
const STEPS_MAX = 12;
const OWNERS: readonly Hex[] = [
  '0x000000000000000000000000000000000000a11e',
  '0x0000000000000000000000000000000000000b0b',
];
const PARTIES = [...OWNERS, FEE_VAULT];
const DOLLARS = 10 ** 12;
const KINDS = ['split', 'split', 'merge', 'convert', 'convert', 'convert', 'redeem', 'resolve'] as const;
type Kind = (typeof KINDS)[number];

const { below, amount, oneOf } = drawsOf(seededRandom(25).unit);
const ledger = openLedger(OWNERS, DOLLARS);
const { directory } = ledger.engine;

interface World {
  readonly event: EventListing;
  readonly bips: number;
  /** By the place of its question. */
  readonly markets: ReadonlyMap<number, Market>;
  readonly questions: number;
  readonly claims: Claims;
  winner: number | undefined;
}

function openWorld(): World {
  ledger.forget();
  const event = oneOf(directory.events.filter(({ negRisk, markets }) => negRisk && markets[0]?.protocol === 'v1'));
  const bips = oneOf([0, 50, 100]);
  directory.keptBips.set(event.id, bips);
  const markets = new Map<number, Market>();
  for (const { questionId, conditionId } of event.markets) {
    const market = directory.market(conditionId);
    if (market === undefined) continue;
    market.payouts = undefined;
    markets.set(Number.parseInt(questionId.slice(-2), 16), market);
  }
  const questions = Math.max(...markets.keys()) + 1;
  const claims = new Claims(questions);
  for (const party of PARTIES) claims.give(party, '$', BigInt(ledger.cash(party)));
  return { event, bips, markets, questions, claims, winner: undefined };
}

function resolve(world: World): void {
  world.winner ??= oneOf([...world.markets.keys()]);
  for (const [place, market] of world.markets) market.payouts = place === world.winner ? [1, 0] : [0, 1];
}

/** Does one step in the ledger and with the claims; whether each took it. */
function step(kind: Exclude<Kind, 'resolve'>, world: World): [isDone: boolean, isExpected: boolean] {
  const owner = oneOf(OWNERS);
  const micro = BigInt(amount());
  const index = oneOf([...world.markets.keys()]);
  const conditionId = world.markets.get(index)?.listing.conditionId ?? '';
  const pair = [`Y${index}`, `N${index}`];
  const call = (data: Hex) => ledger.call(owner, NEG_RISK_ADAPTER, data);
  switch (kind) {
    case 'split':
      return [call(pairCall('splitPosition', conditionId, micro)), world.claims.swap(owner, micro, ['$'], pair)];
    case 'merge':
      return [call(pairCall('mergePositions', conditionId, micro)), world.claims.swap(owner, micro, pair, ['$'])];
    case 'redeem':
      return [call(redeemCall(conditionId)), redeem(world, owner, pair)];
    case 'convert': {
      const indexSet = BigInt(below(2 ** world.questions + 1));
      const args = [world.event.negRiskMarketId as Hex, indexSet, micro] as const;
      const data = encodeFunctionData({ abi: NEG_RISK_ABI, functionName: 'convertPositions', args });
      return [call(data), convert(world, owner, indexSet, micro)];
    }
  }
}

function redeem({ claims, winner }: World, owner: string, pair: readonly string[]): boolean {
  if (winner === undefined) return false;
  for (const holding of pair) {
    const isPaid = ((claims.pays(holding) >> BigInt(winner)) & 1n) === 1n;
    claims.swap(owner, claims.of(owner, holding), [holding], isPaid ? ['$'] : []);
  }
  return true;
}

/** NO of the set is given away; of what it becomes, the vault has its part of each piece. */
function convert({ claims, questions, bips }: World, owner: string, indexSet: bigint, micro: bigint): boolean {
  if (indexSet === 0n || indexSet >= 1n << BigInt(questions)) return false;
  const chosen = claims.parts(indexSet).map((yes) => yes.replace('Y', 'N'));
  if (!claims.swap(owner, micro, chosen, [])) return false;
  const rest = claims.parts(((1n << BigInt(questions)) - 1n) ^ indexSet);
  const kept = (micro * BigInt(bips)) / 10_000n;
  for (const piece of [...rest, ...chosen.slice(1).map(() => '$')]) {
    claims.give(owner, piece, micro - kept);
    claims.give(FEE_VAULT, piece, kept);
  }
  return true;
}

function compare(sequence: number, { claims, markets }: World): void {
  for (const party of PARTIES) {
    expect([sequence, BigInt(ledger.cash(party))]).toEqual([sequence, claims.of(party, '$')]);
    for (const [place, { tokens }] of markets) {
      const held = tokens.map((tokenId) => BigInt(ledger.tokens(party, tokenId)));
      expect([sequence, ...held]).toEqual([sequence, claims.of(party, `Y${place}`), claims.of(party, `N${place}`)]);
    }
  }
}

it('moves what claims on one winner move, to the last unit, with fees of 0, 50 and 100 bips', () => {
  const done = new Set<string>();
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const world = openWorld();
    const before = world.claims.worths();
    for (let left = 1 + below(STEPS_MAX); left > 0; left -= 1) {
      const kind = oneOf(KINDS);
      if (kind === 'resolve') {
        resolve(world);
        continue;
      }
      const [isDone, isExpected] = step(kind, world);
      expect([sequence, kind, isDone]).toEqual([sequence, kind, isExpected]);
      if (isDone) done.add(kind);
    }
    compare(sequence, world);
    // Whichever outcome wins, all that is held pays what was there to begin with.
    const { winner, claims } = world;
    if (winner === undefined) expect(claims.worths()).toEqual(before);
    else expect(claims.worth(winner)).toBe(before[winner]);
  }
  expect([...done].sort()).toEqual(['convert', 'merge', 'redeem', 'split']);
}, 3_600_000);
