/** Markets by the names that lists of other tools give them. */
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { ReadPriority } from '../../read-budget.ts';
import type { JsonApi } from '../../transport.ts';
import type { MarketReference, MarketReferences, ReferenceKind } from '../../venue.ts';
import { conditionId, eventsWithSlugs, type MarketField, marketsWith, valuesOf } from '../gamma.ts';

type Wanted = { kind: ReferenceKind; field: MarketField | 'event_slug' | 'own'; value: string };

const OWN_ID = /^0x[0-9a-f]+$/;
const TOKEN_ID = /^\d{20,78}$/;
const GAMMA_ID = /^\d{1,12}$/;
const SLUG = /^[a-z0-9][a-z0-9_.-]{0,299}$/i;
const HOST = /^(?:www\.)?polymarket\.com$/;
const LANGUAGE = /^[a-z]{2}(?:-[a-z]{2,4})?$/i;
const SCHEME = /^https?:\/\//i;

export function openMarketReferences(gamma: JsonApi): Omit<MarketReferences, 'unknownIds'> {
  return {
    kindOf: (name) => wantedOf(name)?.kind ?? null,
    find: (names, priority) => findAll(gamma, names, priority),
  };
}

/** Null where it is an id of the venue already, or nothing that can be looked up. */
function wantedOf(name: string): Wanted | null {
  if (OWN_ID.test(name)) return null;
  if (OWN_ID.test(name.toLowerCase())) return { kind: 'capitals', field: 'own', value: name.toLowerCase() };
  const page = pageOf(name);
  if (page !== null) return page;
  if (TOKEN_ID.test(name)) return { kind: 'token_id', field: 'clob_token_ids', value: name };
  if (GAMMA_ID.test(name)) return { kind: 'gamma_id', field: 'id', value: name };
  return SLUG.test(name) ? { kind: 'slug', field: 'slug', value: name.toLowerCase() } : null;
}

/** The event, or the market, that an address of the venue's site shows; null of any other text. */
function pageOf(name: string): Wanted | null {
  const url = URL.parse(SCHEME.test(name) ? name : `https://${name}`);
  if (url === null || !HOST.test(url.hostname)) return null;
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const [place = '', first, second] = LANGUAGE.test(parts[0] ?? '') ? parts.slice(1) : parts;
  const isEvent = place.toLowerCase() === 'event';
  if (first === undefined || (!isEvent && place.toLowerCase() !== 'market')) return null;
  const field = isEvent && second === undefined ? 'event_slug' : 'slug';
  return { kind: 'page', field, value: (second ?? first).toLowerCase() };
}

async function findAll(
  gamma: JsonApi,
  names: readonly string[],
  priority: ReadPriority,
): Promise<Map<string, MarketReference>> {
  const wanted = names.flatMap((name) => {
    const one = wantedOf(name);
    return one === null ? [] : [{ name, ...one }];
  });
  const found = new Map<string, MarketReference>();
  for (const [field, asked] of Map.groupBy(wanted, (one) => one.field)) {
    const values = [...new Set(asked.map(({ value }) => value))];
    const answer = await ANSWERS[field](gamma, values, priority);
    for (const { name, kind, value } of asked)
      found.set(name, { kind, ...(answer.get(value) ?? { marketId: null, isKnown: false, reason: UNKNOWN[kind] }) });
  }
  return found;
}

type Answer =
  | Omit<Extract<MarketReference, { marketId: MarketId }>, 'kind'>
  | { marketId: null; isKnown: boolean; reason: string };
type Ask = (gamma: JsonApi, values: readonly string[], priority: ReadPriority) => Promise<Map<string, Answer>>;

const byField =
  (field: MarketField): Ask =>
  async (gamma, values, priority) => {
    const answers = new Map<string, Answer>();
    for (const raw of await marketsWith(gamma, field, values, priority)) {
      const marketId = conditionId(raw);
      const tokens = valuesOf(raw, field);
      for (const [place, value] of tokens.entries())
        if (marketId !== '')
          answers.set(value, { marketId, outcome: field === 'clob_token_ids' ? outcomeAt(raw, place) : null });
    }
    return answers;
  };

const ANSWERS: Record<Wanted['field'], Ask> = {
  own: async (_, values) => new Map(values.map((marketId) => [marketId, { marketId, outcome: null }])),
  condition_ids: byField('condition_ids'),
  id: byField('id'),
  slug: byField('slug'),
  clob_token_ids: byField('clob_token_ids'),
  event_slug: async (gamma, values, priority) => {
    const answers = new Map<string, Answer>();
    for (const { slug, marketIds } of await eventsWithSlugs(gamma, values, priority)) {
      const [marketId, ...others] = marketIds;
      if (marketId === undefined) continue;
      const isOne = others.length === 0;
      answers.set(
        slug,
        isOne ? { marketId, outcome: null } : { marketId: null, isKnown: true, reason: manyMarkets(marketIds.length) },
      );
    }
    return answers;
  },
};

const UNKNOWN: Record<ReferenceKind, string> = {
  capitals: 'The venue has no such market',
  page: 'The venue has no such page',
  slug: 'The venue has no market of this name',
  token_id: 'The venue has no market with this token',
  gamma_id: 'The venue has no market of this number',
};

function manyMarkets(count: number): string {
  return `Is the page of an event with ${count} markets; name one of them`;
}

function outcomeAt(raw: unknown, place: number): string | null {
  return valuesOf(raw, 'outcomes')[place] ?? null;
}
