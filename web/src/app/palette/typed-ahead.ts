/** Keys that are pressed after the one that opens a field, and before the field has the focus. */

/** `isEntered`: Enter was pressed after the text. */
export type TypedAhead = { text: string; isEntered: boolean };

const NOTHING: TypedAhead = { text: '', isEntered: false };

let caught: TypedAhead | undefined;

/** Keeps what is typed from now on, which triggers nothing else; Escape calls `onEscape`. @returns what ends it */
export function catchTyping(onEscape: () => void): () => void {
  caught = NOTHING;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (caught === undefined || ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Escape') return onEscape();
    const next = after(caught, key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    caught = next;
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    caught = undefined;
    window.removeEventListener('keydown', onKeyDown, { capture: true });
  };
}

/** What was typed until now, for the field that has the focus; nothing more is caught. */
export function takeTyped(): TypedAhead {
  const taken = caught ?? NOTHING;
  caught = undefined;
  return taken;
}

/** Undefined of a key that types nothing. */
function after({ text, isEntered }: TypedAhead, key: string): TypedAhead | undefined {
  if (key === 'Enter') return { text, isEntered: text !== '' };
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered };
  return key.length === 1 ? { text: text + key, isEntered } : undefined;
}
