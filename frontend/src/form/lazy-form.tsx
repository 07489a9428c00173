import { type ComponentType, lazy, useState } from 'react';
import { visitor } from '../ui/visitor.ts';

const loaders: (() => Promise<unknown>)[] = [];

/** Loads the forms of the pages whose code is there, so that they render with their page. */
export async function loadForms(): Promise<void> {
  await Promise.all(loaders.map((load) => load()));
}

/**
 * A feature's form as a part of a page that is loaded on its own, together with the store and the form kit, once a visitor
 * is there. It is prerendered with the page; it stands in a `LoadBoundary`.
 * @param load - the feature's module, whose default export is the form
 */
export function lazyForm<Props extends object = object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  const loadForm = async () => {
    const [{ StoreProvider }, { default: FeatureForm }] = await Promise.all([
      import('../store/StoreProvider.tsx'),
      load(),
    ]);
    loaded ??= (props: Props) => (
      <StoreProvider>
        <FeatureForm {...props} />
      </StoreProvider>
    );
    return { default: loaded };
  };
  loaders.push(loadForm);
  const Lazy = lazy(async () => {
    await visitor();
    return loadForm();
  });
  return function LazyForm(props: Props) {
    // Code that is there is rendered at once. The choice stays, or the form would lose its state.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    // oxlint-disable-next-line react/static-components -- the component is chosen once and stays the same
    return <Chosen {...props} />;
  };
}
