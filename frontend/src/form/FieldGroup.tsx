import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** A fieldset without the browser's default styles; a heading inside it names it. */
export const Group = styled('fieldset')({ border: 0, margin: 0, padding: 0, minInlineSize: 0 });

interface FieldGroupProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Whether the fields are selections. Their columns are wider, so that the longest option fits. */
  readonly areChoices?: boolean | undefined;
}

/** Related fields under a heading, in two columns if the window is wide enough. */
export function FieldGroup({ title, children, areChoices }: FieldGroupProps) {
  const id = useId();
  return (
    <Group aria-labelledby={id} sx={{ '& + &': { marginTop: 2.5 } }}>
      <Typography
        id={id}
        variant="h6"
        component="h3"
        sx={{ paddingTop: 2, marginBottom: 2, borderTop: 1, borderColor: 'divider' }}
      >
        {title}
      </Typography>
      <FieldGrid areChoices={areChoices}>{children}</FieldGrid>
    </Group>
  );
}

/** Two columns of fields if the window is wide enough. `FullWidth` makes a field span both. */
export function FieldGrid({ children, areChoices = false }: Omit<FieldGroupProps, 'title'>) {
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, max(${areChoices ? '19rem' : '11.5rem'}, 40%)), 1fr))`,
        columnGap: 2.5,
        rowGap: 2.25,
        alignItems: 'start',
      }}
    >
      {children}
    </Box>
  );
}

/** A field that spans both columns of a `FieldGrid`. */
export function FullWidth({ children }: { readonly children: ReactNode }) {
  return <Box sx={{ gridColumn: '1 / -1' }}>{children}</Box>;
}
