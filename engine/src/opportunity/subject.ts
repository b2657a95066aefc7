import type { PositionQuote } from './value.ts';

const NAME_MAX = 120;

/**
 * What an opportunity is about, for messages: its event, or the first of its markets and how many more there are, and its
 * legs. Markets that are not known go without a name.
 */
export function subjectOf(quotes: readonly Pick<PositionQuote, 'leg' | 'market'>[]): string {
  const markets = [...new Map(quotes.flatMap(({ market }) => (market ? [[market.id, market] as const] : []))).values()];
  const events = new Set(markets.map(({ event }) => event?.title));
  const [title] = events;
  const name = events.size === 1 && title !== undefined ? shortened(title) : firstOf(markets);
  const legs = new Set(quotes.map(({ leg }) => leg)).size;
  return [name, legs === 1 ? '1 leg' : `${legs} legs`].filter(Boolean).join(', ');
}

function firstOf(markets: readonly { question: string }[]): string {
  const [first, ...more] = markets;
  if (first === undefined) return '';
  return more.length === 0 ? shortened(first.question) : `${shortened(first.question)} and ${more.length} more`;
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= NAME_MAX ? name : `${characters.slice(0, NAME_MAX - 1).join('')}…`;
}
