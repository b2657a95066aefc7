/** How the market stream paces itself and when it stops trusting what it has. All times in milliseconds. */
export type StreamConfig = {
  /** The venue limits books per subscription and does not say to how many. */
  marketsPerSocket: number;
  /** The venue pings every ten seconds: without one for this long the connection is given up. */
  silenceMs: number;
  /** Changes that are older than this when they come are no longer what is so. */
  lateMs: number;
  /** How often the venue is asked for all books again, which come in sequence and so have to be the ones that are kept. */
  verifyEveryMs: number;
  /** How long a snapshot may take until the connection is begun anew. */
  snapshotWaitMs: number;
  /** Without a key there is no stream: how often books are read instead. */
  pollEveryMs: number;
  backoffMinMs: number;
  backoffMaxMs: number;
};

export type KalshiConfig = {
  apiUrl: string;
  wsUrl: string;
  /** Null: only what needs no key is read. */
  key: { id: string; privateKey: string } | null;
  /** Moves cash between the pockets of the account, and nothing else; null where that is left to its owner. */
  transferKey: { id: string; privateKey: string } | null;
  /** The part of the account that trades; null for the one that the key is of. */
  subaccount: number | null;
  /** The venue has no heartbeat: what may rest ends by itself after so long, unless the order says when. */
  restsAtMostMs: { buy: number; sell: number };
  /** For every single call. */
  requestTimeoutMs: number;
  /** Age at which the list of open events is read again. */
  catalogueTtlMs: number;
  /** Age at which one market, asked for by id, is read again. */
  marketTtlMs: number;
  stream: StreamConfig;
};

export const KALSHI_DEFAULTS: KalshiConfig = {
  apiUrl: 'https://external-api.kalshi.com/trade-api/v2',
  wsUrl: 'wss://external-api-ws.kalshi.com/trade-api/ws/v2',
  key: null,
  transferKey: null,
  subaccount: null,
  restsAtMostMs: { buy: 600_000, sell: 86_400_000 },
  requestTimeoutMs: 10_000,
  catalogueTtlMs: 60_000,
  marketTtlMs: 5_000,
  stream: {
    marketsPerSocket: 200,
    silenceMs: 25_000,
    lateMs: 5_000,
    verifyEveryMs: 30_000,
    snapshotWaitMs: 10_000,
    pollEveryMs: 5_000,
    backoffMinMs: 250,
    backoffMaxMs: 30_000,
  },
};
