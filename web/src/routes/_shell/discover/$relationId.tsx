import { createFileRoute } from '@tanstack/react-router';
import { RelationDetails } from '../../../features/relations/relation-details.tsx';

export const Route = createFileRoute('/_shell/discover/$relationId')({ component: RelationPage });

function RelationPage() {
  const { relationId } = Route.useParams();
  return <RelationDetails key={relationId} id={relationId} />;
}
