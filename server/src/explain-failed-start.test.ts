import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { explainFailedStart } from './explain-failed-start.ts';
import { refuseTakenPort } from './installation/taken-port.ts';
import { users } from './people/users/table.ts';
import { openTestRuntime } from './test-runtime.ts';

/** Vitest names a source with a query behind it. */
const LINE_OF_SOURCE = /\.ts(\?vitest=\d+)?:\d+/;

describe('why the product did not start', () => {
  it('says which statement failed, why and where, and nothing of what it was to store', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await db.execute('alter table users drop column password_hash');
    const failed = await db
      .update(users)
      .set({ passwordHash: '$argon2id$v=19$secret' })
      .where(eq(users.email, 'ada@example.com'))
      .catch((error: unknown) => error);
    const wrapped = new Error('The first superuser was not made', { cause: failed });
    for (const error of [failed, wrapped]) {
      const said = explainFailedStart(error);
      for (const part of ['Failed query: update', 'does not exist']) expect(said).toContain(part);
      expect(said).toMatch(LINE_OF_SOURCE);
      for (const part of ['argon2id', 'ada@example.com', 'params']) expect(said).not.toContain(part);
    }
  });
});

describe('why the product did not start', () => {
  it('is one line where the system says what is wrong', () => {
    const taken = Object.assign(new Error('listen EADDRINUSE: address already in use'), { code: 'EADDRINUSE' });
    expect(explainFailedStart(taken)).toBe(taken.message);
    expect(explainFailedStart('a text')).toBe('a text');
  });

  it('is that another program listens at the port, and is asked before anything is made', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const refused = await refuseTakenPort({ host: '127.0.0.1', port }).catch((error: unknown) => error);
    expect(explainFailedStart(refused)).toBe(
      `PORT ${port} of 127.0.0.1: another program listens there: end it, or set PORT to another, as 8001.`,
    );
    other.close();
    await once(other, 'close');
    await refuseTakenPort({ host: '127.0.0.1', port });
  });

  it('is one sentence where the disk is full, whichever part has noticed it', () => {
    const open = openSync('/dev/full', 'w');
    const full = thrownBy(() => writeSync(open, 'a byte'));
    const statement = new Error('Failed query: insert', {
      cause: Object.assign(new Error('disk full'), { code: '53100' }),
    });
    for (const error of [full, new Error('not started', { cause: full }), statement])
      expect(explainFailedStart(error)).toMatch(/^The disk is full, .*: make room, then start again\.$/);
    closeSync(open);
  });
});

function thrownBy(act: () => void): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
