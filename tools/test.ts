// `npm test`: what every change has to pass, in the order in which a failure is cheapest to find. Some stages run beside the
// others. A failing stage does not stop the next one. `npm test -- types unit` runs
// only the stages named. `npm run test:all` also runs what is too slow for every change. The last line is the totals and
// nothing else; before it stand the totals of each stage and the name of every failed test, for readers of the end of a log.

import { join } from 'node:path';
import { checkArchitecture } from './architecture/check-architecture.ts';
import { repositoryRoot, say } from './repository.ts';
import { buildProgramsWhenNeeded, EXCHANGE_PROGRAM } from './start/program-build.ts';
import { buildWebWhenNeeded } from './start/web-build.ts';
import { beginBeside, leaveTallies, runsBesideAnother } from './test/beside.ts';
import { findOrInstallBrowser } from './test/browser.ts';
import { checkedOutCommit } from './test/checked-out-commit.ts';
import { beginChecker, runChecker } from './test/checker.ts';
import { leftOut } from './test/costly.ts';
import { firstLine } from './test/failure.ts';
import { KeptResult } from './test/kept-result.ts';
import { runPlaywright } from './test/playwright.ts';
import { format, NOTHING, oneFailed, sum, type Tally } from './test/tally.ts';
import { keepTemporaryFilesInMemory } from './test/temporary-files.ts';
import { runVitest } from './test/vitest.ts';

/** Three of these files keep a core each; the rest wait for leases, streams and processes, and more of them go on at once. */
const MANY_AT_ONCE = ['--maxWorkers=6'];

/**
 * Run one after the other beside the other stages. The first two wait for leases, streams and pages for much of their time while the
 * checks compute; the screens compute while the tests of the server wait for their database.
 */
const BESIDE = ['simulation', 'browser', 'web'];

type Run = () => Tally | Promise<Tally>;

interface Named {
  readonly name: string;
  readonly what: string;
}

/** `begin` is called before the first stage runs, and answers what is to be called for its own stage. */
type Stage = Named & ({ readonly run: Run } | { readonly begin: () => Run });

