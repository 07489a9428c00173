import { leadViewForm } from '@dune-tide/domain/forms/lead-view';
import { maxLeadViews } from '@dune-tide/domain/limits';
import Button from '@mui/material/Button';
import { useState } from 'react';
import validate from 'virtual:validator/new-lead-view';
import { TextField } from '../../../form/TextField.tsx';
import { AdminDialog } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../../staff-ui/dialogs/DialogForm.tsx';
import { toasts } from '../../../toasts/toasts.ts';
import { filterLabel, type LeadFilter, writeFilter } from '../lead-filter.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { leadTabs } from '../lead-tabs.ts';
import { type LeadView, type NewLeadView, useSaveLeadViewMutation } from './views-api.ts';

/** Saves the filter of the page as a view; shown only if the page has a filter. */
export function SaveView({ filter }: { readonly filter: LeadFilter }) {
  const staff = useLeadStaff();
  const [save] = useSaveLeadViewMutation();
  const [isOpen, setIsOpen] = useState(false);
  const search = writeFilter(filter);
  if (search === '' && !isOpen) return null;
  const tab = filter.tab === 'all' ? '' : leadTabs.find(({ id }) => id === filter.tab)?.label;
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => setIsOpen(true)}>
        Save view
      </Button>
      <AdminDialog
        open={isOpen}
        onClose={close}
        title="Save this view"
        introduction={[tab, filterLabel(filter, staff)].filter(Boolean).join(' · ')}
      >
        <DialogForm<NewLeadView, LeadView>
          label="New view"
          schema={leadViewForm}
          validate={validate}
          send={({ name }, idempotencyKey) =>
            save({ view: { name, search: search.slice(1) }, idempotencyKey }).unwrap()
          }
          onSent={({ name }) => {
            toasts.success(`“${name}” is saved.`);
            close();
          }}
          failureText={`Could not save the view. You can have up to ${maxLeadViews} views.`}
          submitLabel="Save"
          pendingLabel="Saving..."
          onCancel={close}
        >
          <TextField name="name" autoComplete="off" hint="Only you see your views." />
        </DialogForm>
      </AdminDialog>
    </>
  );
}
