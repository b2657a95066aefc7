import * as z from 'zod/mini';
import { endpoint, message } from './endpoint.ts';
import { email, passwordChosen, passwordGiven, username } from './people-rules.ts';

const tag = 'Login';

/** The form of /login: the username is the email. */
export const loginForm = z.object({ username, password: passwordGiven });

const DEVICE_TOKEN_MAX = 200;
export const CODE_MAX = 40;
export const PASSKEY_MAX = 8000;

export const createAccessToken = endpoint({
  method: 'POST',
  path: '/login/access-token',
  access: 'public',
  tag,
  summary: 'Exchange email and password for an access token',
  encoding: 'form',
  body: z.object({
    ...loginForm.shape,
    grant_type: z.optional(z.string().check(z.maxLength(50))),
    /** From an earlier log-in of this device: attempts of those that are known are counted together, apart from everybody else's. */
    device_token: z.optional(z.string().check(z.maxLength(DEVICE_TOKEN_MAX))),
    /** Where the account asks for it: of the authenticator, or a recovery code. Or what the browser says of a passkey. */
    code: z.optional(z.string().check(z.maxLength(CODE_MAX))),
    passkey: z.optional(z.string().check(z.maxLength(PASSKEY_MAX))),
  }),
  reply: z.object({ access_token: z.string(), token_type: z.literal('bearer'), device_token: z.string() }),
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
  body: z.object({
    ...resetForm.shape,
    token: z.string('Token is required').check(z.minLength(1, 'Token is required')),
  }),
  reply: message,
});

export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/utils/test-email/',
  access: 'superuser',
  tag: 'System',
  summary: 'Send a test email',
  query: z.object({ email_to: email }),
  reply: message,
});