const STAGES: readonly Stage[] = [
  {
    name: 'lint',
    what: 'Biome, format and lint',
    run: () => runChecker('lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  },
  {
    name: 'architecture',
    what: 'who may import whom, unused code, packages, and the tables of documents',
    run: checkArchitecture,
  },
  {
    name: 'types',
    what: 'TypeScript, every workspace and every test',
    // On one core, while the stages before this one have the other. Several checkers would look at much of it twice.
    begin: () => beginChecker('types', 'typescript/bin/tsc', ['-b', '--checkers', '1', '--builders', '2']),
  },
  { name: 'unit', what: 'Vitest, on a PostgreSQL server of its own', run: runUnits },
  {
    name: 'simulation',
    what: 'Vitest, the product and the simulated exchange from outside',
    run: () => runVitest(['e2e'], MANY_AT_ONCE),
  },
  { name: 'browser', what: 'Playwright, the product in Chromium', run: () => inBrowser(runPlaywright) },
  {
    name: 'web',
    what: 'the web pages build, and Vitest in Chromium: the states of their screens',
    run: () => (buildWebWhenNeeded() ? inBrowser(runScreens) : oneFailed('the web pages were not built')),
  },
];

/** Their tests need nothing but what stands in these folders. */
const PURE = ['units', 'contract', 'engine', 'venues', 'exchange', 'recordings'];

/** On a developer's machine the pure packages are tested when something in them has changed. */
async function runUnits(): Promise<Tally> {
  if (!buildProgramsWhenNeeded()) return oneFailed('the exchange was not built');
  const others = ['!e2e', '!kills', '!screens', ...PURE.map((name) => `!${name}`)];
  const program = { EXCHANGE_PROGRAM: join(repositoryRoot, EXCHANGE_PROGRAM) };
  return sum([await runPure(), await runVitest(others, [], program)]);
}

async function runPure(): Promise<Tally> {
  const keeps = process.env.CI === undefined && process.env.TEST_ALL === undefined;
  const result = new KeptResult(PURE);
  const kept = keeps ? result.read() : undefined;
  if (kept !== undefined) {
    say(`Unchanged since its tests passed: ${PURE.join(', ')} (${format(kept)}).`);
    return kept;
  }
  const tally = await runVitest(PURE);
  if (keeps) result.keep(tally);
  return tally;
}

async function inBrowser(runTests: (browserPath: string) => Tally | Promise<Tally>): Promise<Tally> {
  const browser = findOrInstallBrowser();
  return browser === undefined ? oneFailed('there is no browser to test in') : runTests(browser);
}

const WEB = 'web/';

/** Opens every page. */
const EVERY_PAGE = 'src/routes/every-page.screen.test.tsx';

/**
 * React as it is built takes a fifth less of a page's processor time than in development; what it warns of only there is
 * heard once of each page. A single file that a developer runs by hand hears it too.
 */
async function runScreens(browserPath: string): Promise<Tally> {
  // Half of the time of a screen; contrast.test.ts compares the tokens that their colours are made of.
  const commit = process.env.FILES_BY_COMMIT;
  const less = commit === undefined ? {} : { CONTRAST_ON_SCREENS: 'off', AXE_BY_COMMIT: commit };
  const notNow = commit === undefined ? [] : leftOut(commit).filter((file) => file.startsWith(WEB));
  const run = (options: readonly string[], mode: string, without: readonly string[]) =>
    runVitest(['screens'], options, {
      ...less,
      ...{ BROWSER_PATH: browserPath, NODE_ENV: mode, SCREENS_LEFT_OUT: without.join(' ') },
    });
  const others = [EVERY_PAGE, ...notNow.map((file) => file.slice(WEB.length))];
  return sum([await run([EVERY_PAGE], 'development', []), await run([], 'production', others)]);
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

async function runStage(stage: Named, run: Run): Promise<Tally> {
  say(`\n=== ${stage.name}: ${stage.what}`);
  const startedAtMs = performance.now();
  const tally = await runOrFail(run);
  say(`${stage.name}: ${format(tally)} in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return tally;
}

async function runOrFail(run: Run): Promise<Tally> {
  try {
    return await run();
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`The stage itself broke: ${words}\n`);
    return oneFailed(`the stage itself broke: ${firstLine(words)}`);
  }
}

const EVERYTHING = '--all';
const [...words] = process.argv.slice(2);
if (words.includes(EVERYTHING)) process.env.TEST_ALL = '1';
if (process.env.TEST_ALL === undefined) process.env.FILES_BY_COMMIT = checkedOutCommit();
const stages = chooseStages(words.filter((word) => word !== EVERYTHING));
keepTemporaryFilesInMemory();
const tallies = await runStages();
if (runsBesideAnother) leaveTallies(tallies);
else finish(tallies);

/** The tally of each chosen stage. */
async function runStages(): Promise<Tally[]> {
  const begun = stages.map((stage) => ({ stage, run: 'begin' in stage ? stage.begin() : stage.run }));
  const besides = stages.map(({ name }) => name).filter((name) => BESIDE.includes(name));
  // Alone, they have nothing to run beside.
  const beside = besides.length === stages.length ? [] : besides;
  const end = beside.length === 0 ? async () => [] : beginBesideThese(beside);
  const counted: Tally[] = [];
  for (const { stage, run } of begun.filter(({ stage: { name } }) => !beside.includes(name)))
    counted.push(await runStage(stage, run));
  return [...counted, ...(await end())];
}

function beginBesideThese(names: readonly string[]): () => Promise<Tally[]> {
  // Before both need them.
  buildProgramsWhenNeeded();
  buildWebWhenNeeded();
  findOrInstallBrowser();
  say(`\nBeside the next stages, and printed after them: ${names.join(', ')}.`);
  return beginBeside(names);
}

function finish(counted: readonly Tally[]): void {
  const total = sum(counted);
  say('');
  for (const [index, stage] of stages.entries()) say(`${stage.name.padEnd(14)}${format(counted[index] ?? NOTHING)}`);
  if (total.failures.length > 0) say('\nFailed:');
  for (const failure of total.failures) say(`✗ ${failure}`);
  say('');
  say(format(total));
  process.exitCode = total.failures.length === 0 ? 0 : 1;
}
