import { API_PREFIX, type Endpoint } from '@dutchbook/contract/endpoint.ts';
import type * as z from 'zod/mini';
import { headersOf, readReply, requireSession } from './call.ts';

type Upload = {
  /** How much of the form has left, from 0 to 1; 1 says that the server has all of it and works on it. */
  onProgress: (sentFraction: number) => void;
  signal: AbortSignal;
};

/**
 * Sends a form with a file, which may be large: unlike `fetch` this tells how far it is.
 * @throws as `call` does.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  form: FormData,
  progress: Upload,
): Promise<z.output<E['reply']>> {
  requireSession(endpoint);
  const url = `${API_PREFIX}${endpoint.path}`;
  const request = await sent(url, endpoint, form, progress);
  const { status, statusText, responseText: text } = request;
  return readReply(endpoint, { url, status, statusText, type: request.getResponseHeader('content-type') ?? '', text });
}

function sent(url: string, endpoint: Endpoint, form: FormData, { onProgress, signal }: Upload) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, url);
    for (const [name, value] of Object.entries(headersOf(endpoint))) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.upload.onload = () => onProgress(1);
    request.onload = () => resolve(request);
    request.onerror = () => reject(new Error('The server cannot be reached'));
    request.onabort = () => reject(new Error('Request aborted'));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
