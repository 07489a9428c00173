import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { styled } from '@mui/material/styles';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { isRequestFailure } from '../../../api-client/request.ts';
import { AdminDialog } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { ChevronDownIcon, ChevronUpIcon, DragIcon, TrashIcon } from '../../../staff-ui/icons.tsx';
import { leaveFocus } from '../../../staff-ui/lists/focus-by-id.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { hasUnknownParts } from '../lead-filter.ts';
import { type LeadView, useDeleteLeadViewMutation, useOrderLeadViewsMutation } from './views-api.ts';

const List = styled('ul')({
  '&:not(:empty)': { borderTop: '1px solid var(--dt-palette-divider)' },
});

const Item = styled('li')({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  minHeight: 44,
  paddingBlock: 6,
  borderBottom: '1px solid var(--dt-palette-divider)',
  '&[data-dragged="true"]': { background: 'color-mix(in srgb, var(--dt-palette-secondary-main) 12%, transparent)' },
  '& .name': { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
  '& .handle': {
    display: 'flex',
    padding: 6,
    color: 'var(--dt-palette-text-secondary)',
    cursor: 'grab',
    touchAction: 'none',
    userSelect: 'none',
  },
});

interface EditViewsProps {
  readonly open: boolean;
  readonly views: readonly LeadView[];
  readonly onClose: () => void;
}

/** Orders and deletes the views that the user has saved. */
export function EditViews({ open, views, onClose }: EditViewsProps) {
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title="Your views"
      introduction={
        views.length > 0
          ? 'Drag them into the order that you want, or use the arrows.'
          : 'You have no saved views. Filter or search the leads, then choose “Save view”.'
      }
    >
      <Views views={views} />
    </AdminDialog>
  );
}

function Views({ views }: Pick<EditViewsProps, 'views'>) {
  const [sendOrder] = useOrderLeadViewsMutation();
  const [remove] = useDeleteLeadViewMutation();
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<{ readonly id: string; readonly ids: readonly string[] }>();
  const [announced, setAnnounced] = useState('');
  const ids = views.map(({ id }) => id);
  const order = dragged?.ids ?? ids;
  const shown = order.flatMap((id) => views.find((view) => view.id === id) ?? []);

  // An element that moves in the document loses the focus.
  const pressed = useRef<HTMLElement>(undefined);
  useLayoutEffect(() => {
    if (pressed.current?.isConnected === true) pressed.current.focus();
    pressed.current = undefined;
  });

  const reportFailure = (action: Promise<unknown>, text: string) => {
    action.catch((error: unknown) => {
      if (!isRequestFailure(error)) throw error;
      toasts.error(text);
    });
  };
  const store = (wanted: readonly string[]) => {
    if (wanted.join() !== ids.join()) reportFailure(sendOrder(wanted).unwrap(), 'Could not change the order.');
  };
  const announce = ({ id, name }: LeadView, wanted: readonly string[]) =>
    setAnnounced(`${name}: ${wanted.indexOf(id) + 1} of ${wanted.length}`);
  const step = (view: LeadView, by: 1 | -1, button: HTMLElement) => {
    const wanted = moved(ids, view.id, ids.indexOf(view.id) + by);
    pressed.current = button;
    announce(view, wanted);
    store(wanted);
  };

  const drag = ({ clientY }: PointerEvent) => {
    if (!dragged) return;
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const place = rows.findIndex(({ bottom }) => clientY < bottom);
    setDragged({ ...dragged, ids: moved(order, dragged.id, place < 0 ? rows.length - 1 : place) });
  };
  const drop = () => {
    if (dragged) store(dragged.ids);
    setDragged(undefined);
  };

  return (
    <Box tabIndex={-1} sx={{ outline: 0 }}>
      <List
        ref={list}
        aria-label="Your views"
        onPointerMove={drag}
        onPointerUp={drop}
        onPointerCancel={() => setDragged(undefined)}
      >
        {shown.map((view, place) => (
          <Item key={view.id} ref={leaveFocus} data-dragged={view.id === dragged?.id}>
            <span
              className="handle"
              aria-hidden
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                // Not the handle: an element that moves in the document loses the pointer.
                list.current?.setPointerCapture(event.pointerId);
                setDragged({ id: view.id, ids });
              }}
            >
              <DragIcon fontSize="small" />
            </span>
            <span className="name">
              <bdi>{view.name}</bdi>
              {hasUnknownParts(view.search) && (
                <Typography variant="caption" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
                  A part of this filter no longer exists.
                </Typography>
              )}
            </span>
            <IconButton
              size="small"
              aria-label={`Move ${view.name} up`}
              aria-disabled={place === 0}
              sx={place === 0 ? { opacity: 0.35 } : undefined}
              onClick={({ currentTarget }) => place > 0 && step(view, -1, currentTarget)}
            >
              <ChevronUpIcon fontSize="small" />
            </IconButton>
            <IconButton
              size="small"
              aria-label={`Move ${view.name} down`}
              aria-disabled={place === shown.length - 1}
              sx={place === shown.length - 1 ? { opacity: 0.35 } : undefined}
              onClick={({ currentTarget }) => place < shown.length - 1 && step(view, 1, currentTarget)}
            >
              <ChevronDownIcon fontSize="small" />
            </IconButton>
            <IconButton
              size="small"
              aria-label={`Delete ${view.name}`}
              onClick={() => reportFailure(remove(view.id).unwrap(), 'Could not delete the view. Please try again.')}
            >
              <TrashIcon fontSize="small" />
            </IconButton>
          </Item>
        ))}
      </List>
      <output style={visuallyHidden}>{announced}</output>
    </Box>
  );
}

/** Returns a list of ids in which one of them has another place. */
function moved(ids: readonly string[], id: string, place: number): readonly string[] {
  const others = ids.filter((each) => each !== id);
  return [...others.slice(0, place), id, ...others.slice(place)];
}
