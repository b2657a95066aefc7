import { useEffect } from 'react';
import { setTitleFront } from '../../ui/document-title.ts';
import styles from './replay-look.module.css';
import { useSystemStatus } from './system-status.ts';

/** Whether a recording is played again, in which nothing can be placed. */
export function useIsReplay(): boolean {
  return useSystemStatus()?.venue === 'replay';
}

/** Marks every page of a replay, so that it is not taken for the live market: a frame, and a word in the title. */
export function ReplayLook() {
  const isReplay = useIsReplay();
  useEffect(() => {
    if (!isReplay) return;
    setTitleFront('REPLAY · ');
    return () => setTitleFront('');
  }, [isReplay]);
  return isReplay && <div className={styles.frame} aria-hidden="true" />;
}
