import { toastProblem } from './toasts.tsx';

const NOT_LOADED = 'This part of the page could not be loaded. Try again once you are connected, or reload the page.';

/** Code that is fetched when it is first asked for, or ahead of that. */
export type LateCode<Code> = {
  /** Fetches it, and keeps it for later. @throws when it cannot be fetched; asked again, it is fetched again */
  prepare: () => Promise<Code>;
  /** Calls back with it once it is there; when it cannot be fetched, somebody is told, and then `otherwise` is called. */
  whenHere: (use: (code: Code) => void, otherwise?: () => void) => void;
};

export function lateCode<Code>(load: () => Promise<Code>): LateCode<Code> {
  let kept: Code | undefined;
  const prepare = async () => {
    kept ??= await load();
    return kept;
  };
  return {
    prepare,
    whenHere: (use, otherwise) =>
      void prepare().then(use, () => {
        toastProblem(NOT_LOADED, NOT_LOADED);
        otherwise?.();
      }),
  };
}
