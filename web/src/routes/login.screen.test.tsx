import { createAccessToken } from '@dutchbook/contract/login.ts';
import { readSignUpPolicy } from '@dutchbook/contract/users.ts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { button, expectNoProblem, expectProblem, expectTimes, GREEN, ORANGE, RED } from '../testing/look.ts';
import { open, server } from '../testing/screen.tsx';
import { refusal } from '../testing/server.ts';

const field = (label: string) =>
  page.getByLabelText(label, { exact: true }).and(page.getByPlaceholder(label, { exact: true }));

test('sign-in says once what is wrong with a field, when it is left and when the form is sent', async () => {
  await open('/login', { signedIn: false });
  await expect.element(field('Email')).toHaveAttribute('name', 'username');
  await expect.element(button('Log In')).toBeEnabled();
  await expect.element(button('Log In')).toHaveStyle({ backgroundColor: 'rgb(8, 127, 91)' });
  await button('Log In').click();
  await expectTimes('Username is required', 1);
  await expectTimes('Password is required', 1);
  await expect.element(field('Email')).toHaveFocus();

  await open('/login', { signedIn: false });
  await expectProblem('Email', '', 'Username is required');
  await expectProblem('Password', '', 'Password is required');
  await expectProblem('Email', 'nobody', 'Invalid email address');
  await expectTimes('Username is required', 0);
  await expectNoProblem('Email', 'nobody@example.com');
  await expectTimes('Invalid email address', 0);

  await field('Password').fill('open sesame');
  await expect.element(field('Password')).toHaveAttribute('type', 'password');
  await button('Show what is typed').click();
  await expect.element(field('Password')).toHaveAttribute('type', 'text');
});

test('a wrong password is said beside the form as well, with what to do, until something else is typed', async () => {
  server.answer(createAccessToken, () => refusal(400, 'Incorrect email or password'));
  await open('/login', { signedIn: false });
  await field('Email').fill('ada@example.com');
  await field('Password').fill('wrong horse');
  await button('Log In').click();
  await expect
    .element(field('Password'))
    .toHaveAccessibleDescription(/^Incorrect email or password\. Check both, or choose a new password by “Forgot/);
  await expect.element(field('Password')).toHaveFocus();
  await field('Email').click();
  await expectTimes(/Check both/, 1);
  await field('Password').fill('right horse');
  await expectTimes(/Check both/, 0);
});

test('sign-up says once what is wrong with each field, and how strong the password is', async () => {
  server.answer(readSignUpPolicy, { policy: 'open' });
  const screen = await open('/signup', { signedIn: false });
  await expect.element(button('Sign Up')).toBeEnabled();
  await button('Sign Up').click();
  for (const missing of ['Full Name', 'Email', 'Password', 'Password confirmation'])
    await expectTimes(new RegExp(`^${missing} is required$`), 1);
  await expect.element(field('Full Name')).toHaveFocus();

  await expectProblem('Full Name', '', 'Full Name is required');
  await expectProblem('Full Name', 'Al', 'Full Name must be at least 3 characters');
  await expectNoProblem('Full Name', 'Ada');
  await expectProblem('Email', '', 'Email is required');
  await expectProblem('Email', 'ada@example', 'Invalid email address');
  await expectNoProblem('Email', 'ada@example.com');
  await expectProblem('Password', '', 'Password is required');
  await expectProblem('Password', '1234567', 'Password must be at least 8 characters');
  const strength = page.getByRole('status', { name: 'Password strength' });
  await expect.element(strength).toHaveTextContent('Low');
  await expect.element(strength).toHaveStyle({ color: RED });
  await expectNoProblem('Password', 'long enough');
  await expectProblem('Confirm Password', '', 'Password confirmation is required');
  await expectProblem('Confirm Password', 'Long Enough too', 'The passwords do not match');
  await expectNoProblem('Password', 'Long Enough too');
  await expect.element(strength).toHaveTextContent('High');
  await expect.element(strength).toHaveStyle({ color: GREEN });
  await expectTimes('The passwords do not match', 0);
  await expectNoProblem('Password', 'Long Once');
  await expect.element(strength).toHaveTextContent('Medium');
  await expect.element(strength).toHaveStyle({ color: ORANGE });
  await page.getByRole('link', { name: 'Log In' }).click();
  await expect.poll(screen.address).toBe('/login');
});

test('recovery says once what is wrong with the email of a user who forgot the password', async () => {
  await open('/recover-password', { signedIn: false });
  await expect.element(page.getByRole('heading', { name: 'Password Recovery' })).toBeVisible();
  await expect.element(button('Continue')).toBeEnabled();
  await button('Continue').click();
  await expectTimes('Email is required', 1);
  await expect.element(field('Email')).toHaveFocus();
  await open('/recover-password', { signedIn: false });
  await expectProblem('Email', '', 'Email is required');
  await expectProblem('Email', 'nobody', 'Invalid email address');
});

test('reset says once what is wrong with a password that takes the place of a forgotten one', async () => {
  await open('/reset-password?token=any', { signedIn: false });
  await expect.element(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
  await button('Reset Password').click();
  await expectTimes('Password is required', 1);
  await expectTimes('Password confirmation is required', 1);
  await expect.element(field('New Password')).toHaveFocus();
  await expectProblem('New Password', '1234567', 'Password must be at least 8 characters');
  await expect.element(page.getByRole('status', { name: 'Password strength' })).toHaveTextContent('Low');
  await expectNoProblem('New Password', 'another long password');
  await expectProblem('Confirm Password', 'something else', 'The passwords do not match');
  await expectNoProblem('Confirm Password', 'another long password');
});

test.each([
  [true, 'Welcome, nice to see you!'],
  [undefined, 'Welcome back, nice to see you again!'],
] as const)('a log-in that is the first of its account (%s) is greeted as such', async (first_login, words) => {
  const token = {
    access_token: 'any',
    token_type: 'bearer',
    device_token: 'a',
    ...(first_login && { first_login }),
  } as const;
  server.answer(createAccessToken, token);
  await open('/login', { signedIn: false });
  await field('Email').fill('ada@example.com');
  await field('Password').fill('open sesame');
  await button('Log In').click();
  await expect.element(page.getByText(words, { exact: true })).toBeVisible();
});
