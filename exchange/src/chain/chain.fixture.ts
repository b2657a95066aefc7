import {
  type Account,
  type Chain,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
  type WalletClient,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { type Fixture, type ListedMarket, openFixture, TEST_KEY } from '../adapters/polymarket/exchange-fixture.ts';
import type { ExchangeOptions } from '../start-exchange.ts';
import { ADAPTER_ABI, PUSD_ABI } from './contracts/abis.ts';
import { PUSD } from './contracts/addresses.ts';

export const OWNER: Account = privateKeyToAccount(TEST_KEY);
const BLOCK_MS = 2_000;

export interface ChainFixture {
  readonly fixture: Fixture;
  readonly reader: PublicClient<Transport, Chain>;
  readonly wallet: WalletClient<Transport, Chain, Account>;
  block(): Promise<unknown>;
  /** Sends calldata, waits for a block and answers the receipt. */
  mine(to: Hex, data: Hex): Promise<TransactionReceipt>;
  cash(): Promise<bigint>;
}

/** An exchange whose chain a wallet of viem talks to, as it would to any other. */
export async function openChainFixture(options: ExchangeOptions = {}): Promise<ChainFixture> {
  const fixture = await openFixture(options);
  await fixture.trader();
  const transport = http(`${fixture.exchange.url}/_chain/rpc`, { retryCount: 0 });
  const reader = createPublicClient({ chain: polygon, transport, cacheTime: 0 });
  const wallet = createWalletClient({ account: OWNER, chain: polygon, transport });
  const block = () => fixture.control('clock', { advance_ms: BLOCK_MS });
  return {
    fixture,
    reader,
    wallet,
    block,
    mine: async (to: Hex, data: Hex) => {
      const hash = await wallet.sendTransaction({ to, data, gas: 1_000_000n });
      await block();
      return reader.getTransactionReceipt({ hash });
    },
    cash: () => reader.readContract({ address: PUSD, abi: PUSD_ABI, functionName: 'balanceOf', args: [OWNER.address] }),
  };
}

export function pairCall(functionName: 'splitPosition' | 'mergePositions', conditionId: string, amount: bigint): Hex {
  return encodeFunctionData({
    abi: ADAPTER_ABI,
    functionName,
    args: [PUSD, zeroHash, conditionId as Hex, [1n, 2n], amount],
  });
}

export function redeemCall(conditionId: string): Hex {
  const args = [PUSD, zeroHash, conditionId as Hex, [1n, 2n]] as const;
  return encodeFunctionData({ abi: ADAPTER_ABI, functionName: 'redeemPositions', args });
}

/** The first market of a kind that is still open. */
export async function marketOf(fixture: Fixture, isMeant: (market: ListedMarket) => boolean): Promise<ListedMarket> {
  const found = (await fixture.markets()).find(isMeant);
  if (found === undefined) throw new Error('the catalogue lists one');
  return found;
}
