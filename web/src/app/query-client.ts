import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, SessionOver } from '../calls/api-error.ts';
import { toastFailure } from '../calls/toast-failure.tsx';
import { toastSuccess } from '../ui/toasts.tsx';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * What the toasts say: `success` when it worked, `failure` above the server's reason when not; nothing of a failure that
     * is `quiet`. Where a call only asks, it `changesNothing`, and other tabs need not read again.
     */
    mutationMeta: { success?: string; failure?: string; quiet?: boolean; changesNothing?: boolean };
  }
}

const RETRIES_MAX = 2;

/** Failing calls are shown to the user in this one place; a screen adds only its inline message. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof SessionOver)) toastFailure(error, { id: `query:${query.queryHash}` });
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
        retry: (failures, error) => failures < RETRIES_MAX && mayPass(error),
      },
      // Otherwise what is pressed offline goes out by itself once the network is back: an order, hours after it was meant.
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Whether asking again may help: not when the server has understood and refused, unless for now, nor without a session. */
function mayPass(error: Error): boolean {
  return error instanceof ApiError ? error.status >= 429 : !(error instanceof SessionOver);
}
