import { expect, test } from 'vitest';
import { placesFound, repositoryWith } from '../repository.fixture.ts';
import { MAP_DOCUMENT, serverMap, withMap } from './server-map.ts';

const FILES = {
  'server/src/platform/http/app.ts': '',
  'server/src/people/users/table.ts': "import { app } from '../../platform/http/app.ts';",
  'server/src/people/login/login.ts': "import type { User } from '../users/table.ts';",
  'server/src/people/login/login.test.ts': "import { open } from '../../market/prices/open.ts';",
  'server/src/market/prices/open.ts': '',
  'server/src/status/routes.ts': "import { prices } from '../market/prices/open.ts';",
};
const EMPTY = 'before\n\n<!-- npm run architecture -- --write -->\n<!-- end -->\n\nafter\n';
const DRAWN = withMap(EMPTY, repositoryWith(FILES)) ?? '';

test('draws which wings import each other, and each room with the rooms of its wing that it imports', () => {
  expect(DRAWN.split('\n').filter((line) => / --> |^- \*/.test(line))).toEqual([
    '  people --> platform',
    '- *platform*: http',
    '- *people*: login (users); users',
    '- *market*: prices',
    '- *trading*: ',
    '- *books*: ',
    '- *memory*: ',
    '- *beside the wings*: status',
  ]);
  expect(DRAWN).toMatch(/^before\n.*\nafter\n$/s);
});

test('accepts what it drew, and nothing once a room imports another one', () => {
  expect(placesFound(serverMap, { ...FILES, [MAP_DOCUMENT]: DRAWN })).toEqual([]);
  const another = { 'server/src/market/prices/open.ts': "import { login } from '../../people/login/login.ts';" };
  expect(placesFound(serverMap, { ...FILES, ...another, [MAP_DOCUMENT]: DRAWN })).toEqual([`${MAP_DOCUMENT}:8`]);
});

test('names a document without the marks', () => {
  expect(placesFound(serverMap, { ...FILES, [MAP_DOCUMENT]: 'before\n' })).toEqual([`${MAP_DOCUMENT}:1`]);
});
