import { erasureForm } from '@dune-tide/domain/forms/erasure';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import validate from 'virtual:validator/erase-person';
import type { RequestFailure } from '../../api-client/request.ts';
import { TextField } from '../../form/TextField.tsx';
import { AdminDialog, DialogActions } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { DialogForm } from '../../staff-ui/dialogs/DialogForm.tsx';
import { DataCounts } from './DataCounts.tsx';
import { type Erasure, type Person, type PersonalData, useErasePersonMutation } from './people-api.ts';

interface EraseDialogProps {
  readonly email: string;
  readonly data: PersonalData;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Erases everything that is held about a person, after the address has been typed. Then shows what was erased. */
export function EraseDialog({ email, data, open, onClose }: EraseDialogProps) {
  const [erased, setErased] = useState<Erasure>();
  const close = () => {
    onClose();
    setErased(undefined);
  };
  return (
    <AdminDialog
      open={open}
      onClose={close}
      title={erased ? 'Erased' : 'Erase this person?'}
      introduction={
        erased ? undefined : (
          <>
            Everything that is held about <bdi>{email}</bdi> is erased for good. An email that is being sent can still
            arrive, and copies in inboxes stay.
          </>
        )
      }
    >
      {erased ? (
        <Result erased={erased} onClose={close} />
      ) : (
        <Question email={email} data={data} onErased={setErased} onClose={close} />
      )}
    </AdminDialog>
  );
}

interface QuestionProps extends Omit<EraseDialogProps, 'open'> {
  readonly onErased: (erased: Erasure) => void;
}

function Question({ email, data, onErased, onClose }: QuestionProps) {
  const [erase] = useErasePersonMutation();
  return (
    <DialogForm<Person, Erasure>
      label="Erase this person"
      schema={erasureForm}
      validate={validate}
      send={async (typed) => {
        if (typed.email.toLowerCase() !== email.toLowerCase()) throw otherAddress(email);
        return erase(typed).unwrap();
      }}
      onSent={onErased}
      failureText="Could not erase the data. Please try again."
      submitLabel="Erase for good"
      pendingLabel="Erasing..."
      onCancel={onClose}
    >
      <DataCounts data={data} />
      <Box sx={{ marginTop: 2 }}>
        <TextField
          name="email"
          label="Type the email address to confirm"
          type="email"
          inputMode="email"
          hasFirstFocus
        />
      </Box>
    </DialogForm>
  );
}

function otherAddress(email: string): RequestFailure {
  const message = `This is not ${email}`;
  return { code: 'refused', status: 422, message, fieldErrors: [{ field: 'email', message }] };
}

function Result({ erased, onClose }: { readonly erased: Erasure; readonly onClose: () => void }) {
  const { isComplete, ...counts } = erased;
  const button = useRef<HTMLButtonElement>(null);
  // The form that had the focus is gone.
  useEffect(() => button.current?.focus(), []);
  return (
    <>
      <Typography component="output" sx={{ display: 'block', marginBottom: 2 }}>
        {isComplete
          ? 'Nothing is held about this address any more.'
          : 'There are more leads of this address. Close this, and erase them as well.'}
      </Typography>
      <DataCounts data={counts} isDone />
      <DialogActions>
        <Button ref={button} variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  );
}
