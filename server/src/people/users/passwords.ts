import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { TooMany } from '../../platform/http/errors.ts';

/** Argon2id, 19 MiB, two passes, one lane. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const AT_ONCE = 2;
const WAITING_MAX = 200;

export type Passwords = {
  hash: (password: string) => Promise<string>;
  /** False also for `null`, an account that does not exist, after as long a time. */
  matches: (passwordHash: string | null, password: string) => Promise<boolean>;
};

/** Hashing takes a core for some time, so only two run at once and the others wait. @throws TooMany */
export function createPasswords(cost = COST): Passwords {
  const limited = limitTo(AT_ONCE, WAITING_MAX);
  // Compared with where there is no password: the answer takes as long, and does not say whether there is an account.
  const standIn = hash('the password of no account', cost);
  return {
    hash: (password) => limited(() => hash(password, cost)),
    matches: (passwordHash, password) =>
      limited(async () => (await verify(passwordHash ?? (await standIn), password)) && passwordHash !== null),
  };
}

function limitTo(atOnce: number, waitingMax: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new TooMany('Too many passwords at once. Try again later.', 1);
      // A finished hash hands its slot over, so that `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
