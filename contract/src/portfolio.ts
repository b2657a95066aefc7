/** What the account holds, what it is worth and how that came about, its cash, and the ways out. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';
import { resolutionStatus } from './markets.ts';
import { described, explained } from './notes/described.ts';
import { CONVERSION_MEANINGS } from './notes/meanings.ts';
import { instant, price, setPrice, shares, usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

const holding = z.object({
  token_id: z.string(),
  market_id: z.string(),
  market_name: z.string(),
  outcome: z.string(),
  event_id: described(
    'The market itself where it belongs to no event, or where the venue does not know it now.',
    z.string(),
  ),
  shares: described('Bought by our batches and not sold.', shares),
  settling_shares: described('Of those, in trades that the venue has not confirmed yet.', shares),
  in_sale_shares: described('Of those, in sell orders that have not ended.', shares),
  set_shares: described('Of those, in whole sets of their batches: what such a set pays is sure.', shares),
  buying_shares: described('Of those, held by batches that still buy: they leave once these have ended.', shares),
  buying_batch_ids: described('These batches.', z.array(id)),
  venue_shares: described('What the venue says is held of the token; null while it does not say.', z.nullable(shares)),
  external_shares: described("Of the venue's, those that our fills do not explain.", shares),
  cost_usd: described('Of ours, with fees, and that for each share.', usd),
  average_cost: described('Cost of a share, with fees; null while none is held.', z.nullable(setPrice)),
  best_bid: z.nullable(price),
  value_usd: described(
    'Of ours at the best bid, or what they pay where the market has resolved; null where neither is known.',
    z.nullable(usd),
  ),
  sale_fee_usd: described(
    'What selling ours at the best bid would cost in fees, nothing where the market has resolved; null where that is not known.',
    z.nullable(usd),
  ),
  unrealised_usd: described('`value_usd` less `cost_usd`.', z.nullable(usd)),
  locked_until: described('When the market ends, as the venue says.', z.nullable(instant)),
  resolution: described(
    'Why its dollars may come later than that; null while no answer is proposed.',
    z.nullable(resolutionStatus),
  ),
  resolved_value: described(
    'What a share of it pays since the market has resolved; null while that is open.',
    z.nullable(price),
  ),
  announced_value: described(
    'What the venue says that a share of it will pay, which it may still change; nothing is valued by it. Null where nothing is announced.',
    z.nullable(price),
  ),
  batch_ids: described('Of those that bought it the latest ones, at most 20.', z.array(id)),
  batch_names: described(
    'What those are called, in their order; null where one has no name.',
    z.array(z.nullable(z.string())),
  ),
});
export type Holding = z.output<typeof holding>;

/** `usd`: after fees; of `hold` what it pays at least, whatever comes true. */
const exitStep = z.object({
  kind: described(
    'What is done.',
    explained(
      {
        sell: 'shares are sold into the bids',
        ...CONVERSION_MEANINGS,
        hold: 'shares are held until their markets resolve',
      },
      z.enum(['sell', 'merge', 'convert', 'horizontal_merge', 'directional_merge', 'hold']),
    ),
  ),
  market_ids: z.array(z.string()),
  shares,
  limit_price: z.nullable(price),
  usd: described('Dollars that it brings after fees; of `hold`, what it pays at least, whatever comes true.', usd),
  usable: described(
    'When its dollars can be used.',
    explained(
      {
        after_settlement: 'once the venue has confirmed the trades',
        after_confirmation: 'once the chain has confirmed the call',
        at_resolution: 'once the markets have resolved',
      },
      z.enum(['after_settlement', 'after_confirmation', 'at_resolution']),
    ),
  ),
  risk: described(
    'What may keep it from bringing as much.',
    explained(
      {
        price: 'bids may be gone',
        chain: 'the call may fail on the chain',
        time: 'resolution may take longer',
        outcome: 'what it pays depends on what comes true',
      },
      z.enum(['price', 'chain', 'time', 'outcome']),
    ),
  ),
  why: described('Why it is done, as a sentence.', z.string()),
});

/** `net_usd` is usable soon; what stays pays from `held_least_usd` to `held_most_usd` once all has resolved. */
export const exitRoute = z.object({
  steps: described('What is done, in its order.', z.array(exitStep)),
  net_usd: described('Dollars after fees that are usable soon.', usd),
  held_least_usd: described('What the rest pays at least once all has resolved.', usd),
  held_most_usd: described('What the rest pays at most once all has resolved.', usd),
});
export type ExitRoute = z.output<typeof exitRoute>;

