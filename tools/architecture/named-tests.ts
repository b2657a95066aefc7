import type { Repository } from './read-repository.ts';

/**
 * `path/of/the.test.ts` “the title of a test” “the title of another”, as documents name the tests that show what they say;
 * a title may end early with “…”.
 */
const NAMED = /(?:`([\w./-]+)` )?“([^”]+)”/g;
const QUOTES = ["'", '"', '`'];
const CUT = '…';

const SPEC = /^e2e\/browser\/.*\.spec\.ts$/;
/** Follows the title of a spec that `npm test` runs; the others run in `npm run test:all`. */
const JOURNEY = ", { tag: '@journey'";

interface NamedTests {
  readonly count: number;
  /** What is wrong with those that no file has under that title, or of which a cut title fits several. */
  readonly problems: string[];
  /** Whether `npm test` runs one of them. */
  readonly perChange: boolean;
}

/** The tests that `text` names. A title without a path is one of the file named before it, at first of `within`. */
export function testsNamedIn(text: string, { files }: Repository, within = ''): NamedTests {
  let file = within;
  const named = [...text.matchAll(NAMED)].map(([, path, title = '']) => {
    file = path ?? file;
    return { file, title };
  });
  type Named = (typeof named)[number];
  const titleOf = (test: Named) => wholeTitle(files.get(test.file) ?? '', test.title);
  const isPerChange = (test: Named) => {
    if (!SPEC.test(test.file)) return true;
    const source = onOneLine(files.get(test.file) ?? '');
    return QUOTES.some((quote) => source.includes(quote + titleOf(test) + quote + JOURNEY));
  };
  return {
    count: named.length,
    problems: named
      .filter((test) => titleOf(test) === null)
      .map((test) => `names “${test.title}”, which is not in ${test.file}`),
    perChange: named.some(isPerChange),
  };
}

/** Null where the source has none, or several that begin like a cut title. */
function wholeTitle(source: string, title: string): string | null {
  if (!title.endsWith(CUT)) return QUOTES.some((quote) => source.includes(quote + title + quote)) ? title : null;
  const start = title.slice(0, -CUT.length);
  const ends = QUOTES.flatMap((quote) =>
    source
      .split(quote + start)
      .slice(1)
      .map((rest) => rest.split(quote, 1)[0] ?? ''),
  );
  const [end, ...others] = new Set(ends);
  return end === undefined || others.length > 0 ? null : start + end;
}

/** A formatter may break the line after any bracket. */
function onOneLine(source: string): string {
  return source.replaceAll(/\s+/g, ' ');
}
