import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { Config } from '../runtime/config.ts';
import type { HttpServer } from './app.ts';
import { sendRefusal } from './error-replies.ts';
import { NotFound } from './errors.ts';
import { allowStyles, onlyAsPartOfPage } from './security-headers.ts';

const NONCE_MARK = '__CSP_NONCE__';
const PAPER_MARK = '__PAPER_FILLS__';
const PART_OF_PAGE = /\.(?:js|css|woff2)(?:\.br|\.gz)?$/;
const NOT_BUILT =
  'The web pages have not been built yet.\nBuild them with: npm start (which does it when needed)\nThe API is under /api/v1, its documentation under /docs.\n';

/**
 * Serves the built pages. An address that is no file is the application's own, so it gets the page; below /api and
 * where a file was meant, it is not found. The page says itself whether it is of paper trading, so that the login does too.
 */
export async function registerWebPages(http: HttpServer, folder: string, paper: Config['paper']): Promise<void> {
  const indexFile = path.join(folder, 'index.html');
  // Files named by their content never change: browsers need not ask again.
  await serveFiles(http, path.join(folder, 'assets'), {
    ...{ prefix: '/assets/', cacheControl: 'public, max-age=31536000, immutable' },
    ...{ etag: false, lastModified: false, acceptRanges: false },
  });
  await serveFiles(http, folder, { cacheControl: 'no-cache', globIgnore: ['index.html', 'assets/**'] });
  const page = existsSync(indexFile)
    ? readFileSync(indexFile, 'utf8').replaceAll(PAPER_MARK, paper?.fills ?? '')
    : null;
  http.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '';
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|docs)(\/|$)|\.\w+$/.test(address);
    if (!wantsPage) return sendRefusal(reply, new NotFound('Not Found'));
    reply.header('cache-control', 'no-store');
    if (page === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return reply.type('text/html; charset=utf-8').send(page.replaceAll(NONCE_MARK, allowStyles(reply)));
  });
}

type Served = Omit<FastifyStaticOptions, 'root' | 'cacheControl'> & { cacheControl: string; globIgnore?: string[] };

async function serveFiles(http: HttpServer, root: string, { cacheControl, globIgnore = [], ...options }: Served) {
  if (!existsSync(root)) return;
  await http.register(fastifyStatic, {
    root,
    decorateReply: false,
    // Each file has a route of its own, so that no other address ever reaches the file system.
    wildcard: false,
    globIgnore: [...globIgnore, '**/*.map'],
    index: false,
    serveDotFiles: false,
    // The build puts `.br` and `.gz` beside a file.
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      if (PART_OF_PAGE.test(file)) onlyAsPartOfPage(reply);
      reply.header('cache-control', cacheControl);
    },
    ...options,
  });
}
