// `npm run test:kills -- 100`: the product is killed (SIGKILL) at its steps, round after round, until it was so often: while it
// buys, sells, has batches signed off, converts shares on the chain and splits dollars, for each kind of wallet in turn. Ends with
// a table of the kills at each step, and how many of them left nothing lost or doubled.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './repository.ts';
import { runInstalled } from './test/command.ts';

type Done = { step: string; kills: number; isClean: boolean };

/** Of signatures: a deposit wallet, a Safe, a plain key, a proxy wallet. */
const WALLETS = ['3', '2', '0', '1'];

const STEP_WIDTH = 45;

const [wanted = '100'] = process.argv.slice(2);
if (!(Number(wanted) > 0)) throw new Error('Say how many kills: npm run test:kills -- 100');

const folder = mkdtempSync(join(tmpdir(), 'dutchbook-kills-'));
const record = join(folder, 'kills.jsonl');
writeFileSync(record, '');
const read = () =>
  readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Done);
const sum = (done: readonly Done[]) => done.reduce((total, { kills }) => total + kills, 0);

let failedRounds = 0;
for (let round = 0; sum(read()) < Number(wanted) && failedRounds < WALLETS.length; round += 1) {
  const environment = { KILLS_RECORD: record, KILLS_WALLET: WALLETS[round % WALLETS.length] ?? '0' };
  if (!runInstalled('vitest/vitest.mjs', ['run', '--project=kills', '--maxWorkers=2'], environment)) failedRounds += 1;
}

const rows = [...Map.groupBy(read(), ({ step }) => step)].map(([step, done]) => ({
  ...{ step, kills: sum(done), clean: sum(done.filter(({ isClean }) => isClean)) },
}));
const total = { step: 'all', kills: sum(read()), clean: sum(read().filter(({ isClean }) => isClean)) };
for (const { step, kills, clean } of [...rows, total])
  say(`${step.padEnd(STEP_WIDTH)} ${String(kills).padStart(5)} kills, ${String(clean).padStart(5)} clean`);
rmSync(folder, { recursive: true });
process.exitCode = failedRounds === 0 ? 0 : 1;
