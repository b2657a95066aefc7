import path from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { ensureFirstSuperuser, signInWords } from './first-superuser.ts';
import { createPasswords } from './passwords.ts';

it('says at a later start whom to sign in as and how to get a new password, and never the password', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  expect(await signInWords(runtime)).toEqual([]);
  const madeUp = await ensureFirstSuperuser(runtime, createPasswords());
  const [line = '', ...more] = await signInWords(runtime);
  expect(more).toEqual([]);
  expect(line).toContain(`Sign in as ${runtime.config.firstSuperuser.email}.`);
  expect(line).toContain(
    `"Forgot Password?" on the login page: the link is a file in ${path.join(runtime.config.dataDir, 'mail')}`,
  );
  expect(madeUp).not.toBeNull();
  expect(line).not.toContain(madeUp);
  const sent = await signInWords({ ...runtime, config: { ...runtime.config, smtpUrl: 'smtp://mail.example.com' } });
  expect(sent[0]).toContain('the link is sent to that address');
});
