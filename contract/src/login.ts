import * as z from 'zod/mini';
import { endpoint, message, notFound, refusal, TOO_MANY_ATTEMPTS } from './endpoint.ts';
import { described } from './notes/described.ts';
import { email, passwordChosen, passwordGiven, username } from './rules/people-rules.ts';

const tag = 'Login';

/** The form of /login: the username is the email. */
export const loginForm = z.object({
  username: described('The email address of the account.', username),
  password: passwordGiven,
});

const DEVICE_TOKEN_MAX = 200;
export const CODE_MAX = 40;
export const PASSKEY_MAX = 8000;

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/login/access-token',
  access: 'public',
  tag,
  summary: 'Exchange email and password for an access token',
  refusals: [
    refusal(
      400,
      'The email or the password is wrong, the account is inactive, or a second factor is asked for: `second_factor` names which.',
      'Incorrect email or password',
    ),
    TOO_MANY_ATTEMPTS,
  ],
  encoding: 'form',
  body: z.object({
    ...loginForm.shape,
    grant_type: described(
      'Ignored; sent by clients that follow OAuth 2.',
      z.optional(z.string().check(z.maxLength(50))),
    ),
    device_token: described(
      'From an earlier log-in of this device: attempts of known devices are counted together, apart from those of all others.',
      z.optional(z.string().check(z.maxLength(DEVICE_TOKEN_MAX))),
    ),
    code: described(
      'Where the account asks for it: of the authenticator, or a recovery code. Or what the browser says of a passkey.',
      z.optional(z.string().check(z.maxLength(CODE_MAX))),
    ),
    passkey: described(
      "What the browser's passkey answered, as JSON text.",
      z.optional(z.string().check(z.maxLength(PASSKEY_MAX))),
    ),
  }),
  reply: z.object({
    access_token: described('The token that further calls send as `Authorization: Bearer …`.', z.string()),
    token_type: described('How the token is sent.', z.literal('bearer')),
    device_token: described('To be sent with later log-ins from this device.', z.string()),
    first_login: described('The account has not logged in before; left out where it has.', z.optional(z.literal(true))),
  }),
});

export const recoveryForm = z.object({ email });

/** One answer whether or not the account exists. */
export const RECOVERY_MESSAGE = 'If that email has an account, a password recovery email was sent.';

export const recoverPassword = endpoint({
  method: 'POST',
  path: '/password-recovery/{email}',
  access: 'public',
  tag,
  summary: 'Send a link that sets a new password, if the email has an account',
  refusals: [TOO_MANY_ATTEMPTS],
  params: recoveryForm,
  reply: message,
});

/** What the mail would say, with a link that works: for a superuser to hand over by other means. */
export const readRecoveryHtml = endpoint({
  method: 'POST',
  path: '/password-recovery-html-content/{email}',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'The password recovery email as HTML',
  refusals: [notFound('User not found')],
  params: recoveryForm,
  reply: z.string(),
});

export const resetForm = z.object({ new_password: passwordChosen });

export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password/',
  access: 'public',
  tag,
  summary: 'Set a new password with the token of a recovery email; every session ends',
  refusals: [refusal(400, 'The token is unknown, was used, or has expired.', 'Invalid token'), TOO_MANY_ATTEMPTS],
  body: z.object({
    ...resetForm.shape,
    token: described(
      'The token from the link in the email.',
      z.string('Token is required').check(z.minLength(1, 'Token is required')),
    ),
  }),
  reply: message,
});

export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/utils/test-email/',
  access: 'superuser',
  tag: 'System',
  summary: 'Send a test email',
  refusals: [refusal(502, 'The mail server did not take the email.', 'The email was not sent: connection refused')],
  query: z.object({ email_to: described('The address that the test email goes to.', email) }),
  reply: message,
});
