import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads again everything on screen, as after a gap in the stream. A first read that is still on its way may have been
 * answered before the gap ended, and is not restarted by an invalidation, so it is repeated once it has arrived.
 */
export async function readAgain(client: QueryClient): Promise<void> {
  const onTheirWay = client.getQueryCache().findAll({
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  });
  await client.invalidateQueries();
  await Promise.all(onTheirWay.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true })));
}
