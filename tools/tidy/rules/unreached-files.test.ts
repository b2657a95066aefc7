import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { unreachedFiles } from './unreached-files.ts';

test('follows imports, pages, worker addresses, style sheets and paths in tools', () => {
  const files = {
    'server/src/main.ts': "import { store } from './store.ts';\nnew Worker(new URL('./worker.ts', import.meta.url));",
    'server/src/store.ts': 'export const store = 1;',
    'server/src/worker.ts': '',
    'web/index.html': '<script type="module" src="/src/start.tsx"></script>',
    'web/src/start.tsx': "import './page.css';\nimport('./lazy.tsx');",
    'web/src/page.css': "@import './tokens.css';",
    'web/src/tokens.css': '',
    'web/src/lazy.tsx': '',
    'vitest.config.ts': "export default { globalSetup: ['tools/postgres/set-up.ts'] };",
    'tools/postgres/set-up.ts': 'export default 1;',
  };
  expect(placesFound(unreachedFiles, files)).toEqual([]);
});

test('finds a file nothing uses, and one used only by such a file', () => {
  const files = {
    'server/src/old.ts': "import { older } from './older.ts';",
    'server/src/older.ts': 'export const older = 1;',
    'web/src/left.css': '',
  };
  expect(placesFound(unreachedFiles, files)).toEqual([
    'server/src/old.ts:1',
    'server/src/older.ts:1',
    'web/src/left.css:1',
  ]);
});
