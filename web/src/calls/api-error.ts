const STATUS_TEXT: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  422: 'Validation Error',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** All a toast can say when the server gave no reason. */
export const UNEXPLAINED = 'Something went wrong.';

/** Names settings in words. The login, whose answers name none, does without the table of them. */
let plainly = (text: string) => text;

export function sayPlainly(words: (text: string) => string): void {
  plainly = words;
}

type Answer = { url: string; status: number; statusText: string; body: unknown; retryAfter?: string | null };

/** A call that the server answered with an error status. `message` is the server's own sentence where it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly body: unknown;
  /** After how long the server wants to be asked again, where it says so; `message` says it too. */
  readonly retryAfterMs: number | null;

  constructor({ url, status, statusText, body, retryAfter = null }: Answer) {
    super(detailOf(body) ?? STATUS_TEXT[status] ?? `Generic Error: status ${status}, body ${JSON.stringify(body)}`);
    this.url = url;
    this.status = status;
    this.statusText = statusText;
    this.body = body;
    this.retryAfterMs = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null;
  }

  /** The session is over, or was never good enough for this call. */
  get endsSession(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** Whether nothing is known by what was asked for. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether the server could not answer because its database does not. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null) return false;
  return 'database_away' in error.body && error.body.database_away === true;
}

/** A refusal that was already shown where it occurred. */
export class ShownRefusal extends ApiError {}

/** For how long to wait before asking again: what the server said, else no time. */
export function waitAskedMs(error: unknown): number {
  return (error instanceof ApiError && error.retryAfterMs) || 0;
}

/** A call that was not sent, because its session had ended. Nothing is shown of it where no user asked for the call. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';

  constructor() {
    super('You are logged out');
  }
}

/** A call that got no answer: it was given up, or the server was not reached. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  constructor(reason: unknown) {
    const isAborted = reason instanceof DOMException && reason.name === 'AbortError';
    super(isAborted ? 'Request aborted' : 'The server cannot be reached');
  }
}

/** A failure whose message tells a person what to do. */
export class Explained extends Error {
  override readonly name = 'Explained';
}

/** What was asked to stop has stopped in the process that was asked, and is not stored yet. `message` says what that means. */
export class HeldHere extends Explained {}

/** What an error toast says: the server's detail, the first entry of a list of details, or a plain sentence. */
export function toastText(error: unknown): string {
  if (error instanceof SessionOver || error instanceof Unanswered || error instanceof Explained) return error.message;
  return (error instanceof ApiError ? detailOf(error.body) : undefined) ?? UNEXPLAINED;
}

/** What an inline message says: more than the toast, because it also names a status or a lost connection. */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message ? error.message : UNEXPLAINED;
}

function detailOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('detail' in body)) return undefined;
  const { detail } = body;
  if (typeof detail === 'string') return plainly(detail) || undefined;
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  if (typeof first !== 'object' || first === null || !('msg' in first)) return undefined;
  return typeof first.msg === 'string' && first.msg ? first.msg : undefined;
}

/** What a 422 says of the fields it names, by the first step of their place in the body. */
export function fieldProblems(error: unknown): Record<string, string> {
  const problems: Record<string, string> = {};
  if (!(error instanceof ApiError) || error.status !== 422) return problems;
  for (const problem of detailList(error.body)) {
    const [part, field] = problem.loc;
    if (part === 'body' && field !== undefined) problems[String(field)] ??= problem.msg;
  }
  return problems;
}

type Problem = { loc: readonly unknown[]; msg: string };

function detailList(body: unknown): Problem[] {
  if (typeof body !== 'object' || body === null || !('detail' in body) || !Array.isArray(body.detail)) return [];
  return body.detail.filter((entry): entry is Problem => Array.isArray(entry?.loc) && typeof entry?.msg === 'string');
}
