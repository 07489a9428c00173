import { PageFrame } from '../../components/admin/PageFrame.tsx';

/** /admin/recipes (specification §2). */
export function RecipesPage() {
  return <PageFrame title="Recipe Management">{null}</PageFrame>;
}
