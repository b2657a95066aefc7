/** A real mail server on loopback that takes letters, refuses them or falls silent, as a test says. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** What the server makes of the next letter; afterwards it takes them again. */
export type Behaviour = 'take' | 'refuse' | 'stall';

/** One try to hand a letter in; `letter` with its lines put together again. */
export type Delivery = { behaviour: Behaviour; to: string; letter: string };

export type MailServer = AsyncDisposable & {
  port: number;
  next: (behaviour: Behaviour) => void;
  /** Each delivery once, in order; waits for the next one to come. */
  delivery: () => Promise<Delivery>;
};

/** `password` is what the user `desk` must give, where one must. */
export async function openMailServer(password: string | null = null): Promise<MailServer> {
  let behaviour: Behaviour = 'take';
  const arrivals = inOrder<Delivery>();
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: password === null,
    closeTimeout: 1,
    onAuth: (auth, _session, done) => {
      if (auth.password === password) done(null, { user: auth.username });
      else done(new Error(`${auth.password} is not the password`));
    },
    onData: async (stream, { envelope }, done) => {
      const letter = unfolded(await text(stream));
      const now = behaviour;
      behaviour = 'take';
      if (now === 'take') done();
      if (now === 'refuse') done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
      arrivals.put({ behaviour: now, to: envelope.rcptTo.map(({ address }) => address).join(), letter });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    next: (chosen) => {
      behaviour = chosen;
    },
    delivery: arrivals.take,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The address of the reset page in a letter, and the token in it. */
export function linkIn(letter: string): { url: string; token: string } {
  const [url = '', token = ''] = /https?:\/\/\S+\/reset-password\?token=([\w-]+)/.exec(letter) ?? [];
  return { url, token };
}

/** Quoted-printable, undone. */
function unfolded(letter: string): string {
  const bytes = letter.replace(/=\r?\n/g, '');
  return bytes.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function inOrder<Entry>() {
  const waiting: ((entry: Entry) => void)[] = [];
  const ready: Entry[] = [];
  return {
    put: (entry: Entry) => {
      const taker = waiting.shift();
      if (taker) taker(entry);
      else ready.push(entry);
    },
    take: () => {
      const [entry] = ready.splice(0, 1);
      return entry === undefined ? new Promise<Entry>((resolve) => waiting.push(resolve)) : Promise.resolve(entry);
    },
  };
}
