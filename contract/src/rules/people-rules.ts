/** The rules of section 5 of the product's specification for names, emails and passwords, with their messages. */
import * as z from 'zod/mini';

const EMAIL_MAX = 254;
const NAME_MAX = 255;
const PROFILE_NAME_MAX = 30;
const SIGN_UP_NAME_MIN = 3;
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;

/** One `@`, no spaces, a dot in the host; linear in the length of the text. */
const EMAIL = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,63}$/;

function emailOr(required: string) {
  return z
    .string(required)
    .check(
      z.minLength(1, { error: required, abort: true }),
      z.maxLength(EMAIL_MAX, 'Invalid email address'),
      z.regex(EMAIL, 'Invalid email address'),
    );
}

export const email = emailOr('Email is required');

/** The username of the login form is an email. */
export const username = emailOr('Username is required');

/** A password that a user types to prove who they are: its length is only checked where one is chosen. */
export const passwordGiven = z
  .string('Password is required')
  .check(z.minLength(1, 'Password is required'), z.maxLength(1000));

export const passwordChosen = z
  .string('Password is required')
  .check(
    z.minLength(1, { error: 'Password is required', abort: true }),
    z.minLength(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`),
    z.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  );

/** What the second field of a new password gets wrong; null when it repeats the first. */
export function confirmationProblem(
  chosen: string,
  repeated: string,
  required = 'Password confirmation is required',
): string | null {
  if (repeated === '') return required;
  return repeated === chosen ? null : 'The passwords do not match';
}

const tooLong = (max: number) => `Full Name must be at most ${max} characters`;

/** A name that may be missing. */
export const fullName = z.nullable(z.string().check(z.trim(), z.maxLength(NAME_MAX, tooLong(NAME_MAX))));

export const fullNameInProfile = z.nullable(
  z.string().check(z.trim(), z.maxLength(PROFILE_NAME_MAX, tooLong(PROFILE_NAME_MAX))),
);

export const fullNameAtSignUp = z
  .string('Full Name is required')
  .check(
    z.trim(),
    z.minLength(1, { error: 'Full Name is required', abort: true }),
    z.minLength(SIGN_UP_NAME_MIN, `Full Name must be at least ${SIGN_UP_NAME_MIN} characters`),
    z.maxLength(NAME_MAX, tooLong(NAME_MAX)),
  );
