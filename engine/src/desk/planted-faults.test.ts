import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.fixture.ts';

const SEEDS = 5000;
/** All of them in `npm run test:all`. */
const PLANTED = PLANTED_FAULTS.filter((_, index) => index % 8 === 0 || process.env.TEST_ALL !== undefined);
/** Found by the random runs of relations. */
const OF_RELATIONS = new Set(['found-baskets.ts', 'relation-hits.ts', 'relation-desk.ts']);
const HERE = import.meta.dirname;
const CACHE = join(HERE, '../../../.cache');
const SOURCES = readdirSync(HERE)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({
    name,
    text: readFileSync(join(HERE, name), 'utf8').replaceAll("from '../", "from '@dutchbook/engine/"),
  }));

/** A copy of the desk, with the fault in it, beside an engine that has none. */
function plant(folder: string, { file, was, becomes }: PlantedFault): void {
  mkdirSync(folder);
  for (const { name, text } of SOURCES) {
    writeFileSync(join(folder, name), name === file ? text.replace(was, () => becomes) : text);
  }
}

/** Prints by which seed each copy is found; one that throws is found as well. */
const FIND = `
const found = [];
for (const [copy, ofRelations] of ${JSON.stringify(PLANTED.map(({ file }) => OF_RELATIONS.has(file)))}.entries()) {
  const { differenceOf } = await import('./' + copy + (ofRelations ? '/compare-relations.fixture.ts' : '/compare-desks.fixture.ts'));
  const isFound = (seed) => { try { return differenceOf(seed) !== null; } catch { return true; } };
  let seed = 1;
  while (seed <= ${SEEDS} && !isFound(seed)) seed += 1;
  found.push(seed);
}
process.stdout.write(JSON.stringify(found));
`;

test.each(PLANTED_FAULTS)('$fault: there is one place in $file where that is planted', ({ file, was }) => {
  const source = SOURCES.find(({ name }) => name === file);
  expect(source?.text.split(was)).toHaveLength(2);
});

test(`each fault that is planted in the desk is found by one of ${SEEDS} seeds`, () => {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'planted-'));
  try {
    for (const [index, fault] of PLANTED.entries()) plant(join(folder, `${index}`), fault);
    writeFileSync(join(folder, 'find.mjs'), FIND);
    const found = JSON.parse(
      execFileSync(process.execPath, [join(folder, 'find.mjs')], { encoding: 'utf8' }),
    ) as number[];
    expect(PLANTED.filter((_, index) => (found[index] ?? SEEDS + 1) > SEEDS).map(({ fault }) => fault)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
