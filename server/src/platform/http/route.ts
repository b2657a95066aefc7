import { VIEWER_REFUSAL } from '@dutchbook/contract/current-user.ts';
import {
  type Access,
  API_PREFIX,
  type Endpoint,
  errorReply,
  type Heavy,
  heldStop,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  nothing,
} from '@dutchbook/contract/endpoint.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Slot } from '../runtime/slots.ts';
import type { App } from './app.ts';
import { type Attempts, refuseTooMany } from './attempts.ts';
import { addressOf } from './caller-address.ts';
import { type DecodedRequest, decodeRequest } from './decode.ts';
import { Conflict, DatabaseSilent, MayBeDone, Refusal, TooMany } from './errors.ts';
import { isLong, sendInSlices } from './long-answers.ts';
import { multipartFields } from './multipart-fields.ts';
import { refusalsOf } from './refusals.ts';
import type { Actor, Session, SignedIn, UserRow } from './signed-in.ts';
import { refuseBeyondScope } from './token-scope.ts';

export type Call<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
> = DecodedRequest<Params, Query, Body> & {
  /** Who calls. A public call has none, and reading it or the session there throws. */
  readonly user: UserRow;
  readonly session: Session;
  /** Who is answerable for what the call does, in the audit log. */
  readonly actor: Actor;
  /** Counts that the caller has the venue asked, where the call does so now and then. @throws TooMany */
  countQuestion: () => void;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Who was found to call, on the request itself. */
const SIGNED_IN = Symbol('who calls');
type Proven = FastifyRequest & { [SIGNED_IN]?: SignedIn };

/**
 * Serves a call of the contract below /api/v1: checks who calls, decodes what was sent, and encodes the answer. A
 * handler answers with the decoded form of the reply, throws a Refusal, or sends by itself and returns `reply`.
 */
export function route<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
>(
  app: App,
  endpoint: Endpoint<Params, Query, Body, Reply>,
  handler: (
    call: Call<Params, Query, Body>,
  ) => Promise<z.output<Reply> | FastifyReply> | z.output<Reply> | FastifyReply,
): void {
  const { sessions, writes, venueQuestions, guard, databaseWatch } = app;
  app.http.route({
    method: endpoint.method,
    url: `${API_PREFIX}${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    schema: documented(endpoint),
    // Before the body is read: a caller without access uploads nothing.
    onRequest: async (request) => {
      if (!lastsWithoutDatabase(endpoint) && databaseWatch.silentMs() !== null) throw new DatabaseSilent();
      if (endpoint.access === 'public') return;
      const isLetInLately = lastsWithoutDatabase(endpoint);
      const found = await sessions.require(request.headers.authorization, addressOf(request), isLetInLately);
      if (found.token) refuseBeyondScope(endpoint, found.token.scope);
      refuseUnlessAllowed(endpoint.access, found.user);
      if (writes !== null && endpoint.method !== 'GET' && !endpoint.stops) {
        refuseTooMany(writes, budgetOf(found));
        writes.count(budgetOf(found));
      }
      await guard.judge(endpoint, found);
      (request as Proven)[SIGNED_IN] = found;
    },
    handler: async (request, reply) => {
      if (endpoint.encoding === 'form' && request.isMultipart()) request.body = await multipartFields(request);
      const decoded = decodeRequest(endpoint, request);
      const call = new ReceivedCall(decoded, request, reply, (request as Proven)[SIGNED_IN], venueQuestions);
      if (asksVenue(endpoint, decoded.query)) call.countQuestion();
      const slot = await slotFor(app, endpoint, call);
      const answer = await answeredOrSilent(app, endpoint, Promise.resolve(handler(call)));
      const sent = answer !== reply && isLong(answer) ? await sendInSlices(reply, endpoint.reply, answer) : answer;
      if (endpoint.heavy === 'list') slot?.releaseShared();
      return sent;
    },
  });
}

const lastsWithoutDatabase = ({ stops, withoutDatabase }: Pick<Endpoint, 'stops' | 'withoutDatabase'>) =>
  stops === true || withoutDatabase === true;

/**
 * Ends the wait for a call that a silent database holds up. What it changes may be changed once the database goes on. A file has begun to
 * leave: its client sees that it ends. @throws DatabaseDown, MayBeDone
 */
async function answeredOrSilent<T>({ databaseWatch }: App, endpoint: Endpoint, answer: Promise<T>): Promise<T> {
  if (lastsWithoutDatabase(endpoint) || endpoint.heavy === 'file') return answer;
  let isAnswered = false;
  const noted = answer.finally(() => {
    isAnswered = true;
  });
  try {
    return await databaseWatch.whileItAnswers(noted);
  } catch (error) {
    if (isAnswered || endpoint.method === 'GET' || !(error instanceof Error)) throw error;
    throw new MayBeDone(error);
  }
}

const RETRY_HEAVY_SECONDS = 2;
/** A file whose client takes no bytes for so long is aborted. */
const FILE_STALLED_MS = 60_000;

/**
 * Takes a slot for a heavy read. The user's is held until the reply has ended; the shared one of a list until its answer is ready, so
 * that a slow reader holds up no other user, and that of a file until it has been sent. @throws TooMany, Refusal for a closed connection
 */
async function slotFor(
  { heavyReads }: App,
  { heavy }: Pick<Endpoint, 'heavy'>,
  call: ReceivedCall<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType>,
): Promise<Slot | null> {
  if (heavyReads === null || heavy === undefined) return null;
  const { raw } = call.reply;
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  if (raw.destroyed) gone.abort();
  const slots = heavyReads[heavy];
  const slot = await slots.take(call.user.id, gone.signal);
  if (gone.signal.aborted) {
    slot?.release();
    throw new Refusal(499, 'The caller has hung up');
  }
  if (slot === null) {
    const who = slots.isUsedUpBy(call.user.id) ? 'You are' : 'Other users are';
    throw new TooMany(`${who} ${AT_ONCE[heavy]}. Try again in ${RETRY_HEAVY_SECONDS} s.`, RETRY_HEAVY_SECONDS);
  }
  for (const end of ['finish', 'close']) raw.once(end, slot.release);
  if (heavy === 'file') raw.setTimeout(FILE_STALLED_MS, () => raw.destroy());
  return slot;
}

const AT_ONCE: Record<Heavy, string> = {
  list: 'reading too many lists and reports at once',
  file: 'exporting too many files at once',
};

/** A class, because an object with getters of its own takes twenty times as long to make. */
class ReceivedCall<Params extends z.ZodMiniType, Query extends z.ZodMiniType, Body extends z.ZodMiniType>
  implements Call<Params, Query, Body>
{
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly countQuestion: () => void;
  readonly #signedIn: SignedIn | undefined;

  constructor(
    { params, query, body }: DecodedRequest<Params, Query, Body>,
    request: FastifyRequest,
    reply: FastifyReply,
    signedIn: SignedIn | undefined,
    venueQuestions: Attempts | null,
  ) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.request = request;
    this.reply = reply;
    this.#signedIn = signedIn;
    // Handlers take it out of the call.
    this.countQuestion = () => {
      if (venueQuestions !== null) countOne(venueQuestions, budgetOf(this.#caller));
    };
  }

  get user(): UserRow {
    return this.#caller.user;
  }

  get session(): Session {
    return this.#caller.session;
  }

  get actor(): Actor {
    const found = this.#signedIn;
    const by = actorOf(found?.user ?? null, this.request);
    if (!found?.token) return by;
    return { ...by, email: `${by.email} by API token ${found.token.name}`, tokenId: found.session.id };
  }

  get #caller(): SignedIn {
    if (this.#signedIn === undefined)
      throw new Error(`${this.request.routeOptions.url} is public: no user is signed in`);
    return this.#signedIn;
  }
}

function asksVenue({ asksVenue }: Pick<Endpoint, 'asksVenue'>, query: unknown): boolean {
  if (asksVenue !== 'simulating') return asksVenue === true;
  return typeof query === 'object' && query !== null && 'simulate' in query && query.simulate === true;
}

/** @throws TooMany */
function countOne(questions: Attempts, key: string): void {
  const seconds = Math.ceil(questions.waitMs(key) / 1000);
  if (seconds > 0) throw new TooMany(`You have asked the venue too often. Try again in ${seconds} s.`, seconds);
  questions.count(key);
}

/** Each API token has a budget of its own, so that a script that runs wild does not keep its owner from working. */
function budgetOf({ user, session, token }: SignedIn): string {
  return token ? session.id : user.id;
}

/** As much of a caller as an answer that several callers share may depend on. */
export type Reader = Pick<UserRow, 'id' | 'isSuperuser'>;

const sharedAnswers = new WeakSet<object>();

/** Whether the answer is shared by several callers and must not be changed. */
export const isShared = (answer: object): boolean => sharedAnswers.has(answer);

/** `route` for a call that only reads: a caller who asks the same again at the same time gets the same answer. */
export function routeRead<
  Params extends z.ZodMiniType,
  Query extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
>(
  app: App,
  endpoint: Endpoint<Params, Query, Body, Reply>,
  read: (
    asked: Pick<Call<Params, Query>, 'params' | 'query'> & { reader: Reader },
  ) => Promise<z.output<Reply> & object>,
): void {
  route(app, endpoint, ({ params, query, user: { id, isSuperuser }, request }) =>
    app.reads(`${id} ${isSuperuser} ${request.url}`, async () => {
      const answer = await read({ params, query, reader: { id, isSuperuser } });
      sharedAnswers.add(answer);
      return answer;
    }),
  );
}

/** For a public call: the user whom the call is about. */
export function actorOf(user: Pick<UserRow, 'id' | 'email'> | null, request: Pick<FastifyRequest, 'raw'>): Actor {
  return { id: user?.id ?? null, email: user?.email ?? null, address: addressOf(request) };
}

/** @throws Refusal 403; 409 for a viewer, whose session in the browser a 403 would end */
export function refuseUnlessAllowed(access: Access, user: UserRow): void {
  if (access === 'superuser' && !user.isSuperuser) throw new Refusal(403, "The user doesn't have enough privileges");
  if (access === 'user' && user.isViewer) throw new Conflict(VIEWER_REFUSAL);
}

/** What the documentation says of a call. Only `response` has an effect: it is what replies are encoded by. */
export function documented(endpoint: Endpoint) {
  const given = (part: z.ZodMiniType) => (part === (nothing as z.ZodMiniType) ? undefined : part);
  const parts = {
    params: given(endpoint.params),
    querystring: given(endpoint.query),
    body: endpoint.encoding === 'multipart' ? undefined : given(endpoint.body),
    headers: endpoint.idempotent ? idempotencyHeaders : undefined,
  };
  return {
    ...Object.fromEntries(Object.entries(parts).filter(([, schema]) => schema !== undefined)),
    response: { 200: endpoint.reply, ...(endpoint.stops && { 202: heldStop }), '4xx': errorReply },
    'x-refusals': refusalsOf(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.access !== 'public' && { security: [{ bearer: [] }] }),
    ...(endpoint.encoding && { consumes: [CONTENT_TYPES[endpoint.encoding]] }),
  };
}

const idempotencyHeaders = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(1), z.maxLength(IDEMPOTENCY_KEY_LENGTH_MAX))),
});

const CONTENT_TYPES = { form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' };
