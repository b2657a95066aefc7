import { encodeFunctionData, type Hex, numberToHex } from 'viem';
import { expect, it } from 'vitest';
import type { EventListing } from '../../catalogue/listing.ts';
import { seededRandom } from '../../makers/random.ts';
import { ROUTER_ABI } from '../contracts/abis.ts';
import { ROUTER } from '../contracts/addresses.ts';
import { Claims, type Holding } from './claims.fixture.ts';
import { drawsOf, openLedger } from './ledger-world.fixture.ts';

/** Takes about a second; `EXCHANGE_SEQUENCES=10000` runs all. */
const SEQUENCES = Number(process.env.EXCHANGE_SEQUENCES ?? 100);
const STEPS_MAX = 16;
const OWNERS: readonly Hex[] = [
  '0x000000000000000000000000000000000000a11e',
  '0x0000000000000000000000000000000000000b0b',
];
const DOLLARS = 10 ** 12;
const STOCK = 30_000_000n;
const DIRECTIONAL = 4n;
const LINE = 0x80_00;

const { below, amount, oneOf } = drawsOf(seededRandom(26).unit);
const ledger = openLedger(OWNERS, DOLLARS);
const { directory } = ledger.engine;
const moduleOf = ({ markets }: EventListing) => BigInt(markets[0]?.tokens[0] ?? 0) >> 248n;
const EVENTS = directory.events.filter((event) => [2n, DIRECTIONAL].includes(moduleOf(event)));

interface World {
  readonly event: EventListing;
  /** The first 29 bytes of its ids. */
  readonly root: bigint;
  readonly arity: number;
  readonly isDirectional: boolean;
  readonly claims: Claims;
  /** All that can be held of it. */
  readonly names: readonly Holding[];
  winner: number | undefined;
}

/** A call of the router, and what it should move; `isMeant` false: it should be refused. */
interface Step {
  readonly args: readonly unknown[];
  readonly given: readonly Holding[];
  readonly taken: readonly Holding[];
  readonly isMeant?: boolean;
}

function openWorld(): World {
  ledger.forget();
  const event = oneOf(EVENTS);
  const first = BigInt(event.markets[0]?.tokens[0] ?? 0);
  const arity = Number((first >> 104n) & 0xffffn);
  const isDirectional = moduleOf(event) === DIRECTIONAL;
  const members = Array.from({ length: arity + 1 }, (_, index) => [`Y${index}`, `N${index}`]).flat();
  const lines = Array.from({ length: arity - 1 }, (_, index) => [`A${index + 1}`, `B${index + 1}`]).flat();
  const claims = new Claims(arity + 1);
  for (const owner of OWNERS) claims.give(owner, '$', BigInt(ledger.cash(owner)));
  for (const { conditionId } of event.markets) {
    const market = directory.market(conditionId);
    if (market !== undefined) market.payouts = undefined;
  }
  const names = isDirectional ? [...members, ...lines] : members;
  return { event, root: first >> 24n, arity, isDirectional, claims, names, winner: undefined };
}

function resolve({ event, claims, arity, ...world }: World): number {
  const winner = world.winner ?? below(arity + 1);
  for (const { conditionId, tokens } of event.markets) {
    const market = directory.market(conditionId);
    if (market !== undefined) market.payouts = pays(claims, nameOf(BigInt(tokens[0])), winner) ? [1, 0] : [0, 1];
  }
  return winner;
}

function pays(claims: Claims, holding: Holding, winner: number): boolean {
  return ((claims.pays(holding) >> BigInt(winner)) & 1n) === 1n;
}

const STEPS: Readonly<Record<string, (world: World, micro: bigint) => Step>> = {
  split: (world, micro) => {
    const [args, pair] = pairOf(world, micro);
    return { args, given: ['$'], taken: pair };
  },
  merge: (world, micro) => {
    const [args, pair] = pairOf(world, micro);
    return { args, given: pair, taken: ['$'] };
  },
  redeem: ({ root, names, claims, winner }, micro) => {
    const name = oneOf(names);
    const token = tokenOf(root, name);
    const taken = winner !== undefined && pays(claims, name, winner) ? ['$'] : [];
    const args = [numberToHex(token >> 8n, { size: 31 }), token & 1n, micro];
    return { args, given: [name], taken, isMeant: winner !== undefined };
  },
  horizontalSplit: (world, micro) => ({ args: [idOf(world), micro], given: ['$'], taken: membersOf(world) }),
  horizontalMerge: (world, micro) => ({ args: [idOf(world), micro], given: membersOf(world), taken: ['$'] }),
  convert: (world, micro) => {
    const no = `N${below(world.arity + 1)}`;
    const args = [idOf(world), Number(no.slice(1)), micro];
    return { args, given: [no], taken: world.claims.parts(world.claims.pays(no)) };
  },
  composeThreshold: (world, micro) => {
    const { args, threshold, parts, isMeant } = thresholdOf(world, micro);
    return { args, given: parts, taken: [threshold], isMeant };
  },
  decomposeThreshold: (world, micro) => {
    const { args, threshold, parts, isMeant } = thresholdOf(world, micro);
    return { args, given: [threshold], taken: parts, isMeant };
  },
  mergeDirectional: (world, micro) => {
    const { args, lines, between, isMeant } = windowOf(world, micro);
    return { args, given: lines, taken: ['$', ...between], isMeant };
  },
  splitDirectional: (world, micro) => {
    const { args, lines, between, isMeant } = windowOf(world, micro);
    return { args, given: ['$', ...between], taken: lines, isMeant };
  },
};

