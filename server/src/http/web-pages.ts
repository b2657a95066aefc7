import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import * as z from 'zod';
import type { HttpServer } from './app.ts';
import { sendRefusal } from './error-replies.ts';
import { NotFound } from './errors.ts';
import { styleNonce } from './security-headers.ts';

const NONCE_MARK = '__CSP_NONCE__';
const PRELOADS_FILE = 'preloads.json';
/** The build's word on what each screen needs to stand: by its address, where a star is any word, the addresses of files. */
const preloads = z.record(z.string(), z.array(z.string().startsWith('/assets/')));
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
      globIgnore: ['index.html', PRELOADS_FILE, '**/*.map'],
      index: false,
      serveDotFiles: false,
      // The build puts `.br` and `.gz` beside a file.
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => reply.header('cache-control', cacheControl(path.relative(folder, file))),
    });
  }
  const pageFor = existsSync(indexFile) ? readPages(folder) : null;
  http.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '';
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !/^\/(api|docs)(\/|$)|\.\w+$/.test(address);
    if (!wantsPage) return sendRefusal(reply, new NotFound('Not Found'));
    reply.header('cache-control', 'no-store');
    if (pageFor === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    const page = pageFor(address).replaceAll(NONCE_MARK, styleNonce(request.raw));
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

/** The page as it is sent for an address: one for all, but that each names at once what its own screen will ask for. */
function readPages(folder: string): (address: string) => string {
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const preloadsFile = path.join(folder, PRELOADS_FILE);
  const known = existsSync(preloadsFile) ? preloads.parse(JSON.parse(readFileSync(preloadsFile, 'utf8'))) : {};
  const screens = Object.entries(known).map(([screen, files]) => {
    const links = files.filter((file) => !page.includes(file)).map(preloadLink);
    return { words: wordsOf(screen), page: page.replace('</head>', `${links.join('')}</head>`) };
  });
  return (address) => {
    const words = wordsOf(address);
    return screens.find((screen) => isAt(screen.words, words))?.page ?? page;
  };
}

/** With or without a slash at the end. */
const wordsOf = (address: string): string[] => address.replace(/\/$/, '').split('/');

function isAt(screen: readonly string[], words: readonly string[]): boolean {
  return screen.length === words.length && screen.every((word, at) => word === '*' || word === words[at]);
}

/** A style is only fetched: what is linked as a stylesheet would hold back the first paint. */
function preloadLink(file: string): string {
  const how = file.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"';
  return `<link ${how} crossorigin href="${file}">`;
}

/** What the build names by its content never changes; the rest is asked for again. */
function cacheControl(file: string): string {
  return file.startsWith(`assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache';
}
