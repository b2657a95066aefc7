import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { keepInStep } from './other-tabs.ts';

const CHANNEL = 'dutchbook: written';

it('tells the other tabs of what was written, and not of what only asked', async () => {
  const client = new QueryClient();
  const stop = keepInStep(client);
  const [other, end] = [new BroadcastChannel(CHANNEL), new BroadcastChannel(CHANNEL)];
  const received: unknown[] = [];
  const ended = new Promise<void>((resolve) => {
    other.onmessage = ({ data }) => (data === 'end' ? resolve() : received.push(data));
  });
  const done = (what: string, meta: object) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: async () => what, meta })
      .execute(undefined);
  await done('a simulation', { changesNothing: true });
  await done('a setting', {});
  end.postMessage('end');
  await ended;
  expect(received).toHaveLength(1);
  for (const each of [other, end]) each.close();
  stop();
});
