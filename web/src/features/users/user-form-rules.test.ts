import { expect, it } from 'vitest';
import { userChangesOf, userChangesProblems, userDraftOf } from './user-form-rules.ts';

const flags = { is_superuser: false, is_active: true, role: 'operator' } as const;
const before = { email: 'ed@example.com', full_name: 'Ed Before', ...flags };
const draft = userDraftOf(before);

it('sends only what was changed, so that what another superuser changed meanwhile stays', () => {
  expect(userChangesOf(draft, before)).toEqual({});
  expect(userChangesOf({ ...draft, full_name: ' Ed After ' }, before)).toEqual({ full_name: 'Ed After' });
  expect(userChangesOf({ ...draft, is_active: false }, before)).toEqual({ is_active: false });
  expect(userChangesOf({ ...draft, is_superuser: true, email: 'ed@example.org' }, before)).toEqual({
    is_superuser: true,
    email: 'ed@example.org',
  });
});

it('makes a viewer of an operator, and back', () => {
  expect(userChangesOf({ ...draft, is_viewer: true }, before)).toEqual({ is_viewer: true });
  const viewer = { ...before, role: 'viewer' } as const;
  expect(userChangesOf(userDraftOf(viewer), viewer)).toEqual({});
  expect(userChangesOf({ ...userDraftOf(viewer), is_viewer: false }, viewer)).toEqual({ is_viewer: false });
});

it('takes a name away when its field is emptied, and leaves one alone that was never there', () => {
  expect(userChangesOf({ ...draft, full_name: '' }, before)).toEqual({ full_name: null });
  const nameless = { ...before, full_name: null };
  expect(userChangesOf(userDraftOf(nameless), nameless)).toEqual({});
});

it('sends a password only where one is given', () => {
  const password = 'a brand new password';
  expect(userChangesOf({ ...draft, password, confirm_password: password }, before)).toEqual({ password });
});

it('says what is wrong with what was changed', () => {
  expect(userChangesProblems(draft, before)).toEqual({});
  expect(userChangesProblems({ ...draft, email: '' }, before)).toEqual({ email: 'Email is required' });
  expect(userChangesProblems({ ...draft, password: 'a brand new password' }, before)).toHaveProperty(
    'confirm_password',
  );
});
