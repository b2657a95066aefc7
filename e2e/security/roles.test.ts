import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXAMPLE_CALLS, endsItsCaller, givenOf } from './example-calls.fixture.ts';
import { type Operation, operationsOf, requestOf } from './operations.ts';
import { ROLE_MATRIX } from './role-matrix.ts';
import { openScene, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

const ROLES = ['anonymous', 'user', 'other', 'inactive', 'superuser', 'viewer'] as const;
type Role = (typeof ROLES)[number];

/** What is said to those who are refused for who they are. */
const REFUSALS: Record<number, string> = {
  400: 'Inactive user',
  401: 'Not authenticated',
  403: "The user doesn't have enough privileges",
  404: 'Item not found',
};
const LOOKS_ONLY = 'Viewers can look, but not change anything.';
/** Unlike what no role can do as things are. */
const isRefusedToViewers = ({ name }: Operation) => ROLE_MATRIX[name]?.[1] === 200;
const nothingOf = (kind: string) =>
  `There is nothing to bring back: the ${kind} was not deleted in the last 10 minutes by you, or is back already`;
const OWN_WORDS: Record<string, string> = {
  'DELETE /users/me/sessions/{session_id}': 'Session not found',
  'DELETE /users/me/api-tokens/{token_id}': 'API token not found',
  'DELETE /users/me/passkeys/{credential_id}': 'Passkey not found',
  'DELETE /notifications/alerts/{alert_id}': 'Alert not found',
  'DELETE /users/me': 'Super users are not allowed to delete themselves',
  'GET /sign-offs/{sign_off_id}': 'Sign-off not found',
  'POST /sign-offs/{sign_off_id}/withdraw': 'Sign-off not found',
  'POST /ledger/paper-transfers': 'Only the account of paper trading can be changed',
  'POST /ledger/start-over': 'Only an account of paper trading can start over',
  'POST /ledger/start-over/give-up': 'Only an account of paper trading can start over',
  'POST /items/{id}/restore': nothingOf('item'),
  'POST /notifications/records/{notification_id}/restore': nothingOf('notification'),
  'POST /arbitrage/opportunities/{opportunity_id}/restore': nothingOf('opportunity'),
};

const SILENT_EXCHANGE = 'The simulated exchange does not answer';

const ANY_ID = '00000000-0000-4000-8000-000000000000';
const ANY_PARAMS = {
  ...{
    id: ANY_ID,
    user_id: ANY_ID,
    alert_id: ANY_ID,
    notification_id: ANY_ID,
    opportunity_id: ANY_ID,
    batch_id: ANY_ID,
    submission_id: ANY_ID,
    event_id: 'cup',
    order_id: ANY_ID,
    rehearsal_id: ANY_ID,
    cash_move_id: ANY_ID,
    session_id: ANY_ID,
    sign_off_id: ANY_ID,
    token_id: ANY_ID,
    credential_id: 'AAAA',
  },
  email: 'ada@example.com',
};

let product: WholeProduct;
let operations: Operation[];
beforeAll(async () => {
  product = await openWholeProduct();
  operations = await operationsOf(product.http);
});
afterAll(() => product[Symbol.asyncDispose]());

it('has a row in the role matrix, and an example, for every operation of the API and for nothing else', () => {
  const names = operations.map(({ name }) => name).sort();
  expect(names.length).toBeGreaterThan(80);
  expect(Object.keys(ROLE_MATRIX).sort()).toEqual(names);
  expect(Object.keys(EXAMPLE_CALLS).sort()).toEqual(names);
});

it('answers every operation to each of six roles as the matrix says, and in the words for it', async () => {
  const met: Record<string, number[]> = {};
  const otherWords: string[] = [];
  const undocumented: string[] = [];
  for (const operation of operations) {
    const answers = await answersOf(operation);
    met[operation.name] = answers.map(({ status }) => status);
    for (const { role, status, detail } of answers) {
      if (status >= 400 && !isDocumented(operation, status, detail))
        undocumented.push(`${operation.name}: ${status} ${JSON.stringify(detail)}`);
      const words = OWN_WORDS[operation.name] ?? (status === 503 ? SILENT_EXCHANGE : REFUSALS[status]);
      if (status !== 200 && status !== 409 && detail !== words && detail !== REFUSALS[status])
        otherWords.push(`${operation.name}: ${status} ${detail}`);
      if (role === 'viewer' && status === 409 && isRefusedToViewers(operation) && detail !== LOOKS_ONLY)
        otherWords.push(`${operation.name} to a viewer: ${detail}`);
    }
  }
  expect(met).toEqual(ROLE_MATRIX);
  expect(otherWords).toEqual([]);
  expect(undocumented).toEqual([]);
});

it('documents what it answers about what is not there, in the words that it answers', async () => {
  const { people } = await openScene(product);
  const answered: string[] = [];
  const undocumented: string[] = [];
  for (const operation of operations.filter(({ parameters }) => parameters.some(({ in: place }) => place === 'path'))) {
    const { headers } = people.superuser;
    const reply = await product.inject(requestOf(operation, { params: ANY_PARAMS, headers }));
    if (reply.statusCode === 200) continue;
    const { detail } = reply.json<{ detail: unknown }>();
    answered.push(`${reply.statusCode} ${operation.name}`);
    if (!isDocumented(operation, reply.statusCode, detail))
      undocumented.push(`${operation.name}: ${reply.statusCode} ${JSON.stringify(detail)}`);
  }
  expect(undocumented).toEqual([]);
  expect(answered.filter((each) => each.startsWith('404')).length).toBeGreaterThan(20);
});

/** Whether an example of this status reads so, but for ids and figures; a list names other fields in each call. */
function isDocumented({ refusals }: Operation, status: number, detail: unknown): boolean {
  const shape = (each: unknown) =>
    typeof each === 'string' ? each.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/\d+/g, '0') : 'a list';
  return refusals.get(status)?.some((example) => shape(example) === shape(detail)) === true;
}

it('refuses a made-up token, but where none is needed', async () => {
  const authorization = 'Bearer made.up.token';
  const open: string[] = [];
  for (const operation of operations.filter(({ name }) => ROLE_MATRIX[name]?.[0] === 401)) {
    const { statusCode, body } = await product.inject(
      requestOf(operation, { params: ANY_PARAMS, headers: { authorization } }),
    );
    if (statusCode !== 403 || !body.includes('Could not validate credentials')) open.push(operation.name);
  }
  expect(open).toEqual([]);
});

/** What a call has taken, ended or deleted is made anew for the next role. */
async function answersOf(operation: Operation) {
  const answers: { role: Role; status: number; detail: unknown }[] = [];
  let scene = await openScene(product);
  let given = await givenOf(operation, scene);
  for (const role of ROLES) {
    if (operation.method !== 'GET' && answers.at(-1)?.status === 200) {
      if (endsItsCaller(operation)) scene = await openScene(product);
      given = await givenOf(operation, scene);
    }
    const reply = await product.inject(requestOf(operation, { ...given, headers: headersOf(scene, role) }));
    const detail = reply.statusCode === 200 ? null : reply.json<{ detail: unknown }>().detail;
    answers.push({ role, status: reply.statusCode, detail });
  }
  return answers;
}

function headersOf({ people }: Scene, role: Role): Record<string, string> {
  return role === 'anonymous' ? {} : people[role].headers;
}
