import type { ErrorReply } from '@dutchbook/contract/endpoint.ts';
import { VenueBusy, type VenueUnavailable } from '@dutchbook/venues/venue.ts';

export type FieldProblem = Extract<ErrorReply['detail'], unknown[]>[number];

/** An answer that is not the one asked for. Thrown by a handler, sent as `{detail}` with `status`. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly status: number;
  readonly detail: ErrorReply['detail'];
  readonly headers: Readonly<Record<string, string>>;
  /** What programs read beside the sentence. */
  readonly more: Omit<ErrorReply, 'detail'>;

  constructor(
    status: number,
    detail: ErrorReply['detail'],
    headers: Readonly<Record<string, string>> = {},
    more: Omit<ErrorReply, 'detail'> = {},
  ) {
    super(typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join('; '));
    this.status = status;
    this.detail = detail;
    this.headers = headers;
    this.more = more;
  }
}

/** 404: nothing by that id. */
export class NotFound extends Refusal {
  override readonly name = 'NotFound';
  constructor(detail: string) {
    super(404, detail);
  }
}

/** 409: not in the state it is in now, or a gate refused. */
export class Conflict extends Refusal {
  override readonly name = 'Conflict';
  constructor(detail: string, more: Omit<ErrorReply, 'detail'> = {}) {
    super(409, detail, {}, more);
  }
}

/** 422: one part of the request is wrong, where the contract's schema cannot see it. */
export class Invalid extends Refusal {
  override readonly name = 'Invalid';
  constructor(loc: FieldProblem['loc'], msg: string, input?: unknown) {
    super(422, [{ loc, msg, type: 'value_error', ...(input !== undefined && { input }) }]);
  }
}

/** 429: too much of something; worth another try after `retryAfterSeconds`. */
export class TooMany extends Refusal {
  override readonly name = 'TooMany';
  constructor(detail: string, retryAfterSeconds: number) {
    super(429, detail, { 'retry-after': String(retryAfterSeconds) });
  }
}

/** 503: the venue was asked in vain, or not at all because it takes no more calls now; then the answer says for how long. */
export class VenueSilent extends Refusal {
  override readonly name = 'VenueSilent';
  constructor(error: VenueUnavailable) {
    const seconds = error instanceof VenueBusy ? Math.ceil(error.retryAfterMs / 1000) : null;
    if (seconds === null) super(503, 'The venue does not answer. Try again in a moment.');
    else
      super(503, `The venue takes no more questions now. Try again in ${seconds} s.`, {
        'retry-after': String(seconds),
      });
  }
}

/**
 * 500 where a 503 would invite a caller to ask again for what has been done, or may have been: the database went away while
 * it was committed, or before it could be read back.
 */
export class MayBeDone extends Refusal {
  override readonly name = 'MayBeDone';
  constructor(cause: Error) {
    super(500, DATABASE_SILENT, {}, { database_away: true });
    this.cause = cause;
  }
}

/** 503: the database does not answer, and nothing was changed. */
export class DatabaseSilent extends Refusal {
  override readonly name = 'DatabaseSilent';
  constructor() {
    super(503, DATABASE_SILENT, {}, { database_away: true });
  }
}

/** What a call says that the database has failed: of one that changes something it is not known whether it did. */
export const DATABASE_SILENT = 'The database does not answer. Once it does, see what was done before asking again.';
