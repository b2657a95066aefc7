import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { feeStop } from './fee-stops.ts';
import { id } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { JUDGED_BY, type JudgedBy } from './notes/trigger-words.ts';
import { instant, percent, usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

/** Made-up markets, real prices with money that is not real, or money. Data of one never mixes with that of another. */
export type World = 'simulated' | 'paper' | 'real';

/**
 * `keptUnder`: the name under which the rows of the whole desk are kept (settings, sign-offs, recordings, the journal): one for all real
 * venues, that of the first there was, so that a desk which adds a venue or a key keeps them. What each venue has of its own, as its
 * limits and its arming, is kept under the name of the venue. `label` is the standing badge. `onExchange`: it runs on the simulated exchange, whatever that plays.
 */
type Mode = { keptUnder: string; world: World; label: string; isReadOnly?: true; onExchange?: true };

/** Which venue, and whether orders can leave. */
export const VENUE_MODES = {
  simulated: { keptUnder: 'simulated', world: 'simulated', label: 'Simulated exchange', onExchange: true },
  /** A recording is played again: nothing can be placed. */
  replay: { keptUnder: 'replay', world: 'simulated', label: 'Replay', isReadOnly: true, onExchange: true },
  /** The exchange mirrors the books of real venues, and the accounts are its own. */
  paper: { keptUnder: 'paper', world: 'paper', label: 'Paper: Polymarket', onExchange: true },
  paper_kalshi: { keptUnder: 'paper', world: 'paper', label: 'Paper: Kalshi', onExchange: true },
  paper_several: { keptUnder: 'paper', world: 'paper', label: 'Paper: Polymarket and Kalshi', onExchange: true },
  polymarket_read_only: { keptUnder: 'polymarket', world: 'real', label: 'Polymarket (read only)', isReadOnly: true },
  polymarket_live: { keptUnder: 'polymarket', world: 'real', label: 'Polymarket (live)' },
  kalshi_read_only: { keptUnder: 'polymarket', world: 'real', label: 'Kalshi (read only)', isReadOnly: true },
  kalshi_live: { keptUnder: 'polymarket', world: 'real', label: 'Kalshi (live)' },
  several_read_only: {
    keptUnder: 'polymarket',
    world: 'real',
    label: 'Polymarket and Kalshi (read only)',
    isReadOnly: true,
  },
  several_live: { keptUnder: 'polymarket', world: 'real', label: 'Polymarket and Kalshi (live)' },
} as const satisfies Record<string, Mode>;
export type VenueMode = keyof typeof VENUE_MODES;

const venueMode = explained(
  {
    simulated: 'the simulated exchange',
    replay: 'a recording is played again: nothing can be placed',
    paper: "Polymarket's real prices, with money that is not real",
    paper_kalshi: "Kalshi's real prices, with money that is not real",
    paper_several: 'the real prices of Polymarket and Kalshi, with money that is not real',
    polymarket_read_only: 'Polymarket, without a key: nothing can be placed',
    polymarket_live: 'Polymarket, with real money',
    kalshi_read_only: 'Kalshi, without a key: nothing can be placed',
    kalshi_live: 'Kalshi, with real money',
    several_read_only: 'Polymarket and Kalshi, both without a key: nothing can be placed',
    several_live: 'Polymarket and Kalshi, with real money at those of which there is a key',
  },
  z.enum(Object.keys(VENUE_MODES) as VenueMode[]),
);

/** What orders of paper trading are filled by, each with what it assumes. */
export const PAPER_FILLS = {
  touch: 'what the book displays when the order arrives',
  latency: 'what the book displays one measured latency after the order arrives, at its limit or better',
  survival: 'the part of what the book displays that orders have really met',
} as const;
export type PaperFills = keyof typeof PAPER_FILLS;

/** What is known of a mode. */
export function modeOf(mode: VenueMode): Mode {
  return VENUE_MODES[mode];
}

const arming = {
  armed: described('Whether orders may leave; of several venues, at one of them.', z.boolean()),
  armed_changed: described(
    'Who armed or disarmed last, and when; null before the first time.',
    z.nullable(
      z.object({
        at: instant,
        by: described('The email of the person; null where the product did by itself.', z.nullable(z.string())),
      }),
    ),
  ),
  disarm_not_stored: described(
    'True while trading is disarmed in the process that answers and that could not be stored: other processes may go on, and this one stores it as soon as the database answers, also after a restart.',
    z.optional(z.boolean()),
  ),
  arming_refusal: described('Why it cannot be armed now; null when it can.', z.nullable(z.string())),
};

const feed = explained(
  {
    live: 'books come over the stream',
    degraded: 'some books are stale',
    down: 'no books arrive',
    starting: 'no books have arrived yet, in the first seconds',
    polled: 'books are polled, the stream is off',
  },
  z.enum(['live', 'degraded', 'down', 'starting', 'polled']),
);

/** What the top bar shows of the running system. */
export const systemStatus = z.object({
  venue: described('Which venue it trades on, and whether orders can leave.', venueMode),
  ...arming,
  venues: described(
    'What is armed and how prices arrive at each venue; left out where one alone is configured.',
    z.optional(
      z.array(
        z.object({
          venue: described('Which venue.', venueName),
          ...arming,
          feed: described('How its prices arrive.', feed),
          cash: described(
            'Free to spend, as the venue said last; left out where it has not.',
            z.optional(
              z.object({
                free_usd: described('In all.', usd),
                pockets: described(
                  'Of cash that lies in several parts, what is in each.',
                  z.optional(
                    z.array(
                      z.object({
                        name: described('At Kalshi the number of a shard.', z.string()),
                        free_usd: described('Free to spend there.', usd),
                      }),
                    ),
                  ),
                ),
              }),
            ),
          ),
        }),
      ),
    ),
  ),
  feed: described('How prices arrive; `degraded` where venues differ.', feed),
  paper: described(
    'How orders of paper trading are filled; left out where nothing is on paper.',
    z.optional(
      z.object({
        fills: described(
          'The fill model behind all figures.',
          explained(PAPER_FILLS, z.enum(Object.keys(PAPER_FILLS) as PaperFills[])),
        ),
      }),
    ),
  ),
  unknown_orders: described('How many orders the venue has not said whether it has them.', z.int()),
  automatic: described(
    'What is placed automatically while trading is armed.',
    explained(
      {
        all: 'every opportunity that triggers',
        brought: 'opportunities that a person or a program added; found ones are placed by hand only',
        off: 'nothing: AUTO_PLACE_ORDER_ENABLED is off',
      },
      z.enum(['all', 'brought', 'off']),
    ),
  ),
  trigger: described(
    'The net profit at which an opportunity triggers, and by which prices every profit is judged.',
    z.object({
      profit_percentage: described('MIN_PROFIT_TRIGGER_THRESHOLD.', percent),
      judged_by: described(
        'Which price of a leg counts.',
        explained(JUDGED_BY, z.enum(Object.keys(JUDGED_BY) as JudgedBy[])),
      ),
      depth_usd: described('ORDER_BOOK_CUMULATIVE_THRESHOLD_USD, of which the price of `depth` is.', usd),
    }),
  ),
  sale_loss_warning: described(
    'A sale that loses more of what its shares cost asks for a second confirmation.',
    percent,
  ),
  open_sign_offs: described('What waits for a second person; left out where nothing does.', z.optional(z.int())),
  waiting: described(
    'What else waits for a person: with the above it is what *Needs You* lists and the title of every page counts. Left out where nothing does.',
    z.optional(
      z.object({
        unhedged_batches: described('Batches that hold shares without the rest of their set.', z.int()),
        failed_notifications: described('Notifications that could not be sent.', z.int()),
        fee_stops: described('Kinds of fees under which nothing is bought automatically.', z.int()),
        redeemable: described(
          'Whether resolved markets pay for shares that are still held, at a venue that does not pay by itself.',
          z.boolean(),
        ),
      }),
    ),
  ),
  database_away: described(
    'True while the database does not answer: nothing is placed, and `unknown_orders` is the last that was known.',
    z.optional(z.boolean()),
  ),
  database_silent_s: described(
    'For how many seconds the database has not answered; left out while it does.',
    z.optional(z.int()),
  ),
  disk_full: described('True while the disk of the data folder has less than 100 MB free.', z.optional(z.boolean())),
  log_failure: described(
    'Why lines of the log are dropped now, and how many since the start; left out while the log is written.',
    z.optional(
      z.object({ reason: z.string(), dropped: described('How many lines were dropped since the start.', z.int()) }),
    ),
  ),
});
export type SystemStatus = z.output<typeof systemStatus>;

export const readSystemStatus = endpoint({
  method: 'GET',
  path: '/system/status',
  access: 'viewer',
  withoutDatabase: true,
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
  reply: z.object({
    active_opportunities: described('How many opportunities are active.', z.int()),
    triggered_opportunities: described('How many opportunities are triggered now.', z.int()),
    running_batches: described('How many batches are being worked on.', z.int()),
    unhedged_batches: described(
      'Batches that hold shares without the rest of their set, and what those lose if the rest never fills.',
      z.int(),
    ),
    unhedged_usd: described('Cost of shares that some positions hold and others lack.', usd),
    realised_today_usd: described(
      'What sales, redemptions and conversions have realised since midnight UTC, as the day of the report. What today has earned in all, with what is held, is `today` of the equity.',
      usd,
    ),
    batches_today: described('How many batches ended since midnight UTC.', z.int()),
    failed_notifications: described('How many notifications could not be sent.', z.int()),
    first_steps: described(
      'Which of the first steps of a desk it has ever made.',
      z.object({
        found: described('An opportunity was found or added.', z.boolean()),
        judged: described('One has triggered.', z.boolean()),
        bought: described('A batch has bought something.', z.boolean()),
        exited: described('Shares have become dollars again.', z.boolean()),
      }),
    ),
    missed_today: described(
      'What paid since midnight UTC and was not bought, or less of it than paid, by the reason that stood in its way first: the ten that cost most dollars.',
      z.array(
        z.object({
          reason: described('As the report gives it, without figures.', z.string()),
          example: described(
            'The dearest of them in its own words, with its figures; null where that says no more than the reason.',
            z.nullable(z.string()),
          ),
          bound: described(
            'What bounded the size where less was bought than paid, with the name of its setting; null where nothing was bought.',
            z.nullable(z.string()),
          ),
          count: described('How many.', z.int()),
          usd: described('Dollars they would have made at the size that made most.', usd),
        }),
      ),
    ),
    fee_stops: described(
      'The newest of those that stand: nothing is bought automatically where fees are of these kinds.',
      z.array(feeStop),
    ),
    cash_usd: described('Of the account, as the venue said last; null while that is not known.', z.nullable(usd)),
    open_exposure_usd: described(
      'What was paid for shares that may still pay, and what orders at the venue may still take.',
      usd,
    ),
    practice: described(
      'The account of practice: its cash, and what it has paid for shares that are not sold. Left out unless orders are only simulated.',
      z.optional(
        z.object({
          cash_usd: usd,
          open_exposure_usd: described('Dollars at risk in batches that are not simulated.', usd),
        }),
      ),
    ),
  }),
});

const activity = z.object({
  id: described('Its own within the list.', z.string()),
  at: instant,
  kind: described(
    'What was done.',
    explained(
      {
        found: 'discovery has found an opportunity',
        triggered: 'a profit has come up to the threshold',
        refused: 'it has, and nothing was bought; the text says why',
        bought: 'a batch was placed',
        filled: 'a batch has ended, bought whole, in part or not at all',
        cash: 'shares have become dollars',
      },
      z.enum(['found', 'triggered', 'refused', 'bought', 'filled', 'cash']),
    ),
  ),
  text: described('What happened, in a sentence.', z.string()),
  usd: described(
    'Dollars that it brought: of cash what came, of a batch that has ended its profit; null of others.',
    z.nullable(usd),
  ),
  opportunity_id: described('The opportunity that it is about; null where it is about none.', z.nullable(id)),
  batch_id: described('The batch that it is about; null where it is about none.', z.nullable(id)),
});
export type Activity = z.output<typeof activity>;
export type ActivityKind = Activity['kind'];

/** Entries in an answer. */
export const ACTIVITY_MAX = 50;

export const listActivity = endpoint({
  method: 'GET',
  path: '/system/activity',
  access: 'viewer',
  heavy: 'list',
  tag: 'System',
  summary: 'The latest of what was found, triggered, refused, bought, filled and turned into cash, newest first',
  reply: z.object({ data: described('Newest first.', z.array(activity)) }),
});

export const healthCheck = endpoint({
  method: 'GET',
  path: '/utils/health-check/',
  access: 'public',
  withoutDatabase: true,
  tag: 'System',
  summary: 'Whether the product answers',
  reply: z.literal(true),
});
