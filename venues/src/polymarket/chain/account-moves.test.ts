import { encodeAbiParameters, encodeEventTopics, type Hex, pad, zeroAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { HOLDINGS_ABI, NEG_RISK_EVENTS_ABI, PUSD_ABI, STEP_EVENTS_ABI } from './abis.ts';
import { contradiction, movesOf } from './account-moves.ts';
import { COLLATERAL_ADAPTER, CONDITIONAL_TOKENS, NEG_RISK_ADAPTER, PUSD } from './addresses.ts';
import { type ChainNode, NodeRefusal } from './nodes.ts';

const OWNER: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const CONDITION: Hex = `0x${'c3'.repeat(32)}`;
const UINT = { type: 'uint256' } as const;
const UINTS = { type: 'uint256[]' } as const;

function cash(from: Hex, to: Hex, value: bigint) {
  const topics = encodeEventTopics({ abi: PUSD_ABI, eventName: 'Transfer', args: { from, to } }) as string[];
  return { address: PUSD, topics, data: encodeAbiParameters([UINT], [value]) };
}

function shares(from: Hex, to: Hex, held: Readonly<Record<string, bigint>>, address: Hex = CONDITIONAL_TOKENS) {
  const args = { operator: OTHER, from, to };
  const topics = encodeEventTopics({ abi: HOLDINGS_ABI, eventName: 'TransferBatch', args }) as string[];
  const [ids, values] = [Object.keys(held).map(BigInt), Object.values(held)];
  return { address, topics, data: encodeAbiParameters([UINTS, UINTS], [ids, values]) };
}

const REDEEMED = [
  shares(OWNER, COLLATERAL_ADAPTER, { '7': 10n, '8': 3n }),
  cash(COLLATERAL_ADAPTER, OWNER, 10n),
  // Of other accounts, and of a contract that is none of the venue's.
  cash(OTHER, COLLATERAL_ADAPTER, 99n),
  shares(OTHER, zeroAddress, { '7': 99n }),
  shares(OWNER, zeroAddress, { '9': 5n }, OTHER),
  { ...cash(OTHER, OWNER, 1_000n), address: OTHER },
];

describe('what logs say that an account has moved', () => {
  it('is cash and shares of the account alone, and what redemptions paid, reported once', () => {
    const redemption = { redeemer: OTHER, collateralToken: PUSD, parentCollectionId: pad('0x0') };
    const reported = [
      {
        address: CONDITIONAL_TOKENS,
        topics: encodeEventTopics({ abi: STEP_EVENTS_ABI, args: redemption }) as string[],
        data: encodeAbiParameters([{ type: 'bytes32' }, UINTS, UINT], [CONDITION, [1n, 2n], 10n]),
      },
      {
        address: NEG_RISK_ADAPTER,
        topics: encodeEventTopics({
          abi: NEG_RISK_EVENTS_ABI,
          args: { redeemer: OTHER, conditionId: CONDITION },
        }) as string[],
        data: encodeAbiParameters([UINTS, UINT], [[10n, 0n], 10n]),
      },
    ];
    expect(movesOf([...REDEEMED, ...reported], OWNER)).toEqual({
      cash: 10,
      shares: new Map([
        ['7', -10],
        ['8', -3],
      ]),
      payouts: new Map([[CONDITION, 10]]),
    });
    expect(movesOf([], OWNER)).toEqual({ cash: 0, shares: new Map(), payouts: new Map() });
  });

  it('is held against the balances of the blocks around it, as far as a node has them', async () => {
    const asked = { owner: OWNER, block: 50, tokenIds: ['7'] };
    const judged = (balances: (block: number) => [cash: bigint, shares: bigint]) =>
      contradiction([nodeWith(balances)], asked);
    expect(await judged((block) => (block < 50 ? [100n, 10n] : [110n, 0n]))).toBeNull();
    const why = 'the balances at block 50 are not what its logs say';
    expect(await judged(() => [100n, 10n])).toBe(why);
    expect(await judged((block) => (block < 50 ? [100n, 10n] : [100n, 0n]))).toBe(why);
    const pruned = () => {
      throw new NodeRefusal('missing trie node');
    };
    expect(await judged(pruned)).toBeNull();
  });
});

/** A node in whose block the account has redeemed ten shares of a token. */
function nodeWith(balances: (block: number) => [cash: bigint, shares: bigint]): ChainNode {
  const logs = REDEEMED.slice(0, 2).map((log) => ({ ...log, blockNumber: '0x32', transactionHash: '0x1' }));
  return {
    call: async (method, [first, tag]) => {
      if (method === 'eth_getLogs') {
        const { topics } = first as { topics: (string | string[] | null)[] };
        return logs.filter((log) =>
          topics.every((topic, place) => topic === null || [topic].flat().includes(log.topics[place] ?? '')),
        );
      }
      const { to } = first as { to: Hex };
      const [held, tokens] = balances(Number(tag));
      if (to === PUSD) return encodeAbiParameters([UINT], [held]);
      return encodeAbiParameters([UINTS], [[to === CONDITIONAL_TOKENS ? tokens : 0n]]);
    },
  };
}
