import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { recorded } from '../../platform/http/ask.fixture.ts';
import { askedIn, openDesk, personOf } from '../sign-offs/sign-offs.fixture.ts';

const ALL = { sign_off_for_arming: true, sign_off_for_limits: true, sign_off_above_usd: 300 };
const NEEDS_TWO = 'Sign-offs need 2 active superusers: add another one under Admin first.';

describe('sign-offs', () => {
  it('are off until a superuser switches them on, which takes two active ones', async () => {
    await using app = await openTestApp({ variables: { VENUE: 'simulated' } });
    const ada = await personOf(app, 'ada@example.com');
    await personOf(app, 'gone@example.com', { isSuperuser: true, isActive: false });
    await personOf(app, 'olga@example.com', {});
    const off = { sign_off_for_arming: false, sign_off_for_limits: false, sign_off_above_usd: null };
    expect(await ada.send('GET', '/system-settings/security')).toMatchObject([200, off]);
    for (const [name, value] of Object.entries(ALL))
      expect(await ada.setSecurity({ [name]: value })).toEqual([409, { detail: NEEDS_TWO }]);
    expect(await ada.send('GET', '/system-settings/security')).toMatchObject([200, { ...off, changed_by: null }]);
    await personOf(app, 'ben@example.com');
    expect(await ada.setSecurity(ALL)).toMatchObject([200, { ...ALL, changed_by: 'ada@example.com' }]);
  });

  it('name what is wrong with the dollars', async () => {
    await using desk = await openDesk();
    for (const [usd, msg] of [
      [0.5, 'Dollars of a batch must be at least 1'],
      ['much', 'Dollars of a batch must be a number'],
    ])
      expect(await desk.ada.setSecurity({ sign_off_above_usd: usd })).toMatchObject([422, { detail: [{ msg }] }]);
  });

  it('keep the last but one superuser, and say what to do first', async () => {
    await using desk = await openDesk(ALL);
    const { app, ada, ben } = desk;
    const detail =
      'Sign-offs need two active superusers: switch them off under Admin, System Settings, or add another superuser first.';
    const path = `/users/${ben.user.id}`;
    const remove = async () => [
      await ada.send('PATCH', path, { is_superuser: false }),
      await ada.send('PATCH', path, { is_active: false }),
      await ada.send('DELETE', path),
    ];
    expect(await remove()).toEqual([
      [409, { detail }],
      [409, { detail }],
      [409, { detail }],
    ]);
    expect((await ada.send('PATCH', path, { full_name: 'Ben' }))[0]).toBe(200);
    await personOf(app, 'eve@example.com');
    expect((await ada.send('PATCH', path, { is_active: false }))[0]).toBe(200);
    expect((await ada.send('DELETE', path))[0]).toBe(200);
  });

  it('let both go where nothing is signed off', async () => {
    await using desk = await openDesk();
    expect((await desk.ada.send('DELETE', `/users/${desk.ben.user.id}`))[0]).toBe(200);
  });

  it('are switched off, or made of fewer batches, by two people', async () => {
    await using desk = await openDesk(ALL);
    const { app, ada, ben } = desk;
    const settings = async () => (await ada.send('GET', '/system-settings/security'))[1];
    for (const [changes, summary] of [
      [{ sign_off_above_usd: 400 }, 'Raise the dollars above which a batch is signed off from $300.00 to $400.00'],
      [{ sign_off_above_usd: null }, 'Switch off the sign-off of batches above $300.00'],
      [{ sign_off_for_limits: false }, 'Switch off the sign-off of raised limits'],
      [
        { sign_off_for_arming: false, sign_off_above_usd: 200 },
        'Switch off the sign-off of arming and have other things signed off',
      ],
    ] as const) {
      const answer = await ada.setSecurity(changes);
      expect(answer[1].detail).toBe(`Asked a second person to sign this off: ${summary}.`);
      expect((await ada.approve(askedIn(answer)))[0]).toBe(409);
      expect(await settings()).toMatchObject(ALL);
    }
    const id = askedIn(await ada.setSecurity({ sign_off_for_arming: false, sign_off_above_usd: 200 }));
    expect(await ben.approve(id)).toMatchObject([
      200,
      { state: 'approved', outcome: 'The security settings are changed.' },
    ]);
    const changed = { ...ALL, sign_off_for_arming: false, sign_off_above_usd: 200 };
    expect(await settings()).toMatchObject({ ...changed, changed_by: 'ada@example.com' });
    expect((await recorded(app, 'simulated')).at(-1)).toMatchObject({
      action: 'security.changed',
      actor: 'ada@example.com, signed off by ben@example.com',
      before: { sign_off_for_arming: true, sign_off_above_usd: 300 },
    });
    // More of them needs no sign-off.
    expect(await ben.setSecurity({ sign_off_above_usd: 100 })).toMatchObject([200, { sign_off_above_usd: 100 }]);
  });

  it('are not switched off by what was asked of others', async () => {
    await using desk = await openDesk(ALL);
    const { ada, ben } = desk;
    const id = askedIn(await ada.setSecurity({ sign_off_above_usd: 400 }));
    await ben.setSecurity({ sign_off_above_usd: 100 });
    expect(await ben.approve(id)).toMatchObject([
      200,
      { state: 'failed', outcome: 'The settings were changed after it was asked for.' },
    ]);
    expect(await ada.send('GET', '/system-settings/security')).toMatchObject([200, { sign_off_above_usd: 100 }]);
  });

  it('are switched off by the one superuser who is left, in the audit log', async () => {
    await using desk = await openDesk(ALL);
    const { app, ada, ben } = desk;
    // As after a backup in which the other one was not yet, or not any more.
    await desk.change(ben, { isActive: false });
    askedIn(await ada.arm());
    expect(await ada.setSecurity({ sign_off_for_arming: false })).toMatchObject([200, { sign_off_for_arming: false }]);
    expect(await ada.arm()).toMatchObject([200, { armed: true }]);
    expect((await recorded(app, 'simulated')).slice(-2)).toMatchObject([
      { action: 'security.changed', actor: 'ada@example.com', before: { sign_off_for_arming: true } },
      { action: 'trading.armed', actor: 'ada@example.com' },
    ]);
    expect(await ada.setSecurity({ sign_off_for_arming: true })).toEqual([409, { detail: NEEDS_TWO }]);
  });
});
