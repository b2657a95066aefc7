import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { address } from '../chain/rpc/params.ts';
import { accountOf, post } from './calls.ts';
import type { ControlParts } from './control-routes.ts';

const settings = z.object({
  block_ms: z.int().min(50).max(600_000).optional(),
  approved_by_default: z.boolean().optional(),
  /** In the smallest unit of the chain's own coin, which gas is paid with. */
  wei: z.object({ address, amount: z.string().regex(/^\d{1,30}$/) }).optional(),
  wallet: z.object({ address, account: z.string().optional() }).optional(),
  unstick: z.literal(true).optional(),
});

/** How the chain behaves, and the truth about its transactions. What is not named stays as it is. */
export function registerChainControl(app: FastifyInstance, { engine, chain }: ControlParts): void {
  post(app, 'chain', settings, ({ block_ms, approved_by_default, wei, wallet, unstick }) => {
    if (block_ms !== undefined) chain.blocks.setInterval(block_ms);
    if (approved_by_default !== undefined) engine.allowances.areGiven = approved_by_default;
    if (wei !== undefined) chain.keys.setWei(wei.address, BigInt(wei.amount));
    if (wallet !== undefined) chain.wallets.own(wallet.address, address.parse(accountOf(engine, wallet.account)));
    if (unstick === true) chain.unstick();
    chain.stateChanged();
  });
  app.get('/_control/chain', () => ({
    block: chain.blocks.height(),
    transactions: chain.pool.all().map(({ hash, from, nonce, status, mined }) => ({
      hash,
      from,
      nonce,
      status,
      block: mined?.height ?? null,
      is_success: mined?.isSuccess ?? null,
    })),
  }));
}
