/**
 * A client of the API with the types that `openapi-typescript` makes of its documentation. `docs-examples.test.ts` generates `Paths`,
 * compiles this file against it and runs it.
 */
type Operation<Path extends keyof Paths, Method extends 'get' | 'post'> = Paths[Path][Method];
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined;
type AnswersOf<Responses> = { [Status in keyof Responses]: { status: Status; body: Json<Responses[Status]> } };
/** Each documented status with its body. */
type Answer<Called> = Called extends { responses: infer Responses } ? AnswersOf<Responses>[keyof Responses] : never;
type Given<Called> = {
  path?: Called extends { parameters: { path: infer Params } } ? Params : never;
  query?: Called extends { parameters: { query?: infer Query } } ? Query : never;
  body?: Called extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : never;
};

const { DUTCHBOOK_URL = '', DUTCHBOOK_TOKEN = '' } = process.env;

async function call<Path extends keyof Paths & string, Method extends 'get' | 'post'>(
  method: Method,
  template: Path,
  { path = {} as never, query = {} as never, body }: Given<Operation<Path, Method>> = {},
): Promise<Answer<Operation<Path, Method>>> {
  const params: Record<string, string> = path;
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const answer = await fetch(`${DUTCHBOOK_URL}${address}?${search}`, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${DUTCHBOOK_TOKEN}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() } as Answer<Operation<Path, Method>>;
}

function expectStatus<Got extends { status: unknown }, const Status extends Got['status']>(
  answer: Got,
  status: Status,
): Extract<Got, { status: Status }> {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer as Extract<Got, { status: Status }>;
}

const LIST = '/api/v1/arbitrage/opportunities';
const ONE = '/api/v1/arbitrage/opportunities/{opportunity_id}';
const marketId = crypto.randomUUID();
const market_combinations = [{ leg: 1, markets: [{ id: marketId, outcome: 'Yes' }] }];

const { body: created } = expectStatus(await call('post', LIST, { body: { market_combinations, active: true } }), 200);
const { body: again } = expectStatus(await call('post', LIST, { body: { market_combinations, active: true } }), 409);
const { body: wrong } = expectStatus(
  await call('post', LIST, { query: { target_price: 51 }, body: { market_combinations, active: true } }),
  422,
);
const { body: missing } = expectStatus(await call('get', ONE, { path: { opportunity_id: crypto.randomUUID() } }), 404);
const { body: listed } = expectStatus(
  await call('get', LIST, { query: { limit: 20, sort_by: 'created_at', sort_order: 'desc' } }),
  200,
);
const { body: read } = expectStatus(await call('get', ONE, { path: { opportunity_id: created.id } }), 200);

/** Every value of an enumeration: one that is missing here, or too many, is an error of the compiler. */
const TRUSTED: Record<(typeof read)['positions'][number]['feed'], boolean> = {
  ...{ live: true, verified: true },
  ...{ stale: false, polled: false, none: false },
};

const price: number | null = created.current_price;
process.stdout.write(
  JSON.stringify({
    isListed: listed.data.some(({ id }) => id === created.id),
    price,
    positions: read.positions.map(({ market_id, outcome, feed }) => [market_id === marketId, outcome, TRUSTED[feed]]),
    refusals: [again.detail, wrong.detail, missing.detail],
  }),
);
