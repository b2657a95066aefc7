import { createRoot as createReactRoot } from 'react-dom/client';

/** Made by a script of its own, before the rest: what React is takes as long as one task may. */
export const createRoot = createReactRoot;
