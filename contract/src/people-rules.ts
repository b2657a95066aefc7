/** The rules of section 5 of the product's specification for emails and passwords, with their messages. */
import * as z from 'zod/mini';

const EMAIL_MAX = 254;

/** One `@`, no spaces, a dot in the host; linear in the length of the text. */
const EMAIL = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,63}$/;

/** The username of the login form is an email. */
export const username = z
  .string('Username is required')
  .check(
    z.minLength(1, { error: 'Username is required', abort: true }),
    z.maxLength(EMAIL_MAX, 'Invalid email address'),
    z.regex(EMAIL, 'Invalid email address'),
  );

/** A password somebody types to prove who they are: its length is only checked where one is chosen. */
export const passwordGiven = z
  .string('Password is required')
  .check(z.minLength(1, 'Password is required'), z.maxLength(1000));
