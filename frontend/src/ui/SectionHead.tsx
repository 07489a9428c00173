import Typography from '@mui/material/Typography';

interface SectionHeadProps {
  /** The id that labels the surrounding band. */
  readonly id: string;
  readonly heading: string;
  readonly introduction: string;
}

/** A section's heading, with its introduction beside it in wide windows. Render it in `Columns`. */
export function SectionHead({ id, heading, introduction }: SectionHeadProps) {
  return (
    <>
      <Typography id={id} variant="h2" sx={{ gridColumn: { md: '1 / span 7' } }}>
        {heading}
      </Typography>
      <Typography
        variant="subtitle1"
        sx={{
          gridColumn: { md: '8 / -1' },
          color: 'text.secondary',
          alignSelf: 'end',
          marginTop: { xs: 2, md: 0 },
          maxWidth: '30em',
        }}
      >
        {introduction}
      </Typography>
    </>
  );
}
