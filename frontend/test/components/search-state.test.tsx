import { act, fireEvent, render, screen } from '@testing-library/react/pure';
import { expect } from 'chai';
import { Suspense, use } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { useSearchState } from '../../src/routing/use-search-state.ts';

const never = new Promise<never>(() => undefined);

function Typed() {
  const [text, setText] = useSearchState(
    (search) => new URLSearchParams(search).get('q') ?? '',
    (state) => (state === '' ? '' : `?q=${state}`),
  );
  return <input aria-label="Search" value={text} onChange={({ target }) => setText(target.value, 0)} />;
}

/** A page whose code is still loading; the page before stays. */
const Loading = () => use(never);

describe('The query string of a page', () => {
  it('does not replace the address of the next page while that is still loading', async () => {
    window.history.replaceState(null, '', '/list');
    render(
      <BrowserRouter>
        <Suspense>
          <Routes>
            <Route path="/list" element={<Typed />} />
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
});
