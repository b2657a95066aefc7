import { describe, expect, it, vi } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { record } from './notification.fixture.ts';
import { publishNotifications } from './publish.ts';

type Published = Parameters<StreamHub['publish']>[0];

describe('what is published to tabs of notifications', () => {
  it('is each that is recorded, changed, sent again or deleted, as it is read', async () => {
    await using app = await openTestApp();
    const { headers } = await app.signedIn();
    const sent: Published[] = [];
    const hub: StreamHub = { publish: (change) => void sent.push(change as Published), watched: () => true };
    const stop = publishNotifications(app.test.runtime, hub);
    const untilPublished = (expected: object) =>
      expect.poll(() => sent.at(-1)).toMatchObject({ topic: 'notifications', ...expected });

    const id = await record(app, 'The profit has come up');
    const path = `/notifications/records/${id}`;
    await untilPublished({ type: 'notification', id, data: { message: 'The profit has come up', status: 'pending' } });
    await ask(app, headers, 'PATCH', path, { message: 'The profit is gone' });
    await untilPublished({ type: 'notification', id, data: { message: 'The profit is gone' } });
    const lost = await record(app, 'Not delivered', { status: 'failed' });
    await ask(app, headers, 'POST', `/notifications/records/${lost}/retry`);
    await untilPublished({ type: 'notification', id: lost, data: { status: 'pending' } });
    await ask(app, headers, 'DELETE', path);
    await untilPublished({ type: 'notification_deleted', id, data: null });
    await stop();
  });

  it('is what the database had not answered for, once it does', async () => {
    await using app = await openTestApp();
    const { runtime, time } = app.test;
    const sent: string[] = [];
    const hub: StreamHub = { publish: ({ id }) => void sent.push(id), watched: () => true };
    let asked = 0;
    let isAway = true;
    const db = new Proxy(runtime.db, {
      get: (target, name) => {
        if (name === 'select') asked += 1;
        if (isAway) throw new Error('the database is away');
        return Reflect.get(target, name);
      },
    });
    const stop = publishNotifications({ ...runtime, db }, hub);
    const id = await record(app, 'The profit has come up');
    await expect.poll(() => asked).toBe(1);
    await time.advance(1000);
    await expect.poll(() => asked).toBe(2);
    expect(sent).toEqual([]);
    isAway = false;
    await vi.waitFor(async () => {
      await time.advance(1000);
      expect(sent).toEqual([id]);
    }, 60_000);
    await stop();
  });
});
