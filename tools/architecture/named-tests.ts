import type { Repository } from './read-repository.ts';

/** `path/of/the.test.ts` “the title of the test”, as documents name the tests that show what they say. */
const NAMED = /`([\w./-]+)` “([^”]+)”/g;
const QUOTES = ["'", '"', '`'];

/** How many tests `text` names, and what is wrong with those that no file has under the whole of that title. */
export function testsNamedIn(text: string, { files }: Repository): { count: number; problems: string[] } {
  const named = [...text.matchAll(NAMED)].map(([, file = '', title = '']) => ({ file, title }));
  const isThere = ({ file, title }: (typeof named)[number]) =>
    QUOTES.some((quote) => files.get(file)?.includes(quote + title + quote));
  return {
    count: named.length,
    problems: named
      .filter((test) => !isThere(test))
      .map(({ file, title }) => `names “${title}”, which is not in ${file}`),
  };
}
