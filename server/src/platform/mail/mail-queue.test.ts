import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { openQueue } from '../jobs/queue.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { composeLetter } from './compose.ts';
import { type MailQueue, type MailWork, openMailQueue, startMailing } from './mail-queue.ts';
import { openMailServer } from './mail-server.fixture.ts';

const add = ({ db }: Runtime, mails: MailQueue, email: string) =>
  db.transaction((tx) => mails.add(tx, { letter: 'password_recovery', email, address: '::1' }));

const sending =
  ({ mail }: Runtime): MailWork =>
  ({ email }, signal) =>
    mail.send(composeLetter(email, { subject: 'A letter', paragraphs: ['Read it.'] }), signal);

describe('queued mail', () => {
  it('is sent once, in order, and only when what asked for it is committed', async () => {
    await using server = await openMailServer();
    await using test = await openTestRuntime({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
    const { runtime } = test;
    const queue = await openQueue(runtime);
    const mails = await openMailQueue(queue, runtime);
    const undone = runtime.db.transaction(async (tx) => {
      await mails.add(tx, { letter: 'password_recovery', email: 'undone@example.com', address: '::1' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await add(runtime, mails, 'first@example.com');
    await startMailing(queue, runtime, sending(runtime));
    expect(await server.delivery()).toMatchObject({ to: 'first@example.com' });
    await add(runtime, mails, 'second@example.com');
    expect(await server.delivery()).toMatchObject({ to: 'second@example.com' });
    await queue.stop();
  });
});

describe('a mail that does not get through', () => {
  it('is tried again after a refusal', async () => {
    await using server = await openMailServer();
    await using test = await openTestRuntime({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
    const queue = await openQueue(test.runtime);
    const mails = await openMailQueue(queue, test.runtime);
    await add(test.runtime, mails, 'ada@example.com');
    server.next('refuse');
    await startMailing(queue, test.runtime, sending(test.runtime));
    expect(await server.delivery()).toMatchObject({ to: 'ada@example.com', behaviour: 'refuse' });
    expect(await server.delivery()).toMatchObject({ to: 'ada@example.com', behaviour: 'take' });
    await queue.stop();
  });

  it('does not keep a process from stopping when the mail server falls silent: the next one sends it', async () => {
    await using server = await openMailServer();
    await using test = await openTestRuntime({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
    const before = await openQueue(test.runtime);
    const mails = await openMailQueue(before, test.runtime);
    server.next('stall');
    await add(test.runtime, mails, 'ada@example.com');
    await startMailing(before, test.runtime, sending(test.runtime));
    expect(await server.delivery()).toMatchObject({ behaviour: 'stall' });
    await before.stop();
    const after = await openQueue(test.runtime);
    await startMailing(after, test.runtime, sending(test.runtime));
    expect(await server.delivery()).toMatchObject({ to: 'ada@example.com', behaviour: 'take' });
    await after.stop();
  });
});
