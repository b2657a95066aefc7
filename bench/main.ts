// `npm run bench`: the questions that a user feels, each in a process of its own, and one table of what they answered, within
// five minutes. `npm run bench -- feed lists` asks those alone, whole (`--short`: as in the short set), and `--all` every one,
// some of which take an hour; `--runs 3` asks each so many times and takes the medians; `--minutes 10` lets feed, memory and
// soak last so long; `--markdown` prints the table in Markdown, and `--into docs/performance.md` writes it there, between the
// marks.
import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cellsOf, HEADINGS, medianRow, type Row, say, verdictOn } from './rows.ts';

/**
 * `script` beside this file. `lasts`: takes how long, as its first argument in seconds or by `--minutes`. `short`: asked where
 * none is named, with these arguments, for what a user feels of it.
 */
type Question = {
  name: string;
  script: string;
  args?: readonly string[];
  lasts?: 'seconds' | 'minutes';
  short?: readonly string[];
};

const VALUED = ['--only', '10000', '--paces', '5000', '--rounds', '2', '--seconds', '10', '--filling', '15'];

const QUESTIONS: readonly Question[] = [
  { name: 'minute', script: 'first-minute.ts', short: [] },
  { name: 'wire', script: 'trigger-to-wire.ts', short: ['--alone'] },
  { name: 'valued', script: 'paces/valued.ts', short: VALUED },
  { name: 'recording', script: 'recordings/recording-cost.ts', short: ['3'] },
  { name: 'opportunities', script: 'opportunity-list.ts', short: ['4'] },
  { name: 'report', script: 'report/report-calls.ts', short: ['--screen', '--batches', '10000'] },
  { name: 'import', script: 'import.ts', short: [] },
  { name: 'placing', script: 'placing.ts', short: ['4'] },
  { name: 'exits', script: 'exits/cash-now.ts', short: [] },
  { name: 'beside', script: 'discovery/wire-beside-discovery.ts' },
  { name: 'found', script: 'discovery/found-latency.ts', lasts: 'minutes' },
  { name: 'capture', script: 'discovery/capture.ts', lasts: 'minutes' },
  { name: 'relations', script: 'screen-of-relations.ts' },
  { name: 'tokens', script: 'discovery/screen-by-tokens.ts' },
  { name: 'paces', script: 'paces/paces.ts' },
  { name: 'feed', script: 'feed-load.ts', lasts: 'seconds' },
  { name: 'monitored', script: 'monitored.ts' },
  { name: 'rehearse', script: 'recordings/rehearse.ts' },
  { name: 'lists', script: 'lists.ts' },
  { name: 'catch-up', script: 'report/catch-up.ts' },
  { name: 'tabs', script: 'live-tabs.ts' },
  { name: 'selling', script: 'selling.ts' },
  { name: 'hold', script: 'hold.ts' },
  { name: 'login', script: 'login-timing.ts' },
  { name: 'many', script: 'many.ts' },
  { name: 'cold', script: 'cold-start.ts' },
  { name: 'screen', script: 'screen-freshness.ts' },
  { name: 'busy', script: 'screen-busy.ts' },
  { name: 'recovery', script: 'screen-recovery.ts', args: ['1'] },
  { name: 'memory', script: 'screen-memory.ts', lasts: 'minutes' },
  { name: 'lighthouse', script: 'lighthouse.ts', args: ['1', '/login', '/arbitrage', '/batches/{id}'] },
  { name: 'steps', script: 'screen-steps.ts' },
  { name: 'tasks', script: 'screen/long-tasks.ts' },
  { name: 'soak', script: 'soak.ts', lasts: 'minutes' },
];

/** Where the table stands in a document, in place of the one before. */
const MARKS = { begin: '<!-- npm run bench -->', end: '<!-- end -->' };

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    all: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    into: { type: 'string' },
  },
});
const isShort = options.short || (names.length === 0 && !options.all);

const startedAtMs = performance.now();
const loadBefore = loadavg()[0] ?? 0;
const answers: Row[] = [];
const broken: string[] = [];
for (const question of chosen(names)) answers.push(...(await ask(question, Number(options.runs))));
const minutes = (performance.now() - startedAtMs) / 60_000;
const [cpu] = cpus();
const machine =
  `${cpus().length} cores (${cpu?.model ?? 'unknown'}), Node ${process.version}; load ${loadBefore.toFixed(1)} before, ` +
  `${minutes.toFixed(1)} minutes, ${options.runs} run(s), medians.`;
say('');
for (const line of options.markdown ? markdown(answers) : table(answers)) say(line);
say('');
say(machine);
const missed = answers.filter((row) => verdictOn(row) === 'no').length;
say(`${answers.length} rows, ${missed} missed${broken.length === 0 ? '' : `; no answer from ${broken.join(', ')}`}.`);
if (options.into !== undefined) writeInto(options.into, [...markdown(answers), '', machine].join('\n'));
process.exitCode = broken.length === 0 ? 0 : 1;

function chosen(wanted: readonly string[]): readonly Question[] {
  const unknown = wanted.filter((name) => !QUESTIONS.some((question) => question.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no question ${unknown.join(', ')}; there are ${QUESTIONS.map(({ name }) => name).join(', ')}.`,
    );
  }
  if (wanted.length > 0) return QUESTIONS.filter(({ name }) => wanted.includes(name));
  return QUESTIONS.filter(({ short }) => options.all || short !== undefined);
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

async function runOnce({ name, script, args = [], lasts, short }: Question): Promise<Row[]> {
  const whole = lasts && options.minutes !== undefined ? lasting(lasts, options.minutes) : args;
  const given = isShort ? (short ?? whole) : whole;
  const rows: Row[] = [];
  // What never happened is an infinite figure, which only the advanced serialization carries.
  const how: ForkOptions = { execArgv: ['--expose-gc'], serialization: 'advanced' };
  const begunMs = performance.now();
  const child = fork(path.join(import.meta.dirname, script), given, how);
  child.on('message', (row: Row) => {
    if (!isShort || row.felt) rows.push(row);
  });
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

function writeInto(file: string, lines: string): void {
  const { begin, end } = MARKS;
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no ${begin} with an ${end} behind it`);
  writeFileSync(file, `${text.slice(0, from)}${begin}\n\n${lines}\n\n${text.slice(to)}`);
}
