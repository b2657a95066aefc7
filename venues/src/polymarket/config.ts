import { backOffMs } from '@dutchbook/units/back-off.ts';
/** Which wallet an order is signed for; the numbers are the venue's: 0 a plain key, 1 proxy, 2 safe, 3 deposit wallet. */
export type SignatureType = 0 | 1 | 2 | 3;

/** How the market stream paces itself and when it stops trusting what it has. All times in milliseconds. */
export type StreamConfig = {
  /** Above 500 tokens the venue sends no snapshots; well below is what others found to hold. */
  tokensPerSocket: number;
  pingEveryMs: number;
  /**
   * An answer to the keep-alive later than this makes the connection suspect, until one comes in time: its books are not
   * traded on meanwhile, whatever data it brings.
   */
  pongLateMs: number;
  /** How long a connection may stay suspect before it is given up. */
  pongTimeoutMs: number;
  /**
   * Silence of a socket's data after which it is pinged and its tokens are compared with REST, because a frozen feed still
   * answers pings. While it stays silent that is repeated, a few times as soon and then ever more rarely, after
   * `silenceMaxMs` at most.
   */
  silenceMs: number;
  silenceMaxMs: number;
  /**
   * For how long a book is trusted after it was last shown to be right, by a frame of its own or by REST, while its socket
   * brings nothing for any token.
   */
  provenSilentMs: number;
  /** How long without proof while the socket brings data for other tokens: it works then, and REST alone may be away. */
  provenBusyMs: number;
  /**
   * How many sockets may begin to be compared with REST in a second, of all there are: each costs a call for every 100
   * tokens, of 50 that the venue takes in a second from one address, and what is bought wants fresh books as well.
   */
  comparisonsPerSecond: number;
  /** How long a subscribed token waits for its `book` frame before its snapshot is read over REST. */
  snapshotWaitMs: number;
  /** How long a book that disagrees with the stated best prices may wait for the rest of its burst. */
  settleMs: number;
  /** Pause before a token that lost its way is read afresh, so that a burst of them costs one call. */
  resyncAfterMs: number;
  compareEveryMs: number;
  /** Tokens compared with REST each time, those that were silent the longest first. */
  compareTokens: number;
  backoffMinMs: number;
  backoffMaxMs: number;
};

/** Where shares are converted into dollars. `rpcUrls`: nodes of the chain, one or two, which may hold a provider's key; none: nothing is. */
export type ChainConfig = {
  rpcUrls: readonly string[];
  /** Carries batches of wallets that are contracts to the chain; null for plain keys. */
  relayerUrl: string | null;
  relayerKey: string | null;
  /** The most that the gas of one transaction may cost, as decimal text in whole coins of the chain. */
  gasCap: string;
  /** Blocks above a transaction after which it counts as final. */
  confirmations: number;
  /** Addresses that pay the venue's rewards, and its rebates. */
  rewardSenders: readonly string[];
  rebateSenders: readonly string[];
  /** Whether contract calls of the directional module are made, which the venue has not documented yet. */
  directional: boolean;
};

export type PolymarketConfig = {
  clobUrl: string;
  gammaUrl: string;
  /** Who holds what, public. */
  dataUrl: string;
  /** `/market` and `/user` are appended. */
  wsUrl: string;
  chainId: 137 | 80002;
  /** null: the venue is read only. */
  privateKey: string | null;
  /** The wallet that holds the money, where it is not the key's own address. */
  funder: string | null;
  signatureType: SignatureType;
  /** For every single call; a call that takes longer has an unknown outcome. */
  requestTimeoutMs: number;
  /** Age at which the list of open markets is read again. */
  catalogueTtlMs: number;
  /** Age at which one market, asked for by id, is read again: whether it still takes orders changes quickly. */
  marketTtlMs: number;
  stream: StreamConfig;
  chain: ChainConfig;
};

export const POLYMARKET_DEFAULTS: PolymarketConfig = {
  clobUrl: 'https://clob.polymarket.com',
  gammaUrl: 'https://gamma-api.polymarket.com',
  dataUrl: 'https://data-api.polymarket.com',
  wsUrl: 'wss://ws-subscriptions-clob.polymarket.com/ws',
  chainId: 137,
  privateKey: null,
  funder: null,
  signatureType: 0,
  requestTimeoutMs: 10_000,
  catalogueTtlMs: 60_000,
  marketTtlMs: 5_000,
  stream: {
    tokensPerSocket: 200,
    pingEveryMs: 10_000,
    pongLateMs: 1_000,
    pongTimeoutMs: 30_000,
    silenceMs: 800,
    silenceMaxMs: 15_000,
    // Two of the comparisons of a silent socket in a row that did not come off.
    provenSilentMs: 30_000,
    // So long may REST be away until quiet tokens of sockets that bring data are not traded on.
    provenBusyMs: 270_000,
    comparisonsPerSecond: 12,
    snapshotWaitMs: 2_000,
    settleMs: 250,
    resyncAfterMs: 250,
    compareEveryMs: 30_000,
    // All of a full socket: one that is frozen alone is found by nothing else.
    compareTokens: 200,
    backoffMinMs: 250,
    backoffMaxMs: 30_000,
  },
  chain: {
    rpcUrls: [],
    relayerUrl: null,
    relayerKey: null,
    gasCap: '1',
    // Ten seconds of Polygon, whose milestones take about five.
    confirmations: 5,
    // As transfers of July to September 2026 show.
    rewardSenders: ['0x2c2795ea295d5eb51f9121b728ed2ea4e936a709'],
    rebateSenders: ['0xfdb1b8dc7f5789a0c9a398026585b8b10fba5507'],
    directional: false,
  },
};

/** Exponential pause before attempt `attempt` (0 is the first retry), jittered so that clients do not return together. */
export function jitteredBackOffMs(attempt: number, random: () => number, minMs: number, maxMs: number): number {
  const ceiling = backOffMs(attempt, { firstMs: minMs, slowestMs: maxMs });
  return Math.max(minMs, Math.round(ceiling * (0.5 + random() / 2)));
}
