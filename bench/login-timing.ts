// Does the time of an answer tell whether an email has an account? Asks over loopback, in random order, and compares.
// Budget: medians within 5 ms of each other, and ranks as chance mixes them (see rankZ). Then: how many people can sign in
// per second, and how long other calls take meanwhile; budget 80, and p99 250 ms.
//
//     node_modules/.bin/node bench/login-timing.ts [tries]
import { openTestApp, TEST_PASSWORD } from '@dutchbook/server/http/app.fixture.ts';
import { hash } from '@node-rs/argon2';
import { load, loadUntilStopped } from './http-load.ts';
import { rankZ } from './mann-whitney.ts';
import { median, say, tell } from './rows.ts';

const TRIES = Number(process.argv[2] ?? 100);
const WARM_UP = 20;
const AT_ONCE = 8;
const LOGINS = 160;
const OTHERS = { connections: 8, perSecond: 50, warmUpMs: 200 };
const DIFFERENCE_MS_MAX = 5;

const KNOWN = 'known@example.com';
const UNKNOWN = 'nobody@example.com';

const HASH = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

await measure();

async function measure(): Promise<void> {
  await using app = await openTestApp({ variables: { RATE_LIMIT: 'off' }, mailing: true });
  await app.addUser({ email: KNOWN });
  const url = await app.http.listen({ host: '127.0.0.1', port: 0 });
  await compare('login', (email) => signIn(url, email, 'not the password'));
  await compare('recovery', (email) => post(`${url}/api/v1/password-recovery/${email}`));
  const { headers } = await app.signedIn({ isSuperuser: true });
  await measureLogins(url, headers.authorization);
}

function signIn(url: string, email: string, password: string): Promise<void> {
  return post(`${url}/api/v1/login/access-token`, new URLSearchParams({ username: email, password }));
}

async function post(url: string, body?: URLSearchParams): Promise<void> {
  const reply = await fetch(url, { method: 'POST', ...(body && { body }) });
  await reply.arrayBuffer();
  if (reply.status >= 500 || reply.status === 429) throw new Error(`${url} answered ${reply.status}`);
}

async function compare(name: string, ask: (email: string) => Promise<void>): Promise<void> {
  for (const email of inRandomOrder(WARM_UP)) await ask(email);
  const known: number[] = [];
  const unknown: number[] = [];
  for (const email of inRandomOrder(TRIES)) {
    const start = performance.now();
    await ask(email);
    (email === KNOWN ? known : unknown).push(performance.now() - start);
  }
  const row = { budget: { atMost: DIFFERENCE_MS_MAX }, floor: null };
  const figure = Math.abs(median(known) - median(unknown));
  tell({ question: `${name}: known and unknown email differ by, median of ${TRIES}`, figure, unit: 'ms', ...row });
  say(`  known ${median(known).toFixed(2)} ms, Mann-Whitney z ${rankZ(known, unknown).toFixed(2)}`);
}

async function measureLogins(url: string, authorization: string): Promise<void> {
  const hashesPerSecond = await repeatedly(LOGINS, 2, () => hash('a password', HASH));
  const others = { url: `${url}/api/v1/items/?limit=10`, authorization, ...OTHERS };
  const alone = await load({ ...others, measureMs: 1000 });
  const meanwhile = loadUntilStopped(others);
  const perSecond = await repeatedly(LOGINS, AT_ONCE, () => signIn(url, KNOWN, TEST_PASSWORD));
  const { p99Ms } = await meanwhile.stop();
  const question = `signing in, ${AT_ONCE} at a time`;
  const floor = { figure: hashesPerSecond, of: 'argon2id alone, 2 at a time' };
  tell({ question: `${question}: sessions opened`, figure: perSecond, unit: '/s', budget: { atLeast: 80 }, floor });
  tell({
    question: `${question}: p99 of other calls meanwhile`,
    figure: p99Ms,
    unit: 'ms',
    budget: { atMost: 250 },
    floor: { figure: alone.p99Ms, of: 'alone' },
  });
}

/** How often a second `work` is done, so many at a time. */
async function repeatedly(times: number, atOnce: number, work: () => Promise<unknown>): Promise<number> {
  let left = times;
  const start = performance.now();
  const whileLeft = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, whileLeft));
  return times / ((performance.now() - start) / 1000);
}

/** Each of the two emails so many times, neither of them ever known to be next. */
function inRandomOrder(times: number): string[] {
  const emails = Array.from({ length: times }, () => [KNOWN, UNKNOWN]).flat();
  const drawn = emails.map((email) => ({ email, lot: Math.random() }));
  return drawn.toSorted((a, b) => a.lot - b.lot).map(({ email }) => email);
}
