import { LastHit, LastHits } from './last-hit.tsx';

/** What came of one opportunity that pays no more; its page fetches this code only then. */
export function GoneLine({ id, relationId }: { id: string; relationId: string }) {
  return (
    <LastHits ids={[id]} relationId={relationId}>
      <LastHit id={id} />
    </LastHits>
  );
}