const heldEvent = z.object({
  event_id: z.string(),
  title: z.string(),
  locked_until: described('The last end of its markets; null where one does not say.', z.nullable(instant)),
  resolution: described('The worst of its markets.', z.nullable(resolutionStatus)),
  pays_least_usd: described(
    'What all of ours of it pays at least, whatever comes true, also what is settling, in a sale or held by a batch that still buys; null where the venue does not know the event now.',
    z.nullable(usd),
  ),
  pays_most_usd: described('What it pays at most; null as well then.', z.nullable(usd)),
  locked_usd: described(
    'Its part of `locked_usd` of the portfolio; null where whole sets reach over several events.',
    z.nullable(usd),
  ),
  loose_usd: described('Its part of `loose_usd` of the portfolio.', usd),
  routes: described(
    "What may leave now, sold, converted into dollars by the venue's contracts, or held, and the mix of them that brings most. Null where the venue does not know the event now.",
    z.nullable(
      z.object({
        sell: described('Selling all of it.', exitRoute),
        cash_now: described("Converting complete sets into dollars by the venue's contracts.", exitRoute),
        hold: described('Holding all of it until the markets resolve.', exitRoute),
        best: described('The mix of them that brings most.', exitRoute),
      }),
    ),
  ),
});
export type HeldEvent = z.output<typeof heldEvent>;

const cash = {
  free_usd: described('Null while the venue does not say.', z.nullable(usd)),
  in_orders_usd: described('What open buys may still take, fees included.', usd),
  settling_usd: described('What sales bring that are matched and not confirmed.', usd),
  redeemable_usd: described(
    'What shares of resolved markets pay that are still held at the venue; null while it does not say.',
    z.nullable(usd),
  ),
  read_at: described('When the venue said so, the first of several; null while it does not.', z.nullable(instant)),
};

export const portfolio = z.object({
  cash: described(
    'Cash of all accounts together; null where one venue does not say.',
    z.object({
      ...cash,
      by_venue: described(
        'At each venue.',
        z.array(
          z.object({
            venue: described('Which venue.', venueName),
            ...cash,
            pockets: described(
              'Where cash lies in several parts, by which markets are paid each from its own: what the venue says of each. Left out where it lies in one.',
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
  value_usd: described(
    'Of our holdings together; what cannot be valued now counts with nothing, and how many those are.',
    usd,
  ),
  cost_usd: usd,
  unrealised_usd: described('`value_usd` less `cost_usd`.', usd),
  locked_usd: described(
    'What the whole sets that batches hold pay once they resolve, and shares of resolved markets beside them, their cost included: of the moment of the holdings.',
    usd,
  ),
  loose_usd: described(
    'Shares that no whole set needs, at the best bid; those of a set that is being bought at what they have cost.',
    usd,
  ),
  unvalued: described('How many holdings cannot be valued now; they count with nothing.', z.int()),
  holdings: described('Those that cost most first, and what is not ours behind them.', z.array(holding)),
  events: described('The events with what each way out would bring.', z.array(heldEvent)),
  venue_error: described(
    "Why prices or the venue's own holdings are missing; null where it answered.",
    z.nullable(z.string()),
  ),
  read_at: described('When all of it was read.', instant),
});
export type Portfolio = z.output<typeof portfolio>;

export const readPortfolio = endpoint({
  method: 'GET',
  path: '/portfolio',
  access: 'viewer',
  tag: 'Portfolio',
  summary: 'What the account holds by event, market and token, its cash, and what each way out would bring',
  asksVenue: true,
  reply: portfolio,
});

const equityChange = z.nullable(
  z.object({
    since: described(
      'From when it counts: as asked for, or later where the ledger began later or nothing was written down before.',
      instant,
    ),
    change_usd: described('Equity now less equity then, less what was paid in meanwhile.', usd),
  }),
);

export const equity = z.object({
  at: described('When it was worked out.', instant),
  equity_usd: described(
    'Cash, whole sets and other shares together; null until the ledger has been compared with the venue once.',
    z.nullable(usd),
  ),
  cash_usd: described(
    'Dollars by the ledger, with what trades that are matched bring or take; what open orders may still take is in it.',
    usd,
  ),
  locked_usd: described(
    'What the whole sets that batches hold pay once they resolve, and shares of resolved markets beside them, their cost included.',
    usd,
  ),
  redeemable_usd: described(
    'Of that, what shares of resolved markets pay that were not redeemed yet, at venues that do not pay by themselves.',
    usd,
  ),
  shares_usd: described(
    'Shares that no whole set needs, at the best bid; those of a set that is being bought at what they have cost.',
    usd,
  ),
  unpriced: described(
    'How many positions of those have no fresh price; they count with nothing, and no point of the curve is written down meanwhile.',
    z.int(),
  ),
  today: described('Since midnight UTC; null while nothing was written down.', equityChange),
  week: described('Since seven days ago; null while nothing was written down.', equityChange),
  drawdown_usd: described('The deepest fall below an earlier peak in the seven days.', usd),
  below_peak_usd: described('How far equity is below the highest of the seven days now.', usd),
  curve: described(
    'Equity of the last seven days, oldest first, as if what is paid in now had been there all the time. It is written down each minute, and kept for each quarter of an hour after a day.',
    z.array(z.object({ at: instant, equity_usd: described('Equity at that time.', usd) })),
  ),
});
export type Equity = z.output<typeof equity>;

export const readEquity = endpoint({
  method: 'GET',
  path: '/portfolio/equity',
  access: 'viewer',
  tag: 'Portfolio',
  summary: 'What the account is worth by its parts, what was earned today and in seven days, and the curve of it',
  asksVenue: true,
  reply: equity,
});
