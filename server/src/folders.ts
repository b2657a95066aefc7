import { fileURLToPath } from 'node:url';

// Paths relative to this file; they hold in server/src and, once the program is bundled into one file, in server/dist.

/** Made from every `table.ts` by `npx drizzle-kit generate` in `server/`. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** The built web pages. */
export const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Entry file of the rehearsal worker thread. */
export const rehearsalProgram = new URL(
  import.meta.url.endsWith('.ts') ? './memory/rehearsals/worker.ts' : './rehearsal.js',
  import.meta.url,
);

/** Entry file of the worker thread that exports recordings. */
export const exportProgram = new URL(
  import.meta.url.endsWith('.ts') ? './memory/recordings/export-worker.ts' : './export.js',
  import.meta.url,
);

/** Entry file of the recording worker thread. */
export const writerProgram = new URL(
  import.meta.url.endsWith('.ts') ? './memory/recordings/writer-worker.ts' : './writer.js',
  import.meta.url,
);
