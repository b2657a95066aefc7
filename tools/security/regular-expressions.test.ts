import { check } from 'recheck';
import { expect, test } from 'vitest';
import { isShipped } from '../architecture/places.ts';
import { readRepository } from '../architecture/read-repository.ts';
import type { SourceFile } from '../architecture/source-file.ts';
import { dottedName, walk } from '../architecture/syntax.ts';
import { repositoryRoot } from '../repository.ts';

type Found = { place: string; pattern: string; flags: string };

/** Regular expressions written as such; those that are built at run time are listed by where they are built. */
function regularExpressionsIn(file: SourceFile): { written: Found[]; built: string[] } {
  const written: Found[] = [];
  const built: string[] = [];
  walk(file.program, (node) => {
    const place = `${file.path}:${file.lineAt(node.start)}`;
    if (node.type === 'Literal' && 'regex' in node) written.push({ place, ...node.regex });
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
    if (dottedName(node.callee) === 'RegExp') built.push(place);
  });
  return { written, built };
}

/**
 * Decided by the automaton it is, also where something may repeat a thousand times; not by trying for seconds, and not given up on a
 * machine that is busy.
 */
const EXACTLY = { checker: 'auto', maxRepeatCount: 20_000, maxNFASize: 400_000, timeout: 240_000 } as const;

/** What runs in a browser can only keep the person waiting who typed it. */
function meetsStrangers({ path }: SourceFile): boolean {
  return isShipped(path) && !path.startsWith('web/');
}

test('no regular expression of the product takes more than linear time, whatever it is given', async () => {
  const shipped = readRepository(repositoryRoot).sources.filter(meetsStrangers);
  const found = shipped.map(regularExpressionsIn);
  const written = found.flatMap((one) => one.written);
  expect(written.length).toBeGreaterThan(50);
  const checked = await Promise.all(
    written.map(async ({ place, pattern, flags }) => {
      const { status } = await check(pattern, flags, EXACTLY);
      return status === 'safe' ? [] : [`${place} /${pattern}/${flags}: ${status}`];
    }),
  );
  expect(checked.flat()).toEqual([]);
  expect(found.flatMap((one) => one.built)).toEqual([]);
});
