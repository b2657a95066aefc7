/**
 * The words that markets are found by: in small letters without accents, figures without the commas between thousands. What is stored and
 * what is asked for is divided in the same way, so that the database compares words alone.
 */

/** Letters that no accent is taken off from. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ħ: 'h' },
};
/** A word that names the same as another. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ btc: 'bitcoin', eth: 'ethereum', sol: 'solana', doge: 'dogecoin', ltc: 'litecoin' },
  ...{ gop: 'republican', dem: 'democratic', pm: 'prime', fed: 'federal' },
};
const ABBREVIATED = { k: 1e3, m: 1e6, b: 1e9 } as const;
const WORD_LENGTH_MAX = 100;
/** Words of one search. */
const WORDS_MAX = 24;
/** Shorter words are too much like others to be taken for them. */
const MISTYPED_LENGTH_MIN = 5;
const TWO_SLIPS_LENGTH_MIN = 9;
/** Shorter ones are the beginning of too many others, unless they are still being typed. */
const PREFIX_LENGTH_MIN = 3;

/** The words of a text in their order, with repetitions. */
export function wordsIn(text: string): string[] {
  const isPlain = PLAIN.test(text);
  const lower = isPlain ? text.toLowerCase() : withoutAccents(text);
  const joined = /['’,.]/.test(lower) ? withoutPoints(lower) : lower;
  return (joined.match(isPlain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_LENGTH_MAX));
}

/** Plain English letters and signs, as in most texts and all ids, without signs that may be accents. */
const PLAIN = /^[ -\]_a-~]*$/;

function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđðþßæœıħ]/g, (letter) => LETTERS[letter] ?? letter);
}

function withoutPoints(lower: string): string {
  return lower
    .replaceAll(/(\p{L}|\d)['’](?=\p{L})/gu, '$1')
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
    .replaceAll(/\b([a-z])\.(?=[a-z]\b)/g, '$1');
}

/** The words to store, each once; abbreviated figures also in full: a market on "250k" is found by 250,000. */
export function storedWords(texts: readonly string[]): string[] {
  const words = texts.flatMap(wordsIn);
  return [...new Set([...words, ...words.flatMap((word) => figureOf(word) ?? [])])];
}

/** What one word of a search may stand for: any of these, whole or, where it says so, as the beginning of a word. */
export type Wanted = { word: string; isPrefix: boolean }[];

/** The alternatives for each word of the search; a market has to match every word. */
export function wantedWords(search: string): Wanted[] {
  const words = [...new Set(wordsIn(search))].slice(0, WORDS_MAX);
  return words.map((word, place) => {
    const isPrefix = place === words.length - 1 || word.length >= PREFIX_LENGTH_MIN;
    const others = [OTHER_NAMES[word], figureOf(word), singularOf(word)].filter((other) => other !== undefined);
    return [{ word, isPrefix }, ...others.map((other) => ({ word: other, isPrefix: false }))];
  });
}

function figureOf(word: string): string | undefined {
  const [, digits, unit] = /^(\d{1,6})([kmb])$/.exec(word) ?? [];
  return digits === undefined ? undefined : String(Number(digits) * ABBREVIATED[unit as keyof typeof ABBREVIATED]);
}

function singularOf(word: string): string | undefined {
  return /^\p{L}{3,}[^s]s$/u.test(word) ? word.slice(0, -1) : undefined;
}

/** The last part of a page's address that names something; null where it is no address. */
export function nameInAddress(search: string): string | null {
  if (!/^(https?:\/\/|(www\.)?(polymarket|kalshi)\.com\/)/i.test(search)) return null;
  const [path = ''] = search.split(/[?#]/, 1);
  return path.split('/').findLast((part) => part !== '') ?? null;
}

/** Whether a word may have been meant for another one: figures are not. */
export function mayBeMistyped(word: string): boolean {
  return word.length >= MISTYPED_LENGTH_MIN && /^\p{L}+$/u.test(word);
}

export function slipsMax(word: string): number {
  return word.length >= TWO_SLIPS_LENGTH_MIN ? 2 : 1;
}

/**
 * How many letters were left out, put in, mistaken or exchanged with the next one, until `word` became the beginning of `meant` or the
 * whole of it.
 */
export function slipsBetween(word: string, meant: string): number {
  let [before, last] = [[] as number[], Array.from({ length: meant.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= word.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= meant.length; to += 1) {
      const isSame = word[at - 1] === meant[to - 1];
      let slips = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, (last[to - 1] ?? 0) + (isSame ? 0 : 1));
      const isExchanged = at > 1 && to > 1 && word[at - 1] === meant[to - 2] && word[at - 2] === meant[to - 1];
      if (isExchanged) slips = Math.min(slips, (before[to - 2] ?? 0) + 1);
      row.push(slips);
    }
    [before, last] = [last, row];
  }
  return last[meant.length] ?? word.length;
}
