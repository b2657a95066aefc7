/** Relations between markets: what discovery has read from the venue, how far each is from paying, and who approved it. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { find } from './finding.ts';
import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from './list-values.ts';
import { flagInQuery, id, listOf, page, sortOrder, sortsOf } from './listing.ts';
import { inQuery, instant, price, setPrice, shares, usd } from './quantities.ts';

export const REASON_LENGTH_MAX = 500;

const kind = z.enum(RELATION_KINDS);
export type RelationKind = z.output<typeof kind>;
const basis = z.enum(RELATION_BASES);
export type RelationBasis = z.output<typeof basis>;
const state = z.enum(RELATION_STATES);
export type RelationState = z.output<typeof state>;

/** Which of its baskets: Yes on members, or No on members. */
const direction = z.enum(['yes', 'no']);
export type RelationDirection = z.output<typeof direction>;

/** A row of the list, as its prices are now. */
export const relationRow = z.object({
  id,
  created_at: instant,
  updated_at: instant,
  kind,
  basis,
  state,
  /** The event it was read from, or the first of several. */
  event_id: z.string(),
  event_title: z.string(),
  /** What it says, as a sentence. */
  title: z.string(),
  members: z.int(),
  /** Members with a price to buy at and a price to sell at in a book that can be trusted. */
  quoted: z.int(),
  is_complete: z.boolean(),
  is_void_safe: z.boolean(),
  /** Whether its hits become opportunities: its kind is switched on, or it is approved. */
  may_trade: z.boolean(),
  /** Dollars a set by which its best basket costs more than it surely pays, after fees; below zero it pays. Null where it cannot be priced. */
  distance: z.nullable(usd),
  direction: z.nullable(direction),
  /** The leg of the best basket with the widest gap between bid and ask, which keeps it from paying: "leg 3: Renata Quill"; null where there is none. */
  limited_by: z.nullable(z.string()),
  /** Dollars that the best size would make now, after fees; 0 while nothing pays. */
  profit_usd: usd,
  size: shares,
  /** Legs that depend on how a void is paid may make this less than it surely pays otherwise; null where it cannot be priced. */
  distance_with_voids: z.nullable(usd),
  /** The oldest of the books that the best basket buys from, in milliseconds; null where it cannot be priced. */
  oldest_book_ms: z.nullable(z.int()),
  /** The opportunity that its hits have become, active or not. */
  opportunity_id: z.nullable(id),
  first_hit_at: z.nullable(instant),
  last_hit_at: z.nullable(instant),
  hits: z.int(),
});
export type RelationRow = z.output<typeof relationRow>;

const member = z.object({
  /** From 1, in the order of the relation. */
  leg: z.int(),
  market_id: z.string(),
  event_id: z.string(),
  role: z.enum(['outcome', 'threshold', 'bucket']),
  question: z.string(),
  /** What the event's list calls it. */
  group_title: z.string(),
  /** With what the venue has added to them since it listed the market. */
  rules: z.string(),
  resolution_source: z.string(),
  end_date: z.nullable(instant),
  closed: z.boolean(),
  resolved_value: z.nullable(price),
  /** Of the first outcome. */
  best_bid: z.nullable(price),
  best_ask: z.nullable(price),
  book_age_ms: z.nullable(z.int()),
  left_out: z.nullable(z.string()),
});
export type RelationMember = z.output<typeof member>;

/** What every leg of a basket pays in every world that the rules allow. */
const worlds = z.object({
  legs: z.array(z.object({ leg: z.int(), market_id: z.string(), outcome: z.string(), price, fee: usd })),
  /** `pays` in the order of the legs. */
  rows: z.array(
    z.object({ name: z.string(), voided: z.boolean(), pays: z.array(price), total: setPrice, is_worst: z.boolean() }),
  ),
  cost: usd,
  /** The least of all worlds in which nothing is voided, and of all. */
  payout: setPrice,
  payout_with_voids: setPrice,
});
export type RelationWorlds = z.output<typeof worlds>;

