import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
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
          // What every page needs comes in one piece: it compresses better and stays cached when a screen changes.
          groups: [
            { name: 'base', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|zod)[\\/]/ },
            {
              name: 'controls',
              test: /@mantine[\\/]core[\\/]esm[\\/](core|components[\\/](ActionIcon|Button|CloseButton|Input|InputBase|Loader|TextInput|Transition|UnstyledButton))[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
