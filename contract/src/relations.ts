/** Relations between markets: what discovery has read from the venue, how far each is from paying, and who approved it. */
import * as z from 'zod/mini';
import { endpoint, notFound } from './endpoint.ts';
import { PAIR_VIEWS, RELATION_BASES, RELATION_KINDS, RELATION_STATES } from './list-values.ts';
import { flagInQuery, id, listOf, page, sortBy, sortOrder, sortsOf } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { BASIS_MEANINGS, STATED_MEANINGS } from './notes/meanings.ts';
import { inQuery, instant, percent, price, setPrice, shares, usd } from './quantities.ts';
import { find } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

export const kind = explained(
  {
    pair: 'the two outcomes of one market',
    ...STATED_MEANINGS,
    buckets: 'ranges that follow one another, beside thresholds on the same figure',
  },
  z.enum(RELATION_KINDS),
);
export type RelationKind = z.output<typeof kind>;
export const basis = explained(BASIS_MEANINGS, z.enum(RELATION_BASES));
export type RelationBasis = z.output<typeof basis>;
const state = explained(
  {
    proposed: 'it waits for a decision',
    approved: 'its hits may be traded',
    rejected: 'it will no longer create opportunities or be proposed again',
    void: 'what it was approved for has changed',
  },
  z.enum(RELATION_STATES),
);
export type RelationState = z.output<typeof state>;

/** Which of its baskets: Yes on members, or No on members. */
const direction = explained(
  { yes: 'Yes of the members is bought', no: 'No of the members is bought' },
  z.enum(['yes', 'no']),
);
export type RelationDirection = z.output<typeof direction>;

/** A row of the list, as its prices are now. */
export const relationRow = z.object({
  id,
  created_at: instant,
  updated_at: instant,
  kind,
  basis,
  state,
  event_id: described('The event it was read from, or the first of several.', z.string()),
  event_title: z.string(),
  title: described('What it says, as a sentence.', z.string()),
  members: described('How many markets it is about.', z.int()),
  quoted: described('Members with a price to buy at and a price to sell at in a book that can be trusted.', z.int()),
  is_complete: described(
    'Whether its members are all that there are, so that one of them must come true.',
    z.boolean(),
  ),
  is_void_safe: described('Whether it holds also where a member is voided.', z.boolean()),
  may_trade: described(
    'Whether its hits become opportunities: its kind is switched on, or it is approved.',
    z.boolean(),
  ),
  distance: described(
    'Dollars a set by which its best basket costs more than it surely pays, after fees; below zero it pays. Null where it cannot be priced.',
    z.nullable(usd),
  ),
  direction: z.nullable(direction),
  limited_by: described(
    'The leg of the best basket with the widest gap between bid and ask, which keeps it from paying: "leg 3: Renata Quill"; null where there is none.',
    z.nullable(z.string()),
  ),
  profit_usd: described('Dollars that the best size would make now, after fees; 0 while nothing pays.', usd),
  size: shares,
  distance_with_voids: described(
    'Legs that depend on how a void is paid may make this less than it surely pays otherwise; null where it cannot be priced.',
    z.nullable(usd),
  ),
  oldest_book_ms: described(
    'The oldest of the books that the best basket buys from, in milliseconds; null where it cannot be priced.',
    z.nullable(z.int()),
  ),
  outdated: described(
    'When its distance and dollars were those of its books, where nothing prices it any more because it was rejected or is void; null while they are of now.',
    z.nullable(z.object({ as_of: described('When it was priced last.', instant) })),
  ),
  opportunity_id: described('The opportunity that its hits have become, active or not.', z.nullable(id)),
  first_hit_at: described('When it first paid; null if it never did.', z.nullable(instant)),
  last_hit_at: described('When it last paid; null if it never did.', z.nullable(instant)),
  paying_since: described('Since when it pays; null while it does not.', z.nullable(instant)),
  hits: described('How many times it has paid.', z.int()),
});
export type RelationRow = z.output<typeof relationRow>;

const member = z.object({
  leg: described('From 1, in the order of the relation.', z.int()),
  market_id: z.string(),
  event_id: z.string(),
  role: described(
    'What the market is in the relation.',
    explained(
      {
        outcome: 'one of several outcomes',
        threshold: 'a threshold that a figure reaches or does not',
        bucket: 'a range that a figure falls into',
      },
      z.enum(['outcome', 'threshold', 'bucket']),
    ),
  ),
  question: z.string(),
  group_title: described("What the event's list calls it.", z.string()),
  rules: described('With what the venue has added to them since it listed the market.', z.string()),
  resolution_source: described('Where the answer is taken from, by the venue.', z.string()),
  end_date: z.nullable(instant),
  closed: described('Whether trading in it has ended.', z.boolean()),
  resolved_value: described('What a share of its first outcome pays; null while it is open.', z.nullable(price)),
  best_bid: described('Of the first outcome.', z.nullable(price)),
  best_ask: z.nullable(price),
  book_age_ms: z.nullable(z.int()),
  left_out: described('Why it is no part of any basket; null where it is.', z.nullable(z.string())),
});
export type RelationMember = z.output<typeof member>;

