import { ALERTS_MAX } from '@dutchbook/contract/attention.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../../platform/http/ask.fixture.ts';
import { deleteOpportunity, restoreOpportunity } from '../deletion.ts';
import { readDraft } from '../draft.ts';
import { insertDrafts } from '../insert-drafts.ts';

const PATH = '/notifications/alerts';

describe('alerts', () => {
  let app: TestApp;
  let viewer: Awaited<ReturnType<TestApp['signedIn']>>;
  let superuser: Awaited<ReturnType<TestApp['signedIn']>>;
  let opportunity: string;
  beforeAll(async () => {
    app = await openTestApp();
    viewer = await app.signedIn({ isViewer: true });
    superuser = await app.signedIn({ isSuperuser: true });
    opportunity = await added('m1');
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const added = async (market: string) => {
    const read = readDraft({ market_combinations: [{ leg: 1, markets: [{ id: market, outcome: 'Yes' }] }] });
    if (read.kind === 'refused') throw new Error(read.reason);
    const { created } = await insertDrafts(app.test.runtime, [read.draft]);
    return [...created.values()][0] ?? '';
  };
  const listed = async ({ headers }: typeof viewer, query = '') => {
    const [, list] = await ask(app, headers, 'GET', `${PATH}${query}`);
    return [(list.data as { at_percentage: number }[]).map((each) => each.at_percentage), list.count];
  };

  it('are added, listed and deleted by their owner alone, a viewer too, each recorded', async () => {
    const asked = { opportunity_id: opportunity, at_percentage: 1.5 };
    const [status, alert] = await ask(app, viewer.headers, 'POST', PATH, asked);
    expect([status, alert]).toMatchObject([
      200,
      { ...asked, by_mail: false, armed: true, active: true, fired_at: null },
    ]);
    expect(await listed(viewer)).toEqual([[1.5], 1]);
    expect(await listed(viewer, `?opportunity_id=${opportunity}`)).toEqual([[1.5], 1]);
    expect(await listed(superuser)).toEqual([[], 0]);
    const path = `${PATH}/${alert.id}`;
    const gone = [404, { detail: 'Alert not found' }];
    expect(await ask(app, superuser.headers, 'DELETE', path)).toEqual(gone);
    expect(await ask(app, viewer.headers, 'DELETE', path)).toEqual([200, { message: 'Alert deleted successfully' }]);
    expect(await ask(app, viewer.headers, 'DELETE', path)).toEqual(gone);
    expect((await recorded(app, opportunity)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['alert.created', 'alert.deleted']),
    );
  });

  it('are refused where there is one already, where nothing is known by the id, and out of their bounds', async () => {
    const asked = { opportunity_id: opportunity, at_percentage: 2 };
    await ask(app, viewer.headers, 'POST', PATH, asked);
    expect(await ask(app, viewer.headers, 'POST', PATH, asked)).toEqual([
      409,
      { detail: 'You have an alert at 2.00% for this opportunity already.' },
    ]);
    const unknown = { ...asked, opportunity_id: crypto.randomUUID() };
    expect(await ask(app, viewer.headers, 'POST', PATH, unknown)).toEqual([404, { detail: 'Opportunity not found' }]);
    for (const at_percentage of [-101, 1001, 'much', null]) {
      const [status, body] = await ask(app, viewer.headers, 'POST', PATH, { ...asked, at_percentage });
      expect([status, body]).toMatchObject([
        422,
        { detail: [{ msg: 'Profit must be a number from -100 to 1000 percent' }] },
      ]);
    }
  });

  it('are so many at most, for each person by themselves', async () => {
    const { headers } = await app.signedIn();
    const asked = { opportunity_id: opportunity };
    for (let nth = 0; nth < ALERTS_MAX; nth += 1)
      expect((await ask(app, headers, 'POST', PATH, { ...asked, at_percentage: nth }))[0]).toBe(200);
    expect(await ask(app, headers, 'POST', PATH, { ...asked, at_percentage: 99 })).toEqual([
      409,
      { detail: `You have ${ALERTS_MAX} alerts. Delete one first.` },
    ]);
    expect((await ask(app, superuser.headers, 'POST', PATH, { ...asked, at_percentage: 99 }))[0]).toBe(200);
  });

  it('go and come back with their opportunity, but those whose owner has gone meanwhile', async () => {
    const id = await added('m2');
    const leaver = await app.signedIn();
    for (const { headers } of [viewer, leaver])
      await ask(app, headers, 'POST', PATH, { opportunity_id: id, at_percentage: 3 });
    const { runtime } = app.test;
    await deleteOpportunity(
      runtime,
      id,
      superuser.user,
      async () => null,
      async () => {},
    );
    expect(await listed(viewer, `?opportunity_id=${id}`)).toEqual([[], 0]);
    await ask(app, superuser.headers, 'DELETE', `/users/${leaver.user.id}`);
    await restoreOpportunity(runtime, id, { id: superuser.user.id, isSuperuser: true }, async () => {});
    expect(await listed(viewer, `?opportunity_id=${id}`)).toEqual([[3], 1]);
  });
});
