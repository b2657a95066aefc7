// `npm test`: everything there is to check, in the order in which a failure is cheapest to find. A failing stage does not
// stop the next one. `npm test -- types unit` runs only the stages named. The last line is the totals and nothing else;
// before it stand the totals of each stage and the name of every failed test, for whoever has only the end of a log.
import { say } from './repository.ts';
import { buildWebWhenNeeded } from './start/web-build.ts';
import { findOrInstallBrowser } from './test/browser.ts';
import { runChecker } from './test/checker.ts';
import { firstLine } from './test/failure.ts';
import { runPlaywright } from './test/playwright.ts';
import { format, NOTHING, oneFailed, sum, type Tally } from './test/tally.ts';
import { keepTemporaryFilesInMemory } from './test/temporary-files.ts';
import { runVitest } from './test/vitest.ts';
import { checkWalls } from './tidy/check-walls.ts';

interface Stage {
  readonly name: string;
  readonly what: string;
  run(): Tally;
}

const STAGES: readonly Stage[] = [
  {
    name: 'types',
    what: 'TypeScript, every workspace and every test',
    run: () => runChecker('types', 'typescript/bin/tsc', ['-b']),
  },
  {
    name: 'lint',
    what: 'Biome, format and lint',
    run: () => runChecker('lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  },
  { name: 'walls', what: 'the rules of the house', run: checkWalls },
  { name: 'unit', what: 'Vitest, on the embedded database and on a PostgreSQL server', run: () => runVitest('!e2e') },
  {
    name: 'web',
    what: 'the web pages build',
    run: () => (buildWebWhenNeeded() ? NOTHING : oneFailed('the web pages were not built')),
  },
  {
    name: 'simulation',
    what: 'Vitest, the product and the simulated exchange from outside',
    run: () => runVitest('e2e'),
  },
  { name: 'browser', what: 'Playwright, the product in Chromium', run: runBrowserTests },
];

function runBrowserTests(): Tally {
  const browser = findOrInstallBrowser();
  return browser === undefined ? oneFailed('there is no browser to test in') : runPlaywright(browser);
}

function chooseStages(names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no stage ${unknown.join(', ')}; there are ${STAGES.map((stage) => stage.name).join(', ')}.`,
    );
  }
  return names.length === 0 ? STAGES : STAGES.filter((stage) => names.includes(stage.name));
}

function runStage(stage: Stage): Tally {
  say(`\n=== ${stage.name}: ${stage.what}`);
  const startedAtMs = performance.now();
  const tally = runOrFail(stage);
  say(`${stage.name}: ${format(tally)} in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return tally;
}

function runOrFail(stage: Stage): Tally {
  try {
    return stage.run();
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`The stage itself broke: ${words}\n`);
    return oneFailed(`the stage itself broke: ${firstLine(words)}`);
  }
}

const stages = chooseStages(process.argv.slice(2));
keepTemporaryFilesInMemory();
const tallies = stages.map(runStage);
const total = sum(tallies);
say('');
for (const [index, stage] of stages.entries()) say(`${stage.name.padEnd(12)}${format(tallies[index] ?? NOTHING)}`);
if (total.failures.length > 0) say('\nFailed:');
for (const failure of total.failures) say(`✗ ${failure}`);
say('');
say(format(total));
process.exitCode = total.failures.length === 0 ? 0 : 1;
