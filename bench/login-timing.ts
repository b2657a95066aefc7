// Does the time of an answer tell whether an email has an account? Asks over loopback, in random order, and compares.
// Budget: medians within 5 ms of each other, and ranks as chance mixes them (see rankZ). Then: how many people can sign in
// per second; budget 80.
//
//     node_modules/.bin/node bench/login-timing.ts [tries]
import { openTestApp, TEST_PASSWORD } from '@dutchbook/server/http/app.fixture.ts';
import { rankZ } from './mann-whitney.ts';

const TRIES = Number(process.argv[2] ?? 200);
const WARM_UP = 20;
const AT_ONCE = 8;
const LOGINS = 400;

const KNOWN = 'known@example.com';
const UNKNOWN = 'nobody@example.com';

const say = (line: string) => void process.stdout.write(`${line}\n`);

await using app = await openTestApp('pglite', { variables: { RATE_LIMIT: 'off' }, mailing: true });
await app.addUser({ email: KNOWN });
const url = await app.http.listen({ host: '127.0.0.1', port: 0 });

await compare('login', (email) => signIn(email, 'not the password'));
await compare('recovery', (email) => post(`password-recovery/${email}`));
await measureLogins();

function signIn(email: string, password: string): Promise<void> {
  return post('login/access-token', new URLSearchParams({ username: email, password }));
}

async function post(path: string, body?: URLSearchParams): Promise<void> {
  const reply = await fetch(`${url}/api/v1/${path}`, { method: 'POST', ...(body && { body }) });
  await reply.arrayBuffer();
  if (reply.status >= 500 || reply.status === 429) throw new Error(`${path} answered ${reply.status}`);
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
  const medians = `known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms`;
  say(`${name}: median of ${TRIES} each: ${medians}; Mann-Whitney z ${rankZ(known, unknown).toFixed(2)}`);
}

async function measureLogins(): Promise<void> {
  let left = LOGINS;
  const start = performance.now();
  const signInWhileLeft = async () => {
    while (left > 0) {
      left -= 1;
      await signIn(KNOWN, TEST_PASSWORD);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signInWhileLeft));
  const perSecond = LOGINS / ((performance.now() - start) / 1000);
  say(`sign-ins recorded in the audit log: ${perSecond.toFixed(0)}/s, ${AT_ONCE} at a time`);
}

/** Each of the two emails so many times, neither of them ever known to be next. */
function inRandomOrder(times: number): string[] {
  const emails = Array.from({ length: times }, () => [KNOWN, UNKNOWN]).flat();
  const drawn = emails.map((email) => ({ email, lot: Math.random() }));
  return drawn.toSorted((a, b) => a.lot - b.lot).map(({ email }) => email);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
