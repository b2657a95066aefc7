import { describe, expect, it } from 'vitest';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { notifications } from '../notifications/table.ts';
import { expireSignOffs } from './decide.ts';
import { askedIn, openDesk, personOf } from './sign-offs.fixture.ts';

const MINUTE_MS = 60_000;
const ARMING = { sign_off_for_arming: true };
const LIMITS = { sign_off_for_limits: true };

describe('arming that a second person signs off', () => {
  it('is asked for, and done when a second person approves it, as of the user who asked', async () => {
    await using desk = await openDesk(ARMING);
    const { app, ada, ben } = desk;
    const answer = await ada.arm();
    expect(answer).toMatchObject([
      409,
      {
        detail: 'Asked a second person to sign this off: Arm trading on Simulated exchange, without any limit.',
      },
    ]);
    const id = askedIn(answer);
    expect(await desk.isArmed()).toBe(false);
    expect(await app.test.runtime.db.select().from(notifications)).toMatchObject([
      { notificationType: 'kill_switch' },
      {
        notificationType: 'sign_off_asked',
        message:
          'ada@example.com asks a second person to sign off within 15 minutes: Arm trading on Simulated exchange, without any limit',
        data: { sign_off_id: id },
      },
    ]);
    expect(await ben.approve(id)).toMatchObject([
      200,
      {
        state: 'approved',
        decided_by: 'ben@example.com',
        outcome: 'Trading is armed.',
        requested_by: 'ada@example.com',
      },
    ]);
    const [, status] = await ada.send('GET', '/system/status');
    expect(status).toMatchObject({ armed: true, armed_changed: { by: 'ada@example.com' } });
    expect((await recorded(app, 'simulated')).at(-1)).toMatchObject({
      action: 'trading.armed',
      actor: 'ada@example.com, signed off by ben@example.com',
    });
    expect(await recorded(app, id)).toMatchObject([
      { action: 'sign_off.asked', actor: 'ada@example.com' },
      { action: 'sign_off.approved', actor: 'ben@example.com', after: { requested_by: 'ada@example.com' } },
    ]);
    expect(await ada.arm()).toMatchObject([200, { armed: true }]);
  });

  it('is not needed where the setting is off, and never for disarming', async () => {
    await using desk = await openDesk(LIMITS);
    expect(await desk.ada.arm()).toMatchObject([200, { armed: true }]);
    await using asking = await openDesk();
    expect((await asking.ada.arm())[0]).toBe(200);
    expect((await asking.ada.setSecurity(ARMING))[0]).toBe(200);
    expect(await asking.ada.disarm()).toMatchObject([200, { armed: false }]);
    expect(await asking.ada.count()).toBe(0);
  });

  it('is not approved by the user who asked, by an operator, nor by an API token of a superuser', async () => {
    await using desk = await openDesk(ARMING);
    const { ada, ben, olga } = desk;
    const id = askedIn(await ada.arm());
    const own = 'You asked for this yourself: another superuser has to sign it off, and you can withdraw it.';
    expect(await ada.approve(id)).toEqual([409, { detail: own }]);
    expect(await ada.reject(id)).toEqual([409, { detail: own }]);
    expect((await olga.approve(id))[0]).toBe(403);
    const token = { name: 'Script', scope: 'admin', expires_in_days: 1 };
    const [, made] = await ben.send('POST', '/users/me/api-tokens', token);
    for (const decision of ['approve', 'reject']) {
      const reply = await desk.app.http.inject({
        method: 'POST',
        url: `/api/v1/sign-offs/${id}/${decision}`,
        headers: { authorization: `Bearer ${made.token}` },
        payload: { reason: 'Not me' },
      });
      expect([reply.statusCode, reply.json()]).toEqual([403, { detail: 'No API token may do this: log in' }]);
    }
    expect([await desk.isArmed(), (await ben.read(id)).state]).toEqual([false, 'open']);
  });

  it('asks for the second factor of the approver', async () => {
    await using desk = await openDesk(ARMING);
    const id = askedIn(await desk.ada.arm());
    await desk.app.test.time.leap(6 * MINUTE_MS);
    expect(await desk.ben.approve(id)).toMatchObject([409, { second_factor_needed: true }]);
    expect(await desk.isArmed()).toBe(false);
  });

  it('is done once, whichever of two approve it at once, and the other reads by whom', async () => {
    await using desk = await openDesk(ARMING);
    const eve = await personOf(desk.app, 'eve@example.com');
    const id = askedIn(await desk.ada.arm());
    const answers = await Promise.all([desk.ben.approve(id), eve.approve(id)]);
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409]);
    const winner = answers[0]?.[0] === 200 ? 'ben@example.com' : 'eve@example.com';
    const loser = answers.find(([status]) => status === 409);
    expect(loser?.[1]).toEqual({ detail: `${winner} signed it off: Trading is armed.` });
    expect((await recorded(desk.app, 'simulated')).filter(({ action }) => action === 'trading.armed')).toHaveLength(1);
  });

  it('is closed once its time is over, or it is rejected or withdrawn', async () => {
    await using desk = await openDesk(ARMING);
    const { ada, ben, olga } = desk;
    const rejected = askedIn(await ada.arm());
    expect(await ben.reject(rejected, '  ')).toMatchObject([422, { detail: [{ msg: 'Reason is required' }] }]);
    expect(await ben.reject(rejected, 'Not before the talk')).toMatchObject([
      200,
      { state: 'rejected', reason: 'Not before the talk' },
    ]);
    expect(await ben.approve(rejected)).toEqual([409, { detail: 'ben@example.com rejected it: Not before the talk' }]);
    const withdrawn = askedIn(await ada.arm());
    expect(withdrawn).not.toBe(rejected);
    expect((await ben.withdraw(withdrawn))[0]).toBe(409);
    expect((await olga.withdraw(withdrawn))[0]).toBe(404);
    expect(await ada.withdraw(withdrawn)).toMatchObject([200, { state: 'withdrawn', decided_by: 'ada@example.com' }]);
    expect(await ben.approve(withdrawn)).toEqual([409, { detail: 'ada@example.com withdrew it.' }]);
    expect(await desk.isArmed()).toBe(false);
  });

  it('expires by the clock, before anything has written that down and after', async () => {
    await using desk = await openDesk(ARMING);
    const { app, ada } = desk;
    const id = askedIn(await ada.arm());
    await app.test.time.leap(15 * MINUTE_MS);
    const eve = await personOf(app, 'eve@example.com');
    const detail = 'The sign-off expired at 2026-01-01T00:15:00.000Z: it has to be asked for again.';
    const look = async () => [
      await eve.approve(id),
      await eve.reject(id),
      (await eve.read(id)).state,
      await eve.count('?state=expired'),
      await eve.count('?state=open'),
    ];
    const expired = [[409, { detail }], [409, { detail }], 'expired', 1, 0];
    expect(await look()).toEqual(expired);
    await expireSignOffs(app.test.runtime);
    await expireSignOffs(app.test.runtime);
    expect(await look()).toEqual(expired);
    expect((await recorded(app, id)).map(({ action, actor }) => [action, actor])).toEqual([
      ['sign_off.asked', 'ada@example.com'],
      ['sign_off.expired', 'system'],
    ]);
    expect(await desk.isArmed()).toBe(false);
  });

  it('is not signed off by a user whose rights were taken away, nor for a user whose were', async () => {
    await using desk = await openDesk(ARMING);
    const { app, ada, ben } = desk;
    const eve = await personOf(app, 'eve@example.com');
    const id = askedIn(await ada.arm());
    await desk.change(ben, { isActive: false });
    expect(await ben.approve(id)).toEqual([400, { detail: 'Inactive user' }]);
    await desk.change(ben, { isActive: true, isSuperuser: false });
    expect((await ben.approve(id))[0]).toBe(403);
    await desk.change(ada, { isSuperuser: false });
    expect(await eve.approve(id)).toMatchObject([
      200,
      { state: 'failed', outcome: 'ada@example.com may not do this any more.' },
    ]);
    expect((await recorded(app, id)).at(-1)).toMatchObject({ action: 'sign_off.failed', actor: 'eve@example.com' });
    const [, status] = await eve.send('GET', '/system/status');
    expect(status.armed).toBe(false);
  });

  it('is under the limits that were read: others are asked for anew', async () => {
    await using desk = await openDesk(ARMING);
    const { ada, ben } = desk;
    await ada.setLimits({ per_day_usd: 400 });
    const id = askedIn(await ada.arm());
    await ada.setLimits({ per_day_usd: 40_000 });
    expect(await ben.approve(id)).toMatchObject([
      200,
      { state: 'failed', outcome: 'The limits were changed after it was asked for.' },
    ]);
    expect(await desk.isArmed()).toBe(false);
    const stale = askedIn(await ada.arm());
    await ada.setLimits({ per_day_usd: 400 });
    const anew = await ada.arm();
    expect(askedIn(anew)).not.toBe(stale);
    expect(anew[1].detail).toContain('with a limit per day of $400.00 and no other');
    expect(await ben.approve(askedIn(anew))).toMatchObject([200, { state: 'approved' }]);
  });

  it('does not outlast a stop: disarming withdraws what waits, of all users', async () => {
    await using desk = await openDesk({ ...ARMING, ...LIMITS });
    const { app, ada, ben, olga } = desk;
    const eve = await personOf(app, 'eve@example.com');
    await ada.setLimits({ per_order_usd: 5 });
    const [first, second] = [askedIn(await ada.arm()), askedIn(await ben.arm())];
    const limits = askedIn(await ada.setLimits({ per_order_usd: 6 }));
    expect(await eve.approve(first)).toMatchObject([200, { state: 'approved' }]);
    expect(await eve.disarm()).toMatchObject([200, { armed: false }]);
    const detail = 'eve@example.com withdrew it: Trading was disarmed.';
    expect(await ada.approve(second)).toEqual([409, { detail }]);
    expect(await ben.read(second)).toMatchObject({
      ...{ state: 'withdrawn', decided_by: 'eve@example.com', reason: 'Trading was disarmed.' },
    });
    expect((await recorded(app, second)).at(-1)).toMatchObject({
      ...{ action: 'sign_off.withdrawn', actor: 'eve@example.com' },
      after: { requested_by: 'ben@example.com', reason: 'Trading was disarmed.' },
    });
    // That orders may be larger lets none leave.
    expect((await olga.read(limits)).state).toBeUndefined();
    expect((await ada.read(limits)).state).toBe('open');
    // Disarming again while disarmed withdraws requests too.
    const third = askedIn(await ben.arm());
    expect(await eve.disarm()).toMatchObject([200, { armed: false }]);
    expect((await ada.approve(third))[0]).toBe(409);
    expect(await desk.isArmed()).toBe(false);
  });

  it('and disarmed at the same time ends disarmed, whichever comes first', async () => {
    await using desk = await openDesk(ARMING);
    const { ada, ben } = desk;
    for (let round = 0; round < 10; round += 1) {
      const id = askedIn(await ada.arm());
      await Promise.all([ben.approve(id), ada.disarm()]);
      expect(await desk.isArmed()).toBe(false);
    }
  });

  it('is for the settings that held when it was asked for', async () => {
    await using desk = await openDesk(ARMING);
    const { ada, ben } = desk;
    const id = askedIn(await ada.arm());
    const set = await ben.send('PUT', '/system-settings/', { ORDER_SIMULATION_ENABLED: true, MIN_ORDER_SHARES: 7 });
    expect(set[0]).toBe(200);
    expect(await ben.approve(id)).toMatchObject([
      200,
      {
        state: 'failed',
        outcome: 'MIN_ORDER_SHARES and ORDER_SIMULATION_ENABLED were changed after it was asked for.',
      },
    ]);
    expect(await ben.approve(askedIn(await ada.arm()))).toMatchObject([200, { state: 'approved' }]);
  });

  it.each([
    ['has another password', [{ password: 'another long password' }]],
    ['was switched off and on', [{ is_active: false }, { is_active: true }]],
    ['was no superuser for a moment', [{ is_superuser: false }, { is_superuser: true }]],
    ['has no second factor any more', []],
  ])('is not signed off for a user who %s since', async (_, changes) => {
    await using desk = await openDesk(ARMING);
    const { app, ada, ben } = desk;
    await personOf(app, 'eve@example.com');
    const id = askedIn(await ada.arm());
    for (const changed of changes) expect((await ben.send('PATCH', `/users/${ada.user.id}`, changed))[0]).toBe(200);
    if (changes.length === 0) await ben.send('POST', `/users/${ada.user.id}/second-factor/reset`);
    expect(await ben.approve(id)).toMatchObject([
      200,
      {
        state: 'failed',
        outcome: 'Password, rights or second factor of ada@example.com were changed after it was asked for.',
      },
    ]);
    expect((await ben.send('GET', '/system/status'))[1].armed).toBe(false);
  });

  it('is not signed off for an API token that was revoked, nor for a user who lacks what all are asked for since', async () => {
    await using desk = await openDesk(ARMING);
    const { app, ben } = desk;
    const { headers } = await app.signedIn({ email: 'eve@example.com', isSuperuser: true });
    const token = { name: 'Script', scope: 'admin', expires_in_days: 1 };
    const [, made] = await ask(app, headers, 'POST', '/users/me/api-tokens', token);
    const byToken = { authorization: `Bearer ${made.token}` };
    const arm = (by: Record<string, string>) => ask(app, by, 'POST', '/system/arm', { confirmation: 'ARM' });
    const revoked = askedIn(await arm(byToken));
    await ask(app, headers, 'DELETE', `/users/me/api-tokens/${made.id}`);
    expect(await ben.approve(revoked)).toMatchObject([
      200,
      { state: 'failed', outcome: 'The API token that it was asked for with is no longer good.' },
    ]);
    const without = askedIn(await arm(headers));
    expect((await ben.setSecurity({ second_factor_for_all: true }))[0]).toBe(200);
    expect(await ben.approve(without)).toMatchObject([
      200,
      { state: 'failed', outcome: 'eve@example.com has no second factor, which all users are asked for.' },
    ]);
    expect(await desk.isArmed()).toBe(false);
  });

  it('is asked for once by two clicks, and not more often than twenty times', async () => {
    await using desk = await openDesk({ ...ARMING, ...LIMITS });
    const { ada, ben } = desk;
    await ada.setLimits({ per_order_usd: 5 });
    const ids = (await Promise.all([ada.arm(), ada.arm()])).map(askedIn);
    expect(new Set(ids).size).toBe(1);
    expect(askedIn(await ben.arm())).not.toBe(ids[0]);
    for (let more = 1; more < 20; more += 1) askedIn(await ada.setLimits({ per_order_usd: 5 + more }));
    expect(await ada.setLimits({ per_order_usd: 100 })).toEqual([
      409,
      { detail: 'You have 20 open sign-offs already: withdraw one first.' },
    ]);
    expect(askedIn(await ada.arm())).toBe(ids[0]);
  });

  it('is seen by superusers and by the user who asked', async () => {
    await using desk = await openDesk(ARMING);
    const { ada, ben, olga } = desk;
    const id = askedIn(await ada.arm());
    await desk.change(ada, { isSuperuser: false });
    expect([await ada.count(), await ben.count(), await olga.count()]).toEqual([1, 1, 0]);
    expect((await olga.send('GET', `/sign-offs/${id}`))[0]).toBe(404);
    expect(await ada.withdraw(id)).toMatchObject([200, { state: 'withdrawn' }]);
  });
});

