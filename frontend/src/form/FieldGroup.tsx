import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

/** The element of fields that belong together, without the look that browsers give it; a heading within names it. */
export const Group = styled('fieldset')({ border: 0, margin: 0, padding: 0, minInlineSize: 0 });

interface FieldGroupProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Whether they are choices, whose longest option is to be read whole: their columns are wider. */
  readonly areChoices?: boolean | undefined;
}

/** Fields that are thought of together, under their own heading, in two columns where there is room. */
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

/** Two columns of fields where there is room; a field that needs the whole width stands in `FullWidth`. */
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

/** A field over both columns of a `FieldGrid`. */
export function FullWidth({ children }: { readonly children: ReactNode }) {
  return <Box sx={{ gridColumn: '1 / -1' }}>{children}</Box>;
}
