import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/world/schema.ts', './src/*/table.ts'],
  out: './migrations',
});
