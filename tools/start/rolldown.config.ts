import { defineConfig } from 'rolldown';

/** What cannot be put into one file: native code, pages of its own, what reads a file beside itself, and an optional package that is not installed. */
const KEPT_AS_PACKAGES = ['@node-rs/argon2', '@fastify/swagger-ui', 'tiny-secp256k1', 'pg-native'];

/** One program as one file. */
function program(input: string, file: string) {
  return {
    input,
    output: { file, codeSplitting: false },
    platform: 'node',
    external: (id: string) => KEPT_AS_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`)),
    logLevel: 'silent',
  } as const;
}

export default defineConfig([
  program('server/src/main.ts', 'server/dist/main.js'),
  program('server/src/memory/rehearsals/worker.ts', 'server/dist/rehearsal.js'),
  program('server/src/memory/recordings/export-worker.ts', 'server/dist/export.js'),
  program('server/src/memory/recordings/writer-worker.ts', 'server/dist/writer.js'),
  program('exchange/src/main.ts', 'exchange/dist/main.js'),
]);
