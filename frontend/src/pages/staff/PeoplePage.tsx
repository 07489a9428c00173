import { erasureForm } from '@dune-tide/domain/forms/erasure';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import validate from 'virtual:validator/erase-person';
import { Form } from '../../form/Form.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { TextField } from '../../form/TextField.tsx';
import { OwnersOnly } from '../../staff-ui/roles/OwnersOnly.tsx';
import { DataCounts, holdsData } from '../../features/people/DataCounts.tsx';
import { DataExportButton } from '../../features/people/DataExportButton.tsx';
import { EraseDialog } from '../../features/people/EraseDialog.tsx';
import { type Person, usePersonalDataQuery } from '../../features/people/people-api.ts';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { ErrorState } from '../../staff-ui/lists/ErrorState.tsx';
import { SkeletonRows } from '../../staff-ui/lists/SkeletonRows.tsx';

/** Counts, exports and erases what is held about a person (docs/PRODUCT.md, "Personal data page"). */
export function PeoplePage() {
  const [params, setParams] = useSearchParams();
  const email = params.get('email') ?? '';
  return (
    <PageFrame
      title="Personal data"
      introduction="Answer a person who asks what you hold about them, or asks you to erase it."
    >
      <Box sx={{ maxWidth: '34rem' }}>
        <Form<Person>
          key={email}
          label="Find a person"
          schema={erasureForm}
          validate={validate}
          initialValues={{ email }}
          keepsDraft={false}
          send={async (person) => setParams({ email: person.email })}
        >
          <TextField name="email" type="email" inputMode="email" />
          <SubmitButton
            label="Show what is held"
            pendingLabel="Loading..."
            variant={email === '' ? 'contained' : 'outlined'}
          />
        </Form>
      </Box>
      {email !== '' && <Held key={email} email={email} />}
    </PageFrame>
  );
}

function Held({ email }: { readonly email: string }) {
  const { currentData, isError, isFetching, refetch } = usePersonalDataQuery(email, {
    refetchOnMountOrArgChange: true,
  });
  const [isOpen, setIsOpen] = useState(false);
  if (isError && !isFetching) {
    return <ErrorState text="Could not load the counts." onRetry={() => void refetch()} />;
  }
  if (!currentData) return <SkeletonRows count={4} />;
  const close = () => {
    setIsOpen(false);
    void refetch();
  };
  return (
    <Box component="section" aria-labelledby="held-title" aria-busy={isFetching} sx={{ marginTop: 4 }}>
      <Typography id="held-title" variant="h2" sx={{ marginBottom: 2, overflowWrap: 'anywhere' }}>
        Held about <bdi>{email}</bdi>
      </Typography>
      {holdsData(currentData) ? (
        <>
          <DataCounts data={currentData} isDone />
          <OwnersOnly call="erasePerson" what="export and erase the data of a person">
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25, marginTop: 2.5 }}>
              <DataExportButton email={email} />
              <Button variant="contained" onClick={() => setIsOpen(true)}>
                Erase…
              </Button>
            </Box>
          </OwnersOnly>
        </>
      ) : (
        <EmptyState text="Nothing is held about this address." hint="Upper and lower case make no difference." />
      )}
      <EraseDialog email={email} data={currentData} open={isOpen} onClose={close} />
    </Box>
  );
}
