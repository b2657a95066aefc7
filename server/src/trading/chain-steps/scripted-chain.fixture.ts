/** A chain that carries out what is submitted at once, and says what the test wants instead. */
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type {
  ChainApproval,
  ConversionLookup,
  ConversionRequest,
  PreparedConversion,
  ProvenMoves,
  SubmitOutcome,
  TakenShares,
  VenueChain,
} from '@dutchbook/venues/venue-chain.ts';

export type ScriptedChain = VenueChain & {
  cash: Usd;
  shares: Map<string, Shares>;
  allowed: ChainApproval[];
  /** What a redemption pays for a share; a dollar where it is not named. */
  worth: Map<string, number>;
  /** What contracts of the venue took by themselves. */
  taken: TakenShares[];
  /** Every call of `submit`, in order. */
  submitted: PreparedConversion[];
  /** What `submit` answers from now on. */
  onSubmit: (prepared: PreparedConversion) => SubmitOutcome;
  /** What is looked up from now on. */
  onLookUp: (prepared: PreparedConversion) => ConversionLookup;
};

/** Contracts that the venue of `Market.settledBy` `exchange` goes through; nothing is approved for the last one. */
const APPROVALS: readonly ChainApproval[] = [
  approval('1', 'exchange', 'cash', 'trade', Number.MAX_SAFE_INTEGER),
  approval('1', 'exchange', 'shares', 'trade', Number.MAX_SAFE_INTEGER),
  approval('2', 'adapter', 'shares', 'conversion', 0),
];

function approval(
  digit: string,
  name: string,
  asset: ChainApproval['asset'],
  purpose: ChainApproval['purpose'],
  amount: number,
): ChainApproval {
  const address = (one: string) => `0x${one.repeat(40)}`;
  return { contract: address(digit), name, asset, holder: address(asset === 'cash' ? 'c' : 'd'), amount, purpose };
}

const NO_MOVES: ProvenMoves = { cash: USD_ZERO, shares: new Map(), payouts: new Map() };

export function scriptedChain(): ScriptedChain {
  let nonce = 0;
  const moves = new Map<string, ProvenMoves>();
  const chain: ScriptedChain = {
    callsMax: 50,
    mergesLines: true,
    cash: USD_ZERO,
    shares: new Map(),
    allowed: APPROVALS.map((one) => ({ ...one })),
    worth: new Map(),
    taken: [],
    submitted: [],
    onSubmit: ({ id }) => ({ kind: 'sent', id: `relayed ${id}` }),
    onLookUp: ({ id, nonce: block }) =>
      chain.submitted.some((one) => one.id === id)
        ? { kind: 'confirmed', hash: id, block, gas: null, moved: moves.get(id) ?? NO_MOVES }
        : { kind: 'unknown', reason: 'it is not known' },
    prepare: async (calls) => {
      const id = `0x${nonce.toString(16).padStart(64, '0')}`;
      return { id, nonce: nonce++, deadline: null, highestCost: null, payload: JSON.stringify(calls) };
    },
    submit: async (prepared) => {
      const outcome = chain.onSubmit(prepared);
      if (outcome.kind === 'sent' && !chain.submitted.some(({ id }) => id === prepared.id))
        moves.set(prepared.id, carryOut(chain, prepared));
      chain.submitted.push(prepared);
      return outcome;
    },
    lookUp: async (prepared) => chain.onLookUp(prepared),
    balances: async (tokenIds) => ({
      block: nonce,
      cash: chain.cash,
      shares: new Map(tokenIds.map((tokenId) => [tokenId, chain.shares.get(tokenId) ?? SHARES_ZERO])),
    }),
    transfers: async (after) => {
      const taken = chain.taken.filter(({ block }) => block > after);
      return { transfers: [], taken, through: Math.max(after, ...taken.map(({ block }) => block)) };
    },
    approvals: async () => chain.allowed.map((one) => ({ ...one })),
    redeemedAsWhole: async () => new Set(),
    quota: () => null,
    feeBips: async () => null,
  };
  return chain;
}

/**
 * Of what it carries out merges and redemptions of markets `marketOf` has made, and approvals, change something here. @returns
 * what it moved
 */
function carryOut(chain: ScriptedChain, { payload }: PreparedConversion): ProvenMoves {
  const before = chain.cash;
  const moved = new Map<string, Shares>();
  const move = (tokenId: string, micro: number) => {
    for (const shares of [chain.shares, moved]) shares.set(tokenId, ((shares.get(tokenId) ?? 0) + micro) as Shares);
  };
  for (const call of JSON.parse(payload) as ConversionRequest[]) {
    if (call.kind === 'redeem') move(call.tokenId, -call.shares);
    if (call.kind === 'merge') for (const side of ['yes', 'no']) move(`${call.marketIds[0]}-${side}`, -call.shares);
    if (call.kind !== 'approve') {
      const part = call.kind === 'redeem' ? (chain.worth.get(call.tokenId) ?? 1) : 1;
      chain.cash = (chain.cash + Math.floor(call.shares * part)) as Usd;
      continue;
    }
    for (const one of chain.allowed.filter(
      ({ contract, holder }) => contract === call.contract && holder === call.holder,
    ))
      one.amount = call.isAllowed ? Number.MAX_SAFE_INTEGER : 0;
  }
  return { cash: (chain.cash - before) as Usd, shares: moved, payouts: new Map() };
}
