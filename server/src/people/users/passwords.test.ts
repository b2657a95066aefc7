import { expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

it('the hash of a password costs what it has to cost, and is the password of that account alone', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.matches(hash, 'correct horse battery')).toBe(true);
  expect(await passwords.matches(hash, 'incorrect horse battery')).toBe(false);
  expect(await passwords.matches(null, 'the password of no account')).toBe(false);
});