/** What every leg of a basket pays in every world that the rules allow. */
const worlds = z.object({
  legs: described(
    'The legs of the basket.',
    z.array(z.object({ leg: z.int(), market_id: z.string(), outcome: z.string(), price, fee: usd })),
  ),
  rows: described(
    '`pays` in the order of the legs.',
    z.array(
      z.object({
        name: described('What comes true in it.', z.string()),
        voided: described('Whether a member is voided in it.', z.boolean()),
        pays: described('What each leg pays, in the order of the legs.', z.array(price)),
        total: described('What all legs pay together.', setPrice),
        is_worst: described('Whether it pays the least of all, where others pay more.', z.boolean()),
      }),
    ),
  ),
  cost: described('What the basket costs, with fees.', usd),
  payout: described('The least of all worlds in which nothing is voided, and of all.', setPrice),
  annualised_return: described(
    'Its profit as if all year, in percent: over the cost, times 365 over the days until the cash is back; null where that is not known.',
    z.nullable(percent),
  ),
  payout_with_voids: described('The least that it pays in any world, those with voided members included.', setPrice),
});
export type RelationWorlds = z.output<typeof worlds>;

/** One field that is not what it was when the relation was read or approved. */
const difference = z.object({
  market_id: described("Null where it is the event's or the relation's own.", z.nullable(z.string())),
  question: z.nullable(z.string()),
  field: described('The name of the field.', z.string()),
  before: described('What it was; null where it was not there.', z.nullable(z.string())),
  after: described('What it is; null where it is gone.', z.nullable(z.string())),
});
export type RelationDifference = z.output<typeof difference>;

export const relation = z.object({
  ...relationRow.shape,
  is_followed: described('Whether the caller follows it.', z.boolean()),
  member_list: described('The markets, in the order of the relation.', z.array(member)),
  read_from: described('The fields and texts of the venue that it was read from.', z.array(z.string())),
  completeness: described('Why its members are, or are not, all that there are, as a sentence.', z.string()),
  fingerprint: described('A hash of what it was read from; approving names the one that was looked at.', z.string()),
  has_series: described('Whether other events of the same series can be approved with it.', z.boolean()),
  decided_by: described(
    'Who approved or rejected it, or null before that. `by_series`: by an approval of its series.',
    z.nullable(z.string()),
  ),
  decided_at: described('When it was approved or rejected; null before.', z.nullable(instant)),
  by_series: described('Whether it was approved with its series.', z.boolean()),
  reason: described('Why it was rejected or is void.', z.nullable(z.string())),
  contradiction: described(
    'What its members have resolved to that it rules out, as "A and B both came true": it cannot be approved while that is so.',
    z.nullable(z.string()),
  ),
  differences: described('What has changed since it was read or approved.', z.array(difference)),
  worlds: described('What its best basket pays in each world; null where it cannot be priced.', z.nullable(worlds)),
});
export type RelationReply = z.output<typeof relation>;

export const RELATION_SORTS = sortsOf(relationRow, 'outdated');

export const relationById = z.object({ relation_id: id });
export const TAG = 'Discovery';

const pairView = explained(
  {
    left_out: 'only those that pay now',
    by_event: 'of each event the nearest one',
    each: 'all of them',
  },
  z.enum(PAIR_VIEWS),
);
export type PairView = z.output<typeof pairView>;

const filter = {
  q: described('Only relations whose title, event or market has this text.', find),
  kind: z.optional(kind),
  basis: z.optional(basis),
  state: z.optional(state),
  needs_approval: described(
    'Only relations of which nothing is bought before a superuser has approved them, or only the others.',
    z.optional(flagInQuery),
  ),
  min_profit_usd: described('Those that would make at least so many dollars now.', z.optional(inQuery(usd))),
  venue: described('Only relations with a member at this venue.', z.optional(venueName)),
  followed: described('Only relations that the caller follows, or only the others.', z.optional(flagInQuery)),
  pairs: described(
    'How pairs are listed. The two outcomes of a market are priced from one book, which each of them mirrors, so a pair seldom pays.',
    z._default(pairView, 'each'),
  ),
};

export const listRelations = endpoint({
  method: 'GET',
  path: '/relations',
  access: 'viewer',
  heavy: 'list',
  tag: TAG,
  summary: 'Watched relations',
  query: z.object({
    ...page,
    ...filter,
    complete_first: described(
      'Whether relations that pay now come first, and behind them those whose members are all that there are before the others, pairs apart; each part is sorted by `sort_by`.',
      z._default(flagInQuery, false),
    ),
    sort_by: z._default(sortBy(RELATION_SORTS), 'distance'),
    sort_order: z._default(sortOrder, 'asc'),
  }),
  reply: listOf(relationRow),
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportRelations = endpoint({
  method: 'GET',
  path: '/relations/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag: TAG,
  summary: 'Export watched relations as a CSV file',
  query: z.object(filter),
  reply: z.string(),
});

export const readRelation = endpoint({
  method: 'GET',
  path: '/relations/{relation_id}',
  access: 'viewer',
  tag: TAG,
  summary: 'A relation with its members, worlds and prices',
  refusals: [notFound('Relation not found')],
  params: relationById,
  reply: relation,
});

const distancePoint = z.object({
  at: described('When it was so.', instant),
  distance: described('Dollars that a set cost more than it surely paid, after fees; below zero it paid.', usd),
  profit_usd: usd,
});
export type DistancePoint = z.output<typeof distancePoint>;

export const listDistances = endpoint({
  method: 'GET',
  path: '/relations/{relation_id}/distances',
  access: 'viewer',
  heavy: 'list',
  tag: TAG,
  summary:
    'How far a relation was from paying, the nearest of each minute, and exactly from when to when it paid, oldest first; each holds until the next; a pair only while it paid',
  refusals: [notFound('Relation not found')],
  params: relationById,
  reply: z.object({ data: z.array(distancePoint) }),
});
