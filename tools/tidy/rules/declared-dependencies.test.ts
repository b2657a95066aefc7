import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { declaredDependencies } from './declared-dependencies.ts';

test('accepts what package.json declares, and its own name', () => {
  const files = {
    'server/src/main.ts': [
      "import fastify from 'fastify';",
      "import plugin from 'fastify/plugin.js';",
      "import { book } from '@dutchbook/engine/book.ts';",
      "import { store } from '@dutchbook/server/store.ts';",
      "import { join } from 'node:path';",
      "import type { Socket } from '@types/ws';",
    ].join('\n'),
  };
  expect(placesFound(declaredDependencies, files)).toEqual([]);
});

test('refuses a package and a workspace that are not declared', () => {
  const text = "import { z } from 'zod';\nimport { price } from '@dutchbook/units/price.ts';";
  expect(placesFound(declaredDependencies, { 'server/src/main.ts': text })).toEqual([
    'server/src/main.ts:1',
    'server/src/main.ts:2',
  ]);
});

test('lets tests use what the top declares, and nothing that ships', () => {
  const files = {
    'server/src/main.test.ts': "import { test } from 'vitest';",
    'server/src/world.fixture.ts': "import { expect } from 'vitest';",
    'server/src/main.ts': "import { test } from 'vitest';",
  };
  expect(placesFound(declaredDependencies, files)).toEqual(['server/src/main.ts:1']);
});

test("wants the node: prefix on Node's own modules", () => {
  expect(placesFound(declaredDependencies, { 'server/src/main.ts': "import { join } from 'path';" })).toHaveLength(1);
});
