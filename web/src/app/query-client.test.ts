import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

afterEach(() => onlineManager.setOnline(true));

it('sends what is pressed offline at once, and not again when the network is back', async () => {
  const client = createQueryClient();
  client.mount();
  onlineManager.setOnline(false);
  let sent = 0;
  const order = client.getMutationCache().build(client, {
    mutationFn: async () => {
      sent += 1;
      throw new Error('The server cannot be reached');
    },
    meta: { quiet: true },
  });
  const refusal = order.execute(undefined).catch((error: unknown) => error);
  await expect.poll(() => sent).toBe(1);
  expect(await refusal).toEqual(new Error('The server cannot be reached'));
  onlineManager.setOnline(true);
  await client.resumePausedMutations();
  expect(sent).toBe(1);
  client.unmount();
});

it('reads offline as well, because the server may be on this machine, and again when the network is back', async () => {
  const client = createQueryClient();
  client.mount();
  onlineManager.setOnline(false);
  let reads = 0;
  const observer = new QueryObserver(client, { queryKey: ['status'], queryFn: async () => ++reads });
  const stop = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().data).toBe(1);
  onlineManager.setOnline(true);
  await expect.poll(() => observer.getCurrentResult().data).toBe(2);
  stop();
  client.unmount();
  client.clear();
});
