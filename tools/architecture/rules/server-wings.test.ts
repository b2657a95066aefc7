import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { foreignTables, serverWings } from './server-wings.ts';

test('refuses an import from a later wing, and one of what belongs to no wing', () => {
  const files = {
    'server/src/start.ts': "import { openReport } from './books/report/open.ts';",
    'server/src/folders.ts': '',
    'server/src/platform/http/app.ts':
      "import { webFolder } from '../../folders.ts';\nimport type { User } from '../../people/users/table.ts';",
    'server/src/people/users/table.ts': "import { start } from '../../start.ts';",
    'server/src/market/prices/prices.ts': "import { users } from '../../people/users/table.ts';",
    'server/src/market/prices/prices.test.ts': "import { openReport } from '../../books/report/open.ts';",
    'server/src/books/report/open.ts': "import { prices } from '../../market/prices/prices.ts';",
  };
  expect(placesFound(serverWings, files)).toEqual([
    'server/src/platform/http/app.ts:2',
    'server/src/people/users/table.ts:1',
  ]);
});

test('refuses a statement that names a table of another wing, and neither a comment nor a table of its own', () => {
  const table = (name: string) => `export const one = pgTable(\n  '${name}',\n  {},\n);`;
  const files = {
    'server/src/trading/orders/table.ts': table('batches'),
    'server/src/books/report/table.ts': table('batch_results'),
    'server/src/books/report/read.ts': [
      '/** Reads from batches. */',
      'const own = sql`select * from batch_results`;',
      'const foreign = sql`select 1 from only batches where id = 1`;',
      `const built = sql\`select 1 from \${batches}\`;`,
    ].join('\n'),
    'server/src/books/report/read.test.ts': "await client.query('delete from batches');",
  };
  expect(placesFound(foreignTables, files)).toEqual(['server/src/books/report/read.ts:3']);
});
