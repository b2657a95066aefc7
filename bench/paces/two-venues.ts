// What does a changed level cost where half of the tokens are at a second venue, beside one venue with as many? Processor time of a
// process with both adapters and their books, and its memory, in processes of their own that take turns. Budget: 5 % more time, 10 % more
// memory.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { median, tell } from '../rows.ts';
import type { TwoVenuesAnswer, TwoVenuesTask } from './two-venues-process.ts';

const TOKENS = 20_000;
const ROUNDS = 5;
const TIMES_MAX = 1.05;
const MEMORY_TIMES_MAX = 1.1;

const tasks: Record<'one' | 'both', TwoVenuesTask> = {
  one: { polymarket: TOKENS, kalshi: 0 },
  both: { polymarket: TOKENS / 2, kalshi: TOKENS / 2 },
};
const answers: Record<'one' | 'both', TwoVenuesAnswer[]> = { one: [], both: [] };
for (let round = 0; round < ROUNDS; round += 1)
  for (const name of ['one', 'both'] as const) answers[name].push(await run(tasks[name]));

const figureOf = (name: 'one' | 'both', of: keyof TwoVenuesAnswer) => median(answers[name].map((each) => each[of]));
for (const [of, what, unit, floorTimes] of [
  ['usPerLevel', 'a changed level', 'us', TIMES_MAX],
  ['megabytes', 'memory', 'MB', MEMORY_TIMES_MAX],
] as const)
  tell({
    ...{ question: `${what}, ${TOKENS.toLocaleString('en')} tokens, half of them at a second venue`, unit },
    figure: figureOf('both', of),
    budget: { floorTimes },
    floor: { figure: figureOf('one', of), of: 'all at one venue' },
  });

async function run(task: TwoVenuesTask): Promise<TwoVenuesAnswer> {
  const child = fork(new URL('two-venues-process.ts', import.meta.url), [JSON.stringify(task)], {
    execArgv: [...process.execArgv, '--expose-gc'],
  });
  const [answer] = (await once(child, 'message')) as [TwoVenuesAnswer];
  return answer;
}
