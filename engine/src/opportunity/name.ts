/** What people call an opportunity: "First private crew to lunar orbit · No on all 4". */
import type { Market } from '../market/market.ts';
import type { Position } from './position.ts';

const ABOUT_MAX = 120;

type NamedMarket = { market: Pick<Market, 'id' | 'question' | 'event'> | undefined };

/**
 * The subject of its markets: the question of a single market, the event that all belong to, or the first event or question
 * and how many more there are. Null while a market is not known.
 */
export function aboutOf(quotes: readonly NamedMarket[]): string | null {
  const [first] = quotes;
  if (first?.market === undefined) return null;
  const { id, event, question } = first.market;
  let isOneMarket = true;
  let isOneEvent = event !== null;
  for (const { market } of quotes) {
    if (market === undefined) return null;
    isOneMarket &&= market.id === id;
    isOneEvent &&= market.event?.id === event?.id;
  }
  if (isOneMarket) return shortened(question);
  if (isOneEvent && event !== null) return shortened(event.title);
  const titles = new Set(quotes.map(({ market }) => market?.event?.title ?? market?.question));
  const name = shortened(event?.title ?? question);
  return titles.size === 1 ? name : `${name} and ${titles.size - 1} more`;
}

type Bought = Pick<Position, 'marketId' | 'outcome'>;

/** What is bought, in words: "No on all 4", "Yes and No", "Yes on both", "Yes + 3 × No". */
export function kindInWords(positions: readonly Bought[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of positions) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const markets = new Set(positions.map(({ marketId }) => marketId)).size;
  const outcomes = [...counts.keys()];
  if (markets === 1) return outcomes.join(' and ');
  if (outcomes.length === 1) return `${outcomes[0]} on ${markets === 2 ? 'both' : `all ${markets}`}`;
  return [...counts].map(([outcome, count]) => (count === 1 ? outcome : `${count} × ${outcome}`)).join(' + ');
}

/** `about`: as `aboutOf` says, or the person who added it; null where nothing is known. */
export function opportunityName(about: string | null, positions: readonly Bought[]): string {
  const kind = kindInWords(positions);
  return about === null ? kind : `${shortened(about)} · ${kind}`;
}

export function nameOfQuotes(quotes: readonly (NamedMarket & Bought)[]): string {
  return opportunityName(aboutOf(quotes), quotes);
}

function shortened(name: string): string {
  if (name.length <= ABOUT_MAX) return name;
  const characters = [...name];
  return characters.length <= ABOUT_MAX ? name : `${characters.slice(0, ABOUT_MAX - 1).join('')}…`;
}
