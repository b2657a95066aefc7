import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationsOf } from './operations.ts';
import { ROLE_MATRIX } from './role-matrix.ts';
import { openWholeProduct, type WholeProduct } from './whole-product.fixture.ts';

/** What is served beside the API and the pages; `*` stands for the files of the API's documentation. */
const BESIDE_THE_API = [
  'GET /api/v1/openapi.json',
  'GET /docs/*',
  'GET /health',
  'GET /metrics',
  'GET /assets/main-abc.js',
  'GET /favicon.svg',
];

let product: WholeProduct;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-pages-'));
  mkdirSync(path.join(folder, 'assets'));
  for (const file of ['index.html', 'favicon.svg', 'assets/main-abc.js', 'assets/main-abc.js.map', '.env'])
    writeFileSync(path.join(folder, file), file === 'index.html' ? 'the page' : 'a file');
  product = await openWholeProduct({ webFolder: folder });
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

it('is served under the routes of the API document, of the role matrix and of a short list, and no others', async () => {
  const operations = await operationsOf(product.http);
  const documented = operations.map(({ name }) => name);
  expect(documented.toSorted()).toEqual(Object.keys(ROLE_MATRIX).sort());
  expect(operations.filter(({ takesFile }) => takesFile).map(({ name }) => name)).toEqual([
    'POST /arbitrage/import-csv',
  ]);
  const served = new Set(routesOf(product).map(({ method, url }) => `${method} ${url}`));
  const known = [...documented.map(inApi), ...BESIDE_THE_API];
  const undocumented = [...served].filter((route) => !known.includes(asKnown(route)));
  expect(undocumented).toEqual([]);
  expect(known.filter((route) => !route.endsWith('/*') && !served.has(route))).toEqual([]);
});

it('lists no folder, hands out no hidden file and no source map, and nothing from above its folder', async () => {
  const kept = ['/assets/main-abc.js.map', '/.env', '/assets/..%2f.env', '/assets/%2e%2e/.env', '/docs/../.env'];
  for (const url of kept) expect([url, (await product.inject({ url })).statusCode]).toEqual([url, 404]);
  // An address that is no file gets the application's page.
  expect((await product.inject({ url: '/assets/' })).body).toBe('the page');
});

it('guards every route, and every refusal, by the same headers and sets no cookie', async () => {
  const unguarded: string[] = [];
  for (const { method, url } of routesOf(product).filter((route) => !route.url.startsWith('/docs'))) {
    const request = { method: method as 'GET', url: url.replaceAll(/:\w+/g, 'x').replace('*', 'x') };
    unguarded.push(...missingIn(await product.inject(request)).map((what) => `${method} ${url}: ${what}`));
  }
  for (const request of REFUSED) {
    const reply = await product.inject(request);
    expect(reply.statusCode, String(request.url).slice(0, 50)).toBeGreaterThanOrEqual(400);
    unguarded.push(
      ...missingIn(reply).map((what) => `${reply.statusCode} ${String(request.url).slice(0, 50)}: ${what}`),
    );
  }
  expect(unguarded).toEqual([]);
});

it('lets the pages of the API document style themselves, and nothing else', async () => {
  const { headers } = await product.inject({ url: '/docs' });
  const rules = String(headers['content-security-policy']).split(/; ?/);
  expect(rules.filter((rule) => rule.includes('unsafe'))).toEqual(["style-src 'self' 'unsafe-inline'"]);
  for (const rule of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'"])
    expect(rules).toContain(rule);
});

it('answers no other site: it allows none to read, and is not asked first', async () => {
  const origin = 'https://evil.example';
  for (const url of ['/api/v1/users/me', '/api/v1/utils/health-check/', '/']) {
    const asked = await product.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    const read = await product.inject({ url, headers: { origin } });
    for (const { headers } of [asked, read])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(asked.statusCode).toBe(404);
  }
});

const REFUSED: InjectOptions[] = [
  { url: '/api/v1/nothing' },
  { url: '/api/v1/%zz' },
  { url: `/api/v1/items/${'x'.repeat(2000)}` },
  { method: 'POST', url: '/api/v1/users/signup', payload: '{', headers: { 'content-type': 'application/json' } },
  { method: 'POST', url: '/api/v1/users/signup', payload: '<a/>', headers: { 'content-type': 'text/xml' } },
  { method: 'POST', url: '/api/v1/users/signup', payload: { full_name: 'x'.repeat(1_100_000) } },
  { method: 'POST', url: '/api/v1/users/signup', headers: { origin: 'https://evil.example' } },
  { method: 'POST', url: '/api/v1/users/signup', headers: { origin: 'http://evil.example', host: 'evil.example' } },
  { method: 'DELETE', url: '/api/v1/users/me' },
];

const EXPECTED: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'content-security-policy':
    /^(?!.*unsafe)(?=.*default-src 'self')(?=.*script-src 'self')(?=.*object-src 'none')(?=.*base-uri 'none')(?=.*frame-ancestors 'none')(?=.*form-action 'self')/,
};
/** A script, a style or a font runs and is framed as part of a page alone: of it only the type matters. */
const PART_OF_PAGE = /javascript|text\/css|font/;
const NOT_TOLD = ['set-cookie', 'server', 'x-powered-by', 'access-control-allow-origin'];

function missingIn({ headers, raw }: LightMyRequestResponse): string[] {
  const isPart = PART_OF_PAGE.test(String(headers['content-type']));
  const expected = Object.entries(EXPECTED).filter(([name]) => !isPart || name === 'x-content-type-options');
  const wrong = expected.filter(([name, pattern]) => !pattern.test(String(headers[name])));
  const reported = NOT_TOLD.filter((name) => headers[name] !== undefined);
  const isApi = raw.req.url?.startsWith('/api/v1') ?? false;
  const isKept = isApi && headers['cache-control'] !== 'no-store';
  return [...wrong.map(([name]) => name), ...reported, ...(isKept ? ['cache-control'] : [])];
}

type Route = { method: string; url: string };

/** What the router really has, read off the tree that it prints; HEAD and OPTIONS follow GET. */
function routesOf({ http }: WholeProduct): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') continue;
    above.length = indent.length / 4;
    above.push(part);
    const url = above.join('');
    for (const method of methods?.split(', ') ?? []) if (method !== 'HEAD') routes.push({ method, url });
  }
  return routes;
}

function inApi(name: string): string {
  const [method, address = ''] = name.split(' ');
  return `${method} /api/v1${address.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')}`;
}

function asKnown(route: string): string {
  return route.startsWith('GET /docs') ? 'GET /docs/*' : route;
}
