import type { User } from '@dutchbook/contract/current-user.ts';
import { createUser } from '@dutchbook/contract/users.ts';
import type { Page } from '@playwright/test';
import { type Caller, signedInCaller } from '../product/product.ts';
import type { StartedProduct } from './started-product.ts';

export type Person = { user: User; credentials: { username: string; password: string }; caller: Caller };

let made = 0;

/** A user with an active account of their own, signed in over the API; no test shares them with another. */
export async function addPerson(
  product: StartedProduct,
  fields: { full_name?: string; is_superuser?: boolean } = {},
): Promise<Person> {
  made += 1;
  const credentials = { username: `person-${made}@example.com`, password: 'a long enough password' };
  const { reply: user, detail } = await product.caller.call(createUser, {
    body: { email: credentials.username, password: credentials.password, is_active: true, ...fields },
  });
  if (user === undefined) throw new Error(`no user was added: ${detail}`);
  return { user, credentials, caller: await signedInCaller(product.url, credentials) };
}

/** From the next page on, `page` is that of this person. */
export async function signInAs(page: Page, { caller }: Person): Promise<void> {
  await page.addInitScript((token) => {
    // Once, so that a session that the test ends stays ended.
    if (sessionStorage.getItem('signed in by the test') !== null) return;
    sessionStorage.setItem('signed in by the test', 'yes');
    localStorage.setItem('access_token', token);
  }, caller.token);
}
