import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { logOut as logOutCall } from '@dutchbook/contract/sessions.ts';
import { endSession } from '../../calls/access-token.ts';
import { headersOf } from '../../calls/call.ts';

/** Ends the session here at once and on the server in the background. */
export function logOut(): void {
  const { method, path } = logOutCall;
  fetch(`${API_PREFIX}${path}`, { method, headers: headersOf(logOutCall), body: '{}', keepalive: true }).catch(
    () => {},
  );
  endSession();
}
