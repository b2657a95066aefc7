import { type RefObject, useEffect, useState } from 'react';
import styles from './system-settings.module.css';

/** Leads to each part of a long column, by its heading; parts may come later. */
export function Subjects({ of: column }: { of: RefObject<HTMLElement | null> }) {
  const [subjects, setSubjects] = useState<HTMLElement[]>([]);
  useEffect(() => {
    const { current } = column;
    if (current === null) return;
    const read = () => setSubjects([...current.querySelectorAll('h2')]);
    read();
    const changes = new MutationObserver(read);
    changes.observe(current, { childList: true });
    return () => changes.disconnect();
  }, [column]);
  return (
    <nav className={styles.subjects} aria-label="Subjects">
      {subjects.map((heading) => (
        <button key={heading.id} type="button" onClick={() => heading.closest('section')?.scrollIntoView()}>
          {heading.textContent}
        </button>
      ))}
    </nav>
  );
}
