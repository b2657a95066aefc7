import { Note } from '../../../ui/states.tsx';
import type { Problem } from './draft-json.ts';

const SHOWN_MAX = 8;

/** What keeps a draft from being an opportunity, each with its place. */
export function ProblemList({ title, problems }: { title: string; problems: readonly Problem[] }) {
  const shown = problems.slice(0, SHOWN_MAX).map(({ place, message }) => `${place}: ${message}`);
  const more = problems.length - shown.length;
  return (
    <div role="alert">
      <Note tone="error" title={title} lines={more > 0 ? [...shown, `and ${more} more`] : shown} />
    </div>
  );
}
