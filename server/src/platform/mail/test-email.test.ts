import { expect, it } from 'vitest';
import { openTestApp } from '../http/app.fixture.ts';
import { ask, recorded } from '../http/ask.fixture.ts';
import { openMailServer } from './mail-server.fixture.ts';

const TEST_EMAIL = '/utils/test-email/?email_to=ada@example.com';

it('a test email is sent by superusers only', async () => {
  await using server = await openMailServer();
  await using app = await openTestApp({ variables: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } });
  const { user, headers } = await app.signedIn({ isSuperuser: true });
  expect(await ask(app, headers, 'POST', TEST_EMAIL)).toEqual([200, { message: 'Test email sent' }]);
  const { to, letter } = await server.delivery();
  expect(to).toBe('ada@example.com');
  expect(letter).toContain(user.email);
  expect(await recorded(app, 'ada@example.com')).toMatchObject([{ action: 'email.tested', actor: user.email }]);

  server.next('refuse');
  const refused = await ask(app, headers, 'POST', TEST_EMAIL);
  expect(refused).toEqual([502, { detail: expect.stringMatching(/^The email was not sent: .*Try again later/) }]);
  const [status, { detail }] = await ask(app, headers, 'POST', '/utils/test-email/?email_to=ada');
  expect([status, detail]).toMatchObject([422, [{ loc: ['query', 'email_to'], msg: 'Invalid email address' }]]);

  const ordinary = await app.signedIn();
  expect((await ask(app, ordinary.headers, 'POST', TEST_EMAIL))[0]).toBe(403);
  expect((await ask(app, {}, 'POST', TEST_EMAIL))[0]).toBe(401);
});
