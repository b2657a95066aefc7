/** How much may be bought: gates beside the trading settings. Off by default on the simulated exchange, required on a real venue. */
import * as z from 'zod/mini';
import { endpoint, optional, SIGN_OFF_ASKED } from './endpoint.ts';
import { described, explained } from './notes/described.ts';
import { lastChange, usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

const LIMIT_MIN_USD = 1;
const LIMIT_MAX_USD = 100_000_000;

/** What each limit is called on the screen and in messages. Dollars, fees included. */
export const LIMITS = {
  per_order_usd: 'Limit per order',
  per_batch_usd: 'Limit per batch',
  per_day_usd: 'Limit per day',
  open_exposure_usd: 'Limit on open exposure',
} as const;
export type LimitName = keyof typeof LIMITS;

/** The limits that bound a whole clip. */
export const BOUNDING_CLIPS = ['per_batch_usd', 'per_day_usd', 'open_exposure_usd'] as const;

function limit(label: string) {
  const amount = z
    .number(`${label} must be a number`)
    .check(
      z.minimum(LIMIT_MIN_USD, `${label} must be at least ${LIMIT_MIN_USD}`),
      z.maximum(LIMIT_MAX_USD, `${label} must be at most ${LIMIT_MAX_USD}`),
    );
  return z.nullable(z.pipe(amount, usd));
}

/** Dollars; null is no limit. */
export const limitsForm = z.strictObject({
  per_order_usd: described('Most dollars of one order, fees included; null is no limit.', limit(LIMITS.per_order_usd)),
  per_batch_usd: described('Most dollars of one batch, fees included; null is no limit.', limit(LIMITS.per_batch_usd)),
  per_day_usd: described(
    'Most dollars of all orders of a day in UTC, fees included; null is no limit.',
    limit(LIMITS.per_day_usd),
  ),
  open_exposure_usd: described(
    'Most dollars that may be at risk at once, fees included; null is no limit.',
    limit(LIMITS.open_exposure_usd),
  ),
});

const limits = z.object({
  ...limitsForm.shape,
  required: described('Whether none of them may be missing, as at a real venue.', z.boolean()),
  placed_today_usd: described('Dollars of orders placed since midnight UTC: what they took or may still take.', usd),
  open_exposure_now_usd: described('Dollars in positions and open orders now.', usd),
  below_clip: described(
    'The limits that are lower than CLIP_USD while SIZE_POLICY buys in clips, each with what that does, as a sentence.',
    z.array(
      z.object({
        limit: described('Which limit.', explained(LIMITS, z.enum(BOUNDING_CLIPS))),
        message: described('What it does to clips, as a sentence.', z.string()),
      }),
    ),
  ),
  ...lastChange,
});
export type Limits = z.output<typeof limits>;

const query = z.object({
  venue: described(
    'Of which venue. Required where several are configured, so that none is limited that was not meant.',
    z.optional(venueName),
  ),
});

const tag = 'System settings';

export const readLimits = endpoint({
  method: 'GET',
  path: '/system-settings/limits',
  access: 'superuser',
  tag,
  summary: 'The limits on orders, and how much of them is used',
  query,
  reply: limits,
});

export const writeLimits = endpoint({
  method: 'PUT',
  path: '/system-settings/limits',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Set limits on orders; null takes one back, and one that is left out stays',
  refusals: [SIGN_OFF_ASKED],
  query,
  body: z.strictObject(optional(limitsForm.shape)),
  reply: limits,
});

export const readDeskLimits = endpoint({
  method: 'GET',
  path: '/system-settings/desk-limits',
  access: 'superuser',
  tag,
  summary: 'The limits of the whole desk, over all venues and beside those of each, and how much of them is used',
  reply: limits,
});

export const writeDeskLimits = endpoint({
  method: 'PUT',
  path: '/system-settings/desk-limits',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Set limits of the whole desk; null takes one back, and one that is left out stays',
  refusals: [SIGN_OFF_ASKED],
  body: z.strictObject(optional(limitsForm.shape)),
  reply: limits,
});
