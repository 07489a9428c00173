import { type ComponentType, lazy } from 'react';

/**
 * A feature's form as a part of a page that is loaded on its own, together with the store and the form kit. It is
 * prerendered with the page; it stands in a `LoadBoundary`.
 * @param load - the feature's module, whose default export is the form
 */
export function lazyForm<Props extends object = object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    const [{ StoreProvider }, { default: FeatureForm }] = await Promise.all([
      import('../store/StoreProvider.tsx'),
      load(),
    ]);
    return {
      default: (props: Props) => (
        <StoreProvider>
          <FeatureForm {...props} />
        </StoreProvider>
      ),
    };
  });
}
