/** What a call may answer instead of what was asked for: what follows from how it is declared, and its own refusals. */
import { VIEWER_REFUSAL } from '@dutchbook/contract/current-user.ts';
import { type DeclaredRefusal, type Endpoint, nothing, TOO_MANY_VENUE_CALLS } from '@dutchbook/contract/endpoint.ts';
import type * as z from 'zod/mini';
import { DATABASE_SILENT } from './errors.ts';
import { FOREIGN } from './same-origin.ts';

type Call = Pick<
  Endpoint,
  | 'method'
  | 'access'
  | 'params'
  | 'query'
  | 'body'
  | 'encoding'
  | 'idempotent'
  | 'stops'
  | 'ownAccount'
  | 'asksVenue'
  | 'proven'
  | 'heavy'
  | 'refusals'
>;

const takes = (part: z.ZodMiniType) => part !== (nothing as z.ZodMiniType);
const isChange = ({ method }: Call) => method !== 'GET';
const isSignedIn = ({ access }: Call) => access !== 'public';
const takesBody = ({ body, encoding }: Call) => encoding !== undefined || takes(body);

const COMMON: readonly (DeclaredRefusal & { holds: (call: Call) => boolean })[] = [
  { status: 400, when: 'The account of the caller is inactive.', detail: 'Inactive user', holds: isSignedIn },
  { status: 401, when: 'No token was sent.', detail: 'Not authenticated', holds: isSignedIn },
  {
    status: 403,
    when: 'The token is invalid, has expired or was revoked.',
    detail: 'Could not validate credentials',
    holds: isSignedIn,
  },
  {
    status: 403,
    when: 'An API token calls beyond its scope, or a call that needs a session.',
    detail: 'This API token may only read',
    holds: (call) => isSignedIn(call) && (isChange(call) || call.access === 'superuser'),
  },
  {
    status: 403,
    when: 'The caller is not a superuser.',
    detail: "The user doesn't have enough privileges",
    holds: ({ access }) => access === 'superuser',
  },
  { status: 403, when: "A browser calls from another site's page.", detail: FOREIGN, holds: isChange },
  { status: 409, when: 'The caller is a viewer.', detail: VIEWER_REFUSAL, holds: ({ access }) => access === 'user' },
  {
    status: 409,
    when: 'A second factor is required of all users, and the caller has none.',
    detail: 'Set up a second factor under Settings before you change anything.',
    holds: (call) => isSignedIn(call) && isChange(call) && !call.stops && !call.ownAccount,
  },
  {
    status: 409,
    when: 'The second factor was not proven in this session within the last five minutes; `second_factor_needed` is true.',
    detail: 'Prove your second factor once more.',
    holds: ({ proven }) => proven !== undefined,
  },
  {
    status: 413,
    when: 'The body is larger than 1 MB, or another limit that the call names.',
    detail: 'Request Entity Too Large',
    holds: takesBody,
  },
  {
    status: 415,
    when: 'The content type of the body is not the one that is listed.',
    detail: 'Unsupported Media Type',
    holds: takesBody,
  },
  {
    status: 422,
    when: 'A parameter or a field of the body is missing or wrong; `detail` names each.',
    detail: [{ loc: ['query', 'limit'], msg: 'Input should be a valid integer', type: 'int_parsing', input: 'ten' }],
    holds: (call) => takesBody(call) || takes(call.params) || takes(call.query),
  },
  {
    status: 422,
    when: 'The `Idempotency-Key` was used for another request.',
    detail: [{ loc: ['header', 'idempotency-key'], msg: 'This key was used for another request', type: 'value_error' }],
    holds: ({ idempotent }) => idempotent === true,
  },
  {
    status: 429,
    when: 'The user, or the API token, has made more than 600 changes within a minute.',
    detail: 'Too many attempts. Try again later.',
    holds: (call) => isSignedIn(call) && isChange(call) && !call.stops,
  },
  {
    status: 429,
    when: 'The user, or all users together, read as many lists and reports as are answered at once.',
    detail: 'You are reading too many lists and reports at once. Try again in 2 s.',
    holds: ({ heavy }) => heavy !== undefined,
  },
  { ...TOO_MANY_VENUE_CALLS, holds: ({ asksVenue }) => asksVenue !== undefined },
  {
    status: 500,
    when: 'The server has failed in a way that it does not expect. The cause is in its log.',
    detail: 'Internal Server Error',
    holds: () => true,
  },
  {
    status: 503,
    when: 'The venue does not answer, or takes no more calls now.',
    detail: 'The venue does not answer. Try again in a moment.',
    holds: ({ asksVenue }) => asksVenue !== undefined,
  },
  { status: 503, when: 'The database does not answer.', detail: DATABASE_SILENT, holds: () => true },
];

/** The refusals of a call, by status. */
export function refusalsOf(call: Call): [status: number, refusals: DeclaredRefusal[]][] {
  const all = [
    ...COMMON.filter(({ holds }) => holds(call)).map(({ status, when, detail }) => ({ status, when, detail })),
    ...(call.refusals ?? []),
  ];
  return [...Map.groupBy(all, ({ status }) => status)].sort(([status], [other]) => status - other);
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 0 } },
} as const;

/** As the document has them, one response for each status; `schema` is that of their bodies. */
export function responsesFor(refusals: ReturnType<typeof refusalsOf>, schema: object) {
  const responses = refusals.map(([status, those]) => [
    status,
    {
      description: those.map(({ when }) => (those.length > 1 ? `- ${when}` : when)).join('\n'),
      ...(status === 429 && { headers: RETRY_AFTER }),
      content: {
        'application/json': {
          schema,
          examples: Object.fromEntries(
            those.map(({ when, detail }) => [when.replaceAll('`', ''), { value: { detail } }]),
          ),
        },
      },
    },
  ]);
  return Object.fromEntries(responses) as Record<string, object>;
}
