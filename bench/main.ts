// `npm run bench`: what a user feels, each question in a process of its own, and one table of the answers. `npm run bench --
// wire import` asks those alone, `--runs 3` asks each so many times and takes the medians, and `--into docs/performance.md`
// writes the table there, between the marks.
import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { cellsOf, HEADINGS, medianRow, type Row, say, verdictOn } from './rows.ts';

/** By name, the script beside this file. */
const QUESTIONS: Readonly<Record<string, string>> = {
  minute: 'screen/minute.ts',
  presses: 'screen/presses.ts',
  wire: 'wire.ts',
  valued: 'books/valued.ts',
  'two-venues': 'books/two-venues.ts',
  capture: 'discovery/capture.ts',
  opportunities: 'years/opportunities.ts',
  report: 'years/report.ts',
  import: 'years/import.ts',
  placing: 'placing.ts',
  exits: 'cash-now.ts',
  reads: 'years/reads.ts',
  'whole-market': 'whole-market/whole-market.ts',
  paper: 'whole-market/on-paper.ts',
};

/** Asked only by name: each takes longer than all the others. */
const LONG_QUESTIONS: Readonly<Record<string, readonly [script: string, argument: string]>> = {
  'paper-20000': ['whole-market/on-paper.ts', '10000'],
  'whole-market-30000': ['whole-market/whole-market.ts', '30000'],
  'whole-market-100000': ['whole-market/whole-market.ts', '100000'],
};

/** Where the table stands in a document, in place of the one before. */
const MARKS = { begin: '<!-- npm run bench -->', end: '<!-- end -->' };

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' }, into: { type: 'string' } },
});

const startedAtMs = performance.now();
const loadBefore = loadavg()[0] ?? 0;
const answers: Row[] = [];
const broken: string[] = [];
for (const name of chosen(names)) answers.push(...(await ask(name, Number(options.runs))));
const minutes = (performance.now() - startedAtMs) / 60_000;
const [cpu] = cpus();
const machine =
  `${cpus().length} cores (${cpu?.model ?? 'unknown'}), Node ${process.version}; load ${loadBefore.toFixed(1)} before, ` +
  `${minutes.toFixed(1)} minutes, ${options.runs} run(s), medians.`;
const table = markdown(answers);
for (const line of ['', ...table, '', machine]) say(line);
const missed = answers.filter((row) => verdictOn(row) === 'no').length;
say(`${answers.length} rows, ${missed} missed${broken.length === 0 ? '' : `; no answer from ${broken.join(', ')}`}.`);
if (options.into !== undefined) writeInto(options.into, [...table, '', machine].join('\n'));
process.exitCode = broken.length === 0 ? 0 : 1;

function chosen(wanted: readonly string[]): readonly string[] {
  const usual = Object.keys(QUESTIONS);
  const all = [...usual, ...Object.keys(LONG_QUESTIONS)];
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no question ${unknown.join(', ')}; there are ${all.join(', ')}.`);
  return wanted.length > 0 ? wanted : usual;
}

/** The rows of a question, each the median of its runs. */
async function ask(name: string, runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let run = 1; run <= runs; run += 1) {
    say(`\n${name}${runs > 1 ? `, run ${run} of ${runs}` : ''} (load ${(loadavg()[0] ?? 0).toFixed(1)})`);
    rows.push(...(await runOnce(name)));
  }
  const byQuestion = Map.groupBy(rows, (row) => row.question);
  return [...byQuestion.values()].map((same) => medianRow(same as [Row, ...Row[]]));
}

async function runOnce(name: string): Promise<Row[]> {
  const rows: Row[] = [];
  // A figure that was never reached is infinite, which only the advanced serialization carries.
  const how: ForkOptions = { execArgv: ['--expose-gc'], serialization: 'advanced' };
  const begunMs = performance.now();
  const [script, ...given] = LONG_QUESTIONS[name] ?? [QUESTIONS[name] ?? ''];
  const child = fork(path.join(import.meta.dirname, script), given, how);
  child.on('message', (row: Row) => rows.push(row));
  const [code] = await once(child, 'exit');
  if (code !== 0 || rows.length === 0) broken.push(name);
  say(`  ${name} took ${((performance.now() - begunMs) / 1000).toFixed(0)} s`);
  return rows;
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
