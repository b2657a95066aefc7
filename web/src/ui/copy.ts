import { toastCopied, toastProblem } from './toasts.tsx';

/** Puts `text` on the clipboard and says so for two seconds; `what` is how the toast names it. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toastCopied(what);
  } catch {
    toastProblem('The browser did not allow copying.');
  }
}
