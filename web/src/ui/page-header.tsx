import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { CopiedId } from './copyable.tsx';
import { useDocumentTitle } from './document-title.ts';
import styles from './page-header.module.css';
import toasts from './toasts.module.css';

type PageHeaderProps = {
  title: string;
  /** What kind of thing the title names. */
  kind?: string;
  /** Its id, small beside the title, and what that is called. */
  id?: { id: string; what: string };
  back?: ReactNode;
  badges?: ReactNode;
  actions?: ReactNode;
  /** What stands under the title. */
  below?: ReactNode;
};

/** The page's one h1, with its way back, its state and what can be done. */
export function PageHeader({ title, kind, id, back, badges, actions, below }: PageHeaderProps) {
  useDocumentTitle(title);
  const header = useSaidEnd();
  return (
    <header ref={header} className={styles.header}>
      {(back !== undefined || kind !== undefined) && (
        <div className={styles.back}>
          {back}
          {kind !== undefined && <span className={styles.kind}>{kind}</span>}
        </div>
      )}
      <div className={styles.line}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {id !== undefined && (
            <span className={styles.id}>
              <CopiedId {...id} />
            </span>
          )}
          {badges}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {below}
    </header>
  );
}

const rules = new CSSStyleSheet();
document.adoptedStyleSheets.push(rules);

/** To the toasts alone: a value at the root of the page would have all of it styled again. */
function sayEnd(px: number): void {
  rules.replaceSync(`.${toasts.toasts} { --page-header-end: ${px}px }`);
}

/** Says where the header ends, which is where toasts begin. */
function useSaidEnd() {
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const { offsetTop, offsetHeight } = header.current ?? { offsetTop: 0, offsetHeight: 0 };
      sayEnd(offsetTop + offsetHeight);
    };
    const observer = new ResizeObserver(measure);
    if (header.current !== null) observer.observe(header.current);
    return () => {
      observer.disconnect();
      sayEnd(0);
    };
  }, []);
  return header;
}
