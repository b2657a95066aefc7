/**
 * Operations of the OpenAPI document, a third of them for each change, called in many ways that they should refuse or only just take. What fails
 * is printed as the smallest call that does it; `FUZZ_SEED=… FUZZ_CASES=… npm test -- simulation` runs others.
 */
import { errorReply } from '@dutchbook/contract/endpoint.ts';
import { users } from '@dutchbook/server/people/users/table.ts';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { chosenNow } from '../product/by-commit.ts';
import { endsItsCaller, givenOf } from './example-calls.fixture.ts';
import { applied, type Fuzzed, fuzzedCalls } from './fuzzed-calls.ts';
import { type Given, type Operation, operationsOf, requestOf } from './operations.ts';
import { ROLE_MATRIX } from './role-matrix.ts';
import { openScene, type Scene } from './scene.fixture.ts';
import { openWholeProduct } from './whole-product.fixture.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const CASES = Number(process.env.FUZZ_CASES ?? (process.env.TEST_ALL === undefined ? 60 : 200));

const TOLD_LENGTH_MAX = 600;

const product = await openWholeProduct({ remembersCallers: true });
afterAll(() => product[Symbol.asyncDispose]());
const operations = inOrder(await operationsOf(product.http));
/** What answers nothing but that there is no simulated exchange here cannot be asked oddly. */
const asked = operations.filter(({ name }) => ROLE_MATRIX[name]?.[4] !== 503);
const PER_CHANGE = Math.ceil(asked.length / 3);

it.each(chosenNow(asked, PER_CHANGE, ({ name }) => name))(
  `$name answers ${CASES} odd calls as it says it does, and breaks over none of them`,
  fuzz,
);

it('covers every operation of the role matrix', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(ROLE_MATRIX).sort());
});

/** What takes longer the more has happened comes first, and what changes how the others work comes last. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const place = ({ path }: Operation) =>
    /^\/audit-log|update-|check-all|limits/.test(path) ? 0 : path.startsWith('/system') ? 2 : 1;
  return operations.toSorted((a, b) => place(a) - place(b));
}

async function fuzz(operation: Operation): Promise<void> {
  const before = await superusers();
  const schema = operation.reply && z.fromJSONSchema(operation.reply as z.core.JSONSchema.JSONSchema);
  let call = await makeCall(operation);
  let scenes = 1;
  const tried = new Set<string>();
  const isRight = fc.asyncProperty(fuzzedCalls(operation), async (fuzzed: Fuzzed) => {
    // Where a call can hardly be odd, more than half of them are equal; one that only reads does nothing else the second time.
    const reported = operation.method === 'GET' ? JSON.stringify(fuzzed) : null;
    if (reported !== null && tried.has(reported)) return;
    if (reported !== null) tried.add(reported);
    const { headers, ...given } = applied(fuzzed, call.given);
    const request = requestOf(operation, { ...given, headers: { ...callerOf(call.scene, operation), ...headers } });
    const reply = await product.inject(request);
    judge(operation, reply, schema);
    if (reply.statusCode !== 200) return;
    if (endsItsCaller(operation)) {
      call = await makeCall(operation);
      scenes += 1;
    } else if (operation.method === 'DELETE') {
      call = { ...call, given: await givenOf(operation, call.scene) };
    }
  });
  const run = await fc.check(isRight, { seed: SEED, numRuns: CASES });
  if (run.failed) throw new Error(tellOf(run));
  await answersARightCall(operation);
  scenes += 1;
  expect(Object.keys(Object.prototype), operation.name).toEqual([]);
  // Each scene has one of its own; what a user sends changes no other user.
  if (!isForSuperusers(operation)) expect(await superusers(), operation.name).toBe(before + scenes);
}

/** Which also takes back what the odd ones have set. */
async function answersARightCall(operation: Operation): Promise<void> {
  const { scene, given } = await makeCall(operation);
  const reply = await product.inject(requestOf(operation, { ...given, headers: callerOf(scene, operation) }));
  const [, user, , , superuser] = ROLE_MATRIX[operation.name] ?? [];
  const reported = `${operation.name} after all: ${reply.body.slice(0, TOLD_LENGTH_MAX)}`;
  expect(reply.statusCode, reported).toBe(isForSuperusers(operation) ? superuser : user);
}

/** How to have it again, and how it looks. */
function tellOf({ errorInstance, seed, counterexamplePath, counterexample }: fc.RunDetailsCommon<[Fuzzed]>): string {
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const what = JSON.stringify(counterexample).slice(0, TOLD_LENGTH_MAX);
  return `${why}\n  seed ${seed}, path ${counterexamplePath}: ${what}`;
}

function judge(operation: Operation, reply: LightMyRequestResponse, schema: z.ZodType | undefined): void {
  const { statusCode, body } = reply;
  const reported = `${operation.name} answered ${statusCode} ${body.slice(0, 300)}`;
  if (statusCode >= 500) throw new Error(reported);
  if (statusCode === 200) {
    const isJson = /^application\/json(;|$)/.test(String(reply.headers['content-type']));
    const fits = schema?.safeParse(isJson ? JSON.parse(body) : body);
    if (fits?.success === false)
      throw new Error(`${reported}, which it does not describe: ${z.prettifyError(fits.error)}`);
    return;
  }
  const { detail } = errorReply.parse(JSON.parse(body));
  const messages = typeof detail === 'string' ? [] : detail.map(({ msg }) => msg);
  if (statusCode === 422 && (messages.length === 0 || messages.includes('')))
    throw new Error(`${reported}, without a message`);
}

type Call = { scene: Scene; given: Given };

async function makeCall(operation: Operation): Promise<Call> {
  const scene = await openScene(product);
  return { scene, given: await givenOf(operation, scene) };
}

function isForSuperusers({ name }: Operation): boolean {
  return ROLE_MATRIX[name]?.[1] === 403;
}

function callerOf({ people }: Scene, operation: Operation): Record<string, string> {
  if (ROLE_MATRIX[operation.name]?.[0] === 200) return {};
  return isForSuperusers(operation) ? people.superuser.headers : people.user.headers;
}

async function superusers(): Promise<number> {
  return await product.runtime.db.$count(users, eq(users.isSuperuser, true));
}
