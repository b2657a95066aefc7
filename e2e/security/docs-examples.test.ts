/** The examples of the documentation, run against the product by whoever copies them. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

const run = promisify(execFile);

let product: WholeProduct;
let scene: Scene;
let opportunity: string;
let url: string;
beforeAll(async () => {
  product = await openWholeProduct();
  scene = await openScene(product);
  opportunity = await scene.opportunity();
  url = await product.http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => product[Symbol.asyncDispose]());

it('the examples at /docs run as they stand: curl', async () => {
  const { stdout } = await run('sh', ['-c', await exampleIn('sh')], { env: await environment('read') });
  expect(JSON.parse(stdout)).toMatchObject({ data: [{ id: opportunity, profit_percentage: expect.any(Number) }] });
});

it.runIf(hasPython())('the examples at /docs run as they stand: Python', async () => {
  const { stdout } = await run('python3', ['-c', await exampleIn('python')], { env: await environment('read') });
  expect(stdout).toMatch(new RegExp(`^${opportunity} 0\\.9 \\d+\\.\\d+\n$`));
});

it('the examples at /docs run as they stand: TypeScript, with a token that may trade and not with one that may read', async () => {
  const code = await exampleIn('ts');
  const node = async (scope: string) =>
    run(process.execPath, ['--input-type=module-typescript', '-e', code], { env: await environment(scope) });
  expect((await node('trade')).stdout).toMatch(new RegExp(`^${opportunity} true \\d+\\.\\d+\n$`));
  await expect(node('read')).rejects.toThrow('403 {"detail":"This API token may only read"}');
});

async function exampleIn(language: string): Promise<string> {
  const { info } = (await product.inject({ url: '/api/v1/openapi.json' })).json<{ info: { description: string } }>();
  const [, example] = info.description.split(`\`\`\`${language}\n`);
  if (example === undefined) throw new Error(`/docs has no example in ${language}`);
  return example.slice(0, example.indexOf('\n```'));
}

async function environment(scope: string): Promise<NodeJS.ProcessEnv> {
  const made = await product.inject({
    method: 'POST',
    url: '/api/v1/users/me/api-tokens',
    headers: scene.people.user.headers,
    payload: { name: 'Example', scope, expires_in_days: 1 },
  });
  const { token } = made.json<{ token: string }>();
  return { PATH: process.env.PATH, HOME: process.env.HOME, DUTCHBOOK_URL: url, DUTCHBOOK_TOKEN: token };
}

function hasPython(): boolean {
  try {
    return execFileSync('python3', ['-c', 'print(3)'], { encoding: 'utf8' }) === '3\n';
  } catch {
    return false;
  }
}
