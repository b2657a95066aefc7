import { SETTINGS, type SettingName } from '@dutchbook/contract/system-settings.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { asc, desc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import type { PubSubTopic } from '../../platform/runtime/pubsub.ts';
import { tradingControls } from '../../trading/trading-controls/table.ts';
import { signOffs } from '../sign-offs/table.ts';

const DEFAULTS = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]));

/** A superuser's calls. */
async function openDesk(site: TestApp) {
  const { user, headers } = await site.signedIn({ email: 'root@example.com', isSuperuser: true });
  const call = async (method: 'GET' | 'PUT' | 'POST', path: string, payload?: unknown) => {
    const url = `/api/v1/system-settings${path}`;
    const reply = await site.http.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload: payload as object }),
    });
    return { status: reply.statusCode, json: reply.json() };
  };
  const entries = () => site.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq));
  return { user, headers, call, entries };
}

function countOf(site: TestApp, topic: PubSubTopic): { times: number } {
  const received = { times: 0 };
  site.test.runtime.pubsub.subscribe(topic, () => {
    received.times += 1;
  });
  return received;
}

describe('the system settings over HTTP', () => {
  it('are changed some at a time, for the very next call, with who did it and what it was before', async () => {
    await using site = await openTestApp();
    const { user, call, entries } = await openDesk(site);
    const received = countOf(site, 'settings_changed');
    expect((await call('GET', '/')).json).toEqual(DEFAULTS);
    expect((await call('GET', '/changes')).json).toEqual({ data: [] });

    const requested = { MIN_PROFIT_TRIGGER_THRESHOLD: 1.5, AUTO_PLACE_ORDER_ENABLED: false, MIN_ORDER_SHARES: 5 };
    expect((await call('PUT', '/', requested)).json).toEqual({ ...DEFAULTS, ...requested });
    expect((await call('GET', '/')).json).toEqual({ ...DEFAULTS, ...requested });
    await expect.poll(() => received.times).toBe(1);
    expect(await entries()).toMatchObject([
      {
        action: 'settings.changed',
        actor: 'root@example.com',
        actorId: user.id,
        before: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.8, AUTO_PLACE_ORDER_ENABLED: true },
        after: { MIN_PROFIT_TRIGGER_THRESHOLD: 1.5, AUTO_PLACE_ORDER_ENABLED: false },
      },
    ]);
    expect(Object.keys((await entries())[0]?.after as object)).toHaveLength(2);
    const changed = { changed_at: '2026-01-01T00:00:00.000Z', changed_by: 'root@example.com', by_product: false };
    expect((await call('GET', '/changes')).json).toEqual({
      data: [
        { name: 'AUTO_PLACE_ORDER_ENABLED', ...changed },
        { name: 'MIN_PROFIT_TRIGGER_THRESHOLD', ...changed },
      ],
    });

    for (const nothing of [{}, requested]) expect((await call('PUT', '/', nothing)).status).toBe(200);
    expect(await entries()).toHaveLength(1);
    await call('PUT', '/', DEFAULTS);
    expect((await call('GET', '/')).json).toEqual(DEFAULTS);
    expect(await entries()).toHaveLength(2);
  });

  it('are not stored where a limit never allows a clip as large as they say', async () => {
    await using site = await openTestApp();
    const { call } = await openDesk(site);
    const limits = await site.http.inject({
      method: 'PUT',
      url: '/api/v1/system-settings/limits',
      headers: (await site.signedIn({ email: 'limits@example.com', isSuperuser: true })).headers,
      payload: { per_order_usd: 500, per_batch_usd: 500, per_day_usd: 99, open_exposure_usd: 500 },
    });
    expect(limits.statusCode).toBe(200);
    const refused = await call('PUT', '/', { SIZE_POLICY: 'best' });
    const msg =
      'CLIP_USD is $100.00 and the limit per day is $99.00, which never allows such a clip; $1.00 to $99.00 is allowed';
    expect(refused).toMatchObject({ status: 422, json: { detail: [{ loc: ['body', 'CLIP_USD'], msg }] } });
    expect((await call('PUT', '/', { SIZE_POLICY: 'best', CLIP_USD: 99 })).status).toBe(200);
    expect((await call('PUT', '/', { CLIP_USD: 100 })).status).toBe(422);
    expect((await call('PUT', '/', { CLIP_USD: 100, SIZE_POLICY: 'smallest' })).status).toBe(200);
    const ofDesk = { venue: 'desk', armed: false, perBatch: usdFromText('40') };
    await site.test.runtime.db.insert(tradingControls).values(ofDesk);
    expect(await call('PUT', '/', { SIZE_POLICY: 'best', CLIP_USD: 41 })).toMatchObject({
      status: 422,
      json: {
        detail: [
          {
            msg: 'CLIP_USD is $41.00 and the limit per batch of the whole desk is $40.00, which never allows such a clip; $1.00 to $40.00 is allowed',
          },
        ],
      },
    });
    expect((await call('PUT', '/', { SIZE_POLICY: 'best', CLIP_USD: 40 })).status).toBe(200);
    expect(await call('PUT', '/', { LOSS_ALLOWANCE_USD: 41 })).toMatchObject({
      status: 422,
      json: {
        detail: [
          {
            loc: ['body', 'LOSS_ALLOWANCE_USD'],
            msg: 'LOSS_ALLOWANCE_USD is $41.00 and the limit per batch of the whole desk is $40.00, which never lets a clip lose as much; $1.00 to $40.00 is allowed',
          },
        ],
      },
    });
    expect((await call('PUT', '/', { LOSS_ALLOWANCE_USD: 40 })).status).toBe(200);
  });

  describe('on a real venue', () => {
    /** Practice on, and trading armed for it. */
    async function openArmed(variables: Record<string, string> = {}) {
      const site = await openTestApp({ variables });
      const desk = await openDesk(site);
      await desk.call('PUT', '/', { ORDER_SIMULATION_ENABLED: true });
      const { db } = site.test.runtime;
      await db.update(tradingControls).set({ armed: true });
      const isArmed = async () => (await db.select().from(tradingControls))[0]?.armed;
      const open = () => db.select({ kind: signOffs.kind, summary: signOffs.summary }).from(signOffs);
      return { ...desk, site, isArmed, open, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
    }

    it('are asked for like arming where they switch order simulation off, and disarm trading with it', async () => {
      await using desk = await openArmed();
      const { call, entries, isArmed } = desk;
      const off = { ORDER_SIMULATION_ENABLED: false, MIN_ORDER_SHARES: 9 };
      const problem = { loc: ['query', 'confirmation'], msg: 'Type ARM to confirm' };
      for (const asked of ['/', '/?confirmation=arm'])
        expect(await call('PUT', asked, off)).toMatchObject({ status: 422, json: { detail: [problem] } });
      expect((await call('GET', '/')).json).toMatchObject({ ORDER_SIMULATION_ENABLED: true, MIN_ORDER_SHARES: 5 });
      expect(await isArmed()).toBe(true);
      expect(await call('PUT', '/?confirmation=ARM', off)).toMatchObject({ status: 200, json: off });
      expect(await isArmed()).toBe(false);
      expect((await entries()).slice(-2).map(({ action, after }) => [action, after])).toEqual([
        ['trading.disarmed', { armed: false }],
        ['settings.changed', off],
      ]);
      expect((await call('PUT', '/', { ORDER_SIMULATION_ENABLED: true })).status).toBe(200);
      expect((await call('PUT', '/', { MIN_ORDER_SHARES: 5 })).status).toBe(200);
    });

    it('need the second factor that arming needs where real orders would leave', async () => {
      await using desk = await openArmed({ POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` });
      const refused = await desk.call('PUT', '/?confirmation=ARM', { ORDER_SIMULATION_ENABLED: false });
      expect(refused).toMatchObject({ status: 409, json: { detail: expect.stringMatching(/second factor/) } });
      expect(await desk.isArmed()).toBe(true);
    });

    it('wait for a second person where arming does, who approves what was asked for and nothing else', async () => {
      await using desk = await openArmed();
      const { call, site, isArmed, open } = desk;
      const second = await site.signedIn({ email: 'second@example.com', isSuperuser: true });
      const form = { sign_off_for_arming: true };
      await site.http.inject({
        method: 'PUT',
        url: '/api/v1/system-settings/security',
        headers: desk.headers,
        payload: form,
      });
      const off = { ORDER_SIMULATION_ENABLED: false, MIN_ORDER_SHARES: 9 };
      expect((await call('PUT', '/?confirmation=ARM', off)).status).toBe(409);
      const summary =
        'Switch order simulation off on Polymarket (read only), which disarms trading, and set MIN_ORDER_SHARES to 9';
      expect(await open()).toEqual([{ kind: 'practice_off', summary }]);
      expect([await isArmed(), (await call('GET', '/')).json.ORDER_SIMULATION_ENABLED]).toEqual([true, true]);
      const approve = async () => {
        const [row] = await site.test.runtime.db.select().from(signOffs).orderBy(desc(signOffs.requestedAt)).limit(1);
        const url = `/api/v1/sign-offs/${row?.id}/approve`;
        return (await site.http.inject({ method: 'POST', url, headers: second.headers })).json();
      };
      await call('PUT', '/', { MIN_ORDER_SHARES: 7 });
      expect(await approve()).toMatchObject({
        state: 'failed',
        outcome: 'MIN_ORDER_SHARES was changed after it was asked for.',
      });
      expect(await isArmed()).toBe(true);
      await site.test.time.advance(1000);
      expect((await call('PUT', '/?confirmation=ARM', { ORDER_SIMULATION_ENABLED: false })).status).toBe(409);
      expect(await approve()).toMatchObject({
        state: 'approved',
        outcome: 'Order simulation is off, and trading is disarmed.',
      });
      expect([await isArmed(), (await call('GET', '/')).json.ORDER_SIMULATION_ENABLED]).toEqual([false, false]);
    });
  });

  it('both stand where two superusers change different ones at once', async () => {
    await using site = await openTestApp();
    const { call, entries } = await openDesk(site);
    const puts = [{ MIN_ORDER_SHARES: 6 }, { PRICE_LOW_THRESHOLD: 0.2 }, { MIN_ORDER_SHARES: 7 }];
    await Promise.all(puts.map((requested) => call('PUT', '/', requested)));
    const { json } = await call('GET', '/');
    expect(json.PRICE_LOW_THRESHOLD).toBe(0.2);
    // The second of the two saw what the first had made of it.
    const shares = (await entries()).filter(({ after }) => 'MIN_ORDER_SHARES' in (after as object));
    expect(shares.map(({ before }) => before)[1]).toEqual(shares[0]?.after);
    expect(shares[1]?.after).toEqual({ MIN_ORDER_SHARES: json.MIN_ORDER_SHARES });
  });

  it('refuse what is out of range or unknown, name the setting, and change nothing', async () => {
    await using site = await openTestApp();
    const { call, entries } = await openDesk(site);
    const problems = async (requested: unknown) => {
      const { status, json } = await call('PUT', '/', requested);
      expect(status).toBe(422);
      return (json.detail as { loc: string[]; msg: string }[]).map(({ loc, msg }) => [loc, msg]);
    };
    for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, (typeof SETTINGS)[SettingName]][]) {
      const loc = ['body', name];
      if (setting.kind === 'flag') {
        expect(await problems({ [name]: 1 })).toEqual([[loc, 'Input should be a valid boolean']]);
        continue;
      }
      if (setting.kind === 'choice') {
        const names = Object.keys(setting.options).join(', ');
        for (const wrong of ['', 'largest', 1]) {
          const said = wrong === '' ? `${name} is required` : `${name} must be one of ${names}`;
          expect(await problems({ [name]: wrong })).toEqual([[loc, said]]);
        }
        continue;
      }
      const { min, max } = setting;
      const past = setting.unit === 'clips' ? 1 : 0.0001;
      expect(await problems({ [name]: min - past })).toEqual([[loc, `${name} must be at least ${min}`]]);
      expect(await problems({ [name]: max + past })).toEqual([[loc, `${name} must be at most ${max}`]]);
      expect(await problems({ [name]: null })).toEqual([[loc, `${name} is required`]]);
      expect(await problems({ [name]: '5' })).toEqual([[loc, `${name} must be a number`]]);
    }
    expect(await problems({ MIN_ORDER_SHARES: 6, NO_SUCH_SETTING: 1 })).toEqual([
      [['body', 'NO_SUCH_SETTING'], 'Extra inputs are not permitted'],
    ]);
    expect((await call('GET', '/')).json).toEqual(DEFAULTS);
    expect(await entries()).toEqual([]);
  });

  it('are forgotten with all that is cached, in every process, on request', async () => {
    await using site = await openTestApp();
    const { call, entries } = await openDesk(site);
    const received = countOf(site, 'cache_cleared');
    expect((await call('POST', '/clear-cache')).json).toEqual({ message: 'Settings cache cleared successfully' });
    await expect.poll(() => received.times).toBe(1);
    expect(await entries()).toMatchObject([{ action: 'cache.cleared', object: null, before: null, after: null }]);
  });

  it('are for superusers only', async () => {
    await using site = await openTestApp();
    const { headers } = await site.signedIn();
    for (const [method, path] of [
      ['GET', '/'],
      ['PUT', '/'],
      ['GET', '/changes'],
      ['POST', '/clear-cache'],
    ] as const) {
      const url = `/api/v1/system-settings${path}`;
      expect((await site.http.inject({ method, url, headers, payload: {} })).statusCode).toBe(403);
    }
  });
});
