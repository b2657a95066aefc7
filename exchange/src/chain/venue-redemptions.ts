import { type Hex, zeroAddress, zeroHash } from 'viem';
import type { Redeemed } from '../settlement/positions.ts';
import type { Chain } from './chain.ts';
import { STEP_EVENTS_ABI } from './contracts/abis.ts';
import {
  COLLATERAL_ADAPTER,
  CONDITIONAL_TOKENS,
  NEG_RISK_ADAPTER,
  POSITION_MANAGER,
  PUSD,
  ROUTER,
} from './contracts/addresses.ts';
import type { Change } from './contracts/ledger.ts';
import { cashLogs, type EncodedLog, encodeLog, tokenLogs } from './contracts/logs.ts';
import { address } from './rpc/params.ts';

/** Who redeems for the users of the venue. */
const OPERATOR: Hex = '0x0be4a704000000000000000000000000000000be';
const PARTITION = [1n, 2n] as const;

/** Shows on the chain what the venue redeems by itself: whose shares a contract took, and what it paid for them. */
export function recordRedemption(chain: Chain, { account, market, moved, pays }: Redeemed): void {
  // Market makers have none.
  if (!chain.engine.register.hasAddress(account)) return;
  const owner = address.parse(account);
  const wallet = chain.wallets.of(owner) ?? owner;
  const { listing, tokens } = market;
  const isSecond = listing.protocol === 'v2';
  const adapter = isSecond ? ROUTER : listing.negRisk ? NEG_RISK_ADAPTER : COLLATERAL_ADAPTER;
  const holder = isSecond ? POSITION_MANAGER : CONDITIONAL_TOKENS;
  const held = moved.tokens.filter(([, micro]) => micro !== 0);
  const taken: Change[] = held.map(([tokenId, micro]) => ({ account, tokenId, micro }));
  const paid: Change[] = moved.usd === 0 ? [] : [{ account, tokenId: '', micro: moved.usd }];
  const tokenPart = tokenLogs(holder, adapter, wallet, held);
  const cashPart: EncodedLog[] = [...cashLogs(adapter, wallet, moved.usd)];
  if (pays === 'apart') {
    chain.record(OPERATOR, adapter, { changes: taken, logs: tokenPart });
    chain.record(OPERATOR, adapter, { changes: paid, logs: cashPart });
    return;
  }
  const redemption = encodeLog(holder, STEP_EVENTS_ABI, 'PayoutRedemption', {
    redeemer: adapter,
    collateralToken: pays === 'never' ? zeroAddress : PUSD,
    parentCollectionId: zeroHash,
    conditionId: listing.conditionId.padEnd(66, '0') as Hex,
    indexSets: PARTITION.filter((_, place) => held.some(([tokenId]) => tokenId === tokens[place])),
    payout: BigInt(moved.usd),
  });
  chain.record(OPERATOR, adapter, { changes: [...taken, ...paid], logs: [...tokenPart, ...cashPart, redemption] });
}
