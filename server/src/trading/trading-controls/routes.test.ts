import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { signedInWithFactor } from '../../people/second-factor/second-factor.fixture.ts';
import { askedIn, personOf } from '../../people/sign-offs/sign-offs.fixture.ts';
import { signOffs } from '../../people/sign-offs/table.ts';
import { changeSettings } from '../../people/system-settings/store.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { startOvers } from '../under-way/table.ts';

const SIMULATED = { VENUE: 'simulated' };
const LIVE = { VENUE: 'polymarket', POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` };
const NO_LIMITS = { per_order_usd: null, per_batch_usd: null, per_day_usd: null, open_exposure_usd: null };
const LIMITS = { per_order_usd: 5, per_batch_usd: 10.5, per_day_usd: 20, open_exposure_usd: 30 };

async function superuserOf(site: TestApp) {
  const { user, headers } = await signedInWithFactor(site, { isSuperuser: true });
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const given = payload === undefined ? {} : { payload };
    const reply = await site.http.inject({ method, url: `${API_PREFIX}${path}`, headers, ...given });
    return { status: reply.statusCode, body: reply.json() };
  };
  return {
    user,
    arm: (confirmation = 'ARM', query = '') => send('POST', `/system/arm${query}`, { confirmation }),
    disarm: (query = '') => send('POST', `/system/disarm${query}`),
    limits: (query = '') => send('GET', `/system-settings/limits${query}`),
    deskLimits: () => send('GET', '/system-settings/desk-limits'),
    setDeskLimits: (limits: object) => send('PUT', '/system-settings/desk-limits', limits),
    setLimits: (limits: object, query = '') => send('PUT', `/system-settings/limits${query}`, limits),
  };
}

const entriesOf = ({ test }: TestApp) => test.runtime.db.select().from(auditLog).orderBy(auditLog.seq);

describe('arming and limits over the API', () => {
  it('disarms and arms with a typed word, tells who did it, and records each once', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const person = await superuserOf(site);
    const at = '2026-01-01T00:00:00.000Z';
    const changed = { at, by: person.user.email };
    for (const _ of ['once', 'again']) {
      const { status, body } = await person.disarm();
      expect([status, body]).toMatchObject([200, { armed: false, armed_changed: changed, arming_refusal: null }]);
      expect(body).not.toHaveProperty('venues');
    }
    expect(await person.arm('arm')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'confirmation'], msg: 'Type ARM to confirm' }] },
    });
    expect((await person.arm()).body).toMatchObject({ armed: true, armed_changed: changed });
    expect(await entriesOf(site)).toMatchObject([
      { action: 'trading.disarmed', object: 'simulated', actor: person.user.email, after: { armed: false } },
      { action: 'trading.armed', object: 'simulated', actor: person.user.email, after: { armed: true } },
    ]);
    expect(await site.test.runtime.db.select().from(notifications)).toMatchObject([
      { notificationType: 'kill_switch', message: expect.stringContaining(person.user.email), status: 'pending' },
    ]);
  });

  it('arms a real venue only when every limit is set, and requires them there', async () => {
    await using site = await openTestApp({ variables: LIVE });
    const person = await superuserOf(site);
    const refusal =
      'Set the limit per order, the limit per batch, the limit per day and the limit on open exposure first';
    expect(await person.arm()).toEqual({ status: 409, body: { detail: refusal } });
    expect((await person.disarm()).body).toMatchObject({ armed: false, arming_refusal: refusal });
    const refused = await person.setLimits({ ...LIMITS, per_day_usd: null, open_exposure_usd: null });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toMatchObject([
      { loc: ['body', 'per_day_usd'], msg: 'Limit per day is required on a real venue' },
      { loc: ['body', 'open_exposure_usd'], msg: 'Limit on open exposure is required on a real venue' },
    ]);
    expect(await entriesOf(site)).toEqual([]);
    expect((await person.setLimits(LIMITS)).body).toMatchObject({ ...LIMITS, required: true });
    expect(await person.arm()).toMatchObject({ status: 200, body: { armed: true, arming_refusal: null } });
  });

  it('never arms a venue without a private key', async () => {
    await using site = await openTestApp();
    const person = await superuserOf(site);
    await person.setLimits(LIMITS);
    const detail = 'The venue is read only: it has no private key';
    expect(await person.arm()).toEqual({ status: 409, body: { detail } });
  });

  it('is armed from the start on paper, without limits, and says how orders are filled', async () => {
    const variables = { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1', PAPER_FILLS: 'survival' };
    await using site = await openTestApp({ variables });
    const { headers } = await site.signedIn();
    const reply = await site.http.inject({ url: '/api/v1/system/status', headers });
    expect(reply.json()).toMatchObject({
      ...{ venue: 'paper', armed: true, arming_refusal: null, paper: { fills: 'survival' } },
    });
  });

  it('is not armed while a paper account starts over', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1' } });
    const person = await superuserOf(site);
    await person.disarm();
    const { db, clock } = site.test.runtime;
    await db.insert(startOvers).values({
      ...{ id: 'c0ffee00-0000-4000-8000-00000000000a', status: 'ended', cash: usdFromText('5') },
      ...{ requestedBy: 'boss@example.com', createdAt: clock.now() },
    });
    const detail = 'The account is starting over: wait until the new run has begun.';
    expect(await person.arm()).toEqual({ status: 409, body: { detail } });
    await db.update(startOvers).set({ status: 'done', endedAt: clock.now() });
    expect((await person.arm()).status).toBe(200);
  });

  it('never arms a replay', async () => {
    await using site = await openTestApp({ variables: { VENUE: 'simulated', EXCHANGE_REPLAY: 'game.jsonl' } });
    const person = await superuserOf(site);
    const detail = 'This is a replay of a recording: nothing can be placed';
    expect(await person.arm()).toEqual({ status: 409, body: { detail } });
  });

  it('keeps limits with who set them, and names what is wrong with others', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const person = await superuserOf(site);
    const used = { placed_today_usd: 0, open_exposure_now_usd: 0, below_clip: [] };
    const untouched = { ...NO_LIMITS, ...used, required: false, changed_at: null, changed_by: null };
    expect((await person.limits()).body).toEqual(untouched);
    const changed = { changed_at: '2026-01-01T00:00:00.000Z', changed_by: person.user.email };
    for (const _ of ['once', 'again']) {
      const { body } = await person.setLimits({ ...LIMITS, per_day_usd: null });
      expect(body).toEqual({ ...untouched, ...LIMITS, per_day_usd: null, ...changed });
    }
    expect((await entriesOf(site)).map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'limits.changed', before: NO_LIMITS, after: { ...LIMITS, per_day_usd: null } },
    ]);
    const wrong = await person.setLimits({ per_order_usd: 0.5, per_day_usd: 'much', per_hour_usd: 3 });
    expect(wrong.status).toBe(422);
    expect(wrong.body.detail.map(({ loc, msg }: { loc: string[]; msg: string }) => [loc[1], msg])).toEqual([
      ['per_order_usd', 'Limit per order must be at least 1'],
      ['per_day_usd', 'Limit per day must be a number'],
      ['per_hour_usd', 'Extra inputs are not permitted'],
    ]);
  });

  it('says of each limit that is lower than a clip what that does, where clips are bought', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const person = await superuserOf(site);
    const lower = { per_order_usd: 5, per_batch_usd: 99.99, per_day_usd: 100 };
    expect((await person.setLimits(lower)).body.below_clip).toEqual([]);
    const by = { at: site.test.runtime.clock.now(), userId: person.user.id };
    await changeSettings(site.test.runtime.db, { SIZE_POLICY: 'best' }, by);
    const message = 'Below “Most dollars of a clip”, which is $100.00: no clip as large as that is placed.';
    expect((await person.setLimits({ open_exposure_usd: 50 })).body.below_clip).toEqual([
      { limit: 'per_batch_usd', message },
      { limit: 'open_exposure_usd', message },
    ]);
  });

  it('sets those limits that are given and leaves the others as they stand', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const [one, other] = [await superuserOf(site), await superuserOf(site)];
    await one.setLimits({ per_order_usd: 5, per_batch_usd: 10 });
    expect((await other.setLimits({ per_day_usd: 20 })).body).toMatchObject({ per_order_usd: 5, per_day_usd: 20 });
    await Promise.all([one.setLimits({ per_order_usd: null }), other.setLimits({ per_batch_usd: 11 })]);
    const limits = { ...NO_LIMITS, per_batch_usd: 11, per_day_usd: 20 };
    expect((await one.setLimits({})).body).toMatchObject(limits);
    expect(await entriesOf(site)).toHaveLength(4);
  });

  it('lets a limit of a real venue be changed and not be taken back', async () => {
    await using site = await openTestApp({ variables: LIVE });
    const person = await superuserOf(site);
    expect((await person.setLimits({ per_order_usd: 5 })).body.detail).toMatchObject([
      { loc: ['body', 'per_batch_usd'] },
      { loc: ['body', 'per_day_usd'] },
      { loc: ['body', 'open_exposure_usd'] },
    ]);
    await person.setLimits(LIMITS);
    expect((await person.setLimits({ per_day_usd: 25 })).body).toMatchObject({ ...LIMITS, per_day_usd: 25 });
    expect((await person.setLimits({ per_day_usd: null })).body.detail).toMatchObject([
      { loc: ['body', 'per_day_usd'], msg: 'Limit per day is required on a real venue' },
    ]);
    expect((await person.limits()).body).toMatchObject({ ...LIMITS, per_day_usd: 25 });
  });

  it('keeps limits of the whole desk beside those of the venue, with who set them', async () => {
    await using site = await openTestApp({ variables: LIVE });
    const person = await superuserOf(site);
    await person.setLimits(LIMITS);
    const changed = { changed_at: '2026-01-01T00:00:00.000Z', changed_by: person.user.email };
    const { body } = await person.setDeskLimits({ per_day_usd: 15 });
    expect(body).toMatchObject({ ...NO_LIMITS, per_day_usd: 15, required: false, placed_today_usd: 0, ...changed });
    expect((await person.deskLimits()).body).toEqual(body);
    expect((await person.limits()).body).toMatchObject(LIMITS);
    expect((await person.setDeskLimits({ per_day_usd: 0.5 })).body.detail).toMatchObject([
      { loc: ['body', 'per_day_usd'], msg: 'Limit per day must be at least 1' },
    ]);
    expect((await person.setDeskLimits({ per_day_usd: null })).body).toMatchObject(NO_LIMITS);
    expect(await entriesOf(site)).toMatchObject([
      { object: 'polymarket_live', after: { per_day_usd: 20 } },
      { object: 'desk', before: NO_LIMITS, after: { ...NO_LIMITS, per_day_usd: 15 } },
      { object: 'desk', after: NO_LIMITS },
    ]);
  });

  it('has a second person sign off a raised limit of the whole desk', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const [ada, ben] = [await personOf(site, 'ada@example.com'), await personOf(site, 'ben@example.com')];
    await ada.setSecurity({ sign_off_for_limits: true });
    const set = (limits: object) => ada.send('PUT', '/system-settings/desk-limits', { ...limits });
    expect((await set({ per_day_usd: 20 }))[0]).toBe(200);
    const asked = askedIn(await set({ per_day_usd: 25 }));
    expect((await ben.approve(asked))[1]).toMatchObject({
      ...{ state: 'approved', summary: 'Whole desk: Raise the limit per day from $20.00 to $25.00' },
    });
    expect((await ada.send('GET', '/system-settings/desk-limits'))[1]).toMatchObject({ per_day_usd: 25 });
    expect((await ada.send('GET', '/system-settings/limits'))[1]).toMatchObject(NO_LIMITS);
  });

  it('is for superusers', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const { headers } = await site.signedIn();
    for (const [method, path] of [
      ['POST', '/system/disarm'],
      ['POST', '/system/arm'],
      ['GET', '/system-settings/limits'],
      ['PUT', '/system-settings/limits'],
      ['GET', '/system-settings/desk-limits'],
      ['PUT', '/system-settings/desk-limits'],
    ] as const) {
      const reply = await site.http.inject({ method, url: `${API_PREFIX}${path}`, headers });
      expect([path, reply.statusCode]).toEqual([path, 403]);
    }
  });
});

describe('arming and limits of several venues', () => {
  const VENUES = ['polymarket', 'kalshi'] as const;
  const AT_KALSHI = '?venue=kalshi';
  const armedIn = (body: { venues: { armed: boolean }[] }) => body.venues.map(({ armed }) => armed);

  it('acts on the venue that is named, on all where none is, and says so by venue', async () => {
    await using site = await openTestApp({ variables: SIMULATED, venues: VENUES });
    const person = await superuserOf(site);
    const one = await person.disarm(AT_KALSHI);
    expect(one.body).toMatchObject({
      armed: true,
      venues: [
        { venue: 'polymarket', feed: 'live' },
        { venue: 'kalshi', feed: 'down' },
      ],
    });
    expect(armedIn(one.body)).toEqual([true, false]);
    const metrics = (await site.http.inject('/metrics')).body;
    expect(metrics).toContain('dutchbook_trading_armed 1');
    expect(metrics).toContain('dutchbook_venue_armed{venue="kalshi"} 0');
    expect(metrics).toContain('dutchbook_venue_feed{venue="kalshi",state="down"} 1');
    const all = await person.disarm();
    expect([all.body.armed, armedIn(all.body)]).toEqual([false, [false, false]]);
    const armed = await person.arm('ARM', AT_KALSHI);
    expect([armed.body.armed, armedIn(armed.body)]).toEqual([true, [false, true]]);
    expect(armedIn((await person.arm()).body)).toEqual([true, true]);
    expect((await entriesOf(site)).map(({ action, object }) => [action, object])).toEqual([
      ['trading.disarmed', 'kalshi:simulated'],
      ['trading.disarmed', 'simulated'],
      ['trading.armed', 'kalshi:simulated'],
      ['trading.armed', 'simulated'],
    ]);
    const reported = await site.test.runtime.db.select().from(notifications).orderBy(notifications.createdAt);
    expect(reported.map(({ message }) => message).toSorted()).toMatchObject([
      expect.stringMatching(/^Trading on Kalshi was disarmed by .*: nothing is placed there until/),
      expect.stringMatching(/^Trading on Polymarket was disarmed by /),
    ]);
  });

  it('arms those that can be, and says why the others are not', async () => {
    await using site = await openTestApp({ variables: LIVE, venues: VENUES });
    const person = await superuserOf(site);
    const detail =
      'Set the limit per order, the limit per batch, the limit per day and the limit on open exposure first';
    expect(await person.arm()).toEqual({
      status: 409,
      body: { detail: `Polymarket: ${detail} Kalshi: ${detail}` },
    });
    await person.setLimits(LIMITS, '?venue=polymarket');
    const { status, body } = await person.arm();
    expect([status, body.arming_refusal, armedIn(body)]).toEqual([200, null, [true, false]]);
    expect(body.not_armed).toEqual([{ venue: 'kalshi', detail }]);
  });

  it('sets limits at the venue that is named, and at none that is not', async () => {
    await using site = await openTestApp({ variables: SIMULATED, venues: VENUES });
    const person = await superuserOf(site);
    const several = 'Name a venue, several are configured: polymarket, kalshi';
    for (const answer of [await person.limits(), await person.setLimits(LIMITS)])
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'venue'], msg: several }] } });
    expect((await person.setLimits(LIMITS, AT_KALSHI)).body).toMatchObject(LIMITS);
    expect((await person.limits('?venue=polymarket')).body).toMatchObject(NO_LIMITS);
    expect((await entriesOf(site)).map(({ object }) => object)).toEqual(['kalshi:simulated']);
  });

  it('has a second person sign off what is asked for at one venue, and does it there', async () => {
    await using site = await openTestApp({ variables: SIMULATED, venues: VENUES });
    const [ada, ben] = [await personOf(site, 'ada@example.com'), await personOf(site, 'ben@example.com')];
    await ada.disarm();
    await ada.send('PUT', `/system-settings/limits${AT_KALSHI}`, LIMITS);
    await ada.setSecurity({ sign_off_for_arming: true, sign_off_for_limits: true });
    const arming = askedIn(await ada.send('POST', `/system/arm${AT_KALSHI}`, { confirmation: 'ARM' }));
    expect((await ben.approve(arming))[1]).toMatchObject({
      state: 'approved',
      summary: expect.stringMatching(/^Arm trading on Kalshi, /),
    });
    const [, status] = await ada.send('GET', '/system/status');
    expect(armedIn(status as never)).toEqual([false, true]);
    const raising = { per_day_usd: 25 };
    const raised = askedIn(await ada.send('PUT', `/system-settings/limits${AT_KALSHI}`, raising));
    expect((await ben.read(raised)).summary).toBe('Kalshi: Raise the limit per day from $20.00 to $25.00');
    expect((await ben.approve(raised))[0]).toBe(200);
    const limitsOf = async (venue: string) => (await ada.send('GET', `/system-settings/limits?venue=${venue}`))[1];
    expect(await limitsOf('kalshi')).toMatchObject({ ...LIMITS, ...raising });
    expect(await limitsOf('polymarket')).toMatchObject(NO_LIMITS);
  });

  it('answers the sign-off that each venue waits for', async () => {
    await using site = await openTestApp({ variables: SIMULATED, venues: VENUES });
    const [ada, ben] = [await personOf(site, 'ada@example.com'), await personOf(site, 'ben@example.com')];
    await ada.disarm();
    await ada.setSecurity({ sign_off_for_arming: true });
    const all = await ada.send('POST', '/system/arm', { confirmation: 'ARM' });
    expect(all[0]).toBe(409);
    const { sign_off_id, sign_off_ids } = all[1] as { sign_off_id: string; sign_off_ids: string[] };
    const [atPolymarket = '', atKalshi = ''] = sign_off_ids;
    expect(sign_off_id).toBe(atPolymarket);
    expect((await ben.read(atPolymarket)).summary).toMatch(/^Arm trading on Polymarket, /);
    await ben.approve(atKalshi);
    const [status, body] = await ada.send('POST', '/system/arm', { confirmation: 'ARM' });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        not_armed: [{ venue: 'polymarket', detail: expect.any(String), sign_off_id: atPolymarket }],
      }),
    ]);
  });

  it.each([
    { what: 'arming', method: 'POST', path: '/system/arm', body: { confirmation: 'ARM' } },
    { what: 'limits', method: 'PUT', path: '/system-settings/limits', body: { per_day_usd: 25 } },
  ] as const)(
    'carries out a sign-off of $what at no other venue than was asked for',
    async ({ method, path, body }) => {
      await using site = await openTestApp({ variables: SIMULATED, venues: VENUES });
      const [ada, ben] = [await personOf(site, 'ada@example.com'), await personOf(site, 'ben@example.com')];
      await ada.disarm();
      for (const venue of VENUES) await ada.send('PUT', `/system-settings/limits?venue=${venue}`, LIMITS);
      await ada.setSecurity({ sign_off_for_arming: true, sign_off_for_limits: true });
      const asked = askedIn(await ada.send(method, `${path}${AT_KALSHI}`, body));
      // As a version asked for it that knew of one venue.
      await site.test.runtime.db.update(signOffs).set({ call: sql`${signOffs.call} - 'venue' - 'of'` });
      expect(await ben.approve(asked)).toMatchObject([409, { detail: expect.stringContaining('It names no venue') }]);
      expect(armedIn((await ada.send('GET', '/system/status'))[1] as never)).toEqual([false, false]);
      for (const venue of VENUES)
        expect((await ada.send('GET', `/system-settings/limits?venue=${venue}`))[1]).toMatchObject(LIMITS);
    },
  );

  it('names the venue of a sign-off also where it is the only one', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const ada = await personOf(site, 'ada@example.com');
    await personOf(site, 'ben@example.com');
    await ada.disarm();
    await ada.setLimits(LIMITS);
    await ada.setSecurity({ sign_off_for_arming: true, sign_off_for_limits: true });
    askedIn(await ada.arm());
    askedIn(await ada.setLimits({ per_day_usd: 25 }));
    const asked = await site.test.runtime.db.select().from(signOffs).orderBy(signOffs.kind);
    expect(asked.map(({ call }) => call)).toMatchObject([{ venue: 'polymarket' }, { of: 'polymarket' }]);
  });

  it('refuses a venue that is not configured, and names the field', async () => {
    await using site = await openTestApp({ variables: SIMULATED });
    const person = await superuserOf(site);
    const msg = 'The venue kalshi is not configured: polymarket';
    for (const answer of [
      await person.arm('ARM', AT_KALSHI),
      await person.disarm(AT_KALSHI),
      await person.limits(AT_KALSHI),
      await person.setLimits(LIMITS, AT_KALSHI),
    ])
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'venue'], msg }] } });
    expect((await person.disarm('?venue=polymarket')).body).toMatchObject({ armed: false });
  });
});
