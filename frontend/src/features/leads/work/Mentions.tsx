import { mentionsIn } from '@dune-tide/domain/mentions';
import { styled } from '@mui/material/styles';
import { Fragment } from 'react';
import { useLeadStaff } from '../lead-staff.ts';

const Mention = styled('strong')({
  fontWeight: 600,
  color: 'var(--dt-palette-secondary-main)',
  // The username does not change the direction of the text around it.
  unicodeBidi: 'isolate',
});

/** A text of a note with its mentions of active accounts emphasised. */
export function Mentions({ text }: { readonly text: string }) {
  const { people = [] } = useLeadStaff();
  const mentions = mentionsIn(
    text,
    people.map(({ username }) => username),
  );
  const ends = [0, ...mentions.map(({ to }) => to)];
  return (
    <>
      {mentions.map(({ from, to }, index) => (
        <Fragment key={from}>
          {text.slice(ends[index], from)}
          <Mention>{text.slice(from, to)}</Mention>
        </Fragment>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