/** One field that is not what it was when the relation was read or approved. */
const difference = z.object({
  /** Null where it is the event's or the relation's own. */
  market_id: z.nullable(z.string()),
  question: z.nullable(z.string()),
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type RelationDifference = z.output<typeof difference>;

export const relation = z.object({
  ...relationRow.shape,
  /** Whether the caller follows it. */
  is_followed: z.boolean(),
  member_list: z.array(member),
  read_from: z.array(z.string()),
  completeness: z.string(),
  fingerprint: z.string(),
  /** Whether other events of the same series can be approved with it. */
  has_series: z.boolean(),
  /** Who approved or rejected it, or null where nobody did. `by_series`: by an approval of its series. */
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instant),
  by_series: z.boolean(),
  /** Why it was rejected or is void. */
  reason: z.nullable(z.string()),
  /** What its members have resolved to that it rules out, as "A and B both came true": nobody can approve it while that is so. */
  contradiction: z.nullable(z.string()),
  differences: z.array(difference),
  worlds: z.nullable(worlds),
});
export type RelationReply = z.output<typeof relation>;

export const RELATION_SORTS = sortsOf(relationRow);

const byId = z.object({ relation_id: id });
const tag = 'Discovery';

const filter = {
  q: find,
  kind: z.optional(kind),
  basis: z.optional(basis),
  state: z.optional(state),
  /** Those that would make at least so many dollars now. */
  min_profit_usd: z.optional(inQuery(usd)),
  followed: z.optional(flagInQuery),
};

export const listRelations = endpoint({
  method: 'GET',
  path: '/relations',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Watched relations',
  query: z.object({
    ...page,
    ...filter,
    sort_by: z._default(z.enum(RELATION_SORTS), 'distance'),
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
  tag,
  summary: 'Export watched relations as a CSV file',
  query: z.object(filter),
  reply: z.string(),
});

export const readRelation = endpoint({
  method: 'GET',
  path: '/relations/{relation_id}',
  access: 'viewer',
  tag,
  summary: 'A relation with its members, worlds and prices',
  params: byId,
  reply: relation,
});

const distancePoint = z.object({ at: instant, distance: usd, profit_usd: usd });
export type DistancePoint = z.output<typeof distancePoint>;

export const listDistances = endpoint({
  method: 'GET',
  path: '/relations/{relation_id}/distances',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'How far a relation was from paying, oldest first',
  params: byId,
  reply: z.object({ data: z.array(distancePoint) }),
});

/** Kinds that somebody can state: the others are read from ranges, or hold of every market. */
export const HUMAN_KINDS = ['at_most_one', 'exactly_one', 'ladder'] as const;
export type HumanKind = (typeof HUMAN_KINDS)[number];

const MEMBERS_MIN = 2;
export const MEMBERS_MAX = 300;
export const TITLE_LENGTH_MAX = 200;
export const NOTE_LENGTH_MAX = 1000;

export const addRelation = endpoint({
  method: 'POST',
  path: '/relations',
  access: 'superuser',
  tag,
  summary: 'State a relation between markets: watched from then on, and traded once it is approved',
  body: z.strictObject({
    kind: z.enum(HUMAN_KINDS),
    /** Hardest first in a ladder. */
    market_ids: z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(
      z.minLength(MEMBERS_MIN, `At least ${MEMBERS_MIN} markets are needed`),
      z.maxLength(MEMBERS_MAX, `At most ${MEMBERS_MAX} markets`),
      z.refine((ids) => new Set(ids).size === ids.length, 'The same market stands twice'),
    ),
    /** What it says, as a sentence; made from its kind and members where it is left out. */
    title: z._default(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(TITLE_LENGTH_MAX))), null),
    /** Why it must hold whatever happens. */
    note: z.string().check(z.trim(), z.minLength(1, 'Note is required'), z.maxLength(NOTE_LENGTH_MAX)),
  }),
  reply: relation,
});

export const approveRelation = endpoint({
  method: 'POST',
  path: '/relations/{relation_id}/approve',
  access: 'superuser',
  tag,
  summary: 'Approve a relation as it reads now, or every event of its series that reads like it',
  params: byId,
  body: z.strictObject({
    scope: z._default(z.enum(['relation', 'series']), 'relation'),
    /** What was looked at: refused where it has changed since. */
    fingerprint: z.string().check(z.maxLength(100)),
  }),
  reply: relation,
});

export const rejectRelation = endpoint({
  method: 'POST',
  path: '/relations/{relation_id}/reject',
  access: 'superuser',
  tag,
  summary: 'Reject a relation: its hits become no opportunities, and it is not proposed again',
  params: byId,
  body: z.strictObject({
    reason: z.string().check(z.trim(), z.minLength(1, 'Reason is required'), z.maxLength(REASON_LENGTH_MAX)),
  }),
  reply: relation,
});

export const followRelation = endpoint({
  method: 'PUT',
  path: '/relations/{relation_id}/follow',
  access: 'user',
  tag,
  summary: 'Follow a relation, or not any more',
  params: byId,
  body: z.strictObject({ follow: z.boolean() }),
  reply: relation,
});

const census = z.object({
  /** Whether discovery is switched on; only superusers may read its settings. */
  enabled: z.boolean(),
  /** The pass over the venue's events that runs now or ran last. */
  sync: z.object({
    running: z.boolean(),
    started_at: z.nullable(instant),
    finished_at: z.nullable(instant),
    events_read: z.int(),
    error: z.nullable(z.string()),
  }),
  events: z.int(),
  markets: z.int(),
  bases: z.array(
    z.object({
      basis,
      events: z.int(),
      members: z.int(),
      relations: z.int(),
      complete: z.int(),
      /** Members without a price to buy at or to sell at. */
      unquoted: z.int(),
      /** Relations that paid today. */
      hits: z.int(),
    }),
  ),
  kinds: z.array(
    z.object({
      kind,
      relations: z.int(),
      /** Relations of which no two members can be compared, for want of quotes. */
      not_comparable: z.int(),
    }),
  ),
  /** Why events are not watched, as sentences, the most frequent first. */
  unwatched: z.array(z.object({ reason: z.string(), events: z.int() })),
});
export type Census = z.output<typeof census>;

export const readCensus = endpoint({
  method: 'GET',
  path: '/relations/census',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What the venue lists, what of it is watched, and why the rest is not',
  reply: census,
});

const whyAnswer = z.object({
  kind: z.enum(['event', 'market']),
  id: z.string(),
  title: z.string(),
  watched: z.boolean(),
  /** Why it is watched or is not. */
  sentence: z.string(),
  relation_ids: z.array(id),
});
export type WhyAnswer = z.output<typeof whyAnswer>;

export const explainWatched = endpoint({
  method: 'GET',
  path: '/relations/why',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Why an event or a market is watched or is not: by address, id or text',
  query: z.object({ q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)) }),
  reply: z.object({ data: z.array(whyAnswer) }),
});
