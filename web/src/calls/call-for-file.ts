import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { type CallInput, headersOf, readReply, requireSession, send, urlOf } from './call.ts';

/** The bytes that an endpoint answers with. @throws as `call` does */
export async function callForFile<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Blob> {
  requireSession(endpoint);
  const url = urlOf(endpoint, input.params, input.query);
  const { method } = endpoint;
  const request = {
    method,
    credentials: 'include',
    headers: headersOf(endpoint),
    signal: input.signal ?? null,
  } as const;
  const response = await send(url, request);
  if (response.ok) return await response.blob();
  const { status, statusText, headers } = response;
  const [type, retryAfter] = [headers.get('content-type') ?? '', headers.get('retry-after')];
  readReply(endpoint, { url, status, statusText, type, retryAfter, text: await response.text() });
  throw new Error('The server refused without a reason.');
}
