/** What the venue lists, what of it is watched, and why the rest is not. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { id } from '../listing.ts';
import { described, explained } from '../notes/described.ts';
import { instant } from '../quantities.ts';
import { basis, kind, TAG } from '../relations.ts';
import { venueName } from '../venue-names.ts';

/** The exchange of paper trading answers for the real venue, whose catalogue it can trade as far as it can read it. */
const mirrored = z.object({
  markets: described('How many markets of the real venue are kept.', z.int()),
  complete: described('Whether the whole catalogue has been read once.', z.boolean()),
  trouble: described('Why the last reading ended early; null where it did not.', z.nullable(z.string())),
  left_out: described(
    'Open markets that are not traded on paper, by reason, the most frequent first.',
    z.array(z.object({ reason: z.string(), markets: described('How many markets.', z.int()) })),
  ),
  polled: described(
    'Which books of Kalshi are read, as there is no stream without a key; left out where Kalshi is not on paper.',
    z.optional(
      z.object({
        followed: described('Of how many markets the best levels are read every few seconds.', z.int()),
        books: described('Of how many of these the whole book is read in turn.', z.int()),
        books_max: described('For how many the calls suffice.', z.int()),
        oldest_book_ms: described(
          'How long ago the oldest whole book was read, in milliseconds; null before each was read once.',
          z.nullable(z.int()),
        ),
      }),
    ),
  ),
});
export type Mirrored = z.output<typeof mirrored>;

const census = z.object({
  enabled: described('Whether discovery is switched on; only superusers may read its settings.', z.boolean()),
  sync: described(
    "The pass over the venue's events that runs now or ran last.",
    z.object({
      running: described('Whether it runs now.', z.boolean()),
      started_at: z.nullable(instant),
      finished_at: described('When it finished; null while it runs or before the first.', z.nullable(instant)),
      events_read: described('How many events it has read.', z.int()),
      error: z.nullable(z.string()),
    }),
  ),
  events: described('How many events the venue lists.', z.int()),
  markets: described('How many markets the venue lists.', z.int()),
  bases: described(
    'What is watched, by what proves it.',
    z.array(
      z.object({
        basis,
        events: described('How many events the venue lists.', z.int()),
        members: described('How many members these have.', z.int()),
        relations: described('How many relations.', z.int()),
        complete: described('How many of them are complete.', z.int()),
        unquoted: described('Members without a price to buy at or to sell at.', z.int()),
        hits: described('Relations that paid today.', z.int()),
      }),
    ),
  ),
  kinds: described(
    'What is watched, by kind.',
    z.array(
      z.object({
        kind,
        relations: described('How many relations.', z.int()),
        not_comparable: described('Relations of which no two members can be compared, for want of quotes.', z.int()),
      }),
    ),
  ),
  unwatched: described(
    'Why events are not watched, as sentences, the most frequent first.',
    z.array(z.object({ reason: z.string(), events: described('How many events the venue lists.', z.int()) })),
  ),
  mirror: described(
    'What paper trading mirrors, and leaves out; null where nothing is on paper.',
    z.nullable(mirrored),
  ),
});
export type Census = z.output<typeof census>;

export const readCensus = endpoint({
  method: 'GET',
  path: '/relations/census',
  access: 'viewer',
  heavy: 'list',
  tag: TAG,
  summary: 'What the venue lists, what of it is watched, and why the rest is not',
  query: z.object({ venue: described('Of this venue alone; without it of all.', z.optional(venueName)) }),
  reply: census,
});

const whyAnswer = z.object({
  kind: explained({ event: 'an event', market: 'a market' }, z.enum(['event', 'market'])),
  id: z.string(),
  title: z.string(),
  watched: described('Whether it is watched.', z.boolean()),
  sentence: described('Why it is watched or is not.', z.string()),
  relation_ids: described('The relations it is in.', z.array(id)),
});
export type WhyAnswer = z.output<typeof whyAnswer>;

export const explainWatched = endpoint({
  method: 'GET',
  path: '/relations/why',
  access: 'viewer',
  heavy: 'list',
  tag: TAG,
  summary: 'Why an event or a market is watched or is not: by address, id or text',
  query: z.object({
    q: described(
      'The address of an event or market at the venue, its id, or part of its title.',
      z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
    ),
  }),
  reply: z.object({ data: z.array(whyAnswer) }),
});