function pairOf({ root, names }: World, micro: bigint): [readonly unknown[], readonly Holding[]] {
  const yes = oneOf(names.filter((name) => /^[YA]/.test(name)));
  const no = yes.replace('Y', 'N').replace('A', 'B');
  return [
    [numberToHex(tokenOf(root, yes) >> 8n, { size: 31 }), micro],
    [yes, no],
  ];
}

function idOf({ root }: World): Hex {
  return numberToHex(root, { size: 29 });
}

function membersOf({ claims }: World): Holding[] {
  return claims.parts(claims.pays('$'));
}

function thresholdOf(world: World, micro: bigint) {
  const line = 1 + below(world.arity);
  const side = below(2);
  const threshold = `${side === 0 ? 'A' : 'B'}${line}`;
  const parts = world.claims.parts(world.claims.pays(threshold));
  const args = [idOf(world), BigInt(line), side, micro];
  return { args, threshold, parts, isMeant: world.isDirectional && line < world.arity };
}

function windowOf(world: World, micro: bigint) {
  const { claims, arity, isDirectional } = world;
  const [low, high] = [1 + below(arity), 1 + below(arity)];
  const lines = [`A${low}`, `B${high}`];
  const between = claims.parts(claims.pays(`A${low}`) & claims.pays(`B${high}`));
  const args = [idOf(world), BigInt(low), BigInt(high), micro];
  return { args, lines, between, isMeant: isDirectional && low < high && high < arity };
}

/** Gives each owner a pair of everything, so that there is something to convert into something else. */
function stock({ names, root, claims }: World): void {
  for (const owner of OWNERS) {
    for (const yes of names.filter((name) => /^[YA]/.test(name))) {
      const args = [numberToHex(tokenOf(root, yes) >> 8n, { size: 31 }), STOCK] as const;
      ledger.call(owner, ROUTER, encodeFunctionData({ abi: ROUTER_ABI, functionName: 'split', args }));
      claims.swap(owner, STOCK, ['$'], [yes, yes.replace('Y', 'N').replace('A', 'B')]);
    }
  }
}

function compare(sequence: number, { claims, names, root }: World): void {
  for (const owner of OWNERS) {
    const held = names.map((name) => BigInt(ledger.tokens(owner, tokenOf(root, name).toString())));
    const claimed = names.map((name) => claims.of(owner, name));
    expect([sequence, BigInt(ledger.cash(owner)), ...held]).toEqual([sequence, claims.of(owner, '$'), ...claimed]);
  }
}

it('moves what claims on the ways an event may end move, to the last unit, listed members and others', () => {
  const done = new Set<string>();
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const world = openWorld();
    const before = world.claims.worths();
    if (below(2) === 0) stock(world);
    for (let left = 1 + below(STEPS_MAX); left > 0; left -= 1) {
      if (below(STEPS_MAX) === 0) world.winner = resolve(world);
      const name = oneOf(Object.keys(STEPS));
      const micro = BigInt(amount());
      const owner = oneOf(OWNERS);
      const { args, given, taken, isMeant = true } = STEPS[name]?.(world, micro) ?? { args: [], given: [], taken: [] };
      const data = encodeFunctionData({ abi: ROUTER_ABI, functionName: name, args } as never);
      const isDone = ledger.call(owner, ROUTER, data);
      const isExpected = isMeant && world.claims.swap(owner, micro, given, taken);
      expect([sequence, name, isDone]).toEqual([sequence, name, isExpected]);
      if (isDone && micro > 0n) done.add(name);
    }
    compare(sequence, world);
    const { winner, claims } = world;
    if (winner === undefined) expect(claims.worths()).toEqual(before);
    else expect(claims.worth(winner)).toBe(before[winner]);
  }
  expect([...done].sort()).toEqual(Object.keys(STEPS).sort());
}, 3_600_000);

/** The token of a holding, put together as the ids of Protocol V2 are. */
function tokenOf(root: bigint, holding: Holding): bigint {
  const index = Number(holding.slice(1));
  const condition = /^[AB]/.test(holding) ? LINE | index : index;
  return (root << 24n) | (BigInt(condition) << 8n) | (/^[NB]/.test(holding) ? 1n : 0n);
}

function nameOf(token: bigint): Holding {
  const condition = Number((token >> 8n) & 0xffffn);
  return condition >= LINE ? `A${condition - LINE}` : `Y${condition}`;
}
