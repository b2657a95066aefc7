import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { PRODUCT_URL, paperMark } from './paper-mark-plugin.ts';
import { scriptsInOrder } from './scripts-in-order-plugin.ts';
import { withoutDocumentation } from './without-documentation-plugin.ts';
import { withoutUnused, withoutUnusedColours } from './without-unused-plugin.ts';

/** Has the browser compile what a script holds while it arrives, beside the page, which waits for each function otherwise. */
const compiledBeside: Plugin = {
  name: 'compiled-beside',
  apply: 'build',
  generateBundle: {
    // It has to stand first, before the names of files that Vite puts there.
    order: 'post',
    handler: (_options, bundle) => {
      for (const part of Object.values(bundle)) {
        if (part.type === 'chunk') part.code = `//# allFunctionsCalledOnLoad\n${part.code}`;
      }
    },
  },
};

export default defineConfig({
  plugins: [
    withoutDocumentation,
    withoutUnused,
    paperMark,
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      generatedRouteTree: './src/route-tree.gen.ts',
      routeFileIgnorePattern: 'test',
    }),
    react(),
    compiledBeside,
    scriptsInOrder,
  ],
  css: { postcss: { plugins: [withoutUnusedColours] } },
  resolve: {
    // React has had what this stands in for since version 18.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2023',
    modulePreload: {
      polyfill: false,
      // Styles and what every page of a signed-in person begins with: the first page carries the names of all that is listed here.
      resolveDependencies: (_file, parts) => parts.filter((part) => /\.css$|\/(desk|_shell|list-frame)-/.test(part)),
    },
    reportCompressedSize: false,
    // An inlined asset would be a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The first page carries the names of all files.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // What the login page alone begins with, apart from what the others share with it.
            {
              name: 'entry',
              test: /_entry.login.tsx.tsr-split|features.login.login-form|PasswordInput|contract.src.(login|people-rules)|src.ui.(entry-|password-field)/,
              priority: 4,
              includeDependenciesRecursively: false,
            },
            // A script of its own: what the page begins with is made in several tasks.
            { name: 'react', test: /node_modules.(react|react-dom|scheduler)\W/, priority: 5 },
            { name: 'index', test: /src.main\.tsx|_entry.login.tsx.tsr-split/, priority: 3 },
            {
              name: 'opportunity',
              test: /src.features.opportunities.(feed-badge|book-age|evenly|placing-rule|chosen-sizes|order-size|valuation-queries|expected-depth|profit\.|opportunity-queries|per-share)|contract.src.(valuation|placing)/,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'desk',
              minShareCount: 8,
              // Not what lists alone need, many as they are: the pages with charts would carry it too.
              test: /^(?!.*(src.lists.(?!list-settings|list-query|use-page|deleted)|chain-words|save-file|NativeSelect|Combobox|dialog|Modal|ScrollArea|Overlay|Tooltip|explained|pager|Textarea|MenuSelectable|MenuCheckbox|MenuRadio|CheckIcon|mantine.form|contract-form|klona|fast-deep-equal))/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: PRODUCT_URL, ws: true } } },
});
