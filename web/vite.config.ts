import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Has the page fetch at once what its first script asks for as soon as it runs. */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      // Not while developing: then nothing is bundled.
      if (bundle === undefined) return;
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/app/start.tsx'));
      if (start === undefined) throw new Error('No chunk begins with app/start.tsx, so the page cannot preload it');
      const scripts = [start.fileName, ...start.imports];
      const used = chunks.filter(({ fileName }) => scripts.includes(fileName));
      const styles = used.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      return [
        ...scripts.map((fileName) => ({ rel: 'modulepreload', crossorigin: true, href: `/${fileName}` })),
        ...styles.map((fileName) => ({ rel: 'stylesheet', crossorigin: true, href: `/${fileName}` })),
      ]
        .filter(({ href }) => !html.includes(href))
        .map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
    },
  },
};

/** What the pages behind the login share. */
const SHARED_ON_DESK = [
  /units[\\/]src/,
  /contract[\\/]src[\\/](opportunities|batches|notifications|status|stream)/,
  /react-query[\\/].*(useQuery|useBaseQuery)/,
  /web[\\/]src[\\/]features[\\/](session|arming[\\/]arming-control|status[\\/](system|strip|offline|armed))/,
  /web[\\/]src[\\/]app[\\/](live[\\/]|navigation|desk-keys|screens|other-tabs|read-again|when-idle|list-search|links)/,
  /web[\\/]src[\\/]ui[\\/](data-table|use-row-keys|use-shortcuts|pager|use-page|page-header|panel|states|status-badge)/,
  /web[\\/]src[\\/]ui[\\/](copyable|copy|opener|menu-button|explained|date-format|local-time|age-words|use-now|use-in-slices|signed)/,
  /web[\\/]src[\\/]ui[\\/](live-number|row-menu|icons)/,
];

export default defineConfig({
  plugins: [react(), preloadStart],
  resolve: {
    // React has had what this stands in for since version 18.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // An inlined asset would be a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the first script needs to find its place in the page, and then what stands before any screen: each in one
            // piece, which compresses better and stays cached when a screen changes.
            { name: 'base', test: /node_modules|vite[\\/]preload-helper/, tags: ['$initial'], priority: 5 },
            { name: 'start', test: /web[\\/]src[\\/]app[\\/]start/, priority: 4 },
            // What the pages before the login share; with what those modules import, down to the contract's checks.
            {
              name: 'entry',
              test: /fileRoute|TextInput|contract[\\/]src[\\/](login|people-rules|endpoint)|web[\\/]src[\\/](app[\\/](call|contract-form|form-rules)|ui[\\/](entry-card|entry-form|password-field))/,
              priority: 2,
            },
            // The calls of the pages behind the login, which the contract keeps beside those before it.
            {
              name: 'users',
              test: /contract[\\/]src[\\/](users|listing)/,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            // What the pages behind it share, with all that it needs: two pieces must not need each other.
            {
              name: 'desk',
              test: (id) => SHARED_ON_DESK.some((one) => one.test(id)),
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