describe('limits that a second person signs off', () => {
  it('are raised, or taken back, when another superuser approves it', async () => {
    await using desk = await openDesk();
    const { app, ada, ben } = desk;
    await ada.setLimits({ per_order_usd: 5, per_batch_usd: 10.5, per_day_usd: 400 });
    await ada.setSecurity(LIMITS);
    const answer = await ada.setLimits({ per_order_usd: 4, per_batch_usd: null, per_day_usd: 1000 });
    expect(answer[1].detail).toBe(
      'Asked a second person to sign this off: Lower the limit per order from $5.00 to $4.00, remove the limit per batch, which is $10.50, and raise the limit per day from $400.00 to $1,000.00.',
    );
    expect(await desk.limits()).toMatchObject({ per_order_usd: 5, per_batch_usd: 10.5, per_day_usd: 400 });
    expect(await ben.approve(askedIn(answer))).toMatchObject([
      200,
      { state: 'approved', outcome: 'The limits are set.' },
    ]);
    expect(await desk.limits()).toMatchObject({
      ...{ per_order_usd: 4, per_batch_usd: null, per_day_usd: 1000, open_exposure_usd: null },
      changed_by: 'ada@example.com',
    });
    expect((await recorded(app, 'simulated')).at(-1)).toMatchObject({
      action: 'limits.changed',
      actor: 'ada@example.com, signed off by ben@example.com',
    });
  });

  it('need no sign-off to be lowered, or set where there was none', async () => {
    await using desk = await openDesk(LIMITS);
    const { ada } = desk;
    expect(await ada.setLimits({ per_order_usd: 5 })).toMatchObject([200, { per_order_usd: 5 }]);
    expect(await ada.setLimits({ per_order_usd: 3, per_day_usd: 90 })).toMatchObject([200, { per_order_usd: 3 }]);
    expect(await ada.setLimits({ per_order_usd: 3 })).toMatchObject([200, { per_day_usd: 90 }]);
  });

  it('are judged anew: what was changed since is not raised from elsewhere', async () => {
    await using desk = await openDesk(LIMITS);
    const { ada, ben } = desk;
    await ada.setLimits({ per_order_usd: 5, per_day_usd: 90 });
    const id = askedIn(await ada.setLimits({ per_order_usd: 50 }));
    // Another limit does not matter.
    await ben.setLimits({ per_day_usd: 80 });
    await ben.setLimits({ per_order_usd: 1 });
    const failed = { state: 'failed', outcome: 'The limits were changed after it was asked for.' };
    expect(await ben.approve(id)).toMatchObject([200, failed]);
    expect(await desk.limits()).toMatchObject({ per_order_usd: 1, per_day_usd: 80 });
    expect(await ada.read(id)).toMatchObject(failed);
    expect(await ben.approve(id)).toEqual([
      409,
      { detail: `ben@example.com signed it off, and it was refused: ${failed.outcome}` },
    ]);
  });
});
