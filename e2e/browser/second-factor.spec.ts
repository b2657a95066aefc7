/** A second factor as a user has it: an authenticator on a phone, a key, and what helps when either is lost. */
import { type CDPSession, expect, type Locator, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { signedInCaller } from '../product/product.ts';
import { test } from './browser.fixture.ts';
import { button, logIn } from './entry.ts';
import { addPerson, type Person, signInAs } from './people.ts';

test.use({ signedIn: false });

const SETTINGS = '/settings?tab=second-factor';
const STEP_MS = 30_000;

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();

async function logOut(page: Page) {
  await page.getByTestId('user-menu').click();
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

/** Reads the recovery codes that are shown, and closes the dialog that shows them. */
async function keepCodes(shown: Locator): Promise<string[]> {
  const items = shown.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(items).toHaveCount(10);
  const codes = await items.allTextContents();
  await press(shown, 'I Have Kept Them');
  return codes;
}

async function giveCode(page: Page, code: string) {
  await page.getByPlaceholder('Code').fill(code);
  await button(page, 'Log In').click();
}

test('an authenticator is set up, opens the account, and is replaced by a recovery code when the phone is lost', async ({
  page,
  product,
  mayBeRefused,
}) => {
  // Asked for a second factor, with the reason that a code was used.
  mayBeRefused(400);
  const person = await addPerson(product);
  await signInAs(page, person);
  await page.goto(SETTINGS);
  await button(page, 'Set Up Authenticator').click();
  const steps = dialog(page, 'Set Up Authenticator');
  await steps.getByPlaceholder('Current Password').fill(person.credentials.password);
  await press(steps, 'Continue');
  await expect(steps.getByRole('img', { name: 'QR code for the authenticator' })).toBeVisible();
  const secret = await steps.getByRole('button', { name: /^[A-Z2-7]{32}$/ }).textContent();
  const phone = new TOTP({ secret: Secret.fromBase32(secret ?? '') });
  const first = phone.generate();
  await steps.getByLabel('Code', { exact: true }).fill(first);
  await press(steps, 'Confirm');
  const codes = await keepCodes(steps);
  await expect(page.getByText('10 of 10 recovery codes are left.')).toBeVisible();

  await logOut(page);
  await logIn(page, person.credentials);
  await expect(page.getByText('Enter the code of your authenticator.')).toBeVisible();
  await giveCode(page, first);
  await expect(page.getByText('The code was used before. Wait for the next one.')).toBeVisible();
  // The next one is taken half a minute early.
  await giveCode(page, phone.generate({ timestamp: Date.now() + STEP_MS }));
  await expect(page.getByRole('heading', { name: `Hi, ${person.credentials.username}` })).toBeVisible();

  await logOut(page);
  await logIn(page, person.credentials);
  await giveCode(page, codes[0] ?? '');
  await expect(page.getByRole('heading', { name: `Hi, ${person.credentials.username}` })).toBeVisible();
  await page.goto(SETTINGS);
  await expect(page.getByText('9 of 10 recovery codes are left.')).toBeVisible();
});

/** A key in a port of the machine, touched whenever it is asked for. */
async function plugIn(page: Page): Promise<{ cdp: CDPSession; unplug: () => Promise<void> }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'usb', hasResidentKey: false, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const unplug = () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  return { cdp, unplug: async () => void (await unplug()) };
}

/** From the next page on it is under a name, which passkeys belong to. */
async function openUnderName(page: Page, url: string, person: Person) {
  await signInAs(page, person);
  await page.goto(`${url.replace('127.0.0.1', 'localhost')}${SETTINGS}`);
}

test('a passkey opens the account and proves who asks, and a recovery code does when the key is lost', {
  tag: '@journey',
}, async ({ page, product, mayBeRefused }) => {
  // Asked for a second factor, at sign-in and once more.
  mayBeRefused(400);
  mayBeRefused(409);
  const person = await addPerson(product);
  const { cdp, unplug } = await plugIn(page);
  await openUnderName(page, product.url, person);
  await button(page, 'Add Passkey').click();
  const adding = dialog(page, 'Add Passkey');
  await adding.getByLabel('Name', { exact: true }).fill('Key ring');
  await adding.getByPlaceholder('Current Password').fill(person.credentials.password);
  await press(adding, 'Save');
  const codes = await keepCodes(adding);
  await expect(page.getByRole('cell', { name: 'Key ring', exact: true })).toBeVisible();

  await logOut(page);
  await logIn(page, person.credentials);
  await expect(page.getByText('Use your passkey, or enter a recovery code.')).toBeVisible();
  await button(page, 'Use Passkey').click();
  await expect(page.getByRole('heading', { name: `Hi, ${person.credentials.username}` })).toBeVisible();

  await logOut(page);
  await unplug();
  await logIn(page, person.credentials);
  await giveCode(page, codes[0] ?? '');
  await expect(page.getByRole('heading', { name: `Hi, ${person.credentials.username}` })).toBeVisible();
  await cdp.send('WebAuthn.disable');
});

test('a passkey proves who asks in a session that began without it', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(409);
  const person = await addPerson(product);
  const earlier = await signedInCaller(product.url, person.credentials);
  const { cdp } = await plugIn(page);
  await openUnderName(page, product.url, person);
  await button(page, 'Add Passkey').click();
  const adding = dialog(page, 'Add Passkey');
  await adding.getByLabel('Name', { exact: true }).fill('Laptop');
  await adding.getByPlaceholder('Current Password').fill(person.credentials.password);
  await press(adding, 'Save');
  await keepCodes(adding);

  await page.evaluate((token) => localStorage.setItem('access_token', token), earlier.token);
  await page.reload();
  await button(page, 'Remove Second Factor').click();
  await press(dialog(page, 'Remove Second Factor'), 'Remove');
  await press(dialog(page, 'Prove That It Is You'), 'Use Passkey');
  await expect(page.getByText('The password alone opens your account from now on.')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Laptop', exact: true })).toHaveCount(0);
  await cdp.send('WebAuthn.disable');
});
