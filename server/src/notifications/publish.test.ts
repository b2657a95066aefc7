import { describe, expect, it, vi } from 'vitest';
import { openTestApp } from '../http/app.fixture.ts';
import { ask } from '../http/ask.fixture.ts';
import type { StreamHub } from '../parts.ts';
import { testDatabases } from '../world/test-world.ts';
import { record } from './notification.fixture.ts';
import { publishNotifications } from './publish.ts';

type Told = Parameters<StreamHub['publish']>[0];

describe.each(testDatabases)('what the tabs are told of notifications, on %s', (kind) => {
  it('is each that is recorded, changed, sent again or deleted, as it is read', async () => {
    await using app = await openTestApp(kind);
    const { headers } = await app.signedIn();
    const told: Told[] = [];
    const hub: StreamHub = { publish: (change) => void told.push(change as Told), watched: () => true };
    const stop = publishNotifications(app.test.world, hub);
    const toldOf = (expected: object) =>
      vi.waitFor(() => expect(told.at(-1)).toMatchObject({ topic: 'notifications', ...expected }), 20_000);

    const id = await record(app, 'The profit has come up');
    const path = `/notifications/records/${id}`;
    await toldOf({ type: 'notification', id, data: { message: 'The profit has come up', status: 'pending' } });
    await ask(app, headers, 'PATCH', path, { message: 'The profit is gone' });
    await toldOf({ type: 'notification', id, data: { message: 'The profit is gone' } });
    const lost = await record(app, 'Nobody heard', { status: 'failed' });
    await ask(app, headers, 'POST', `/notifications/records/${lost}/retry`);
    await toldOf({ type: 'notification', id: lost, data: { status: 'pending' } });
    await ask(app, headers, 'DELETE', path);
    await toldOf({ type: 'notification_deleted', id, data: null });
    await stop();
  });
});
