/** Calls of a product's API by a signed-in user. */

/** Throws on any refusal, with its words. A reply without a body is null. */
export type Call = (method: string, path: string, body?: object | FormData) => Promise<unknown>;

/** Paths are those below `api`. */
export function callerOf(api: string, authorization: string): Call {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const headers = { authorization, ...(body && !isForm && { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: isForm ? body : JSON.stringify(body) }) };
    const answer = await fetch(`${api}${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}
