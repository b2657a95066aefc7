import type { Shares } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { encodeAbiParameters, type Hex, parseAbiParameters, zeroHash } from 'viem';
import { describe, expect, it } from 'vitest';
import { ConversionRefused, type ConversionRequest, type MergeRequest } from '../../venue-chain.ts';
import { COLLATERAL_ADAPTER, NEG_RISK_ADAPTER, PUSD, ROUTER } from './addresses.ts';
import { encodeConversions } from './encode-conversion.ts';
import { readMarketIds } from './market-ids.ts';

const numRuns = 200;

/** The router's are pinned in the official SDK's tests, the others are those of the deployed contracts. */
const SELECTORS = {
  mergePositions: '0x9e7212ad',
  splitPosition: '0x72ce4275',
  redeemPositions: '0x01b7037c',
  convertPositions: '0xc64748c4',
  merge: '0x5b63685e',
  split: '0x82d3b9f1',
  redeem: '0xd217a3cc',
  convert: '0x9380f1c8',
  horizontalMerge: '0x24f24944',
  horizontalSplit: '0x40657b52',
  mergeDirectional: '0x77b72427',
} as const;

const bytes = (count: number) =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${2 * count}}$`)).map((digits): Hex => `0x${digits}`);
const shares = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((micro) => micro as Shares);

function encode(requests: readonly ConversionRequest[], markets: readonly object[], directional = true) {
  const ids = new Map(
    markets.map((market) => [(market as { conditionId: string }).conditionId, readMarketIds(market)]),
  );
  return encodeConversions(requests, { ids, directional });
}

function calldata(name: keyof typeof SELECTORS, types: string, values: readonly unknown[]): Hex {
  const args = encodeAbiParameters(parseAbiParameters(types) as never, values as never) as Hex;
  return `${SELECTORS[name]}${args.slice(2)}`;
}

/** A question of a negative-risk event of the first protocol, as the catalogue lists it. */
function question(event: Hex, index: number) {
  const place = index.toString(16).padStart(2, '0');
  return {
    conditionId: `0x${'c0'.repeat(31)}${place}`,
    questionID: `${event.slice(0, -2)}${place}`,
    negRiskMarketID: event,
    negRisk: true,
    version: 'v1',
    clobTokenIds: JSON.stringify([`1${index}`, `2${index}`]),
  };
}

const event = bytes(31).map((start): Hex => `${start}00`);
/** Some of the questions of an event, in the order of a page. */
const page = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 32 });

/** A condition of an event of Protocol V2 with a byte behind it. */
function position(module: number, hash: Hex, arity: number, condition: number) {
  const part = (value: number, count: number) => value.toString(16).padStart(2 * count, '0');
  const eventId: Hex = `0x${part(module, 1)}${hash.slice(2)}${part(arity, 2)}${'00'.repeat(10)}`;
  const conditionId: Hex = `${eventId}${part(condition, 2)}00`;
  const first = BigInt(conditionId);
  return { eventId, conditionId, version: 'v2', positionIds: [first.toString(), (first + 1n).toString()] };
}

describe('the calldata of 200 requests is what the ABI says, byte for byte', () => {
  it('converting takes bit i for question i, from 1 to 32 of them, whatever the order of the page and of the request', () => {
    const seen = new Set<number>();
    const property = fc.property(event, page, shares, fc.boolean(), (id, places, amount, isReversed) => {
      const listed = places.map((place) => question(id, place));
      const asked = places.map((place) => question(id, place).conditionId);
      if (isReversed) asked.reverse();
      else asked.sort();
      const [call] = encode([{ kind: 'convert', marketIds: asked, shares: amount }], listed);
      const indexSet = places.reduce((sum, place) => sum + 2n ** BigInt(place), 0n);
      const values = [id, indexSet, BigInt(amount)];
      expect(call).toEqual({
        to: NEG_RISK_ADAPTER,
        data: calldata('convertPositions', 'bytes32, uint256, uint256', values),
      });
      seen.add(places.length);
    });
    // A page of each length first.
    const examples = Array.from({ length: 32 }, (_, nth): [Hex, number[], Shares, boolean] => [
      `0x${'ab'.repeat(31)}00`,
      Array.from({ length: nth + 1 }, (__, place) => (7 * place + 3) % 256),
      1_000_000 as Shares,
      nth % 2 === 0,
    ]);
    fc.assert(property, { numRuns, examples });
    expect(seen.size).toBe(32);
  });

  it('merging, splitting and redeeming go to the adapter of the kind of market, with both outcomes', () => {
    const market = fc.record({ conditionId: bytes(32), negRisk: fc.boolean() });
    fc.assert(
      fc.property(market, shares, ({ conditionId, negRisk }, amount) => {
        const listed = { conditionId, negRisk, version: 'v1', clobTokenIds: '["5","6"]' };
        const to = negRisk ? NEG_RISK_ADAPTER : COLLATERAL_ADAPTER;
        const redeem = { kind: 'redeem', marketId: conditionId, shares: amount } as const;
        const calls = encode(
          [
            { kind: 'merge', marketIds: [conditionId], shares: amount },
            { kind: 'split', marketIds: [conditionId], shares: amount },
            { ...redeem, tokenId: '6' },
            { ...redeem, tokenId: '5' },
          ],
          [listed],
        );
        const pair = [PUSD, zeroHash, conditionId, [1n, 2n]];
        const ofPair = (name: 'mergePositions' | 'splitPosition') =>
          calldata(name, 'address, bytes32, bytes32, uint256[], uint256', [...pair, BigInt(amount)]);
        expect(calls).toEqual([
          { to, data: ofPair('mergePositions') },
          { to, data: ofPair('splitPosition') },
          { to, data: calldata('redeemPositions', 'address, bytes32, bytes32, uint256[]', pair) },
        ]);
      }),
      { numRuns },
    );
  });

  it('Protocol V2 goes to the router, by what the ids hold, filled up with a zero byte or not', () => {
    const ids = fc.record({
      hash: bytes(16),
      arity: fc.integer({ min: 2, max: 0xffff }),
      condition: fc.integer({ min: 0, max: 0x7fff }),
      isFilled: fc.boolean(),
      outcome: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(ids, shares, ({ hash, arity, condition, isFilled, outcome }, amount) => {
        const whole = position(2, hash, arity, condition);
        const market = isFilled ? whole : { ...whole, conditionId: whole.conditionId.slice(0, -2) };
        const marketIds = [market.conditionId];
        const micro = BigInt(amount);
        const tokenId = market.positionIds[outcome] ?? '';
        const bytes31 = whole.conditionId.slice(0, -2);
        const calls = encode(
          [
            { kind: 'merge', marketIds, shares: amount },
            { kind: 'split', marketIds, shares: amount },
            { kind: 'convert', marketIds, shares: amount },
            { kind: 'horizontal_merge', marketIds, shares: amount },
            { kind: 'horizontal_split', marketIds, shares: amount },
            { kind: 'redeem', marketId: market.conditionId, tokenId, shares: amount },
          ],
          [market],
          false,
        );
        expect(calls).toEqual(
          [
            calldata('merge', 'bytes31, uint256', [bytes31, micro]),
            calldata('split', 'bytes31, uint256', [bytes31, micro]),
            calldata('convert', 'bytes29, uint16, uint256', [whole.eventId, condition, micro]),
            calldata('horizontalMerge', 'bytes29, uint256', [whole.eventId, micro]),
            calldata('horizontalSplit', 'bytes29, uint256', [whole.eventId, micro]),
            calldata('redeem', 'bytes31, uint256, uint256', [bytes31, BigInt(outcome), micro]),
          ].map((data) => ({ to: ROUTER, data })),
        );
      }),
      { numRuns },
    );
  });

  it('a directional merge names a line and a higher one, and is made only where that is switched on', () => {
    const lines = fc.tuple(fc.integer({ min: 1, max: 0x7ffe }), fc.integer({ min: 1, max: 0x7ffe }));
    fc.assert(
      fc.property(bytes(16), lines, shares, (hash, [one, other], amount) => {
        fc.pre(one !== other);
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((line) =>
          position(4, hash, 0x7fff, 0x8000 | line),
        );
        if (low === undefined || high === undefined) return;
        const marketIds = [low.conditionId, high.conditionId];
        const request = { kind: 'directional_merge', marketIds, shares: amount } as const;
        const values = [low.eventId, BigInt(Math.min(one, other)), BigInt(Math.max(one, other)), BigInt(amount)];
        expect(encode([request], [high, low])).toEqual([
          { to: ROUTER, data: calldata('mergeDirectional', 'bytes29, uint256, uint256, uint256', values) },
        ]);
        expect(() => encode([request], [high, low], false)).toThrow('switched off');
        expect(() => encode([{ ...request, marketIds: marketIds.toReversed() }], [high, low])).toThrow(
          ConversionRefused,
        );
      }),
      { numRuns },
    );
  });
});

describe('a request that makes no sense is refused, with what is wrong', () => {
  const EVENT: Hex = `0x${'ab'.repeat(31)}00`;
  const OTHER: Hex = `0x${'cd'.repeat(31)}00`;
  const ONE = 1_000_000 as Shares;
  const first = question(EVENT, 0);
  const second = question(EVENT, 1);
  const member = position(2, `0x${'12'.repeat(16)}`, 4, 1);
  const cases: [string, ConversionRequest, object[]][] = [
    ['no shares', { kind: 'merge', marketIds: [first.conditionId], shares: 0 as Shares }, [first]],
    ['a market is named twice', convert(first.conditionId, first.conditionId), [first]],
    ['several events', convert(first.conditionId, second.conditionId), [first, { ...second, negRiskMarketID: OTHER }]],
    ['no question', convert(first.conditionId), [{ ...first, questionID: null }]],
    ['know no horizontal_merge', { ...convert(first.conditionId), kind: 'horizontal_merge' }, [first]],
    ['know no split of 2', { ...convert(first.conditionId, second.conditionId), kind: 'split' }, [first, second]],
    ['know no horizontal_split', { ...convert(first.conditionId), kind: 'horizontal_split' }, [first]],
    ['one protocol', convert(first.conditionId, member.conditionId), [first, member]],
    ['one market at a time', convert(member.conditionId, member.conditionId), [member]],
    ['does not know', convert(OTHER), [first]],
    ['is no contract', { kind: 'approve', contract: OTHER.slice(0, 42), holder: PUSD, isAllowed: true }, []],
    ['none of its market', { kind: 'redeem', marketId: first.conditionId, tokenId: '7', shares: ONE }, [first]],
  ];

  it.each(cases)('%s', (reason, request, markets) => {
    expect(() => encode([request], markets)).toThrow(ConversionRefused);
    expect(() => encode([request], markets)).toThrow(reason);
  });

  it('a version that is not known, and a condition that is none', () => {
    expect(() => readMarketIds({ ...first, version: 'v9' })).toThrow(ConversionRefused);
    expect(() => readMarketIds({ ...first, conditionId: '0x12' })).toThrow(ConversionRefused);
    expect(readMarketIds({ ...second, version: null }).protocol).toBe(1);
    expect(() => readMarketIds({ ...first, version: null })).toThrow('nothing proves the version');
    expect(() => readMarketIds(null)).toThrow(ConversionRefused);
  });

  function convert(...marketIds: string[]): MergeRequest {
    return { kind: 'convert', marketIds, shares: 1_000_000 as Shares };
  }
});
