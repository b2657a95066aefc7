import { FOLDED_MAX } from '@dutchbook/contract/listing.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { record } from './notification.fixture.ts';
import { recordNotification } from './record.ts';
import { notifications } from './table.ts';

describe('notifications', () => {
  it('are recorded with what they tell of, or not at all', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const { runtime } = app.test;
    const opportunityId = runtime.random.uuid();
    const id = await record(app, 'The profit has come up', { opportunityId });
    const undone = runtime.db.transaction(async (tx) => {
      await recordNotification(tx, runtime, {
        type: 'opportunity_triggered',
        opportunityId,
        message: 'undone',
        data: {},
      });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const served = {
      id,
      opportunity_id: opportunityId,
      notification_type: 'opportunity_triggered',
      message: 'The profit has come up',
      status: 'pending',
      sent_at: null,
      attempts: 0,
      created_at: '2026-01-01T00:01:00.000Z',
      updated_at: '2026-01-01T00:01:00.000Z',
      error_message: null,
      data: { profit: 1.25 },
    };
    expect(await ask(app, headers, 'GET', '/notifications/records')).toEqual([200, { data: [served], count: 1 }]);
    expect(await ask(app, headers, 'GET', `/notifications/records/${id}`)).toEqual([200, served]);
    const missing = await ask(app, headers, 'GET', `/notifications/records/${opportunityId}`);
    expect(missing).toEqual([404, { detail: 'Notification not found' }]);
  });

  it('are listed newest first, by page, and filtered and sorted as asked', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const { clock, random } = app.test.runtime;
    const opportunityId = random.uuid();
    // Letters that no id begins with.
    await record(app, 'y', { opportunityId });
    await record(app, 'X', { status: 'sent', attempts: 1, sentAt: instantFromMs(clock.now()) });
    await record(app, 'z', { opportunityId, status: 'failed', attempts: 3 });
    const list = async (query: string) => {
      const [status, { data, count }] = await ask(app, headers, 'GET', `/notifications/records?${query}`);
      return [status, (data as { message: string }[]).map(({ message }) => message).join(' '), count];
    };
    expect(await list('')).toEqual([200, 'z X y', 3]);
    expect(await list('skip=1&limit=1')).toEqual([200, 'X', 3]);
    expect(await list('status=failed')).toEqual([200, 'z', 1]);
    expect(await list('q=x')).toEqual([200, 'X', 1]);
    expect(await list(`q=${opportunityId.slice(0, 12)}&status=pending`)).toEqual([200, 'y', 1]);
    expect(await list('q=zeppelin')).toEqual([200, '', 0]);
    expect(await list(`opportunity_id=${opportunityId}&sort_order=asc`)).toEqual([200, 'y z', 2]);
    expect(await list('notification_type=opportunity_triggered')).toEqual([200, 'z X y', 3]);
    expect(await list('sort_by=message&sort_order=asc')).toEqual([200, 'X y z', 3]);
    expect(await list('sort_by=attempts')).toEqual([200, 'z X y', 3]);
    const { db, pubsub } = app.test.runtime;
    const parts = { clock, random, pubsub };
    const add = async (message: string, data: object) => {
      await app.test.time.advance(1000);
      await recordNotification(db, parts, { type: 'payout_changed', opportunityId: null, message, data: { ...data } });
    };
    await add('by its venue', { venue: 'kalshi' });
    await add('by its market', { market_id: 'kalshi:GUST' });
    await add('of another', { market_id: '0x1' });
    expect(await list('venue=kalshi')).toEqual([200, 'by its market by its venue', 2]);
    expect(await list('venue=polymarket&q=another')).toEqual([200, 'of another', 1]);
    expect(await list('subject=opportunities')).toEqual([200, 'z X y', 3]);
    expect((await list('subject=attention'))[2]).toBe(3);
    expect(await list('subject=trades&notification_type=opportunity_triggered')).toEqual([200, '', 0]);
    // What was never sent comes last whichever way.
    for (const order of ['asc', 'desc']) expect((await list(`sort_by=sent_at&sort_order=${order}`))[1]).toMatch(/^X/);
    for (const wrong of [
      'sort_by=data',
      'sort_order=up',
      'status=lost',
      'notification_type=gossip',
      'subject=gossip',
      'opportunity_id=7',
      'venue=elsewhere',
    ]) {
      expect((await ask(app, headers, 'GET', `/notifications/records?${wrong}`))[0]).toBe(422);
    }
  });

  it('fold behind the newest of their type about an opportunity, page by page, and open again', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const { random } = app.test.runtime;
    const [one, other] = [random.uuid(), random.uuid()];
    const bought = { notificationType: 'order_placed' } as const;
    await record(app, 'one rose', { opportunityId: one });
    await record(app, 'one failed', { opportunityId: one, status: 'failed' });
    await record(app, 'one bought', { opportunityId: one, ...bought });
    await record(app, 'feed down', { opportunityId: null });
    await record(app, 'other rose', { opportunityId: other });
    await record(app, 'feed down', { opportunityId: null });
    await record(app, 'feed up', { opportunityId: null });
    const newest = await record(app, 'one rose again', { opportunityId: one });
    const list = async (query: string) => {
      const [status, { data, count }] = await ask(app, headers, 'GET', `/notifications/records?${query}`);
      const rows = data as { id: string; message: string; created_at: string; folded?: { count: number } }[];
      return { status, count, rows, words: rows.map(({ message, folded }) => `${message} ${folded?.count}`) };
    };
    const all = await list('folded=true');
    expect(all.words).toEqual(['one rose again 3', 'feed up 1', 'feed down 2', 'other rose 1', 'one bought 1']);
    expect(all.count).toBe(5);
    const oldest = (await list('sort_order=asc&limit=1')).rows[0]?.created_at;
    expect(all.rows[0]).toMatchObject({ id: newest, folded: { count: 3, first_at: oldest, failed: 1 } });
    expect(await list('folded=true&skip=3&limit=1')).toMatchObject({ words: ['other rose 1'], count: 5 });
    expect(await list('folded=true&skip=9')).toMatchObject({ words: [], count: 5 });
    expect((await list('folded=true&sort_by=message&sort_order=asc&limit=2')).words).toEqual([
      'feed down 2',
      'feed up 1',
    ]);
    expect((await list('folded=true&status=failed')).words).toEqual(['one failed 1']);
    expect((await list(`like=${newest}`)).rows.map(({ message }) => message)).toEqual([
      ...['one rose again', 'one failed', 'one rose'],
    ]);
    expect((await list(`like=${all.rows[2]?.id}`)).count).toBe(2);
    expect((await list(`like=${one}`)).count).toBe(0);
  });

  it('go with all that their row of a folded list stands for, and come back together', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const opportunityId = app.test.runtime.random.uuid();
    await record(app, 'rose', { opportunityId });
    await record(app, 'failed', { opportunityId, status: 'failed' });
    await record(app, 'of another', { opportunityId: app.test.runtime.random.uuid() });
    const row = await record(app, 'rose again', { opportunityId });
    await record(app, 'came meanwhile', { opportunityId });
    const left = async () => {
      const [, { data }] = await ask(app, headers, 'GET', '/notifications/records?sort_order=asc');
      return (data as { message: string }[]).map(({ message }) => message);
    };
    const all = await left();
    const remove = (query: string) => ask(app, headers, 'DELETE', `/notifications/records/${row}?${query}`);
    const restore = () => ask(app, headers, 'POST', `/notifications/records/${row}/restore`);
    expect(await remove('folded=true')).toEqual([200, { message: '3 notifications deleted successfully' }]);
    expect(await left()).toEqual(['of another', 'came meanwhile']);
    expect((await restore())[0]).toBe(200);
    expect(await left()).toEqual(all);
    expect(await remove('folded=true&status=pending')).toEqual([
      200,
      { message: '2 notifications deleted successfully' },
    ]);
    expect(await left()).toEqual(['failed', 'of another', 'came meanwhile']);
    await restore();
    expect(await remove('')).toEqual([200, { message: 'Notification deleted successfully' }]);
    expect(await left()).toEqual(['rose', 'failed', 'of another', 'came meanwhile']);
  });

  it('go with no more than their row counts, where the folded list does not reach back to all that are like it', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const { db, random, clock } = app.test.runtime;
    const opportunityId = random.uuid();
    const beyond = await record(app, 'beyond the list', { opportunityId });
    await record(app, 'on the list', { opportunityId });
    await app.test.time.advance(60_000);
    const now = clock.now();
    const others = Array.from({ length: FOLDED_MAX - 2 }, () => ({
      ...{ id: random.uuid(), notificationType: 'feed_down' as const, message: 'No prices', status: 'sent' as const },
      ...{ createdAt: now, updatedAt: now, data: {} },
    }));
    await db.insert(notifications).values(others);
    const row = await record(app, 'latest', { opportunityId });
    const [, { data }] = await ask(app, headers, 'GET', '/notifications/records?folded=true&limit=1');
    expect(data).toMatchObject([{ id: row, folded: { count: 2 } }]);
    expect(await ask(app, headers, 'DELETE', `/notifications/records/${row}?folded=true`)).toEqual([
      200,
      { message: '2 notifications deleted successfully' },
    ]);
    const [, left] = await ask(app, headers, 'GET', '/notifications/records?sort_order=asc&limit=1');
    expect(left).toMatchObject({ count: FOLDED_MAX - 1, data: [{ id: beyond }] });
  });

  it('of a type of a later version are served all the same', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const notificationType = 'telepathy' as 'opportunity_triggered';
    const id = await record(app, 'from a later version', { notificationType });
    const [status, { notification_type: shown }] = await ask(app, headers, 'GET', `/notifications/records/${id}`);
    expect([status, shown]).toEqual([200, 'telepathy']);
  });
});
