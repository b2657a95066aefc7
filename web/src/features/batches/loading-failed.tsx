import { errorText } from '../../calls/api-error.ts';
import { ErrorBar } from '../../ui/states.tsx';

type LoadingFailedProps = { error: Error; onRetry: () => void; retrying: boolean };

export function LoadingFailed({ error, onRetry, retrying }: LoadingFailedProps) {
  return (
    <ErrorBar
      text={`Error loading batch: ${errorText(error) || 'Batch not found'}`}
      onRetry={onRetry}
      retrying={retrying}
    />
  );
}
