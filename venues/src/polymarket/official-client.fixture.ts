import { createWalletClient, custom, type WalletClient } from 'viem';
import type { TradingAccount } from './auth.ts';

/** The account in the form that the official client signs with. */
export function officialSigner({ signer }: TradingAccount): WalletClient {
  const refuse = () => Promise.reject(new Error('this key signs, it does not call the chain'));
  return createWalletClient({ account: signer, transport: custom({ request: refuse }) });
}
