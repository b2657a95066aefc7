import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads again what is on screen, all of it (as after a gap in the stream) or what stands below `queryKey`. A first read
 * that is still on its way may have been answered before the gap ended, and is not restarted by an invalidation, so it is
 * repeated once it has arrived.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const onTheirWay = client.getQueryCache().findAll({
    queryKey,
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  });
  await client.invalidateQueries({ queryKey });
  await Promise.all(onTheirWay.map((query) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })));
}
