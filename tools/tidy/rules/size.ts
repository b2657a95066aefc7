import { functionsIn } from '../functions.ts';
import type { House } from '../house.ts';
import { isGenerated } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const RATCHET = 'tools/tidy/ratchet.json';

/**
 * No file over 400 lines and no function over 70. One that has to stay above for now stands in the ratchet with its size
 * (`path` or `path#function`): it may shrink, and its entry with it, and never grow.
 */
export const size: Rule = { name: 'no file or function that outgrew its size', find };

interface Sized {
  readonly path: string;
  /** How the ratchet names it. */
  readonly key: string;
  readonly line: number;
  readonly lines: number;
  readonly linesMax: number;
}

function find(house: House): Finding[] {
  const ratchet = readRatchet(house);
  const measured = measure(house);
  const known = new Set(measured.map(({ key }) => key));
  const gone = [...ratchet.keys()].filter((key) => !known.has(key));
  return [
    ...measured.flatMap((one) => judge(one, ratchet.get(one.key))),
    ...gone.map((key) => ({ path: RATCHET, line: 1, reason: `${key} is not there any more: delete its entry` })),
  ];
}

function measure(house: House): Sized[] {
  return house.sources
    .filter(({ path }) => !isGenerated(path))
    .flatMap((file) => {
      const { path } = file;
      const lines = file.text.split('\n').length - 1;
      const functions = functionsIn(file).map(({ name, line, lines }) => ({
        path,
        key: `${path}#${name}`,
        line,
        lines,
      }));
      return [
        { path, key: path, line: 1, lines, linesMax: FILE_LINES_MAX },
        ...largestOfEachName(functions).map((one) => ({ ...one, linesMax: FUNCTION_LINES_MAX })),
      ];
    });
}

/** Functions that share a name in one file share an entry, and the largest of them fills it. */
function largestOfEachName<T extends { key: string; lines: number }>(functions: readonly T[]): T[] {
  const byKey = Map.groupBy(functions, ({ key }) => key);
  return [...byKey.values()].map((namesakes) => namesakes.reduce((a, b) => (b.lines > a.lines ? b : a)));
}

function judge({ path, key, line, lines, linesMax }: Sized, listed: number | undefined): Finding[] {
  if (listed === undefined) {
    return lines > linesMax
      ? [{ path, line, reason: `${key} has ${lines} lines, over ${linesMax}: split it by concept` }]
      : [];
  }
  if (lines > listed) return [{ path, line, reason: `${key} grew from ${listed} lines to ${lines}` }];
  if (lines <= linesMax)
    return [{ path: RATCHET, line: 1, reason: `${key} is within ${linesMax} lines: delete its entry` }];
  return lines < listed ? [{ path: RATCHET, line: 1, reason: `${key} shrank to ${lines} lines: write that down` }] : [];
}

function readRatchet(house: House): ReadonlyMap<string, number> {
  const entries: Record<string, number> = JSON.parse(house.files.get(RATCHET) ?? '{}');
  return new Map(Object.entries(entries));
}
