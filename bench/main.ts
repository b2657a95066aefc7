// `npm run bench`: every question of this folder, one after the other, each in a process of its own, and one table of
// what they answered. `npm run bench -- frames lists` asks only those; `--runs 3` asks each so many times and takes the
// medians; `--minutes 10` lets feed, memory and soak last so long; `--markdown` prints the table in Markdown.
import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cellsOf, HEADINGS, medianRow, type Row, say, verdictOn } from './rows.ts';

/**
 * `script` beside this file. `lasts`: takes how long, as its first argument in seconds or by `--minutes`. `byName`: is asked
 * only where it is named.
 */
type Question = {
  name: string;
  script: string;
  args?: readonly string[];
  lasts?: 'seconds' | 'minutes';
  byName?: true;
};

const QUESTIONS: readonly Question[] = [
  { name: 'frames', script: 'frame-to-decision.ts' },
  { name: 'relations', script: 'screen-of-relations.ts' },
  { name: 'tokens', script: 'discovery/screen-by-tokens.ts' },
  { name: 'wire', script: 'trigger-to-wire.ts' },
  { name: 'beside', script: 'discovery/wire-beside-discovery.ts', byName: true },
  { name: 'found', script: 'discovery/found-latency.ts', lasts: 'minutes', byName: true },
  { name: 'capture', script: 'discovery/capture.ts', lasts: 'minutes', byName: true },
  { name: 'placing', script: 'placing.ts' },
  { name: 'feed', script: 'feed-load.ts', lasts: 'seconds' },
  { name: 'paces', script: 'paces/paces.ts', byName: true },
  { name: 'monitored', script: 'monitored.ts' },
  { name: 'valued', script: 'paces/valued.ts', byName: true },
  { name: 'recording', script: 'recordings/recording-cost.ts' },
  { name: 'rehearse', script: 'recordings/rehearse.ts' },
  { name: 'lists', script: 'lists.ts' },
  { name: 'report', script: 'report/report-calls.ts', byName: true },
  { name: 'catch-up', script: 'report/catch-up.ts', byName: true },
  { name: 'writes', script: 'price-writes.ts' },
  { name: 'opportunities', script: 'opportunity-list.ts' },
  { name: 'tabs', script: 'live-tabs.ts' },
  { name: 'import', script: 'import.ts' },
  { name: 'selling', script: 'selling.ts' },
  { name: 'exits', script: 'exits/cash-now.ts' },
  { name: 'hold', script: 'hold.ts', byName: true },
  { name: 'login', script: 'login-timing.ts' },
  { name: 'many', script: 'many.ts', byName: true },
  { name: 'start', script: 'start-up.ts' },
  { name: 'cold', script: 'cold-start.ts' },
  { name: 'screen', script: 'screen-freshness.ts' },
  { name: 'busy', script: 'screen-busy.ts' },
  { name: 'recovery', script: 'screen-recovery.ts', args: ['1'], byName: true },
  { name: 'memory', script: 'screen-memory.ts', lasts: 'minutes', byName: true },
  { name: 'lighthouse', script: 'lighthouse.ts', args: ['1', '/login', '/arbitrage', '/batches/{id}'] },
  { name: 'steps', script: 'screen-steps.ts', byName: true },
  { name: 'tasks', script: 'screen/long-tasks.ts', byName: true },
  { name: 'soak', script: 'soak.ts', lasts: 'minutes', byName: true },
];

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    markdown: { type: 'boolean', default: false },
  },
});

const startedAtMs = performance.now();
const loadBefore = loadavg()[0] ?? 0;
const answers: Row[] = [];
const broken: string[] = [];
for (const question of chosen(names)) answers.push(...(await ask(question, Number(options.runs))));
const minutes = (performance.now() - startedAtMs) / 60_000;
const [cpu] = cpus();
say('');
for (const line of options.markdown ? markdown(answers) : table(answers)) say(line);
say('');
say(
  `${cpus().length} cores (${cpu?.model ?? 'unknown'}), Node ${process.version}; load ${loadBefore.toFixed(1)} before, ` +
    `${minutes.toFixed(1)} minutes, ${options.runs} run(s), medians.`,
);
const missed = answers.filter((row) => verdictOn(row) === 'missed').length;
say(`${answers.length} rows, ${missed} missed${broken.length === 0 ? '' : `; no answer from ${broken.join(', ')}`}.`);
process.exitCode = broken.length === 0 ? 0 : 1;

function chosen(wanted: readonly string[]): readonly Question[] {
  const unknown = wanted.filter((name) => !QUESTIONS.some((question) => question.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no question ${unknown.join(', ')}; there are ${QUESTIONS.map(({ name }) => name).join(', ')}.`,
    );
  }
  return wanted.length === 0
    ? QUESTIONS.filter(({ byName }) => !byName)
    : QUESTIONS.filter(({ name }) => wanted.includes(name));
}

/** The rows of a question, each the median of its runs. */
async function ask(question: Question, runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let run = 1; run <= runs; run += 1) {
    say(`\n${question.name}${runs > 1 ? `, run ${run} of ${runs}` : ''} (load ${(loadavg()[0] ?? 0).toFixed(1)})`);
    rows.push(...(await runOnce(question)));
  }
  const byQuestion = Map.groupBy(rows, (row) => row.question);
  return [...byQuestion.values()].map((same) => medianRow(same as [Row, ...Row[]]));
}

async function runOnce({ name, script, args = [], lasts }: Question): Promise<Row[]> {
  const given = lasts && options.minutes !== undefined ? lasting(lasts, options.minutes) : args;
  const rows: Row[] = [];
  // What never happened is an infinite figure, which only the advanced serialization carries.
  const how: ForkOptions = { execArgv: ['--expose-gc'], serialization: 'advanced' };
  const begunMs = performance.now();
  const child = fork(path.join(import.meta.dirname, script), given, how);
  child.on('message', (row) => rows.push(row as Row));
  const [code] = await once(child, 'exit');
  if (code !== 0 || rows.length === 0) broken.push(name);
  say(`  ${name} took ${((performance.now() - begunMs) / 1000).toFixed(0)} s`);
  return rows;
}

function lasting(lasts: 'seconds' | 'minutes', minutes: string): string[] {
  return lasts === 'minutes' ? ['--minutes', minutes] : [String(Number(minutes) * 60)];
}

function table(rows: readonly Row[]): string[] {
  const lines = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function markdown(rows: readonly Row[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(HEADINGS), line(HEADINGS.map(() => '---')), ...rows.map(cellsOf).map(line)];
}
