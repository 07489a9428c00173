import FormControlLabel from '@mui/material/FormControlLabel';
import { styled } from '@mui/material/styles';
import Switch from '@mui/material/Switch';
import { Fragment } from 'react';
import { AdminDialog } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { switchKeys, useAreKeysOn } from './keys-switch.ts';
import { leadKeys } from './lead-keys.ts';

const Keys = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  gap: '0.5rem 1.25rem',
  alignItems: 'center',
  marginTop: '1.25rem',
  fontSize: '0.9375rem',
  '& kbd': {
    display: 'inline-block',
    minWidth: '1.75rem',
    padding: '0.125rem 0.4375rem',
    border: '1px solid var(--dt-palette-text-disabled)',
    borderBottomWidth: 2,
    borderRadius: 5,
    fontFamily: 'inherit',
    fontSize: '0.8125rem',
    fontWeight: 600,
    textAlign: 'center',
  },
});

interface KeysDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The keys of the leads page, with the switch that turns them off in this browser. */
export function KeysDialog({ open, onClose }: KeysDialogProps) {
  const areOn = useAreKeysOn();
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title="Keyboard"
      introduction="The keys work in the list and in an open lead, while no field has the focus. Those with Ctrl work in a text, and on a Mac with Cmd as well."
    >
      <FormControlLabel
        control={<Switch checked={areOn} onChange={(_, isOn) => switchKeys(isOn)} />}
        label="Use the keys in this browser"
      />
      <Keys aria-label="Keys">
        {Object.values(leadKeys).map(({ key, label }) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </Fragment>
        ))}
      </Keys>
    </AdminDialog>
  );
}
