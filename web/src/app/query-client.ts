import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isDatabaseAway, SessionOver } from '../calls/api-error.ts';
import { systemStatusKey } from '../calls/system-status-key.ts';
import { toastFailure } from '../calls/toast-failure.tsx';
import { toastSuccess } from '../ui/toasts.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * What the toasts say: `success` when it worked, `failure` above the server's reason when not; nothing of a failure that
     * is `quiet`. Where a call only asks, it `changesNothing`, and other tabs need not read again.
     */
    mutationMeta: { success?: string; failure?: string; quiet?: boolean; changesNothing?: boolean };
    /** Of a read that has failed nothing is said where it is `quiet`. */
    queryMeta: { quiet?: boolean };
  }
}

const RETRIES_MAX = 2;
const RETRY_FIRST_MS = 1000;
const RETRY_SLOWEST_MS = 30_000;

/** Failing calls are shown to the user in this one place; a screen adds only its inline message. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof SessionOver) && !query.meta?.quiet)
          toastFailure(error, { id: `query:${query.queryHash}` });
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, { meta }) => {
        if (!meta?.quiet) toastFailure(error, { what: meta?.failure });
      },
      onSuccess: (_data, _variables, _result, { meta }) => {
        if (meta?.success !== undefined) toastSuccess(meta.success);
      },
    }),
    defaultOptions: {
      queries: {
        // A server on this machine answers a browser that takes itself to be offline.
        networkMode: 'always',
        refetchOnReconnect: true,
        // The head of the page says that the database is away; what was to be read is read once it answers.
        retry: (failures, error) =>
          (isDatabaseAway(error) && isSaidAway(client)) || (failures < RETRIES_MAX && mayPass(error)),
        retryDelay: (failures, error) =>
          isDatabaseAway(error) ? RETRY_FIRST_MS : Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_SLOWEST_MS),
      },
      // Otherwise what is pressed offline goes out by itself once the network is back: an order, hours after it was meant.
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

function isSaidAway(client: QueryClient): boolean {
  return client.getQueryData<SystemStatus>(systemStatusKey)?.database_away === true;
}

/** Whether asking again may help: not when the server has understood and refused, unless for now, nor without a session. */
function mayPass(error: Error): boolean {
  return error instanceof ApiError ? error.status >= 429 : !(error instanceof SessionOver);
}
