import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../http/app.fixture.ts';
import type { Actor } from '../http/signed-in.ts';
import type { Action } from './record.ts';
import { recordAction } from './record.ts';
import { auditLog } from './table.ts';

function by(email: string | null): Actor {
  return { id: null, email, address: '192.0.2.7' };
}

async function record({ test: { runtime } }: TestApp, actor: Actor, action: Action): Promise<void> {
  await runtime.db.transaction((tx) => recordAction(tx, runtime, actor, action));
}

/** A superuser's calls, over a log of four entries a second apart. */
async function openLog(site: TestApp) {
  const { headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
  const created = { title: 'One', size: 0.1 };
  await record(site, by('ada_lovelace@example.com'), { action: 'item.created', object: 'a', after: created });
  await site.test.time.advance(1000);
  await record(site, by('Ada%Lovelace@example.com'), { action: 'item.deleted', object: 'a', before: created });
  await site.test.time.advance(1000);
  await record(site, by('adaXlovelace@example.com'), { action: 'item.created', object: 'b', after: {} });
  await site.test.time.advance(1000);
  await record(site, by(null), { action: 'password.reset', object: 'eve\\@example.com' });
  const get = (path: string) => site.http.inject({ url: `/api/v1/audit-log${path}`, headers });
  const seqs = async (query: Record<string, string>) => {
    const reply = await get(`/?${new URLSearchParams(query)}`);
    expect(reply.statusCode).toBe(200);
    const { data, count } = reply.json() as { data: { seq: number }[]; count: number };
    return { seqs: data.map(({ seq }) => seq), count };
  };
  return { headers, get, seqs };
}

describe('the audit log over HTTP', () => {
  it('is listed newest first, in pages, and by what is asked for', async () => {
    await using site = await openTestApp();
    const { get, seqs } = await openLog(site);
    expect((await get('/?limit=1&skip=3')).json()).toEqual({
      count: 4,
      data: [
        {
          seq: 1,
          at: '2026-01-01T00:00:00.000Z',
          actor_id: null,
          actor: 'ada_lovelace@example.com',
          address: '192.0.2.7',
          action: 'item.created',
          object: 'a',
          before: null,
          after: { title: 'One', size: 0.1 },
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    });
    expect(await seqs({})).toEqual({ seqs: [4, 3, 2, 1], count: 4 });
    expect(await seqs({ sort_order: 'asc', limit: '2' })).toEqual({ seqs: [1, 2], count: 4 });
    expect(await seqs({ action: 'item.created' })).toEqual({ seqs: [3, 1], count: 2 });
    expect(await seqs({ object: 'a' })).toEqual({ seqs: [2, 1], count: 2 });
    expect(await seqs({ actor: 'LOVELACE' })).toEqual({ seqs: [3, 2, 1], count: 3 });
    expect(await seqs({ actor: 'a_l' })).toEqual({ seqs: [1], count: 1 });
    expect(await seqs({ actor: 'a%l' })).toEqual({ seqs: [2], count: 1 });
    expect(await seqs({ actor: '\\' })).toEqual({ seqs: [], count: 0 });
    expect(await seqs({ since: '2026-01-01T00:00:01Z', until: '2026-01-01T00:00:02Z' })).toMatchObject({
      seqs: [3, 2],
    });
    expect((await get('/?action=item.eaten')).statusCode).toBe(422);
    expect((await get('/?since=yesterday')).statusCode).toBe(422);
  });

  it('is exported oldest first, a line each, as it is listed', async () => {
    await using site = await openTestApp();
    const { get } = await openLog(site);
    const { data } = (await get('/?sort_order=asc')).json();
    const reply = await get('/export');
    expect(reply.headers['content-disposition']).toBe('attachment; filename="audit_log_2026-01-01.jsonl"');
    const lines = reply.body.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(data);
    expect((await get('/export?object=b')).body).toBe(`${lines[2]}\n`);
    expect((await get('/export?actor=nobody')).body).toBe('');
    const variables = { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1', PAPER_FILLS: 'touch' };
    await using onPaper = await openTestApp({ variables });
    const { headers } = await (await openLog(onPaper)).get('/export');
    expect(headers['content-disposition']).toBe('attachment; filename="audit_log_paper_touch_2026-01-01.jsonl"');
  });

  it('shows an entry of another version as it stands', async () => {
    await using site = await openTestApp();
    const { get, headers } = await openLog(site);
    const forged = {
      actorId: '11111111-1111-1111-1111-111111111111',
      action: sql`'item.eaten'`,
      before: '{}',
      hash: 'x',
    };
    const at = site.test.runtime.clock.now();
    await site.test.runtime.db.insert(auditLog).values({ seq: 9, at, address: '', object: 'a', ...forged });
    const reply = await get('/?limit=1');
    expect(reply.json()).toMatchObject({
      count: 5,
      data: [{ seq: 9, actor_id: forged.actorId, action: 'item.eaten', before: '{}', hash: 'x' }],
    });
    expect((await get('/export')).body.split('\n').at(-2)).toBe(JSON.stringify(reply.json().data[0]));
    const verdict = await site.http.inject({ method: 'POST', url: '/api/v1/audit-log/verify', headers });
    expect(verdict.json()).toMatchObject({ intact: false, entries: 5, broken_at: 5 });
  });

  it('is verified on request', async () => {
    await using site = await openTestApp();
    const { headers, get } = await openLog(site);
    const { data } = (await get('/?limit=1')).json();
    const reply = await site.http.inject({ method: 'POST', url: '/api/v1/audit-log/verify', headers });
    expect(reply.json()).toEqual({ intact: true, entries: 4, head: data[0].hash, broken_at: null });
  });

  it('is for superusers only', async () => {
    await using site = await openTestApp();
    const { headers } = await site.signedIn();
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/export'],
      ['POST', '/verify'],
    ] as const) {
      const url = `/api/v1/audit-log${path}`;
      expect((await site.http.inject({ method, url, headers })).statusCode).toBe(403);
      expect((await site.http.inject({ method, url })).statusCode).toBe(401);
    }
  });

  it('ends a page where entries are long, exports and verifies all of them', async () => {
    await using site = await openTestApp();
    const log = await openLog(site);
    for (let n = 0; n < 4; n += 1)
      await record(site, by('long@example.com'), { action: 'item.created', after: { title: 'x'.repeat(900_000) } });
    const all = await log.seqs({ actor: 'long@' });
    expect(all).toMatchObject({ seqs: [expect.any(Number), expect.any(Number)], count: 4 });
    const rest = await log.seqs({ actor: 'long@', skip: '2' });
    expect(new Set([...all.seqs, ...rest.seqs]).size).toBe(4);
    expect((await log.get('/export?actor=long@')).payload.trim().split('\n')).toHaveLength(4);
    const verified = await site.http.inject({
      method: 'POST',
      url: '/api/v1/audit-log/verify',
      headers: log.headers,
    });
    expect(verified.json()).toMatchObject({ intact: true });
  });
});
