/** The examples of the documentation, run against the product as a reader copies them. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.fixture.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = join(ROOT, 'e2e/typed-client');

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

it('a client with types generated from openapi.json compiles and lists, creates, is refused and knows each value', async () => {
  const folder = join(ROOT, '.cache/typed-client');
  await mkdir(folder, { recursive: true });
  const document = (await product.inject({ url: '/api/v1/openapi.json' })).body;
  await writeFile(join(folder, 'openapi.json'), document);
  const generator = fileURLToPath(new URL('../bin/cli.js', import.meta.resolve('openapi-typescript')));
  await run(process.execPath, [generator, join(folder, 'openapi.json'), '-o', join(folder, 'api.ts')]);
  await writeFile(
    join(folder, 'paths.ts'),
    "import type { paths } from './api.ts';\ndeclare global {\n  type Paths = paths;\n}\n",
  );
  const program = join(CLIENT, 'calls.ts');
  const code = await readFile(program, 'utf8');
  await compile(join(CLIENT, 'tsconfig.json'));

  const { stdout } = await run(process.execPath, [program], { env: await environment('trade') });
  expect(JSON.parse(stdout)).toEqual({
    isListed: true,
    price: null,
    positions: [[true, 'Yes', false]],
    refusals: [
      expect.stringContaining('exists already'),
      [expect.objectContaining({ msg: 'target_price is at most 50' })],
      'Opportunity not found',
    ],
  });

  const mistakes = [
    ["sort_by: 'created_at'", "sort_by: 'colour'"],
    ['path: { opportunity_id: created.id }', 'path: { opportunity_id: 5 }'],
    ['const price: number | null', 'const price: number'],
    [', 409)', ', 418)'],
    ['stale: false, ', ''],
  ] as const;
  const wrong = mistakes.reduce((text, [right, mistaken]) => text.replace(right, mistaken), code);
  await writeFile(join(folder, 'mistaken.ts'), wrong);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(CLIENT, 'tsconfig.json'), files: ['mistaken.ts', 'paths.ts'] }),
  );
  const lines = wrong.split('\n');
  const refused = await compile(join(folder, 'tsconfig.json')).catch(({ stdout: said }: { stdout: string }) => said);
  const places = [...String(refused).matchAll(/mistaken\.ts\((\d+),/g)].map(([, line]) => lines[Number(line) - 1]);
  for (const [, mistaken] of mistakes.filter(([, text]) => text !== ''))
    expect(places).toContainEqual(expect.stringContaining(mistaken));
  expect(places).toContainEqual(expect.stringContaining('const TRUSTED'));
});

function compile(project: string) {
  return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project, '--pretty', 'false']);
}

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
