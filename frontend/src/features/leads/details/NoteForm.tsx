import { noteForm } from '@dune-tide/domain/forms/lead-change';
import type { FormValues } from '@dune-tide/domain/forms/form-schema';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import validate from 'virtual:validator/note-text';
import { ConflictBox } from '../../../staff-ui/dialogs/ConflictBox.tsx';
import { useAfterUnmountToast } from '../../../staff-ui/dialogs/use-after-unmount-toast.ts';
import { draftKeeper } from '../../../form/draft-storage.ts';
import { FocusText } from '../../../form/FocusText.tsx';
import { Form } from '../../../form/Form.tsx';
import { checkFields, failureHint, leadDeletedText } from '../../../staff-ui/failure-text.ts';
import { SubmitAlert } from '../../../form/SubmitAlert.tsx';
import { SubmitButton } from '../../../form/SubmitButton.tsx';
import { isRequestFailure, type RequestFailure } from '../../../api-client/request.ts';
import type { AppDispatch } from '../../../store/store.ts';
import { staffPath } from '../../../routing/staff-paths.ts';
import { type HistoryEntry, isLeadDeleted, useAddNoteMutation, useEditNoteMutation } from '../leads-api.ts';
import { NoteField } from './NoteField.tsx';

type NoteText = FormValues<typeof noteForm>;
export type NoteEntry = Extract<HistoryEntry, { readonly kind: 'note' }>;

const draftName = (id: string): string => `${noteForm.$id}:${id}`;
const failedText = 'Could not save the note. Everything you wrote is still here: check the connection and try again.';

const addingFailed = ({ status }: RequestFailure): string => (status === 404 ? leadDeletedText : failedText);

function editingFailed({ status }: RequestFailure): string {
  // The note shows the conflict.
  if (status === 412) return '';
  if (status === 410) return leadDeletedText;
  return status === 404 ? 'This note has been deleted.' : failedText;
}

/** Adds a note to a lead. The text is kept in this tab until it is stored. */
export function NewNote({ leadId }: { readonly leadId: string }) {
  const [add] = useAddNoteMutation();
  const { tellIfGone } = useAfterUnmountToast();
  return (
    <Form<NoteText>
      label="New note"
      schema={noteForm}
      validate={validate}
      draftName={draftName(leadId)}
      draftPath={staffPath.leads}
      send={({ text }, idempotencyKey) => add({ leadId, text, idempotencyKey }).unwrap()}
      onFailed={(failure) =>
        tellIfGone(
          failure,
          failure.status === 404 ? leadDeletedText : 'Could not save the note. Open the lead again to find your text.',
        )
      }
      hint={failureHint(addingFailed, checkFields)}
    >
      <SubmitAlert isLast={false} />
      <NoteField />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, marginTop: 0.5 }}>
        <SubmitButton label="Add note" pendingLabel="Adding..." variant="outlined" />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          Ctrl+Enter adds it. Only the team sees notes. Type @ to mention a colleague.
        </Typography>
      </Box>
    </Form>
  );
}

interface EditNoteProps {
  readonly leadId: string;
  /** The note as it is stored now. */
  readonly note: NoteEntry;
  readonly onDone: () => void;
}

/** Edits a note. If its author has changed it in another window since, they decide between the two texts. */
export function EditNote({ leadId, note, onDone }: EditNoteProps) {
  const [edit] = useEditNoteMutation();
  const [original, setOriginal] = useState(note);
  const [target, setTarget] = useState(note.version);
  const [isStale, setIsStale] = useState(false);
  const dispatch = useDispatch<AppDispatch>();
  const { tellIfGone } = useAfterUnmountToast();
  const isConflict = isStale && note.version !== target;
  const forget = () => draftKeeper(staffPath.leads, draftName(note.id)).clear();

  return (
    <Form<NoteText>
      key={original.version}
      label="Edit the note"
      schema={noteForm}
      validate={validate}
      initialValues={{ text: original.text ?? '' }}
      draftName={draftName(note.id)}
      draftPath={staffPath.leads}
      version={original.version}
      send={async ({ text }) => {
        const version = isConflict ? note.version : target;
        setTarget(version);
        setIsStale(false);
        try {
          await edit({ leadId, noteId: note.id, version, text }).unwrap();
        } catch (error) {
          if (!isRequestFailure(error) || error.status !== 404) throw error;
          // The server responds in the same way if only the note is gone.
          throw { ...error, status: (await dispatch(isLeadDeleted(leadId))) ? 410 : 404 } satisfies RequestFailure;
        }
      }}
      onSent={onDone}
      onFailed={(failure) => {
        tellIfGone(failure, 'Could not save the note. Please try again.');
        if (failure.status === 412) setIsStale(true);
      }}
      hint={failureHint(editingFailed, checkFields)}
    >
      {isConflict && (
        <ConflictBox title="You changed this note in another window">
          <Typography variant="body2">
            Your text is not saved. Saving it overwrites the text from the other window:
          </Typography>
          <Typography
            variant="body2"
            dir="auto"
            sx={{ marginTop: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {note.text}
          </Typography>
        </ConflictBox>
      )}
      <SubmitAlert isLast={false} />
      <NoteField />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25, marginTop: 0.5 }}>
        {isConflict && (
          <Button
            variant="outlined"
            onClick={() => {
              forget();
              setTarget(note.version);
              setOriginal(note);
              setIsStale(false);
            }}
          >
            Load the other text
          </Button>
        )}
        <SubmitButton label={isConflict ? 'Save my text' : 'Save note'} pendingLabel="Saving..." variant="outlined" />
        <Button
          variant="text"
          onClick={() => {
            forget();
            onDone();
          }}
        >
          Cancel
        </Button>
      </Box>
      <FocusText />
    </Form>
  );
}
