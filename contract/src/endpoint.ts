import * as z from 'zod/mini';
import { described, explained } from './notes/described.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anyone; every signed-in user, viewers too; operators and superusers, who may change things; superusers only.
 */
export type Access = 'public' | 'viewer' | 'user' | 'superuser';

/** `list`: answered as a whole. `file`: sent while it is read. */
export type Heavy = 'list' | 'file';

/** An answer other than the one asked for, as the documentation of a call lists it. */
export type DeclaredRefusal = {
  status: number;
  /** A sentence. */
  when: string;
  /** An example. */
  detail: ErrorReply['detail'];
};

/** A call as both sides know it: the server registers it, the web calls through it, the forms validate with its body. */
export type Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
> = {
  method: Method;
  /** Below `/api/v1`; parameters as `{name}`. */
  path: string;
  access: Access;
  tag: string;
  summary: string;
  params: Params;
  query: Query;
  body: Body;
  /** The shape of a 200 answer. */
  reply: Reply;
  /** How the body travels when it is not JSON. */
  encoding?: 'form' | 'multipart';
  /** Takes an `Idempotency-Key` header: the same key and request answer the same, another request is refused. */
  idempotent?: true;
  /**
   * Stops trading, or shuts a user out: never refused for asking too often, nor for the lack of a second factor. It holds in the
   * process that is asked although the database does not answer, which a 202 with `heldStop` says.
   */
  stops?: true;
  /** Answered from what the process knows while the database does not answer, also to who was let in lately. */
  withoutDatabase?: true;
  /** About nothing but the caller's account, where a second factor is set up: done also without one that is asked of all. */
  ownAccount?: true;
  /** Makes the server ask the venue, always or when it only simulates: each user may do so so often a minute. */
  asksVenue?: true | 'simulating';
  /**
   * Reads many rows: a list, a sum over all that is stored, or a file. Each user has a few of them answered at once, and so has the
   * process.
   */
  heavy?: Heavy;
  /** A user with a second factor must have proven it within the last five minutes. `required`: on a real venue all must have one. */
  proven?: true | 'required';
  /** Refusals of this call alone; the server adds those that follow from the other fields. */
  refusals?: readonly DeclaredRefusal[];
};

export const API_PREFIX = '/api/v1';
export const API_VERSION = '0.1.0';

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

/** A call without parameters, query or body takes this in their place. */
export const nothing = z.optional(z.unknown());

type Described = Pick<
  Endpoint,
  | 'method'
  | 'path'
  | 'access'
  | 'tag'
  | 'summary'
  | 'encoding'
  | 'idempotent'
  | 'stops'
  | 'withoutDatabase'
  | 'ownAccount'
  | 'asksVenue'
  | 'heavy'
  | 'proven'
  | 'refusals'
>;

/**
 * Fills in what a call does not have, so that every endpoint has every part. The mark lets the web's build leave out
 * the calls that no page makes.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  Reply extends z.ZodMiniType,
  Params extends z.ZodMiniType = typeof nothing,
  Query extends z.ZodMiniType = typeof nothing,
  Body extends z.ZodMiniType = typeof nothing,
>(
  described: Described & { reply: Reply; params?: Params; query?: Query; body?: Body },
): Endpoint<Params, Query, Body, Reply> {
  return {
    ...described,
    params: described.params ?? (nothing as z.ZodMiniType as Params),
    query: described.query ?? (nothing as z.ZodMiniType as Query),
    body: described.body ?? (nothing as z.ZodMiniType as Body),
  };
}

export const refusal = (status: number, when: string, detail: string): DeclaredRefusal => ({ status, when, detail });

/** 404 for an unknown identifier; `detail` names the kind. */
export const notFound = (detail: string): DeclaredRefusal =>
  refusal(404, 'Nothing is known by this identifier, or it has been deleted.', detail);

/** Answer to an action that needs a second person. */
export const SIGN_OFF_ASKED: DeclaredRefusal = {
  status: 409,
  when: 'A second person has to sign it off, and was asked; `sign_off_id` is the sign-off.',
  detail: 'Asked a second person to sign this off: arm trading.',
};

/** 429 after too many passwords or codes, and for calls of strangers. */
export const TOO_MANY_ATTEMPTS: DeclaredRefusal = {
  status: 429,
  when: 'It was tried too often from this address, or for this account.',
  detail: 'Too many attempts. Try again later.',
};

/** 429 for calls that sometimes ask the venue; those that always do have it by `asksVenue`. */
export const TOO_MANY_VENUE_CALLS: DeclaredRefusal = {
  status: 429,
  when: 'The user, or the API token, has had the venue asked more than 240 times within a minute.',
  detail: 'You have asked the venue too often. Try again in 5 s.',
};

/** 404 for a deletion that is too long ago, undone already, or another user's. */
export const nothingDeleted = (kind: string): DeclaredRefusal =>
  refusal(
    404,
    'It was not deleted within the last ten minutes by the caller (a superuser may undo all deletions), or is back already.',
    `There is nothing to bring back: the ${kind} was not deleted in the last 10 minutes by you, or is back already`,
  );

/** The fields of a form of which any may be left out. Zod's own way to say so weighs on every page, the login page first. */
export function optional<Shape extends z.ZodMiniObject['shape']>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.optional(field)]);
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodMiniOptional<Shape[Name]> };
}

/** For so long after a deletion its author, or a superuser, can undo it. */
export const UNDO_MINUTES = 10;

export const message = z.object({ message: z.string() });

/** The answer, with status 202, of a call that stops something and could not be stored. */
export const heldStop = z.object({
  message: described('What holds in this process, and what is still to come.', z.string()),
  stored: described(
    'It holds in the process that was asked. It is stored, and reaches the other processes, as soon as the database answers; the message says whether also after a restart.',
    z.literal(false),
  ),
});
export type HeldStop = z.output<typeof heldStop>;

/** What an error looks like: one sentence, or for 422 a list that names each field. */
export const errorReply = z.object({
  detail: described(
    'What is wrong: a sentence, or for 422 a list that names each field.',
    z.union([
      z.string(),
      z.array(
        z.object({
          loc: described(
            'Where the field is: `path`, `query`, `header` or `body`, then the names and positions that lead to it.',
            z.array(z.union([z.string(), z.number()])),
          ),
          msg: described('What is wrong with it.', z.string()),
          type: described('Which rule it breaks, as one word.', z.string()),
          input: described('What was sent, shortened; left out for secrets and objects.', z.optional(z.unknown())),
        }),
      ),
    ]),
  ),
  second_factor: described(
    'The password was right, and one of these is asked for besides.',
    z.optional(
      z.array(
        explained(
          { code: 'a code of the authenticator, or a recovery code', passkey: 'a passkey of the browser' },
          z.enum(['code', 'passkey']),
        ),
      ),
    ),
  ),
  passkey_options: described("What to call the browser's passkeys with.", z.optional(z.unknown())),
  second_factor_needed: described(
    'The call is made again once the second factor has been proven.',
    z.optional(z.literal(true)),
  ),
  database_away: described(
    'The database does not answer: nothing is known of what was asked, and nothing is placed.',
    z.optional(z.literal(true)),
  ),
  sign_off_id: described('Recorded for a second person to sign off; it is not done yet.', z.optional(z.string())),
  sign_off_ids: described(
    'All sign-offs that one call for several venues asked for, `sign_off_id` first.',
    z.optional(z.array(z.string())),
  ),
});
export type ErrorReply = z.output<typeof errorReply>;
