import { fileURLToPath } from 'node:url';

// What lies beside the program, as seen from server/src and, once the program is one file, from server/dist alike.

/** Made from every `table.ts` by `npx drizzle-kit generate` in `server/`. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** The built web pages. */
export const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** What a rehearsal runs as, in a thread of its own: from the sources a file like any other. */
export const rehearsalProgram = new URL(
  import.meta.url.endsWith('.ts') ? './memory/rehearsals/worker.ts' : './rehearsal.js',
  import.meta.url,
);

/** The same of an export of recordings. */
export const exportProgram = new URL(
  import.meta.url.endsWith('.ts') ? './memory/recordings/export-worker.ts' : './export.js',
  import.meta.url,
);

/** The same of what writes recordings. */
export const writerProgram = new URL(
  import.meta.url.endsWith('.ts') ? './memory/recordings/writer-worker.ts' : './writer.js',
  import.meta.url,
);
