import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { encodeFunctionData, type Hex, numberToHex, zeroAddress } from 'viem';
import { z } from 'zod';
import { hashId } from '../catalogue/ids.ts';
import type { Chain } from '../chain/chain.ts';
import { ONRAMP_ABI, PUSD_ABI } from '../chain/contracts/abis.ts';
import { COLLATERAL_ADAPTER, ONRAMP, PUSD, REBATES_PAYER, REWARDS_PAYER } from '../chain/contracts/addresses.ts';
import { book } from '../chain/contracts/ledger.ts';
import { BASE_FEE, PRIORITY_FEE } from '../chain/keys.ts';
import { address } from '../chain/rpc/params.ts';
import { accountOf, ControlError, decimal, post } from './calls.ts';
import type { ControlParts } from './control-routes.ts';

/** Pays every deposit, and receives what is withdrawn. */
const BANK: Hex = '0xba4c00000000000000000000000000000000ba4c';
const STRANGER: Hex = '0x57a4000000000000000000000000000000000057';
const GAS = 200_000;

/** Who sends dollars that come. A deposit converts other money on its way, so that it has no sender. */
const SENDERS: Readonly<Record<string, Hex>> = {
  reward: REWARDS_PAYER,
  rebate: REBATES_PAYER,
  payout: COLLATERAL_ADAPTER,
  unknown: STRANGER,
};

const body = z.object({
  usd: decimal,
  from: z.union([z.enum(['deposit', 'reward', 'rebate', 'payout', 'unknown']), address]).default('deposit'),
  account: z.string().optional(),
});

/** Dollars that come from elsewhere, or below zero go there: a transaction of the chain, mined with its next block. */
export function registerTransfers(app: FastifyInstance, { engine, chain }: ControlParts): void {
  post(app, 'transfer', body, ({ usd, from: sender, account }) => {
    const amount = usdFromText(usd);
    if (amount === 0) throw new ControlError(422, 'usd must not be 0');
    return { hash: submitTransfer(chain, { account: accountOf(engine, account), amount, sender }) };
  });
}

/** `hash`: what the transaction is called, instead of by its nonce. */
type Transfer = { account: string; amount: Usd; sender: string; hash?: Hex };

/** @returns what the transaction is called */
export function submitTransfer(chain: Chain, { account, amount: micro, sender, hash: named }: Transfer): Hex {
  const wallet = walletOf(chain, account);
  const amount = BigInt(Math.abs(micro));
  const isMade = micro > 0 && sender === 'deposit';
  const from = micro < 0 ? wallet : isMade ? BANK : (SENDERS[sender] ?? address.parse(sender));
  if (micro > 0 && !isMade) book(chain.engine, { account: chain.wallets.accountAt(from), tokenId: '', micro });
  const data = isMade
    ? encodeFunctionData({ abi: ONRAMP_ABI, args: [zeroAddress, wallet, amount] })
    : encodeFunctionData({ abi: PUSD_ABI, functionName: 'transfer', args: [micro > 0 ? wallet : BANK, amount] });
  const nonce = chain.keys.pendingNonce(from, chain.pool);
  const hash = named ?? hashId('transfer', from, nonce);
  chain.submit({
    ...{ hash, from, to: isMade ? ONRAMP : PUSD, nonce, gas: GAS, value: '0x0', type: 'eip1559', data },
    ...{ maxFeePerGas: numberToHex(2n * BASE_FEE), maxPriorityFeePerGas: numberToHex(PRIORITY_FEE) },
  });
  return hash;
}

/** Whether dollars, or a call, of the account wait for their block. */
export function hasPending(chain: Chain, account: string): boolean {
  const senders: readonly string[] = [BANK, account.toLowerCase(), walletOf(chain, account).toLowerCase()];
  return chain.pool.pending().some(({ from }) => senders.includes(from.toLowerCase()));
}

function walletOf(chain: Chain, account: string): Hex {
  const owner = address.parse(account);
  return chain.wallets.of(owner) ?? owner;
}
