import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Each screen's file, named by its address: `batches.$batchId.tsx` stands at /batches/{id}. */
const SCREEN = /\/web\/src\/routes\/[^/]+\.tsx$/;
/** Around every screen but these. */
const DESK = 'desk';
const BEFORE_THE_LOGIN = ['login', 'signup', 'recover-password', 'reset-password'];

type Chunk = Rolldown.OutputChunk;

/**
 * Has a page fetch at once all that it needs to stand, instead of each piece once the one before it has run: what its
 * first script asks for stands in index.html, and preloads.json tells the server what each screen needs beside it, as
 * `{ [its address]: its files }`.
 */
export const preload: Plugin = {
  name: 'preload',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      // Not while developing: then nothing is bundled.
      if (bundle === undefined) return;
      const chunks = chunksOf(bundle);
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/app/start.tsx'));
      if (start === undefined) throw new Error('No chunk begins with app/start.tsx, so the page cannot preload it');
      const { scripts, styles } = filesOf([start], chunks);
      return [
        ...scripts.map((href) => ({ rel: 'modulepreload', crossorigin: true, href })),
        ...styles.map((href) => ({ rel: 'stylesheet', crossorigin: true, href })),
      ]
        .filter(({ href }) => !html.includes(href))
        .map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
    },
  },
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = chunksOf(bundle);
      const screens = chunks.filter(({ facadeModuleId }) => SCREEN.test(facadeModuleId ?? ''));
      const desk = screens.find((screen) => nameOf(screen) === DESK);
      if (desk === undefined) throw new Error(`No chunk begins with routes/${DESK}.tsx, so no screen can preload it`);
      const preloads = screens.map((screen) => {
        const needed = BEFORE_THE_LOGIN.includes(nameOf(screen)) ? [screen] : [desk, screen];
        const { scripts, styles } = filesOf(needed, chunks);
        return [addressOf(nameOf(screen)), [...styles, ...scripts]];
      });
      const source = JSON.stringify(Object.fromEntries(preloads));
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source });
    },
  },
};

function chunksOf(bundle: Rolldown.OutputBundle): Chunk[] {
  return Object.values(bundle).filter((file) => file.type === 'chunk');
}

/** The addresses of the chunks, of all that they import, and of their styles. */
function filesOf(chunks: readonly Chunk[], all: readonly Chunk[]): { scripts: string[]; styles: string[] } {
  const needed = new Set(chunks);
  // What is added while it runs is visited as well.
  for (const { imports } of needed) {
    for (const imported of all.filter(({ fileName }) => imports.includes(fileName))) needed.add(imported);
  }
  const styles = new Set([...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
  return {
    scripts: [...needed].map(({ fileName }) => `/${fileName}`),
    styles: [...styles].map((fileName) => `/${fileName}`),
  };
}

const nameOf = ({ facadeModuleId }: Chunk) => basename(facadeModuleId ?? '', '.tsx');

/** A part that stands for any word is a star. */
function addressOf(name: string): string {
  if (name === 'dashboard') return '/';
  const parts = name.split('.').map((part) => (part.startsWith('$') ? '*' : part));
  return `/${parts.join('/')}`;
}
