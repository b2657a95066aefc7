import { fileURLToPath } from 'node:url';

// What lies beside the program, as seen from server/src and, once the program is one file, from server/dist alike.

/** Made from schema.ts by `npx drizzle-kit generate` in `server/`. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** The built web pages. */
export const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** The program that lays out an embedded database. */
export const createClusterProgram = fileURLToPath(new URL('../src/world/create-cluster.ts', import.meta.url));

/** What the embedded database runs as a thread of its own; beside the program that is one file it is another one. */
export const embeddedThread = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'world/embedded-thread.ts' : 'embedded-thread.js', import.meta.url),
);

/** A migrated embedded database without rows, laid out by the build; there is none when the program runs from its sources alone. */
export const preparedCluster = fileURLToPath(new URL('../dist/cluster', import.meta.url));
