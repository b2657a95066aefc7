import type { PaperFills, VenueMode } from '@dutchbook/contract/status.ts';
import type { SignUpPolicy } from '@dutchbook/contract/users.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { KalshiConfig } from '@dutchbook/venues/kalshi/config.ts';
import type { PolymarketConfig } from '@dutchbook/venues/polymarket/config.ts';
import type { CrashAt } from './crash-point.ts';

/** What of the venue's configuration comes from outside; `privateKey` is null when the venue is read only. */
export type VenueAccess = Pick<
  PolymarketConfig,
  'clobUrl' | 'gammaUrl' | 'dataUrl' | 'wsUrl' | 'privateKey' | 'funder' | 'signatureType' | 'chain'
>;

/** Access to Kalshi; without a `key` (null) books are polled. */
export type KalshiAccess = Pick<KalshiConfig, 'apiUrl' | 'wsUrl' | 'key' | 'transferKey' | 'subaccount'>;

/** What a process does: serves the API, follows and buys, or works off the queue. */
export type Role = 'api' | 'engine' | 'jobs';

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type Config = {
  host: string;
  port: number;
  dataDir: string;
  /** PostgreSQL; null keeps the database in the data folder. */
  databaseUrl: string | null;
  secretKey: string;
  firstSuperuser: { email: string; password: string | null };
  /** What a new installation begins with. */
  firstSizePolicy: 'smallest' | 'best';
  venueMode: VenueMode;
  /** The configured venues in their order, and whether each is read only. */
  venues: ReadonlyMap<VenueName, { isReadOnly: boolean }>;
  /** How the exchange fills orders of paper trading, and what it mirrors, without passwords; null where nothing is on paper. */
  paper: { fills: PaperFills; upstream: string } | null;
  polymarket: VenueAccess;
  kalshi: KalshiAccess;
  rateLimit: boolean;
  /** Whether the document of the API is generated before the process listens, or by the first call that asks for it. */
  apiDocumentAtStart: boolean;
  signUp: SignUpPolicy;
  /** Where mail is handed in; null keeps it in the data folder. */
  smtpUrl: string | null;
  mailFrom: string;
  /** Telegram's bot API: Telegram's own, a public server, or one within this machine. */
  telegramApiRoot: string;
  /** Where people open the product, for links in mails; null: where it listens. */
  publicUrl: string | null;
  /** Addresses and networks of the proxies in front, whose word is taken for where a call comes from. */
  trustedProxies: readonly string[];
  /** Percent of what shares cost: a sale that loses more is confirmed twice. */
  saleLossWarning: number;
  /** Dollars that the account of practice begins with. */
  practiceCash: Usd;
  /** Whether the venue's events are read and watched. */
  discovery: boolean;
  /**
   * Whether an engine writes down the books that it follows, how many bytes of that are kept, and for how many days; and how many
   * bytes of the books around batches.
   */
  recording: { isOn: boolean; maxBytes: number; days: number; batchesMaxBytes: number };
  logLevel: LogLevel;
  roles: ReadonlySet<Role>;
  crashAt: CrashAt | null;
};
