import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { HttpServer } from './app.ts';
import { sendRefusal } from './error-replies.ts';
import { NotFound } from './errors.ts';
import { styleNonce } from './security-headers.ts';

const NONCE_MARK = '__CSP_NONCE__';
const NOT_BUILT =
  'The web pages have not been built yet.\nBuild them with: npm start (which does it when needed)\nThe API is under /api/v1, its documentation under /docs.\n';

/**
 * Serves the built pages. An address that is no file is the application's own, so it gets the page; below /api and
 * where a file was meant, it is not found.
 */
export async function registerWebPages(http: HttpServer, folder: string): Promise<void> {
  const indexFile = path.join(folder, 'index.html');
  if (existsSync(folder)) {
    await http.register(fastifyStatic, {
      root: folder,
      // Each file has a route of its own, so that no other address ever reaches the file system.
      wildcard: false,
      globIgnore: ['index.html', '**/*.map'],
      index: false,
      serveDotFiles: false,
      // The build puts `.br` and `.gz` beside a file.
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => reply.header('cache-control', cacheControl(path.relative(folder, file))),
    });
  }
  const page = existsSync(indexFile) ? readFileSync(indexFile, 'utf8') : null;
  http.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '';
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|docs)(\/|$)|\.\w+$/.test(address);
    if (!wantsPage) return sendRefusal(reply, new NotFound('Not Found'));
    reply.header('cache-control', 'no-store');
    if (page === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return reply.type('text/html; charset=utf-8').send(page.replaceAll(NONCE_MARK, styleNonce(request.raw)));
  });
}

/** What the build names by its content never changes; the rest is asked for again. */
function cacheControl(file: string): string {
  return file.startsWith(`assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
