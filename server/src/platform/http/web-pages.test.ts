import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './app.fixture.ts';

const PAGE =
  '<head><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="paper-fills" content="__PAPER_FILLS__"></head>';

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-web-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), PAGE);
  writeFileSync(path.join(folder, 'assets/main-abc.js'), 'export {};');
  writeFileSync(path.join(folder, 'assets/main-abc.js.br'), 'smaller');
  writeFileSync(path.join(folder, 'colour-scheme.js'), '1;');
  writeFileSync(path.join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  app = await openTestApp({ webFolder: folder });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers = {}) => app.http.inject({ url, headers });

describe('the pages', () => {
  it('carry a nonce of their own, which the policy names', async () => {
    const nonces = new Set<string>();
    for (const url of ['/', '/arbitrage?page=2', '/batches/1']) {
      const reply = await get(url);
      const nonce = /content="([^"]+)"/.exec(reply.body)?.[1] ?? '';
      expect(reply.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(reply.headers['cache-control']).toBe('no-store');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('say on paper how orders are filled, before any user has logged in', async () => {
    const variables = { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1' };
    await using onPaper = await openTestApp({ webFolder: folder, variables });
    expect((await onPaper.http.inject({ url: '/login' })).body).toContain('name="paper-fills" content="latency"');
    expect((await get('/login')).body).toContain('name="paper-fills" content=""');
  });

  it('keep what is named by its content for good, and ask again for the rest', async () => {
    expect((await get('/assets/main-abc.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/colour-scheme.js')).headers['cache-control']).toBe('no-cache');
    expect((await get('/assets/gone.js')).statusCode).toBe(404);
    expect((await get('/assets/..%2f..%2fetc/passwd')).body).not.toContain('root:');
  });

  it('travel compressed to a browser that takes it', async () => {
    const reply = await get('/assets/main-abc.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(reply.body).toBe('smaller');
    expect(reply.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': expect.stringContaining('immutable'),
    });
    expect(reply.headers['content-type']).toMatch(/javascript/);
    expect((await get('/assets/main-abc.js')).body).toBe('export {};');
  });

  it('send scripts with the headers that matter to one', async () => {
    for (const encoding of ['br', 'identity']) {
      const { headers } = await get('/assets/main-abc.js', { 'accept-encoding': encoding });
      expect(headers['x-content-type-options']).toBe('nosniff');
      for (const name of ['content-security-policy', 'x-frame-options', 'x-request-id', 'etag', 'last-modified'])
        expect([name, headers[name]]).toEqual([name, undefined]);
      expect(JSON.stringify(headers).length).toBeLessThan(400);
    }
  });

  it.each([
    '/',
    '/batches/1',
    '/api/v1/users/me',
    '/assets/gone.js',
    '/assets/gone',
    '/icon.svg',
    '/health',
    '/metrics',
  ])('and everything else is guarded by headers: %s', async (url) => {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
  });

  it('say what to do when they were not built', async () => {
    await using bare = await openTestApp();
    const reply = await bare.http.inject({ url: '/' });
    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain('npm start');
  });
});
