/** Where a user is signed in: seen and ended under Settings, and ended on the server by logging out. */
import { endOtherSessions, endSession, endSessionsOfUser, listSessions, logOut } from '@dutchbook/contract/sessions.ts';
import { listUsers } from '@dutchbook/contract/users.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { button, dialog, rowsOf, toast } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { onPhone, open, server } from '../testing/screen.tsx';

const LAPTOP = '00000000-0000-4000-8000-000000000001';
const PHONE = '00000000-0000-4000-8000-000000000002';
const times = {
  started_at: '2026-07-01T08:00:00.000Z',
  last_seen_at: '2026-07-01T09:00:00.000Z',
  expires_at: '2026-07-02T09:00:00.000Z',
};
const SESSIONS = [
  { id: LAPTOP, ...times, device: 'Mozilla/5.0 (X11; Linux) Firefox/150.0', address: '10.0.0.1', current: true },
  { id: PHONE, ...times, device: 'Mozilla/5.0 (iPhone) Version/19 Safari/604.1', address: '10.0.0.2', current: false },
];

const openSessions = () => open('/settings?tab=sessions');

test('lists them with their devices, and ends one, or all others', async () => {
  let sessions = SESSIONS;
  server.answer(listSessions, () => ({ data: sessions }));
  server.answer(endSession, ({ params }) => {
    sessions = sessions.filter(({ id }) => id !== params.session_id);
    return { message: 'Session ended' };
  });
  server.answer(endOtherSessions, { message: '1 session ended' });
  await openSessions();
  await expect.element(page.getByText('Firefox on Linux')).toBeVisible();
  await expect.element(page.getByText('This one')).toBeVisible();
  await expectAccessible('the sessions');
  await button('End All Others').click();
  await expect.element(toast('All other sessions have ended.')).toBeVisible();
  await button('End the session of Safari on iPhone').click();
  await expect.poll(() => rowsOf('Sessions').length).toBe(1);
  expect(server.askedFor(endSession)).toMatchObject([{ params: { session_id: PHONE } }]);
  await expect.element(button('End All Others')).toBeDisabled();
});

test('are read on a phone without scrolling sideways', async () => {
  server.answer(listSessions, { data: SESSIONS });
  await onPhone();
  await openSessions();
  await expect.element(page.getByText('Safari on iPhone')).toBeVisible();
  expect(pixelsBeyondTheEdge()).toBe(0);
});

test('logging out ends the session on the server, whatever it answers, and leaves nothing of the user behind', async () => {
  server.answer(listSessions, { data: SESSIONS });
  server.answer(logOut, { message: 'Logged out' });
  await openSessions();
  const token = localStorage.getItem('access_token');
  await expect.poll(() => localStorage.getItem('remembered')).toContain('@');
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expect.poll(() => localStorage.getItem('access_token')).toBeNull();
  expect(localStorage.getItem('remembered')).toBeNull();
  const [asked] = server.askedFor(logOut);
  expect(asked?.headers.get('authorization')).toBe(`Bearer ${token}`);
});

test('a superuser ends all of another user', async () => {
  const other = recorded(listUsers).data.find(({ email }) => !email.startsWith('admin'));
  server.answer(endSessionsOfUser, { message: '2 sessions ended' });
  await open('/admin');
  await button(`Actions for ${other?.email}`).click();
  await page.getByRole('menuitem', { name: 'End Sessions' }).click();
  await dialog('End Sessions').getByRole('button', { name: 'End Sessions' }).click();
  await expect.element(toast('Their sessions have ended.')).toBeVisible();
  expect(server.askedFor(endSessionsOfUser)).toMatchObject([{ params: { user_id: other?.id } }]);
});
