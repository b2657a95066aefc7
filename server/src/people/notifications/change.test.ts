import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { record } from './notification.fixture.ts';

const PATH = '/notifications/records';
const GONE = [404, { detail: 'Notification not found' }];

describe('what people do to notifications', () => {
  let app: TestApp;
  let person: Awaited<ReturnType<TestApp['signedIn']>>;
  beforeAll(async () => {
    app = await openTestApp();
    person = await app.signedIn();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const read = async (id: string) => (await ask(app, person.headers, 'GET', `${PATH}/${id}`))[1];

  it('changes what one says and never how far it came, recorded', async () => {
    const { headers, user } = person;
    const id = await record(app, 'Before', { status: 'sent', attempts: 1 });
    const before = await read(id);
    await app.test.time.advance(1000);
    const changed = await ask(app, headers, 'PATCH', `${PATH}/${id}`, { message: 'After' });
    const after = { ...before, message: 'After', updated_at: expect.any(String) };
    expect(changed).toEqual([200, after]);
    expect(changed[1].updated_at).not.toBe(before.updated_at);
    expect(await ask(app, headers, 'PATCH', `${PATH}/${id}`, { data: { a: [1, null] } })).toMatchObject([
      200,
      { message: 'After', data: { a: [1, null] }, status: 'sent', attempts: 1 },
    ]);
    for (const wrong of [{ status: 'pending' }, { message: '' }, { message: 'x'.repeat(4097) }, { data: 'text' }])
      expect((await ask(app, headers, 'PATCH', `${PATH}/${id}`, wrong))[0]).toBe(422);
    expect(await read(id)).toMatchObject({ message: 'After', status: 'sent' });
    expect(await recorded(app, id)).toMatchObject([
      { action: 'notification.changed', actor: user.email, before: { message: 'Before' }, after: { message: 'After' } },
      { action: 'notification.changed', before: { data: { profit: 1.25 } }, after: { data: { a: [1, null] } } },
    ]);
  });

  it('takes data of limited size, and records only what became of which member', async () => {
    const { headers } = person;
    const id = await record(app, 'Long', {});
    const change = (data: unknown) => ask(app, headers, 'PATCH', `${PATH}/${id}`, { data });
    expect((await change({ note: 'x'.repeat(4000), profit: 1.25 }))[0]).toBe(200);
    expect((await change({ note: 'x'.repeat(4000), profit: 2 }))[0]).toBe(200);
    expect((await change({ note: 'x'.repeat(4000), profit: 2 }))[0]).toBe(200);
    expect(await change({ note: 'x'.repeat(8192) })).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'data'], msg: expect.stringContaining('at most 8192 characters') }] },
    ]);
    for (const name of ['\0', 'half \ud800'])
      expect(await change({ list: [{ [name]: 1 }] })).toMatchObject([
        422,
        { detail: [{ loc: ['body', 'data', 'list', '0'], msg: 'Contains a NUL character or half a character' }] },
      ]);
    const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => [inner], 1);
    expect((await change({ deep }))[0]).toBe(422);
    const [, second, third] = await recorded(app, id);
    expect(second).toMatchObject({ before: { data: { profit: 1.25 } }, after: { data: { profit: 2 } } });
    expect(second?.after).not.toHaveProperty('data.note');
    expect(third).toMatchObject({ before: {}, after: {} });
  });

  it('has one sent again only when it failed, and once', async () => {
    const { headers, user } = person;
    const failure = { status: 'failed', attempts: 5, errorMessage: 'No answer' } as const;
    const id = await record(app, 'Lost', failure);
    const retry = (of: string) => ask(app, headers, 'POST', `${PATH}/${of}/retry`);
    const answers = await Promise.all([retry(id), retry(id)]);
    const pending = [409, { detail: 'The notification is pending. Only one that failed can be sent again.' }];
    expect(answers.filter(([status]) => status === 200)).toEqual([
      [200, expect.objectContaining({ status: 'pending', attempts: 5, error_message: 'No answer' })],
    ]);
    expect(answers).toContainEqual(pending);
    const sent = await record(app, 'Arrived', { status: 'sent', sentAt: instantFromMs(0) });
    expect(await retry(sent)).toMatchObject([409, { detail: expect.stringContaining('is sent') }]);
    expect(await recorded(app, id)).toMatchObject([
      { action: 'notification.retried', actor: user.email, before: { status: 'failed' }, after: { status: 'pending' } },
    ]);
    expect(await recorded(app, sent)).toEqual([]);
  });

  it('deletes one for good, recorded', async () => {
    const { headers, user } = person;
    const id = await record(app, 'Not wanted');
    const deleted = await ask(app, headers, 'DELETE', `${PATH}/${id}`);
    expect(deleted).toEqual([200, { message: 'Notification deleted successfully' }]);
    expect(await recorded(app, id)).toMatchObject([
      { action: 'notification.deleted', actor: user.email, before: { status: 'pending', message: 'Not wanted' } },
    ]);
    expect(await ask(app, headers, 'GET', `${PATH}/${id}`)).toEqual(GONE);
    expect(await ask(app, headers, 'DELETE', `${PATH}/${id}`)).toEqual(GONE);
    expect(await ask(app, headers, 'PATCH', `${PATH}/${id}`, { message: 'x' })).toEqual(GONE);
    expect(await ask(app, headers, 'POST', `${PATH}/${id}/retry`)).toEqual(GONE);
  });
});

describe('the statistics of notifications', () => {
  it('count by status and by age, and leave open what is not known', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const stats = () => ask(app, headers, 'GET', `${PATH}/stats`);
    const nothing = { total_notifications: 0, pending_count: 0, sent_count: 0, failed_count: 0, attention_count: 0 };
    const none = { ...nothing, recent_notifications: 0 };
    expect(await stats()).toEqual([200, { ...none, avg_attempts: null, success_rate: null }]);
    const dayAgo = instantFromMs(app.test.runtime.clock.now() - 86_400_000);
    await record(app, 'waits', { createdAt: dayAgo });
    expect(await stats()).toMatchObject([200, { recent_notifications: 0, avg_attempts: 0, success_rate: null }]);
    await record(app, 'arrived', { status: 'sent', attempts: 1 });
    await record(app, 'came late', { status: 'sent', attempts: 2 });
    await record(app, 'lost', { status: 'failed', attempts: 5 });
    await record(app, 'is whole no more', { status: 'sent', attempts: 2, notificationType: 'leg_risk' });
    const counted = { total_notifications: 5, pending_count: 1, sent_count: 3, failed_count: 1, attention_count: 1 };
    expect(await stats()).toEqual([200, { ...counted, recent_notifications: 4, avg_attempts: 2, success_rate: 75 }]);
  });
});
