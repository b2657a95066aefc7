import { TextInput } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import styles from './system-settings.module.css';

/** Leaves in sight what has all of the words: settings one by one, other parts of the column whole. */
export function FindSetting({ of: column }: { of: RefObject<HTMLElement | null> }) {
  const [text, setText] = useState('');
  const [isNone, setNone] = useState(false);
  useEffect(() => {
    const { current } = column;
    if (current === null) return;
    const show = () => setNone(showOnly(current, text) === 0);
    show();
    // Parts of the column may come later.
    const changes = new MutationObserver(show);
    changes.observe(current, { childList: true });
    return () => changes.disconnect();
  }, [column, text]);
  return (
    <div className={styles.find}>
      <TextInput
        label="Find a Setting"
        placeholder="Words of it, or its name"
        type="search"
        size="xs"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p role="status" className="hint">
        {isNone && 'No setting has these words.'}
      </p>
    </div>
  );
}

/** Hides the rest. @returns how many parts are in sight */
function showOnly(column: HTMLElement, text: string): number {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (element: Element | null) =>
    words.every((word) => (element?.textContent ?? '').toLowerCase().includes(word));
  const parts = [...column.querySelectorAll<HTMLElement>('section')].map((part) => {
    const fields = [...part.querySelectorAll<HTMLElement>('[data-setting]')];
    const isAll = has(part.querySelector('h2'));
    for (const field of fields) field.hidden = !isAll && !has(field);
    part.hidden = fields.length === 0 ? !has(part) : fields.every((field) => field.hidden);
    return part;
  });
  return parts.filter((part) => !part.hidden).length;
}
