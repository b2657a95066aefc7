/** What a person proves besides the password: a code of an authenticator, a recovery code, or a passkey. */
import * as z from 'zod/mini';
import { endpoint, message, notFound, refusal, TOO_MANY_ATTEMPTS } from './endpoint.ts';
import { id } from './listing.ts';
import { CODE_MAX, PASSKEY_MAX } from './login.ts';
import { described } from './notes/described.ts';
import { instant } from './quantities.ts';
import { passwordGiven } from './rules/people-rules.ts';

const PASSKEY_NAME_MAX = 60;

/** Six digits of an authenticator, or a recovery code; spaces and dashes do not count. */
const secondFactorCode = z
  .string('Enter a code')
  .check(z.trim(), z.minLength(1, 'Enter a code'), z.maxLength(CODE_MAX, 'This is no code'));

/** What the browser says of a passkey, as JSON text. */
const passkeyAnswer = z.string().check(z.maxLength(PASSKEY_MAX));

const CREDENTIAL_ID_MAX = 400;

const tag = 'Second factor';

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: instant,
  last_used_at: described('When it was last used; null before.', z.nullable(instant)),
});
export type Passkey = z.output<typeof passkey>;

const secondFactor = z.object({
  authenticator: described('Whether codes of an authenticator are asked for.', z.boolean()),
  recovery_codes_left: described('How many recovery codes have not been used.', z.int()),
  passkeys: described('The passkeys of the account.', z.array(passkey)),
});
export type SecondFactor = z.output<typeof secondFactor>;

export const readSecondFactor = endpoint({
  method: 'GET',
  path: '/users/me/second-factor',
  access: 'viewer',
  tag,
  summary: 'What the own account asks for besides the password',
  reply: secondFactor,
});

export const startForm = z.object({ password: passwordGiven });

/** Nothing is asked for before it is confirmed; asking again makes another secret. */
export const startAuthenticator = endpoint({
  method: 'POST',
  path: '/users/me/second-factor/start',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'A secret for an authenticator, to be confirmed with one of its codes',
  refusals: [
    refusal(400, 'The password is wrong.', 'Incorrect password'),
    refusal(409, 'The account has an authenticator.', 'The account has an authenticator already'),
    TOO_MANY_ATTEMPTS,
  ],
  body: startForm,
  reply: z.object({
    secret: described('The secret of the authenticator, in Base32.', z.string()),
    uri: described('The secret as an address that authenticators read from a QR code.', z.string()),
  }),
});

export const codeForm = z.object({ code: secondFactorCode });

const recoveryCodes = z.object({
  recovery_codes: described(
    'The recovery codes. They are shown this once and cannot be read again.',
    z.array(z.string()),
  ),
});

export const confirmAuthenticator = endpoint({
  method: 'POST',
  path: '/users/me/second-factor/confirm',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Ask for codes of the authenticator from now on; answers the recovery codes, once',
  refusals: [
    refusal(400, 'The code or the passkey is wrong, or was used before.', 'The code is wrong'),
    refusal(409, 'There is nothing to confirm.', 'There is no secret to confirm: start again'),
    TOO_MANY_ATTEMPTS,
  ],
  body: codeForm,
  reply: recoveryCodes,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/users/me/second-factor/recovery-codes',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'New recovery codes in place of the old ones, shown once',
  refusals: [refusal(409, 'The account has no second factor.', 'There is no second factor')],
  proven: true,
  reply: recoveryCodes,
});

export const disableSecondFactor = endpoint({
  method: 'POST',
  path: '/users/me/second-factor/disable',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Ask for the password alone from now on: authenticator, recovery codes and passkeys are forgotten',
  proven: true,
  reply: message,
});

/** Good for the calls that ask for the second factor again, in this session, for five minutes. */
export const proveSecondFactor = endpoint({
  method: 'POST',
  path: '/users/me/second-factor/prove',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Prove the second factor once more in this session',
  refusals: [
    refusal(400, 'The code or the passkey is wrong, or was used before.', 'The code is wrong'),
    refusal(409, 'The account has no second factor.', 'There is no second factor'),
    TOO_MANY_ATTEMPTS,
  ],
  body: z.object({
    code: z.optional(secondFactorCode),
    passkey: described("What the browser's passkey answered.", z.optional(passkeyAnswer)),
  }),
  reply: message,
});

export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/users/{user_id}/second-factor/reset',
  access: 'superuser',
  tag,
  summary: 'Forget the second factor of a user who has lost it; their sessions end',
  refusals: [notFound('User not found')],
  proven: true,
  params: z.object({ user_id: id }),
  reply: message,
});

const NO_PASSKEYS_HERE = refusal(
  409,
  'The product was opened under an address that passkeys do not work with.',
  'Passkeys need a name: open the product under localhost or its own name.',
);

/** What the browser is asked with. */
const passkeyOptions = z.object({
  options: described(
    "What to call the browser's passkeys with.",
    z.custom<object>((options) => typeof options === 'object' && options !== null),
  ),
});

export const startPasskey = endpoint({
  method: 'POST',
  path: '/users/me/passkeys/options',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'What the browser makes a new passkey from',
  refusals: [
    refusal(400, 'The password is wrong.', 'Incorrect password'),
    refusal(409, 'The account has as many passkeys as one may have.', 'There are 10 passkeys: delete one first'),
    NO_PASSKEYS_HERE,
    TOO_MANY_ATTEMPTS,
  ],
  proven: true,
  body: startForm,
  reply: passkeyOptions,
});

export const passkeyForm = z.object({
  name: z
    .string('Name is required')
    .check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(PASSKEY_NAME_MAX, 'Name is too long')),
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/users/me/passkeys',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Ask for this passkey from now on; answers recovery codes where there were none',
  refusals: [
    refusal(400, 'The passkey was not accepted.', 'The passkey was not accepted. Start again.'),
    refusal(409, 'The passkey belongs to an account.', 'The passkey is known already'),
    NO_PASSKEYS_HERE,
  ],
  body: z.object({ ...passkeyForm.shape, passkey: described("What the browser's passkey answered.", passkeyAnswer) }),
  reply: recoveryCodes,
});

export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/users/me/passkeys/{credential_id}',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'Forget a passkey; with the last of all there is no second factor any more',
  refusals: [notFound('Passkey not found')],
  proven: true,
  params: z.object({
    credential_id: described('The identifier of the passkey.', z.string().check(z.maxLength(CREDENTIAL_ID_MAX))),
  }),
  reply: message,
});

export const startProof = endpoint({
  method: 'POST',
  path: '/users/me/second-factor/passkey-options',
  access: 'viewer',
  ownAccount: true,
  tag,
  summary: 'What the browser asks the own passkeys with',
  refusals: [refusal(409, 'The account has no passkey.', 'There is no passkey'), NO_PASSKEYS_HERE],
  reply: passkeyOptions,
});
