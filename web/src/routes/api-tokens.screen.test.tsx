/** What scripts call with: made, shown once and revoked under Settings; those of all users revoked by a superuser. */
import {
  createApiToken,
  listAllApiTokens,
  listApiTokens,
  revokeAnyApiToken,
  revokeApiToken,
} from '@dutchbook/contract/api-tokens.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible, pixelsBeyondTheEdge } from '../testing/accessible.ts';
import { button, dialog, expectProblem, rowsOf, toast, typeInto } from '../testing/look.ts';
import { onPhone, open, server } from '../testing/screen.tsx';

const TOKEN = {
  id: '00000000-0000-4000-8000-000000000001',
  ...{ name: 'Nightly', scope: 'trade' as const, prefix: 'dbk_abcdef' },
  created_at: '2026-07-01T08:00:00.000Z',
  expires_at: '2026-07-31T08:00:00.000Z',
  last_used_at: '2026-07-01T09:00:00.000Z',
  last_used_address: '10.0.0.1',
};
const SECRET = `dbk_${'Ab3-_'.repeat(9)}`.slice(0, 47);

test('makes one, shows it once, and revokes it', async () => {
  let tokens: (Omit<typeof TOKEN, 'last_used_at'> & { last_used_at: string | null })[] = [TOKEN];
  server.answer(listApiTokens, () => ({ data: tokens }));
  server.answer(createApiToken, ({ body }) => {
    const made = { ...TOKEN, ...(body as object), id: '00000000-0000-4000-8000-000000000002', last_used_at: null };
    tokens = [made, ...tokens];
    return { ...made, token: SECRET };
  });
  server.answer(revokeApiToken, ({ params }) => {
    tokens = tokens.filter(({ id }) => id !== params.token_id);
    return { message: 'API token revoked' };
  });
  await open('/settings?tab=api-tokens');
  await expect.element(page.getByText('10.0.0.1')).toBeVisible();
  await expectAccessible('the API tokens');
  await button('New Token').click();
  await expectProblem('Name', ' ', 'Name is required');
  await typeInto(page.getByLabelText('Name'), 'Backup');
  await page.getByLabelText('Scope').selectOptions('Admin');
  await page.getByLabelText('Expires In').selectOptions('90 days');
  await button('Save').click();
  await expect.element(dialog('Copy the API Token').getByText(SECRET)).toBeVisible();
  await expectAccessible('the API token');
  // It would be gone for good.
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Close This?')).toMatchTextContent('Close? This API token is not shown again.');
  await dialog('Close This?').getByRole('button', { name: 'Back' }).click();
  await expect.element(page.getByText(SECRET)).toBeVisible();
  await button('Done').click();
  await expect.element(page.getByText(SECRET)).not.toBeInTheDocument();
  expect(server.askedFor(createApiToken)).toMatchObject([
    { body: { name: 'Backup', scope: 'admin', expires_in_days: 90 } },
  ]);
  await button('Revoke Nightly').click();
  await dialog('Revoke API Token').getByRole('button', { name: 'Revoke' }).click();
  await expect.element(toast('The API token was revoked.')).toBeVisible();
  await expect.poll(() => rowsOf('API Tokens').length).toBe(1);
  expect(server.askedFor(revokeApiToken)).toMatchObject([{ params: { token_id: TOKEN.id } }]);
});

test('says where there is none, and makes no more than twenty', async () => {
  let tokens: (typeof TOKEN)[] = [];
  server.answer(listApiTokens, () => ({ data: tokens }));
  await open('/settings?tab=api-tokens');
  await expect.element(page.getByText('You have no API tokens.')).toBeVisible();
  await expect.element(button('New Token')).toBeEnabled();
  tokens = Array.from({ length: 20 }, (_, at) => ({ ...TOKEN, id: TOKEN.id.slice(0, -2) + (10 + at) }));
  await open('/settings?tab=api-tokens');
  await expect.element(button('New Token')).toBeDisabled();
});

test('are read on a phone without scrolling sideways', async () => {
  server.answer(listApiTokens, { data: [TOKEN] });
  await onPhone();
  await open('/settings?tab=api-tokens');
  await expect.element(page.getByText('Nightly')).toBeVisible();
  expect(pixelsBeyondTheEdge()).toBe(0);
});

test('a superuser sees those of all users, and revokes one', async () => {
  let tokens = [{ ...TOKEN, owner: 'ada@example.com' }];
  server.answer(listAllApiTokens, () => ({ data: tokens, count: tokens.length }));
  server.answer(revokeAnyApiToken, () => {
    tokens = [];
    return { message: 'API token revoked' };
  });
  await open('/admin?tab=tokens');
  await expect.element(page.getByText('ada@example.com')).toBeVisible();
  await expectAccessible('the API tokens of all users');
  await button('Revoke Nightly').click();
  await dialog('Revoke API Token').getByRole('button', { name: 'Revoke' }).click();
  await expect.element(page.getByText('There are no API tokens.')).toBeVisible();
  expect(server.askedFor(revokeAnyApiToken)).toMatchObject([{ params: { token_id: TOKEN.id } }]);
});
