import { type ComponentType, lazy, useState } from 'react';
import { visitor } from '../ui/visitor.ts';

const loaders: (() => Promise<unknown>)[] = [];

/** Loads the forms of all loaded pages, so that they render together with their page. */
export async function loadForms(): Promise<void> {
  await Promise.all(loaders.map((load) => load()));
}

/**
 * Returns a form that is prerendered with its page, while its code and the form components load once a visitor is
 * active. Render it in a `LoadBoundary`.
 * @param load - imports the feature's module, whose default export is the form
 */
export function lazyForm<Props extends object = object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined;
  const loadForm = async () => {
    const module = await load();
    loaded = module.default;
    return module;
  };
  loaders.push(loadForm);
  const Lazy = lazy(async () => {
    await visitor();
    return loadForm();
  });
  return function LazyForm(props: Props) {
    // Loaded code renders synchronously. The choice is kept in state, because a change would reset the form.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    // oxlint-disable-next-line react/static-components -- the component is chosen once and stays the same
    return <Chosen {...props} />;
  };
}
