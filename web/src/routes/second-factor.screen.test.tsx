/** What is asked for besides the password: at sign-in, set up under Settings, and once more before what matters most. */

import { readMe } from '@dutchbook/contract/current-user.ts';
import { writeLimits } from '@dutchbook/contract/limits.ts';
import { createAccessToken } from '@dutchbook/contract/login.ts';
import {
  confirmAuthenticator,
  disableSecondFactor,
  proveSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  startAuthenticator,
} from '@dutchbook/contract/second-factor.ts';
import { readSecuritySettings, writeSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import { listUsers } from '@dutchbook/contract/users.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { button, dialog, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server } from '../testing/screen.tsx';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = ['abcd-efgh-ijkl-mnop', 'qrst-uvwx-yzab-cdef'];
const NONE = { authenticator: false, recovery_codes_left: 0, passkeys: [] };
const SET_UP = { authenticator: true, recovery_codes_left: 2, passkeys: [] };

const field = (label: string) => page.getByLabelText(label, { exact: true });
const refused = (status: number, body: object) => Response.json(body, { status });
const asksForCode = (detail: string) => refused(400, { detail, second_factor: ['code'] });
const needsProof = () =>
  refused(409, { detail: 'Prove your second factor once more.', second_factor: ['code'], second_factor_needed: true });
const bodiesOf = (endpoint: Parameters<typeof server.askedFor>[0]) => server.askedFor(endpoint).map(({ body }) => body);

test('signing in asks for a code after the right password, and again after a wrong code', async () => {
  server.answer(createAccessToken, ({ body }) => {
    const { code } = body as { code?: string };
    if (code === undefined) return asksForCode('Enter the code of your authenticator.');
    if (code !== '123456') return asksForCode('The code is wrong');
    return { access_token: 'any', token_type: 'bearer' as const, device_token: 'known' };
  });
  const screen = await open('/login', { signedIn: false });
  await typeInto(page.getByPlaceholder('Email'), 'ada@example.com');
  await typeInto(page.getByPlaceholder('Password'), 'correct horse');
  await button('Log In').click();
  await expect.element(page.getByText('Enter the code of your authenticator.')).toBeVisible();
  await expectAccessible('the code at sign-in');
  expect(page.getByRole('alert').length, 'nothing has gone wrong').toBe(0);
  await button('Log In').click();
  await expect.element(page.getByText('Enter a code')).toBeVisible();
  await typeInto(page.getByPlaceholder('Code'), '000000');
  await button('Log In').click();
  await expect.element(toast('The code is wrong')).toBeVisible();
  await typeInto(page.getByPlaceholder('Code'), '123456');
  await button('Log In').click();
  await expect.poll(() => screen.address()).toBe('/');
  expect(localStorage.getItem('access_token')).toBe('any');
});

test('an authenticator is set up with the password, a QR code and a first code; recovery codes are shown once', async () => {
  let factor: typeof NONE = NONE;
  server.answer(readSecondFactor, () => factor);
  server.answer(startAuthenticator, { secret: SECRET, uri: `otpauth://totp/Dutchbook:ada?secret=${SECRET}` });
  server.answer(confirmAuthenticator, () => {
    factor = SET_UP;
    return { recovery_codes: CODES };
  });
  await onPhone();
  await open('/settings?tab=second-factor');
  await button('Set Up Authenticator').click();
  const steps = dialog('Set Up Authenticator');
  await typeInto(steps.getByPlaceholder('Current Password'), 'correct horse');
  await steps.getByRole('button', { name: 'Continue' }).click();
  await expect.element(steps.getByRole('img', { name: 'QR code for the authenticator' })).toBeVisible();
  await expect.element(steps.getByText(SECRET)).toBeVisible();
  expect(pixelsBeyondTheEdge()).toBe(0);
  await typeInto(steps.getByLabelText('Code', { exact: true }), '123456');
  await steps.getByRole('button', { name: 'Confirm' }).click();
  for (const code of CODES) await expect.element(steps.getByText(code)).toBeVisible();
  await expectAccessible('the recovery codes');
  await steps.getByRole('button', { name: 'I Have Kept Them' }).click();
  await expect.element(page.getByText('2 of 10 recovery codes are left: make new ones.')).toBeVisible();
  expect([bodiesOf(startAuthenticator), bodiesOf(confirmAuthenticator)]).toEqual([
    [{ password: 'correct horse' }],
    [{ code: '123456' }],
  ]);
});

test('what needs a proof asks for it in a dialog and then goes on', async () => {
  let isProven = false;
  server.answer(readSecondFactor, SET_UP);
  server.answer(disableSecondFactor, () => (isProven ? { message: 'Gone' } : needsProof()));
  server.answer(proveSecondFactor, ({ body }) => {
    isProven = (body as { code: string }).code === '123456';
    return isProven ? { message: 'Proven' } : refused(400, { detail: 'The code is wrong' });
  });
  await open('/settings?tab=second-factor');
  await button('Remove Second Factor').click();
  await dialog('Remove Second Factor').getByRole('button', { name: 'Remove' }).click();
  const proof = dialog('Prove That It Is You');
  await typeInto(proof.getByLabelText('Code', { exact: true }), '000000');
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect.element(toast('The code is wrong')).toBeVisible();
  await typeInto(proof.getByLabelText('Code', { exact: true }), '123456');
  await proof.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => server.askedFor(disableSecondFactor).length).toBe(2);
  await expect.element(page.getByText('The password alone opens your account from now on.')).toBeVisible();
  await expect.element(proof).not.toBeInTheDocument();
});

