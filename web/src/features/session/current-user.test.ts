import { expect, it } from 'vitest';
import { currentUserQuery } from './current-user.ts';

it('is kept under the name that is specified', () => {
  expect(currentUserQuery.queryKey).toEqual(['currentUser']);
});
