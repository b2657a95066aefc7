/** What the venue adds to the rules of markets after it has listed them. */
import { setImmediate } from 'node:timers/promises';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { z } from 'zod';
import type { ReadPriority } from '../../read-budget.ts';
import type { JsonApi } from '../../transport.ts';
import { type VenueRuntime, VenueUnavailable } from '../../venue.ts';

/**
 * Gamma's `/market-clarifications`: published notes, by the number of their market, which is repeated for several; paged by offset,
 * a hundred at most (docs.polymarket.com/api-reference/markets/list-market-clarifications). The number of the event may be missing
 * of a note, and the venue's own pages ask by market.
 */
const ROUTE = '/market-clarifications';
const MARKETS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;
const PAGE_LIMIT = 100;
/** A hundred markets with more notes than that are a fault of the venue. */
const PAGES_MAX = 20;
/** Longest text of a market's clarifications, newest first, so that the oldest are cut off. */
const TEXT_LENGTH_MAX = 100_000;
/** After it has failed it is left alone for a while, so that a pass over the venue does not wait for it again and again. */
const REST_MS = 60_000;
/** Not published, or not any more. */
const UNPUBLISHED = ['pending', 'queued', 'failed', 'cancelled'];

const noteFields = z.object({
  id: z.number(),
  marketId: z.union([z.string(), z.number()]).transform(String),
  content: z.string().min(1),
  state: z.string().nullish().catch(null),
});
type Note = z.infer<typeof noteFields>;

const marketNumber = z.object({ id: z.union([z.string(), z.number()]).transform(String), conditionId: z.string() });

export type Clarifications = {
  /** The events with what was added to each member's rules, null where the venue does not say. Never throws. */
  addedTo: (
    events: readonly CatalogueEvent[],
    raw: readonly unknown[],
    priority: ReadPriority,
  ) => Promise<CatalogueEvent[]>;
};

/** `raw`: the events as they came, which have the numbers that their markets are asked for by. */
export function openClarifications(gamma: JsonApi, { now, log }: Pick<VenueRuntime, 'now' | 'log'>): Clarifications {
  let restsUntil: Instant | null = null;

  const textsOf = async (numbers: readonly string[], priority: ReadPriority): Promise<Map<string, string> | null> => {
    if (restsUntil !== null && now() < restsUntil) return null;
    try {
      const texts = await readTexts(gamma, numbers, priority);
      restsUntil = null;
      return texts;
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      restsUntil = (now() + REST_MS) as Instant;
      log.warn({ reason: error.message }, 'clarifications of markets not read, those known before are kept');
      return null;
    }
  };

  return {
    addedTo: async (events, raw, priority) => {
      const numbers = new Map(raw.flatMap(marketsOf));
      const texts = numbers.size === 0 ? new Map<string, string>() : await textsOf([...numbers.values()], priority);
      return events.map((event) => ({
        ...event,
        members: event.members.map((member) => ({
          ...member,
          clarifications: texts === null ? null : (texts.get(numbers.get(member.marketId) ?? '') ?? ''),
        })),
      }));
    },
  };
}

/** Condition id and number of each market that has both. */
function marketsOf(event: unknown): [string, string][] {
  if (typeof event !== 'object' || event === null || !('markets' in event) || !Array.isArray(event.markets)) return [];
  return event.markets.flatMap((raw: unknown): [string, string][] => {
    const parsed = marketNumber.safeParse(raw);
    return parsed.success && /^\d{1,18}$/.test(parsed.data.id) ? [[parsed.data.conditionId, parsed.data.id]] : [];
  });
}

/** Clarifications by the number of their market. @throws VenueUnavailable */
async function readTexts(
  gamma: JsonApi,
  numbers: readonly string[],
  priority: ReadPriority,
): Promise<Map<string, string>> {
  const chunks = Array.from({ length: Math.ceil(numbers.length / MARKETS_PER_CALL) }, (_, place) =>
    numbers.slice(place * MARKETS_PER_CALL, (place + 1) * MARKETS_PER_CALL),
  );
  const notes: Note[] = [];
  for (let from = 0; from < chunks.length; from += CALLS_AT_ONCE) {
    const some = chunks.slice(from, from + CALLS_AT_ONCE);
    notes.push(...(await Promise.all(some.map((chunk) => readNotes(gamma, chunk, priority)))).flat());
    await setImmediate();
  }
  const published = notes.filter(({ state }) => !UNPUBLISHED.includes(state ?? ''));
  return new Map([...Map.groupBy(published, ({ marketId }) => marketId)].map(([id, own]) => [id, textOf(own)]));
}

/** Each once, whatever moved from page to page meanwhile. */
async function readNotes(gamma: JsonApi, numbers: readonly string[], priority: ReadPriority): Promise<Note[]> {
  const notes = new Map<number, Note>();
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { market_id: numbers, limit: String(PAGE_LIMIT), offset: String(page * PAGE_LIMIT) };
    const answer = z.array(z.unknown()).safeParse(await gamma.get(ROUTE, query, { priority }));
    if (!answer.success) throw new VenueUnavailable('the venue did not answer with a list of clarifications');
    for (const raw of answer.data) {
      const note = noteFields.safeParse(raw);
      if (note.success) notes.set(note.data.id, note.data);
    }
    if (answer.data.length < PAGE_LIMIT) return [...notes.values()];
  }
  throw new VenueUnavailable(`the list of clarifications did not end after ${PAGES_MAX} pages`);
}

function textOf(notes: readonly Note[]): string {
  const newestFirst = notes.toSorted((one, other) => other.id - one.id);
  return newestFirst
    .map(({ content }) => content.trim())
    .join('\n\n')
    .slice(0, TEXT_LENGTH_MAX);
}
