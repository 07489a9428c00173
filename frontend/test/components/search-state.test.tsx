import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { Suspense, use } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { useSearchState } from '../../src/routing/use-search-state.ts';

const never = new Promise<never>(() => undefined);

function List({ delay }: { readonly delay: number }) {
  const [text, setText] = useSearchState(
    (search) => new URLSearchParams(search).get('q') ?? '',
    (state) => (state === '' ? '' : `?q=${state}`),
  );
  return (
    <>
      <input aria-label="Search" value={text} onChange={({ target }) => setText(target.value, delay)} />
      <button onClick={() => setText('chosen', 0)}>Choose</button>
    </>
  );
}

/** A page whose code is still loading; the page before stays. */
const Loading = () => use(never);

describe('The query string of a page', () => {
  afterEach(cleanup);

  it('does not replace the address of the next page while that is still loading', async () => {
    window.history.replaceState(null, '', '/list');
    render(
      <BrowserRouter>
        <Suspense>
          <Routes>
            <Route path="/list" element={<List delay={0} />} />
            <Route path="/next" element={<Loading />} />
          </Routes>
        </Suspense>
        <Link to="/next">Next</Link>
      </BrowserRouter>,
    );
    await act(async () => {
      fireEvent.change(screen.getByRole('textbox'), { target: { value: 'alpha' } });
      fireEvent.click(screen.getByRole('link'));
    });
    // The delay of the typed text is 0, so its timer runs before this one.
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    expect(window.location.pathname).to.equal('/next');
  });

  it('goes back by choices, and by typed texts as a whole', async () => {
    window.history.replaceState(null, '', '/list');
    render(
      <BrowserRouter>
        <List delay={1} />
      </BrowserRouter>,
    );
    const field = screen.getByRole<HTMLInputElement>('textbox');
    const untilShown = (text: string) =>
      waitFor(() => expect([window.location.search, field.value]).to.deep.equal([text && `?q=${text}`, text]));
    for (const text of ['a', 'al', 'alp']) {
      fireEvent.change(field, { target: { value: text } });
      await untilShown(text);
    }
    fireEvent.click(screen.getByRole('button'));
    await untilShown('chosen');
    fireEvent.change(field, { target: { value: 'beta' } });
    await untilShown('beta');
    for (const text of ['chosen', 'alp', '']) {
      await act(async () => window.history.back());
      await untilShown(text);
    }
    await act(async () => window.history.forward());
    await untilShown('alp');
  });
});
