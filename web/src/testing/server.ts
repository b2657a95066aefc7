/** The server as the screens' tests have it: it answers at one door, `fetch`, and only what the contract allows. */
import { API_PREFIX, type Endpoint } from '@dutchbook/contract/endpoint.ts';
import * as z from 'zod/mini';
import { RECORDED } from './recorded.ts';

/** A reply as it travels. */
export type Wire<E extends Endpoint> = z.input<E['reply']>;

export type Asked = {
  endpoint: Endpoint;
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** As it was sent: decoded where it is JSON. */
  body: unknown;
  headers: Headers;
  signal: AbortSignal | null;
};

type Given<E extends Endpoint> = Wire<E> | Response;
type Answer<E extends Endpoint> = Given<E> | ((asked: Asked) => Given<E> | Promise<Given<E>>);

/** An answer that refuses, in the words of the server. */
export function refusal(status: number, detail: unknown, headers: Record<string, string> = {}): Response {
  return Response.json({ detail }, { status, headers });
}

/** The call breaks without an answer. */
export const lost = (): never => {
  throw new TypeError('Failed to fetch');
};

export class Server {
  /** Every call that was made, the first one first. */
  readonly asked: Asked[] = [];
  /** Calls that no test has foreseen, and answers that break the contract. */
  readonly faults: string[] = [];
  readonly #answers: { endpoint: Endpoint; answer: Answer<Endpoint> }[] = [];

  constructor() {
    for (const [endpoint, reply] of RECORDED) this.answer(endpoint, reply as Wire<Endpoint>);
  }

  /** From now on every call of `endpoint` is answered so. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void {
    this.#answers.unshift({ endpoint, answer: answer as Answer<Endpoint> });
  }

  /** The calls of `endpoint` so far. */
  askedFor(endpoint: Endpoint): Asked[] {
    return this.asked.filter((asked) => asked.endpoint === endpoint);
  }

  async respond(url: URL, request: RequestInit): Promise<Response> {
    const method = request.method ?? 'GET';
    const path = url.pathname.slice(API_PREFIX.length);
    for (const { endpoint, answer } of this.#answers) {
      const params = endpoint.method === method ? paramsIn(endpoint.path, path) : undefined;
      if (params === undefined) continue;
      const query = Object.fromEntries(url.searchParams);
      const { headers, signal = null } = request;
      const asked = { endpoint, path, params, query, body: bodyOf(request), headers: new Headers(headers), signal };
      this.asked.push(asked);
      const given = typeof answer === 'function' ? await answer(asked) : answer;
      return given instanceof Response ? given.clone() : this.#checked(endpoint, given);
    }
    this.faults.push(`no answer is set for ${method} ${path}`);
    return refusal(501, 'Not answered by the test');
  }

  #checked(endpoint: Endpoint, reply: unknown): Response {
    const { success, error } = z.safeDecode(endpoint.reply, reply);
    if (!success) this.faults.push(`${endpoint.method} ${endpoint.path}: ${z.prettifyError(error)}`);
    return Response.json(reply);
  }
}

function paramsIn(template: string, path: string): Record<string, string> | undefined {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(path);
  return match === null ? undefined : { ...match.groups };
}

function bodyOf({ body }: RequestInit): unknown {
  if (body instanceof URLSearchParams) return Object.fromEntries(body);
  return typeof body === 'string' ? JSON.parse(body) : body;
}
