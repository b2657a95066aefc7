import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { feeStop } from './fee-stops.ts';
import { instant, percent, usd } from './quantities.ts';

/** Made-up markets, real prices with money that is not real, or money. Data of one never mixes with that of another. */
export type World = 'simulated' | 'paper' | 'real';

/**
 * With or without a key, the limits and the arming of one `venue` are kept in one place. `label` is the standing badge. `onExchange`: it
 * runs on the simulated exchange, whatever that plays.
 */
type Mode = { venue: string; world: World; label: string; isReadOnly?: true; onExchange?: true };

/** Which venue, and whether orders can leave. */
export const VENUE_MODES = {
  simulated: { venue: 'simulated', world: 'simulated', label: 'Simulated exchange', onExchange: true },
  /** A recording is played again: nothing can be placed. */
  replay: { venue: 'replay', world: 'simulated', label: 'Replay', isReadOnly: true, onExchange: true },
  polymarket_read_only: { venue: 'polymarket', world: 'real', label: 'Polymarket (read only)', isReadOnly: true },
  polymarket_live: { venue: 'polymarket', world: 'real', label: 'Polymarket (live)' },
} as const satisfies Record<string, Mode>;
export type VenueMode = keyof typeof VENUE_MODES;

const venueMode = z.enum(Object.keys(VENUE_MODES) as VenueMode[]);

/** What is known of a mode. */
export function modeOf(mode: VenueMode): Mode {
  return VENUE_MODES[mode];
}

/** What the top bar shows of the running system. */
export const systemStatus = z.object({
  venue: venueMode,
  armed: z.boolean(),
  /** Who armed or disarmed last, and when; null when nobody ever did. */
  armed_changed: z.nullable(z.object({ at: instant, by: z.nullable(z.string()) })),
  /**
   * True while trading is disarmed in the process that answers and that could not be stored: other processes may go on, and this one is
   * armed again if it ends before the database answers.
   */
  disarm_not_stored: z.optional(z.boolean()),
  /** Why it cannot be armed now; null when it can. */
  arming_refusal: z.nullable(z.string()),
  feed: z.enum(['live', 'degraded', 'down', 'polled']),
  unknown_orders: z.int(),
  /** A sale that loses more of what its shares cost asks for a second confirmation. */
  sale_loss_warning: percent,
  /** What waits for a second person; left out where nothing does. */
  open_sign_offs: z.optional(z.int()),
  /** True while the database does not answer: nothing is placed, and `unknown_orders` is the last that was known. */
  database_away: z.optional(z.boolean()),
  /** True while the disk of the data folder has less than 100 MB free. */
  disk_full: z.optional(z.boolean()),
  /** Why lines of the log are dropped now, and how many since the start; left out while the log is written. */
  log_failure: z.optional(z.object({ reason: z.string(), dropped: z.int() })),
});
export type SystemStatus = z.output<typeof systemStatus>;

export const readSystemStatus = endpoint({
  method: 'GET',
  path: '/system/status',
  access: 'viewer',
  tag: 'System',
  summary: 'Venue, mode and feed',
  reply: systemStatus,
});

/** What an operator wants to know first. */
export const readOverview = endpoint({
  method: 'GET',
  path: '/system/overview',
  access: 'viewer',
  heavy: 'list',
  tag: 'System',
  summary: 'Opportunities, batches, exposure, profit and failed notifications at a glance',
  /** When today began where the operator is; midnight UTC when missing. */
  query: z.object({ today: z.optional(instant) }),
  reply: z.object({
    active_opportunities: z.int(),
    triggered_opportunities: z.int(),
    running_batches: z.int(),
    /** Batches that hold shares without the rest of their set, and what those lose if the rest never fills. */
    unhedged_batches: z.int(),
    unhedged_usd: usd,
    /** Of the batches that ended today, simulated ones left out. */
    profit_today_usd: usd,
    batches_today: z.int(),
    failed_notifications: z.int(),
    /** The newest of those that stand: nothing is bought automatically where fees are of these kinds. */
    fee_stops: z.array(feeStop),
    /** Of the account, as the venue said last; null while that is not known. */
    cash_usd: z.nullable(usd),
    /** What was paid for shares that are not sold, and what orders at the venue may still take. */
    open_exposure_usd: usd,
    /** The account of practice: its cash, and what it has paid for shares that are not sold. Left out unless orders are only simulated. */
    practice: z.optional(z.object({ cash_usd: usd, open_exposure_usd: usd })),
    /** What `profit_today_usd` had come to at the end of each part of the day in which a batch ended. */
    profit_line: z.array(z.object({ at: instant, profit_usd: usd })),
  }),
});

export const healthCheck = endpoint({
  method: 'GET',
  path: '/utils/health-check/',
  access: 'public',
  tag: 'System',
  summary: 'Whether the product answers',
  reply: z.literal(true),
});
