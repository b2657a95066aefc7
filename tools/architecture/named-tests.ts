import type { Repository } from './read-repository.ts';

/** `path/of/the.test.ts` “the title of the test”, as documents name the tests that show what they say. */
const NAMED = /`([\w./-]+)` “([^”]+)”/g;
const QUOTES = ["'", '"', '`'];

const SPEC = /^e2e\/browser\/.*\.spec\.ts$/;
/** Follows the title of a spec that `npm test` runs; the others run in `npm run test:all`. */
const JOURNEY = ", { tag: '@journey'";

interface NamedTests {
  readonly count: number;
  /** What is wrong with those that no file has under the whole of that title. */
  readonly problems: string[];
  /** Whether `npm test` runs one of them. */
  readonly perChange: boolean;
}

/** The tests that `text` names. */
export function testsNamedIn(text: string, { files }: Repository): NamedTests {
  const named = [...text.matchAll(NAMED)].map(([, file = '', title = '']) => ({ file, title }));
  type Named = (typeof named)[number];
  const isThere = ({ file, title }: Named) => QUOTES.some((quote) => files.get(file)?.includes(quote + title + quote));
  const isPerChange = ({ file, title }: Named) => {
    if (!SPEC.test(file)) return true;
    const source = onOneLine(files.get(file) ?? '');
    return QUOTES.some((quote) => source.includes(quote + title + quote + JOURNEY));
  };
  return {
    count: named.length,
    problems: named
      .filter((test) => !isThere(test))
      .map(({ file, title }) => `names “${title}”, which is not in ${file}`),
    perChange: named.some(isPerChange),
  };
}

/** A formatter may break the line after any bracket. */
function onOneLine(source: string): string {
  return source.replaceAll(/\s+/g, ' ');
}
