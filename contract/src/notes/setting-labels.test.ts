import { expect, it } from 'vitest';
import { plainWords } from './setting-labels.ts';

it.each([
  [
    'net 3.00% a year, as the cash is back in 41.0 days, MIN_ANNUALISED_RETURN is 5.00%',
    'net 3.00% a year, as the cash is back in 41.0 days, “Least return a year” is 5.00%',
  ],
  ['the order takes more than CLIP_USD allows', 'the order takes more than “Most dollars of a clip” allows'],
  ['the book of NO_SUCH_SETTING is stale', 'the book of NO_SUCH_SETTING is stale'],
])('names settings as people call them: %s', (message, said) => {
  expect(plainWords(message)).toBe(said);
});
