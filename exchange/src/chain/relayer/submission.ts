import type { Hex } from 'viem';
import { z } from 'zod';
import { address, bytes } from '../rpc/params.ts';

const CALLS_MAX = 100;

const decimal = z.string().regex(/^\d{1,78}$/);
const signature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{130}$/)
  .transform((text) => text as Hex);
const shared = { from: address, to: address, nonce: decimal, signature, metadata: z.string().max(2_000).default('') };

const batchBody = z.object({
  ...shared,
  type: z.literal('WALLET'),
  depositWalletParams: z.object({
    depositWallet: address,
    deadline: decimal,
    calls: z
      .array(z.object({ target: address, value: decimal, data: bytes }))
      .min(1)
      .max(CALLS_MAX),
  }),
});

const safeBody = z.object({
  ...shared,
  type: z.literal('SAFE'),
  proxyWallet: address,
  data: bytes,
  value: decimal.default('0'),
  signatureParams: z.object({
    gasPrice: decimal.default('0'),
    operation: z.enum(['0', '1']),
    safeTxnGas: decimal.default('0'),
    baseGas: decimal.default('0'),
    gasToken: address,
    refundReceiver: address,
  }),
});

const proxyBody = z.object({
  ...shared,
  type: z.literal('PROXY'),
  proxyWallet: address,
  data: bytes,
  signatureParams: z.object({
    gasPrice: decimal,
    gasLimit: decimal,
    relayerFee: decimal,
    relayHub: address,
    relay: address,
  }),
});

/** What clients send to be carried out for a wallet, as they name it. */
export const submitBody = z.discriminatedUnion('type', [batchBody, safeBody, proxyBody]);

export type BatchBody = z.infer<typeof batchBody>;
export type SafeBody = z.infer<typeof safeBody>;
export type ProxyBody = z.infer<typeof proxyBody>;
export type SubmitBody = z.infer<typeof submitBody>;
export type WalletType = SubmitBody['type'];

export function walletOf(body: SubmitBody): Hex {
  return body.type === 'WALLET' ? body.depositWalletParams.depositWallet : body.proxyWallet;
}
