import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';

const notFound = [404, { detail: 'Item not found' }];

describe('items', () => {
  let app: TestApp;
  let owner: Awaited<ReturnType<TestApp['signedIn']>>;
  let other: Awaited<ReturnType<TestApp['signedIn']>>;
  let superuser: Awaited<ReturnType<TestApp['signedIn']>>;
  beforeAll(async () => {
    app = await openTestApp();
    owner = await app.signedIn();
    other = await app.signedIn();
    superuser = await app.signedIn({ isSuperuser: true });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const add = async ({ headers }: typeof owner, item: Record<string, unknown>) => {
    await app.test.time.advance(1000);
    const [status, body] = await ask(app, headers, 'POST', '/items/', item);
    expect(status).toBe(200);
    return body as { id: string; title: string };
  };
  const titles = async ({ headers }: typeof owner, query = '') => {
    const [, list] = await ask(app, headers, 'GET', `/items/${query}`);
    return [(list.data as { title: string }[]).map(({ title }) => title), list.count];
  };

  it('are listed newest first: the own ones, and those of all users to a superuser', async () => {
    await add(owner, { title: 'First' });
    await add(other, { title: 'Second' });
    await add(owner, { title: 'Third' });
    expect(await titles(owner)).toEqual([['Third', 'First'], 2]);
    expect(await titles(owner, '?skip=1&limit=1')).toEqual([['First'], 2]);
    expect(await titles(other)).toEqual([['Second'], 1]);
    expect(await titles(superuser)).toEqual([['Third', 'Second', 'First'], 3]);
  });

  it('are added, read, changed and deleted by their owner, each recorded', async () => {
    const { headers, user } = owner;
    const wanted = { title: ' Boots ', description: 'Brown', owner_id: other.user.id, id: other.user.id };
    const item = await add(owner, wanted);
    const path = `/items/${item.id}`;
    expect(item).toEqual({ id: expect.any(String), title: 'Boots', description: 'Brown', owner_id: user.id });
    expect(item.id).not.toBe(other.user.id);
    expect(await ask(app, headers, 'GET', path)).toEqual([200, item]);
    const renamed = { ...item, title: 'Shoes' };
    expect(await ask(app, headers, 'PUT', path, { title: 'Shoes', owner_id: other.user.id })).toEqual([200, renamed]);
    const bare = { ...renamed, description: null };
    expect(await ask(app, headers, 'PUT', path, { title: 'Shoes', description: null })).toEqual([200, bare]);
    expect(await ask(app, headers, 'PUT', path, {})).toEqual([200, bare]);
    expect(await ask(app, headers, 'DELETE', path)).toEqual([200, { message: 'Item deleted successfully' }]);
    expect(await ask(app, headers, 'GET', path)).toEqual(notFound);
    const by = { actor: user.email, address: '127.0.0.1' };
    expect(await recorded(app, item.id)).toEqual([
      { ...by, action: 'item.created', before: null, after: item },
      { ...by, action: 'item.changed', before: item, after: renamed },
      { ...by, action: 'item.changed', before: renamed, after: bare },
      { ...by, action: 'item.deleted', before: bare, after: null },
    ]);
  });

  it('of another user are not there for an ordinary user, and all a superuser’s to keep', async () => {
    const item = await add(owner, { title: 'Private' });
    const path = `/items/${item.id}`;
    expect(await ask(app, other.headers, 'GET', path)).toEqual(notFound);
    expect(await ask(app, other.headers, 'PUT', path, { title: 'Mine' })).toEqual(notFound);
    expect(await ask(app, other.headers, 'DELETE', path)).toEqual(notFound);
    expect(await ask(app, superuser.headers, 'GET', path)).toEqual([200, item]);
    const changed = { ...item, title: 'Kept in order' };
    expect(await ask(app, superuser.headers, 'PUT', path, { title: 'Kept in order' })).toEqual([200, changed]);
    expect((await ask(app, superuser.headers, 'DELETE', path))[0]).toBe(200);
    expect(await ask(app, superuser.headers, 'GET', path)).toEqual(notFound);
    expect(await ask(app, superuser.headers, 'PUT', path, { title: 'Gone' })).toEqual(notFound);
    expect(await ask(app, superuser.headers, 'DELETE', path)).toEqual(notFound);
  });

  it('need a title', async () => {
    const { id } = await add(owner, { title: 'Titled' });
    const problem = async (method: 'POST' | 'PUT', path: string, item: Record<string, unknown>) => {
      const [status, { detail }] = await ask(app, owner.headers, method, path, item);
      return [status, (detail as { loc: string[]; msg: string }[]).map(({ loc, msg }) => [loc.join('.'), msg])];
    };
    expect(await problem('POST', '/items/', {})).toEqual([422, [['body.title', 'Title is required.']]]);
    expect(await problem('POST', '/items/', { title: ' ' })).toEqual([422, [['body.title', 'Title is required.']]]);
    expect(await problem('PUT', `/items/${id}`, { title: '' })).toEqual([422, [['body.title', 'Title is required']]]);
  });
});
