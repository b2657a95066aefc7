/** Records books that a seed moves, a thousand changes a second once that is recorded, and says after each how many there were, until it is killed. */
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { realClock } from '../../platform/runtime/clock.ts';
import { systemRandom } from '../../platform/runtime/random.ts';
import { realTimers } from '../../platform/runtime/timers.ts';
import { bookSteps } from './book-steps.fixture.ts';
import { scriptedTokens } from './recorder.fixture.ts';
import { startRecorder } from './recorder.ts';
import { openWriterThread } from './writer-thread.ts';

const EVERY_MS = 10;
const STEPS_AT_ONCE = 10;

const [folder = '', seed = '1'] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const timers = realTimers(log);
const { tokens, book, tell } = scriptedTokens(realClock);
const runtime = { clock: realClock, timers, random: systemRandom, log };
const limits = { maxBytes: 1_000_000_000, days: 1 };
const recorder = startRecorder(runtime, { folder, venue: 'simulated', tokens, limits }, openWriterThread);

const steps = bookSteps(Number(seed), book);
let count = 0;
timers.every(EVERY_MS, () => {
  if (recorder.state().since === null) return;
  for (let left = STEPS_AT_ONCE; left > 0; left -= 1) {
    tell(...(steps.next().value ?? []));
    count += 1;
    writeSync(1, `${count} ${realClock.now()}\n`);
  }
});
