/** The rules of section 5 of the product's specification for names, emails and passwords, with their messages. */
import * as z from 'zod/mini';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const EMAIL_MAX = 254;

/** One `@`, no spaces, a dot in the host; linear in the length of the text. */
const EMAIL = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,63}$/;

function emailNamed(required: string) {
  return z
    .string(required)
    .check(
      z.minLength(1, { error: required, abort: true }),
      z.maxLength(EMAIL_MAX, 'Invalid email address'),
      z.regex(EMAIL, 'Invalid email address'),
    );
}

export const email = emailNamed('Email is required');
export const username = emailNamed('Username is required');

/** A password somebody types to prove who they are: its length is only checked where one is chosen. */
export const passwordGiven = z
  .string('Password is required')
  .check(z.minLength(1, 'Password is required'), z.maxLength(1000));
