import { usdFromText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { encodeFunctionData, type Hex, numberToHex } from 'viem';
import { z } from 'zod';
import { hashId } from '../catalogue/ids.ts';
import { PUSD_ABI } from '../chain/contracts/abis.ts';
import { PUSD } from '../chain/contracts/addresses.ts';
import { book } from '../chain/contracts/ledger.ts';
import { BASE_FEE, PRIORITY_FEE } from '../chain/keys.ts';
import { address } from '../chain/rpc/params.ts';
import { accountOf, ControlError, decimal, post } from './calls.ts';
import type { ControlParts } from './control-routes.ts';

/** Has as many dollars as anybody deposits, and gets what is withdrawn. */
const BANK: Hex = '0xba4c00000000000000000000000000000000ba4c';
const GAS = 200_000;

/** Dollars that come from elsewhere, or below zero go there: a transaction of the chain, mined with its next block. */
export function registerTransfers(app: FastifyInstance, { engine, chain }: ControlParts): void {
  post(app, 'transfer', z.object({ usd: decimal, account: z.string().optional() }), (body) => {
    const micro = usdFromText(body.usd);
    if (micro === 0) throw new ControlError(422, 'usd must not be 0');
    const owner = address.parse(accountOf(engine, body.account));
    const wallet = chain.wallets.of(owner) ?? owner;
    const [from, to] = micro > 0 ? [BANK, wallet] : [wallet, BANK];
    if (micro > 0) book(engine, { account: chain.wallets.accountAt(BANK), tokenId: '', micro });
    const nonce = chain.keys.pendingNonce(from, chain.pool);
    const hash = hashId('transfer', from, nonce);
    chain.submit({
      ...{ hash, from, to: PUSD, nonce, gas: GAS, value: '0x0', type: 'eip1559' },
      maxFeePerGas: numberToHex(2n * BASE_FEE),
      maxPriorityFeePerGas: numberToHex(PRIORITY_FEE),
      data: encodeFunctionData({ abi: PUSD_ABI, functionName: 'transfer', args: [to, BigInt(Math.abs(micro))] }),
    });
    return { hash };
  });
}
