import { fireEvent, render, screen } from '@testing-library/react/pure';
import { expect } from 'chai';
import { PagedList } from '../../src/staff-ui/lists/PagedList.tsx';

describe('List with pages', () => {
  const list = (pages: readonly (readonly string[])[], state: { isError?: boolean; hasNextPage?: boolean } = {}) => {
    const { isError = false, hasNextPage = true } = state;
    const data = { pages: pages.map((items) => ({ items, next: null, loadedAt: 0 })) };
    const query = { data, isError, isFetchNextPageError: isError, hasNextPage, isFetching: false };
    const calls = { isFetchingNextPage: false, fetchNextPage: () => undefined, refetch: () => undefined };
    return (
      <PagedList query={{ ...query, ...calls }} failedText="Failed" rowsToCome={1} empty="None">
        {(items) => (
          <table>
            <tbody>
              {items.map((item, index) => (
                <tr key={item} data-index={index}>
                  <td>{item.startsWith('link') ? <a href="/">{item}</a> : item}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    );
  };
  const loadMore = () => {
    const button = screen.getByRole('button', { name: 'Load more' });
    button.focus();
    fireEvent.click(button);
  };

  it('focuses the first row of the next page, or the control in it', () => {
    const { rerender } = render(list([['a']]));
    loadMore();
    rerender(list([['a'], ['b']]));
    expect(document.activeElement?.textContent).to.equal('b');
    loadMore();
    rerender(list([['a'], ['b'], ['link', 'c']], { hasNextPage: false }));
    expect(document.activeElement?.outerHTML).to.equal('<a href="/">link</a>');
    expect(screen.queryByRole('button')).to.equal(null);
  });

  it('says that more could not be loaded, and lets the user try again', () => {
    render(list([['a']], { isError: true }));
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).to.deep.equal([
      '',
      'Failed to load more. Please try again.',
    ]);
    screen.getByRole('button', { name: 'Load more' });
  });
});
