import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { askAgain } from './ask-again-plugin.ts';
import { preload } from './preload-plugin.ts';

/** What the pages behind the login share. */
const SHARED_ON_DESK = [
  /units[\\/]src/,
  /contract[\\/]src[\\/](opportunities|batches|notifications|status|stream)/,
  /react-query[\\/].*(useQuery|useBaseQuery)/,
  /web[\\/]src[\\/]features[\\/](session|arming[\\/]arming-control|status[\\/](system|strip|offline|armed))/,
  /web[\\/]src[\\/]app[\\/](live[\\/]|navigation|desk-keys|screens|other-tabs|read-again|when-idle|list-search|links)/,
  /web[\\/]src[\\/]ui[\\/](data-table|use-row-keys|use-shortcuts|pager|use-page|page-header|panel|states|status-badge)/,
  /web[\\/]src[\\/]ui[\\/](copyable|copy|opener|menu-button|explained|date-format|local-time|age-words|use-now|use-in-slices|signed)/,
  /web[\\/]src[\\/]ui[\\/](live-number|row-menu|icons|save-file|filter-panel|form-buttons|button-row|announcer)/,
  // Too small for a request each.
  /get-nonce|@mantine[\\/]core[\\/].*(NativeSelect|Progress|VisuallyHidden|create-safe-context|get-auto-contrast|get-env)/,
  /@mantine[\\/](core|hooks)[\\/].*(use-merged-ref|use-callback-ref|use-force-update|to-int|get-style-object|create-scoped-keydown|compose-event)/,
  /web[\\/]src[\\/]app[\\/](command-key|use-trade|unsaved\.ts|rebase)/,
  /web[\\/]src[\\/]features[\\/]opportunities[\\/](opportunity-(name|queries)|flag-words|profit)/,
  /web[\\/]src[\\/]features[\\/].*[\\/](batch-(queries|values|actions|course)|order-status|sale-rows|user-role|user-queries)/,
  /web[\\/]src[\\/]features[\\/]notifications[\\/]notification-(queries|values)/,
];

/** What opens above a page: dialogs, menus, explanations. */
const ABOVE_A_PAGE = [
  /floating-ui|tslib|react-remove-scroll|use-sidecar|modules[\\/]use-callback-ref|react-style-singleton/,
  /@mantine[\\/]core[\\/].*[\\/](Modal|ModalBase|Portal|FocusTrap|Overlay|Transition|Paper|DirectionProvider)[\\/]/,
  /@mantine[\\/]core[\\/].*(ScrollArea[\\/](?!utils)|get-default-z-index|get-single-element-child|is-element)/,
  /@mantine[\\/]hooks[\\/].*(use-focus-(trap|return)|use-window-event)/,
  /web[\\/]src[\\/]ui[\\/](dialog|confirm-dialog)/,
];

export default defineConfig({
  plugins: [react(), preload, askAgain],
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
            {
              name: 'overlays',
              priority: 1,
              includeDependenciesRecursively: false,
              test: (id) => ABOVE_A_PAGE.some((one) => one.test(id)),
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
