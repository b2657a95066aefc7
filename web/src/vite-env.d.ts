/// <reference types="vite/client" />

/** What the library draws an icon of, which its own types leave out: strokes, each from a point of its own. */
declare module '@tabler/icons-react/dist/esm/icons/*' {
  export const __iconNode: readonly (readonly ['path', { readonly d: string }])[];
}
