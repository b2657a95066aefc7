import type { Plugin } from 'vite';

/** As the build writes what is fetched when it is first needed. */
const FETCHED_LATE = /\bimport\((["'`]\.\/[\w.-]+\.js["'`])\)/g;

/**
 * Has code that could not be fetched asked for under another address: a browser remembers for as long as the page is open
 * that an address brought none (the HTML standard's module map; Chromium since version 150).
 */
export const askAgain: Plugin = {
  name: 'ask-again',
  // The files are called otherwise than those of a build without this.
  augmentChunkHash: () => 'ask-again',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        chunk.code = chunk.code.replace(FETCHED_LATE, 'import($1).catch(()=>import($1+"?again="+Date.now()))');
      }
    },
  },
};
