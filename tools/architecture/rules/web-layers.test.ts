import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { webLayers } from './web-layers.ts';

test('refuses what imports from a folder above its own, and nothing else', () => {
  const files = {
    'web/src/app/router.ts': "import { Menu } from '../features/session/menu.tsx';",
    'web/src/features/session/menu.tsx':
      "import { Icon } from '../../ui/icons.tsx';\nimport { a } from '../../app/router.ts';",
    'web/src/ui/icons.tsx': "import { call } from '../calls/call.ts';",
    'web/src/ui/icons.test.tsx': "import { call } from '../calls/call.ts';",
    'web/src/calls/call.ts': "import { Icon } from '../ui/icons.tsx';",
    'web/src/main.tsx': "import './app/router.ts';",
  };
  expect(placesFound(webLayers, files)).toEqual(['web/src/features/session/menu.tsx:2', 'web/src/ui/icons.tsx:1']);
});