test('a proof that is not given leaves limits as they are, and says so', async () => {
  server.answer(writeLimits, needsProof);
  await open('/admin/system-settings');
  await typeInto(field('Limit per order'), '7');
  await button('Save').click();
  await dialog('Prove That It Is You').getByRole('button', { name: 'Cancel' }).click();
  await expect.element(toast('Prove your second factor once more.')).toBeVisible();
  expect(server.askedFor(writeLimits)).toHaveLength(1);
});

test('a superuser resets that of another user', async () => {
  const other = recorded(listUsers).data.find(({ email }) => !email.startsWith('admin'));
  server.answer(resetSecondFactor, { message: 'Gone' });
  await open('/admin');
  await button(`Actions for ${other?.email}`).click();
  await page.getByRole('menuitem', { name: 'Reset Second Factor' }).click();
  await dialog('Reset Second Factor').getByRole('button', { name: 'Reset Second Factor' }).click();
  await expect.element(toast('The second factor is gone, and their sessions have ended.')).toBeVisible();
  expect(server.askedFor(resetSecondFactor)).toMatchObject([{ params: { user_id: other?.id } }]);
});

test('a user without one where all need one sees that on every page, with the way to set it up', async () => {
  server.answer(readMe, { ...recorded(readMe), second_factor_missing: true });
  server.answer(readSecondFactor, NONE);
  const screen = await open('/items');
  await expect.element(page.getByText(/All users here need a second factor/)).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible('the notice');
  await page.getByRole('link', { name: 'set yours up' }).click();
  await expect.element(button('Set Up Authenticator')).toBeVisible();
  expect(screen.address()).toBe('/settings?tab=second-factor');
});

test('a superuser asks all users for one', async () => {
  server.answer(writeSecuritySettings, { ...recorded(readSecuritySettings), second_factor_for_all: true });
  await open('/admin/system-settings');
  await page.getByRole('switch', { name: 'Second factor for all users' }).click();
  await button('Save').click();
  await expect.element(page.getByText('Security settings updated successfully.')).toBeVisible();
  expect(bodiesOf(writeSecuritySettings)).toEqual([{ second_factor_for_all: true }]);
});
