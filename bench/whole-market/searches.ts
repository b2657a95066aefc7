/** Searches as a trader types them, made of what the made-up venue lists: each finds at least its market. */
import { eventOnWire, type MadeCatalogue } from './made-catalogue.ts';

type Member = { question: string; slug: string; conditionId: string; groupItemTitle: string };

const WORDS_MIN = 4;

/** The way of typing goes round: some words, in another order, without accents, a prefix, an address, an id, a slip of a letter. */
const WAYS: readonly ((title: string, slug: string, member: Member) => string)[] = [
  (_, __, { question }) => wordsOf(question).slice(0, 4).join(' '),
  (_, __, { question }) => wordsOf(question).reverse().slice(0, 4).join(' '),
  (_, __, { question }) => plain(wordsOf(question).slice(1, 5).join(' ')).toLowerCase(),
  (title, _, { groupItemTitle }) => `${groupItemTitle} ${wordsOf(title).slice(-2).join(' ')}`,
  (_, __, { question }) => withoutEnd(wordsOf(question).slice(0, 4).join(' ')),
  (_, slug, member) => `https://polymarket.com/event/${slug}/${member.slug}`,
  (_, slug) => `https://polymarket.com/event/${slug}`,
  (_, __, { conditionId }) => conditionId,
  (_, __, { slug }) => slug,
  (title) => misspelt(title),
];

export function searchesOf({ events }: MadeCatalogue, count: number): string[] {
  return Array.from({ length: count }, (_, nth) => {
    const event = JSON.parse(eventOnWire((nth * 37) % events)) as { title: string; slug: string; markets: Member[] };
    const member = event.markets[nth % event.markets.length];
    if (member === undefined) throw new Error('an event without markets was made');
    return (WAYS[nth % WAYS.length] ?? plain)(event.title, event.slug, member);
  });
}

function wordsOf(text: string): string[] {
  return text.split(/[\s?:,]+/).filter((word) => word.length >= WORDS_MIN);
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{Diacritic}/gu, '');
}

function withoutEnd(text: string): string {
  return text.slice(0, -1);
}

/** The longest word with two letters in each other's place. */
function misspelt(text: string): string {
  const [longest = ''] = wordsOf(text).sort((one, other) => other.length - one.length);
  return `${longest.slice(0, 2)}${longest[3] ?? ''}${longest[2] ?? ''}${longest.slice(4)}`;
}
