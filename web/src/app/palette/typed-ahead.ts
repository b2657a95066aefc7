/** Keys that are pressed after the one that opens a field, and before the field has the focus. */

/** `isEntered`: Enter was pressed after the text. */
export type TypedAhead = { text: string; isEntered: boolean };

const NOTHING: TypedAhead = { text: '', isEntered: false };

let caught: TypedAhead | undefined;
let takeBack = () => {};

/** Keeps what is typed from now on, which triggers nothing else; Escape calls `onEscape`. */
export function catchTyping(onEscape: () => void): void {
  caught ??= NOTHING;
  takeBack = onEscape;
  window.addEventListener('keydown', take, { capture: true });
}

export function stopCatching(): void {
  caught = undefined;
  window.removeEventListener('keydown', take, { capture: true });
}

/** What was typed until now, for the field that has the focus; nothing more is caught. */
export function takeTyped(): TypedAhead {
  const taken = caught ?? NOTHING;
  stopCatching();
  return taken;
}

function take(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event;
  if (caught === undefined || ctrlKey || metaKey || altKey || isComposing) return;
  const next = after(caught, key);
  if (key === 'Escape') {
    stopCatching();
    takeBack();
  }
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  caught = next;
}

/** Undefined of a key that types nothing. */
function after({ text, isEntered }: TypedAhead, key: string): TypedAhead | undefined {
  if (key === 'Enter') return { text, isEntered: text !== '' };
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered };
  return key.length === 1 ? { text: text + key, isEntered } : undefined;
}
