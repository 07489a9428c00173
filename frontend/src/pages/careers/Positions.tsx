import { careers, type JobPosting, jobPostings } from '@dune-tide/domain/content/careers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Band, Columns } from '../../ui/Band.tsx';
import { scriptedOnly } from '../../styles/layout-constants.ts';
import { SectionHead } from '../../ui/SectionHead.tsx';

const List = styled('ul')({ marginTop: 'clamp(2.5rem, 5vw, 4.5rem)' });

const Requirements = styled('ul')({
  marginTop: '0.75rem',
  paddingLeft: '1.1em',
  listStyle: 'revert',
  '& li': { paddingLeft: '0.35em', marginTop: '0.4em' },
  '& li::marker': { color: 'var(--dt-palette-primary-main)' },
});

const Facts = styled('dl')({
  '& > div': {
    // Side by side while a salary fits on one line.
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '0.75rem',
    paddingBlock: '0.6rem',
    borderBottom: '1px solid var(--dt-palette-divider)',
  },
  '& > div:first-of-type': { paddingTop: 0 },
  '& dt': { flex: '0 0 6.5rem', color: 'var(--dt-palette-text-secondary)' },
  '& dd': { flex: '1 1 8rem', fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
});

/** The anchor of the positions. */
export const positionsId = 'open-positions';

interface PositionsProps {
  readonly onApply: (posting: JobPosting) => void;
}

export function Positions({ onApply }: PositionsProps) {
  const { heading, introduction } = careers.positions;
  return (
    <Band tone="paper" id={positionsId} labelledBy="positions-heading">
      <Columns>
        <SectionHead id="positions-heading" heading={heading} introduction={introduction} />
        <List>
          {jobPostings.map((posting) => (
            <Posting key={posting.title} posting={posting} onApply={() => onApply(posting)} />
          ))}
        </List>
      </Columns>
    </Band>
  );
}

interface PostingProps {
  readonly posting: JobPosting;
  readonly onApply: () => void;
}

/** Beside the description in wide windows; on phones the facts come first and the button last. */
const aside = { md: '9 / -1', lg: '10 / -1' };

function Posting({ posting, onApply }: PostingProps) {
  const id = useId();
  const { apply, requirements } = careers.positions;
  return (
    <Columns
      as="li"
      sx={{
        maxWidth: 'none',
        paddingInline: 0,
        paddingBlock: 'clamp(2rem, 4vw, 3.5rem)',
        rowGap: 3,
        gridTemplateRows: { md: 'auto 1fr' },
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Typography
        id={`${id}-title`}
        variant="h3"
        sx={{ gridColumn: { md: '1 / span 4' }, gridRow: { md: '1 / span 2' } }}
      >
        {posting.title}
      </Typography>
      <Box sx={{ gridColumn: aside, gridRow: { md: 1 } }}>
        <Facts>
          <Fact name="Department">{posting.department}</Fact>
          <Fact name="Location">{posting.locations.join(' / ')}</Fact>
          <Fact name="Type">{posting.type}</Fact>
          <Fact name="Salary">{posting.salary}</Fact>
        </Facts>
      </Box>
      <Box sx={{ gridColumn: { md: '5 / span 4', lg: '5 / span 5' }, gridRow: { md: '1 / span 2' } }}>
        <Typography sx={{ maxWidth: '38em' }}>{posting.description}</Typography>
        <Typography variant="h6" component="h4" sx={{ marginTop: 3 }}>
          {requirements}
        </Typography>
        <Requirements>
          {posting.requirements.map((requirement) => (
            <Typography key={requirement} component="li" sx={{ color: 'text.secondary', maxWidth: '36em' }}>
              {requirement}
            </Typography>
          ))}
        </Requirements>
      </Box>
      <Box sx={{ gridColumn: aside }}>
        <Button
          id={`${id}-apply`}
          variant="contained"
          aria-labelledby={`${id}-apply ${id}-title`}
          onClick={onApply}
          sx={scriptedOnly}
        >
          {apply}
        </Button>
      </Box>
    </Columns>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Typography component="dt" variant="body2">
        {name}
      </Typography>
      <Typography component="dd" variant="body2">
        {children}
      </Typography>
    </div>
  );
}
